"""Ways in which an ordered queue passes to its new owner, and the unit of its pauses.

A pause is the time in which no consumer works on the queue; ``pauses`` computes its length.
"""

from enum import Enum

TICK = 10_000
"""Length of a tick, in ms."""
NEVER_ENDS = -1
"""Stands for a pause without an upper bound, instead of a number of ticks."""


class Way(Enum):
    """The situation at a hand-over: the state of the old owner and its lock.

    In the last case, it is the new owner's process queue that matters.
    """

    FREE = "no consumer holds the lock"
    SHUT = "the old owner shut down"
    CRASHED = "the old owner crashed"
    ALIVE = "the old owner is alive and releases it"
    LOST = "the old owner releases it, but the unlock is lost"
    BACK = "it returns to an owner whose listener was running"
