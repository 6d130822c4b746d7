"""Signs that can be observed in the output of ``mqadmin``."""

from enum import Enum

__all__ = ["Sign"]


class Sign(Enum):
    """An observation that can point to a problem; it does not say which cause produced it."""

    UNOWNED = "a queue without a client"
    SHARED = "a queue that two members own"
    UNEVEN = "members whose total queue counts differ by more than one, while each topic differs by one at most"
    UNEVEN_TOPIC = "members whose queue counts for one topic differ by more than one"
    ONE_ADDRESS = "an address with at least two queues more than another"
    IDLE = "a member without a queue"
    SUBSCRIPTIONS = "members with different subscriptions"
    NO_SUBSCRIPTION = "a member without subscriptions"
    SAME_ID = "a client id that is listed twice"
    VERSIONS = "members of different versions"
    STRATEGIES = "members with different strategies"
    BEHIND = "a queue that lags minutes behind the others"
    STANDS = "a queue whose offset does not move while messages wait"
    WENT_BACK = "an offset that rolled back"
    SKIPPED_AHEAD = "a consumer offset above the broker's offset"
    DROPPED = "a ProcessQueue marked as dropped"
    UNLOCK_FAILED = "a ProcessQueue whose lock could not be released"
    NOT_LOCKED = "an ordered queue without its lock"
    NOT_PULLED = "a queue that was not pulled for two minutes"
    BLOCKED = "messages that wait for a listener"
