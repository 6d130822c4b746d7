"""The effect of a rebalance on the queues that a client holds."""

from enum import Enum


class Held(Enum):
    """What happens to all queues of the topic that the client holds."""

    KEPT = "kept"
    RELEASED = "released"
