"""Names of the comparisons in which transitions are enumerated."""

SINGLES, CALLS, TABLES, MODELS = "singles", "calls", "tables", "models"
"""Kinds of comparisons, in this order.

The code of one queue with the compiled terms; the code of several queues with that of each alone; the compiled terms of
several queues with the code of each alone; the solver's models with the code of one queue.
"""

LETTERS, PROMISES = "letters", "promises"
"""Further kinds of comparisons, in this order.

The number of different effects of a client on a queue; the claims on the clients' code, in cases with few deviations
from the defaults.
"""

ADMITTED, GONE, FARTHER = "admitted", "gone through", "farther"
"""Counters, in this order.

Cases in the claim's scenario; by mode, all cases that were tried, in the scenario or not; and those of them that were
tried with more deviations, because none with few breaks the claim.
"""
