"""Names of the comparisons that enumerate groups."""

GROUPS, JOINS, SIZES, SMALLEST = "groups", "joins", "sizes", "smallest"
"""Kinds of comparisons.

In this order: each group's concrete results with the compiled terms, and all guarantees on them; the queues that change
owner in each join with the proved closed form; solver and concrete implementation at each size; the smallest
counterexamples of both.
"""

BEYOND, UNATTAINED = "beyond", "unattained"
"""Violations of a proved bound on joins.

A join moves more queues, or all joins of a size move fewer.
"""

SOLVER, ENUMERATOR = "solver", "enumerator"
"""The two sources of a smallest counterexample."""

RESULTS, POSITIONS, NUMBER_SUM, AT_PLACE = "results", "positions", "number_sum", "at_place"
"""Counters of enumerations.

In this order: results of single consumers; positions at which concrete result and compiled term were compared; the sum
of all decoded numbers; groups at their correct number (see ``places.Places``).
"""

QUEUES = "queues"
"""Counter of joins: queues that were examined."""

SOLVER_TIME = "solver_us"
"""The solver's time in microseconds, over all executors."""
