"""Names of the comparisons and counters of allocation enumerations, as in the JSON output."""

GROUPS, JOINS, SIZES, SMALLEST = "groups", "joins", "sizes", "smallest"
"""Kinds of comparisons.

In this order: concrete results of each group with the formulas, and all guarantees on these results; counted queues
that change owner in each join with the proved closed form; solver with concrete code at each size; smallest
counterexamples of the solver and of the enumeration.
"""

BEYOND, UNATTAINED = "beyond", "unattained"
"""Violations of a proved bound on the queues that a join moves.

``BEYOND``: a join moves more queues. ``UNATTAINED``: all joins of a size move fewer.
"""

SOLVER, ENUMERATOR = "solver", "enumerator"
"""The two sources of a smallest counterexample."""

RESULTS, POSITIONS, NUMBER_SUM, AT_PLACE = "results", "positions", "number_sum", "at_place"
"""Counters of enumerations.

In this order: results of single consumers; queue positions at which concrete result and formula were compared; sum of
all group numbers; groups that are at their correct number (see ``places.Places``).
"""

QUEUES = "queues"
"""Counter of joins: queues that were examined."""

SOLVER_TIME = "solver_us"
"""Counter of the solver's time in microseconds, over all executors."""
