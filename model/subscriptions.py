"""Python code of a broker's subscription table, a client's heartbeats, and one group member's heartbeats and pulls.

A client (``MQClientInstance``) sends a heartbeat to all brokers in turn, under one lock, in steps that can interleave;
one of the brokers is observed. ``Member`` has a method for each action of the machine.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING

from rebalance_proofs.model.machine.values import number
from rebalance_proofs.model.possible import need

if TYPE_CHECKING:
    from rebalance_proofs.model.machines.subscriptions.state import Limits


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


# Python code of a client's heartbeats (``MQClientInstance``), in steps that can interleave.
#
# A heartbeat goes to all brokers in turn, under one lock; one of the brokers is observed.


IDLE, TOGO, FLIES, DONE = range(4)
"""Progress of the member's heartbeat.

In order: none in progress, so the lock is free; begun, but not yet created for this broker; in flight to it; arrived,
but not ended, because other brokers or the answer are outstanding.
"""


class MQClientInstance:
    """A client instance with one group and one observed broker. Times are in ms."""

    def __init__(self, group: str, subscriptions: tuple[SubscriptionData, ...], limits: "Limits", now: int) -> None:
        self.group, self.period = group, number(limits.period)
        self.subscription_inner = {one.topic: one for one in subscriptions}
        self.at, self.began = IDLE, now
        """Progress of the heartbeat that holds ``lockHeartbeat``, and the time when it began."""
        self.next: int = now + self.period
        self.sent: Heartbeat | None = None

    @property
    def free(self) -> bool:
        """Whether the heartbeat lock is free, so that a heartbeat can begin."""
        return self.at == IDLE

    def message_queue_changed(self, topic: str, now: int) -> None:
        """Raise the subscription's version, and begin a heartbeat.

        Mirror of ``RebalancePushImpl.messageQueueChanged``.
        """
        self.subscription_inner[topic] = replace(self.subscription_inner[topic], sub_version=now)
        self.send_heartbeat_to_all_broker_with_lock(now, is_rebalance=True)

    def scheduled(self, now: int) -> None:
        """Begin a heartbeat, as the client's periodic task does."""
        need(now >= self.next)
        self.next += self.period
        self.send_heartbeat_to_all_broker_with_lock(now)

    def send_heartbeat_to_all_broker_with_lock(self, now: int, *, is_rebalance: bool = False) -> None:
        """Begin a heartbeat to all brokers, or do nothing if its lock is taken (``tryLock``)."""
        if self.at == IDLE:
            self.at, self.began = TOGO, now

    def send(self) -> None:
        """Send the heartbeat to the observed broker, when its turn comes."""
        need(self.at == TOGO)
        self.at, self.sent = FLIES, self.made(Heartbeat(self.group, tuple(self.subscription_inner.values())))

    def made(self, data: Heartbeat) -> Heartbeat:
        """Return the heartbeat in the form in which this client sends it."""
        return data

    def arrive(self, broker: Broker) -> None:
        """The heartbeat arrives at the observed broker, and the client handles the answer.

        Mirror of ``sendHeartbeat``.
        """
        need(self.at == FLIES)
        assert self.sent is not None
        self.answered(self.sent, broker.heart_beat(self.sent))
        self.at = DONE

    def answered(self, sent: Heartbeat, answer: V2Answer) -> None:
        """Handle the broker's answer to the heartbeat ``sent``."""

    def end(self) -> None:
        """End the heartbeat: ``lockHeartbeat.unlock()``."""
        need(self.at == DONE)
        self.at = IDLE


class MQClientInstanceV2(MQClientInstance):
    """A client instance with heartbeat V2, which omits subscriptions that the broker knows.

    The setting is ``useHeartbeatV2`` (``com.rocketmq.heartbeat.v2``), from 5.1.3 on.
    """

    def __init__(self, group: str, subscriptions: tuple[SubscriptionData, ...], limits: "Limits", now: int) -> None:
        super().__init__(group, subscriptions, limits, now)
        self.broker_addr_heartbeat_fingerprint: int | None = None
        """Fingerprint of the subscriptions that the observed broker knows.

        It is this broker's entry of ``brokerAddrHeartbeatFingerprintTable``.
        """

    def send_heartbeat_to_all_broker_with_lock(self, now: int, *, is_rebalance: bool = False) -> None:
        if self.at == IDLE and is_rebalance:
            self.broker_addr_heartbeat_fingerprint = None
        super().send_heartbeat_to_all_broker_with_lock(now, is_rebalance=is_rebalance)

    def made(self, data: Heartbeat) -> Heartbeat:
        fingerprint = data.computed()
        if self.broker_addr_heartbeat_fingerprint == fingerprint:
            return Heartbeat(data.group, (), fingerprint, without_sub=True)
        return replace(data, fingerprint=fingerprint)

    def answered(self, sent: Heartbeat, answer: V2Answer) -> None:
        if answer.sub_change:
            self.broker_addr_heartbeat_fingerprint = None
        elif not sent.without_sub:
            self.broker_addr_heartbeat_fingerprint = sent.fingerprint


# Python code of one group member and a broker, for claims about subscriptions.
#
# There is a method for each action of the machine.


GROUP, TOPIC, TAG, OTHER_TAG = "group", "TopicTest", "TagA", "TagB"
"""Names of the group, the topic and two tags.

The observed message has the tag ``TAG``, and the member subscribes to that tag only.
"""
RETRY = f"%RETRY%{GROUP}"
"""The group's retry topic, to which every member subscribes."""


def subscribed(topic: bool, tag: str, version: int) -> tuple[SubscriptionData, ...]:
    """Return all subscriptions of a member: to its retry topic, and to the topic if ``topic``."""
    retry = SubscriptionData(RETRY, frozenset(), 0)
    return (retry, SubscriptionData(TOPIC, frozenset({tag}), version)) if topic else (retry,)


class Member:
    """A member and a broker, as Python objects.

    Times are in ms. A method raises ``Impossible`` if its action is impossible in the present state.
    """

    def __init__(self, made: type[MQClientInstance], limits: "Limits", *, delay: int | None) -> None:
        """Start at 0 ms, when the first heartbeat has just arrived.

        ``delay``: time for which first pulls are delayed; None if they are not.
        """
        self.delay, self.broker = delay, Broker()
        self.client = made(GROUP, subscribed(True, TAG, 0), limits, 0)
        self.print = self.fingerprint()
        self.client.send_heartbeat_to_all_broker_with_lock(0)
        self.client.send()
        self.client.arrive(self.broker)
        self.client.end()
        self.moved, self.fresh = 0, False
        """Time of the last change, and whether a first pull is due.

        A change is one of the member's queues, or the loss of the group's record at the broker.
        """
        self.refused = self.lost = self.missed = False
        """``refused``: whether the broker has refused the member's last pull.

        ``lost``: whether a pull of the member has skipped the message; ``missed``: whether another member's
        has.
        """
        self.had = self.found
        """The broker's subscription to the topic, as last known."""
        self.version = self.carried = 0
        """``version``: the member's version, while it has no subscription to the topic.

        ``carried``: the version of a heartbeat without subscriptions.
        """
        self.known, self.agrees = False, True
        """Values of the fields about heartbeat V2, for a client that does not use it."""

    @property
    def own(self) -> SubscriptionData | None:
        """The member's subscription to the topic; None if it has none."""
        return self.client.subscription_inner.get(TOPIC)

    @property
    def info(self) -> ConsumerGroupInfo | None:
        """The broker's record of the group; None if there is none."""
        return self.broker.consumer_table.get(GROUP)

    @property
    def found(self) -> SubscriptionData | None:
        """The broker's subscription to the topic; None if there is none."""
        return self.info.subscription_table.get(TOPIC) if self.info else None

    @property
    def refuses(self) -> bool:
        """Whether the broker would refuse a pull of the member."""
        own = self.subscription()
        return isinstance(self.broker.subscription(GROUP, TOPIC, own.sub_version), Refusal)

    def fingerprint(self) -> int:
        """Fingerprint of the member's subscriptions; 0 without heartbeat V2."""
        if not isinstance(self.client, MQClientInstanceV2):
            return 0
        return Heartbeat(GROUP, tuple(self.client.subscription_inner.values())).computed()

    def subscription(self) -> SubscriptionData:
        """The member's subscription to the topic. Raises ``Impossible`` without one."""
        own = self.own
        need(own is not None)
        assert own is not None
        return own

    def raises(self, now: int) -> None:
        """The member's queues change, and it raises its version right after that.

        Added queues are to be pulled (``dispatchPullRequest``).
        """
        self.subscription()
        self.client.message_queue_changed(TOPIC, now)
        self.moved, self.fresh = now, True

    def ticks(self, now: int) -> None:
        """A periodic heartbeat is due."""
        self.client.scheduled(now)

    def begins(self, now: int) -> None:
        """A heartbeat that is not periodic begins."""
        need(self.client.free)
        self.client.send_heartbeat_to_all_broker_with_lock(now)

    def sends(self) -> None:
        """The heartbeat is sent to the observed broker."""
        self.client.send()
        self.carried = self.own.sub_version if self.own else self.version

    def arrives(self) -> None:
        """The heartbeat arrives at the broker."""
        self.had = self.found or self.had
        self.client.arrive(self.broker)

    def ends(self) -> None:
        """The heartbeat to all brokers ends."""
        self.client.end()

    def others(self, *, topic: bool, takes: bool, same: bool, newer: bool, version: int, now: int) -> None:
        """A heartbeat of another member arrives; ``newer``: its version is the present time, not ``version``."""
        self.had = self.found or self.had
        told = subscribed(topic, TAG if takes else OTHER_TAG, now if newer else version)
        self.broker.heart_beat(Heartbeat(GROUP, told, self._other(same=same)))

    def prints(self, *, same: bool) -> None:
        """A heartbeat of another member arrives without subscriptions, which heartbeat V2 allows."""
        need(isinstance(self.client, MQClientInstanceV2))
        self.broker.heart_beat(Heartbeat(GROUP, (), self._other(same=same), without_sub=True))

    def forgets(self, now: int) -> None:
        """The broker loses the group's record."""
        self.had = self.found or self.had
        self.broker.forget()
        self.moved = now

    def pulls(self) -> None:
        """A pull of the member arrives."""
        own = self.subscription()
        found = self.broker.subscription(GROUP, TOPIC, own.sub_version)
        self.refused = isinstance(found, Refusal)
        if isinstance(found, SubscriptionData):
            self.lost = self.lost or not given(found, own)

    def firsts(self, now: int) -> None:
        """The first pull of an added queue arrives."""
        need(self.fresh)
        need(self.delay is None or now >= self.moved + self.delay)
        self.pulls()
        self.fresh = False

    def posts(self) -> None:
        """A pull arrives that carries its filter expression.

        The broker does not use its stored subscription for it.
        """
        own = self.subscription()
        self.refused = False
        self.lost = self.lost or not given(own, own)

    def pulled(self, *, topic: bool, takes: bool, newer: bool, version: int, now: int) -> None:
        """A pull of another member arrives; ``newer``: see ``others``."""
        need(topic)
        version = now if newer else version
        found = self.broker.subscription(GROUP, TOPIC, version)
        if isinstance(found, SubscriptionData):
            own = SubscriptionData(TOPIC, frozenset({TAG if takes else OTHER_TAG}), version)
            self.missed = self.missed or not given(found, own)

    def _other(self, *, same: bool) -> int:
        """Return the fingerprint of another member; if ``same``, the member's own one."""
        return self.print if same or not self.print else self.print + 1


def given(broker: SubscriptionData, own: SubscriptionData) -> bool:
    """Check whether the message passes two filters, first the broker's and then the client's."""
    return broker.takes(TAG) and own.takes(TAG)
