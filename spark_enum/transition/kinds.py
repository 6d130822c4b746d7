"""Names of the comparisons in the enumeration of transitions."""

SINGLES, CALLS, TABLES, MODELS = "singles", "calls", "tables", "models"
"""Kinds of comparisons.

In order: code of one queue with compiled terms; code of several queues with that of each alone; compiled terms of
several queues with the code of each alone; the solver's models with the code of one queue.
"""

LETTERS, PROMISES = "letters", "promises"
"""Further kinds of comparisons.

In order: the number of different effects of a client on a queue; the claims on the clients' code, in cases with few
deviations from the defaults.
"""

ADMITTED, GONE, FARTHER = "admitted", "gone through", "farther"
"""Counters of cases.

In order: cases in the claim's scenario; by mode, all tried cases, in the scenario or not; tried cases with more
deviations, needed because none with few breaks the claim.
"""
