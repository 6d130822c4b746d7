"""How an ordered queue passes to its new owner, and how pauses are counted; ``pauses`` explores how long they are."""

from enum import Enum

__all__ = ["NEVER_ENDS", "TICK", "Way"]

TICK = 10_000
"""Length of a tick, in ms."""
NEVER_ENDS = -1
"""Ticks of a pause that need not end."""


class Way(Enum):
    """What becomes of the old owner, or of the new owner's own entry, when the queue changes hands."""

    FREE = "nobody has the lock"
    SHUT = "its consumer was shut down"
    CRASHED = "its consumer has crashed"
    ALIVE = "its consumer lives, and gives it up"
    LOST = "its consumer lives and gives it up, and the return of the lock is lost"
    BACK = "it comes back to a consumer whose listener ran when it was taken away"
