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

RESULTS, POSITIONS, CODE_SUM, AT_PLACE = "results", "positions", "code_sum", "at_place"
"""Counters of sweeps, in this order.

Results of single consumers; positions at which concrete result and compiled term were compared; the sum of all codes
that were decoded, whether they name a group or not; groups that have the code which ``places.Places`` computes.
"""

QUEUES = "queues"
"""Counter of joins: queues that were looked at."""

SOLVER_TIME = "solver_us"
"""Microseconds that the solver took, over all executors."""
