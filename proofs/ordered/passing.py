"""How an ordered queue passes to its new owner, and the unit of pauses.

``pauses`` explores their lengths.
"""

from enum import Enum

__all__ = ["NEVER_ENDS", "TICK", "Way"]

TICK = 10_000
"""Length of a tick, in ms."""
NEVER_ENDS = -1
"""Number of ticks that represents a pause without an upper bound."""


class Way(Enum):
    """The state of the old owner, or of the new owner's process queue, at a hand-over."""

    FREE = "no consumer holds the lock"
    SHUT = "the old owner shut down"
    CRASHED = "the old owner crashed"
    ALIVE = "the old owner is alive and releases it"
    LOST = "the old owner releases it, but the unlock is lost"
    BACK = "it returns to an owner whose listener was running"
