"""Signs that can be observed in the output of ``mqadmin``."""

from enum import Enum
from functools import cache

from rebalance_proofs.language import Text
from rebalance_proofs.recorded.knowledge.data import entries, text


@cache
def _texts() -> dict[str, Text]:
    return {one["name"]: text(one["text"]) for one in entries("", "sign")}


class Sign(Enum):
    """An observation that can point to a problem; it does not say which cause produced it."""

    UNOWNED = "unowned"
    SHARED = "shared"
    UNEVEN = "uneven"
    UNEVEN_TOPIC = "uneven-topic"
    ONE_ADDRESS = "one-address"
    IDLE = "idle"
    SUBSCRIPTIONS = "subscriptions"
    NO_SUBSCRIPTION = "no-subscription"
    SAME_ID = "same-id"
    VERSIONS = "versions"
    STRATEGIES = "strategies"
    BEHIND = "behind"
    STANDS = "stands"
    WENT_BACK = "went-back"
    SKIPPED_AHEAD = "skipped-ahead"
    DROPPED = "dropped"
    UNLOCK_FAILED = "unlock-failed"
    NOT_LOCKED = "not-locked"
    NOT_PULLED = "not-pulled"
    BLOCKED = "blocked"

    @property
    def text(self) -> Text:
        """The sign in words: ``a queue without a client``."""
        return _texts()[self.value]
