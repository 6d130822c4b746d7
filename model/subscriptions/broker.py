"""Python code of a broker's subscription table, and its handling of heartbeats and pulls."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum

SUB_ALL = "*"


@dataclass(frozen=True)
class SubscriptionData:
    """A subscription: topic, tags and version; the version is its last change in ms.

    Tags also represent their hash codes.
    """

    topic: str
    tags_set: frozenset[str] = frozenset()
    """Tags to receive; empty for all messages."""
    sub_version: int = 0

    def takes(self, tags: str) -> bool:
        """Check whether a message with those tags passes the filter of this subscription.

        Mirror of ``ExpressionMessageFilter.isMatchedByConsumeQueue`` and ``PullAPIWrapper.processPullResult``.
        """
        return not self.tags_set or tags in self.tags_set


@dataclass(frozen=True)
class Heartbeat:
    """A client's heartbeat with its subscriptions of one group (``HeartbeatData``)."""

    group: str
    subscriptions: tuple[SubscriptionData, ...]
    fingerprint: int = 0
    """Fingerprint of the subscriptions; 0 if the heartbeat is not V2."""
    without_sub: bool = False

    def computed(self) -> int:
        """Return a fingerprint that ignores versions (``computeHeartbeatFingerprint``). Never 0."""
        return hash(frozenset(replace(one, sub_version=0) for one in self.subscriptions)) or 1


@dataclass(frozen=True)
class V2Answer:
    """The broker's answer to a heartbeat, with the fields of heartbeat V2."""

    support_v2: bool
    sub_change: bool


class Refusal(Enum):
    """Reason why the broker refuses a pull."""

    SUBSCRIPTION_NOT_EXIST = 24
    SUBSCRIPTION_NOT_LATEST = 25


class ConsumerGroupInfo:
    """The broker's record of one group's subscriptions; the members' channels are left out."""

    def __init__(self) -> None:
        self.subscription_table: dict[str, SubscriptionData] = {}

    def update_subscription(self, sub_list: Iterable[SubscriptionData]) -> bool:
        """Apply a heartbeat's subscriptions; return whether topics were added or removed.

        A greater version alone is not a change.
        """
        updated = False
        topics = set()
        for sub in sub_list:
            old = self.subscription_table.get(sub.topic)
            if old is None:
                self.subscription_table[sub.topic] = sub
                updated = True
            elif sub.sub_version > old.sub_version:
                self.subscription_table[sub.topic] = sub
            topics.add(sub.topic)
        for topic in self.subscription_table.keys() - topics:
            del self.subscription_table[topic]
            updated = True
        return updated


class Broker:
    """A broker's subscriptions of all groups, as changed by heartbeats and used by pulls.

    Mirror of ``ClientManageProcessor``, ``ConsumerManager``, and the first checks of ``PullMessageProcessor``.
    """

    def __init__(self) -> None:
        self.consumer_table: dict[str, ConsumerGroupInfo] = {}
        self.consumer_group_heartbeat_table: dict[str, int] = {}
        self.notified = 0
        """Number of times that a group's members were notified because its topics changed."""

    def heart_beat(self, data: Heartbeat) -> V2Answer:
        """Handle a heartbeat: ``heartBeat`` or ``heartBeatV2``."""
        before = self.consumer_group_heartbeat_table.get(data.group)
        self.consumer_group_heartbeat_table[data.group] = data.fingerprint
        info = self.consumer_table.setdefault(data.group, ConsumerGroupInfo())
        if not data.without_sub and info.update_subscription(data.subscriptions):
            self.notified += 1
        if not data.fingerprint:
            return V2Answer(True, True)
        return V2Answer(True, before is not None and before != data.fingerprint)

    def forget(self) -> None:
        """Restart the broker: the subscriptions are in memory only and are lost."""
        self.consumer_table.clear()
        self.consumer_group_heartbeat_table.clear()

    def subscription(self, group: str, topic: str, sub_version: int) -> SubscriptionData | Refusal:
        """Return the subscription that filters a pull, or the reason to refuse the pull.

        ``sub_version``: the version that the pull carries.
        """
        info = self.consumer_table.get(group)
        data = info.subscription_table.get(topic) if info else None
        if data is None:
            return Refusal.SUBSCRIPTION_NOT_EXIST
        if data.sub_version < sub_version:
            return Refusal.SUBSCRIPTION_NOT_LATEST
        return data
