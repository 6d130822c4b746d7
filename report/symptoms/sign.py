"""Signs that can be seen in the output of ``mqadmin``."""

from enum import Enum

__all__ = ["Sign"]


class Sign(Enum):
    """An observation, without its cause."""

    UNOWNED = "a queue without a client"
    SHARED = "a queue that two members have"
    UNEVEN = "members whose numbers of queues differ by more than one over all topics, and by no more in each"
    UNEVEN_TOPIC = "members whose numbers of queues of one topic differ by more than one"
    ONE_ADDRESS = "an address with more queues than others by more than one"
    IDLE = "a member without a queue"
    SUBSCRIPTIONS = "members that do not subscribe to the same"
    NO_SUBSCRIPTION = "a member that subscribes to nothing"
    SAME_ID = "a client id that stands there twice"
    VERSIONS = "members of different versions"
    STRATEGIES = "members with different strategies"
    BEHIND = "a queue that has waited for longer than the others have"
    STANDS = "a queue whose offset stands while messages come"
    WENT_BACK = "an offset that went back"
    SKIPPED_AHEAD = "an offset beyond what the broker has"
    DROPPED = "an entry that is marked as dropped"
    UNLOCK_FAILED = "an entry whose lock could not be given back"
    NOT_LOCKED = "an entry of an ordered queue without its lock"
    NOT_PULLED = "an entry from which nothing was pulled for two minutes"
    BLOCKED = "messages that wait for a listener"
