"""What is compared with what, where groups are enumerated."""

GROUPS, JOINS, SIZES, SMALLEST = "groups", "joins", "sizes", "smallest"
"""The concrete results of each group with the compiled terms, and all guarantees on them; how many queues change hands
in each join with the closed form that is proved; solver and concrete implementation at each size; the smallest
counterexamples of both."""

BEYOND, UNATTAINED = "beyond", "unattained"
"""What can be wrong with a proved bound on joins: more queues change hands in one; fewer do in all of a size."""

SOLVER, ENUMERATOR = "solver", "enumerator"
"""Whose smallest counterexample it is."""

RESULTS, POSITIONS, CODE_SUM, AT_PLACE = "results", "positions", "code_sum", "at_place"
"""What is counted of groups besides: results of single consumers; positions at which concrete result and compiled term
were compared; the sum of the numbers that were looked up, whether they name a group or none; groups that have the
number that they ought to have by ``places.Places``."""

QUEUES = "queues"
"""What is counted of joins besides: queues that were looked at."""

SOLVER_TIME = "solver_us"
"""Microseconds that the solver took, over all executors."""
