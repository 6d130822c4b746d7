"""Names of the comparisons in which groups are enumerated."""

GROUPS, JOINS, SIZES, SMALLEST = "groups", "joins", "sizes", "smallest"
"""Kinds of comparisons, in this order.

Each group's concrete results with the compiled terms, and all guarantees on them; the queues that change hands in each
join with the proved closed form; solver and concrete implementation at each size; the smallest counterexamples of both.
"""

BEYOND, UNATTAINED = "beyond", "unattained"
"""Violations of a proved bound on joins: more queues change hands in one join; fewer do in all joins of a size."""

SOLVER, ENUMERATOR = "solver", "enumerator"
"""Whose smallest counterexample it is."""

RESULTS, POSITIONS, NUMBER_SUM, AT_PLACE = "results", "positions", "number_sum", "at_place"
"""Counters of sweeps, in this order.

Results of single consumers; positions at which concrete result and compiled term were compared; the sum of all numbers
that were decoded; groups that are at their place among all (see ``places.Places``).
"""

QUEUES = "queues"
"""Counter of joins: queues that were looked at."""

SOLVER_TIME = "solver_us"
"""Microseconds that the solver took, over all executors."""
