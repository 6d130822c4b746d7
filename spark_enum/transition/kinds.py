"""Names of the comparisons and counters for transitions, as in the JSON output."""

SINGLES, CALLS, TABLES, MODELS = "singles", "calls", "tables", "models"
"""Kinds of comparisons.

In order: client code for one queue with compiled formulas; client code for several queues with that for each queue
alone; compiled formulas for several queues with client code for each queue alone; solver models with client code for
one queue.
"""

LETTERS, PROMISES = "letters", "promises"
"""Further kinds of comparisons.

In order: the number of different effects of a client on a queue; the claims about client code, in cases with few
non-default values.
"""

ADMITTED, GONE, FARTHER = "admitted", "gone through", "farther"
"""Counters of cases.

In order: cases to which a claim applies; all tried cases, by mode; tried cases with more non-default values, by mode.
The last ones are needed because no case with few of them breaks the claim.
"""
