"""One member of a group and a broker, action by action, as their code runs; and what became of it."""

from rebalance_proofs.model.possible import need
from rebalance_proofs.model.subscriptions.broker import Broker, ConsumerGroupInfo, Heartbeat, Refusal, SubscriptionData
from rebalance_proofs.model.subscriptions.client import MQClientInstance, MQClientInstanceV2
from rebalance_proofs.model.subscriptions.limits import Limits

__all__ = ["GROUP", "OTHER_TAG", "TAG", "TOPIC", "Member"]

GROUP, TOPIC, TAG, OTHER_TAG = "group", "TopicTest", "TagA", "TagB"
"""The message has the tag ``TAG``, and the member's expression is that tag alone."""
RETRY = f"%RETRY%{GROUP}"
"""Everybody subscribes to it."""


def subscribed(topic: bool, tag: str, version: int) -> tuple[SubscriptionData, ...]:
    """A set of subscriptions."""
    retry = SubscriptionData(RETRY, frozenset(), 0)
    return (retry, SubscriptionData(TOPIC, frozenset({tag}), version)) if topic else (retry,)


class Member:
    """Raises ``Impossible`` where nobody does that now. Times are in ms."""

    def __init__(self, made: type[MQClientInstance], limits: Limits, *, delay: int, topic: bool = True) -> None:
        """Started at 0 ms: its first heartbeat has just come. ``delay``: for so long first pulls are put off."""
        self.now, self.delay = 0, delay
        self.topic, self.unused = topic, 0
        self.broker = Broker()
        self.client = made(GROUP, subscribed(topic, TAG, 0), limits, 0)
        self.print = 0
        """Its fingerprint; 0 without heartbeat V2."""
        if made is MQClientInstanceV2:
            self.print = Heartbeat(GROUP, tuple(self.client.subscription_inner.values())).computed()
        self.client.send_heartbeat_to_all_broker_with_lock(0)
        self.client.send()
        self.client.arrive(self.broker)
        self.client.end()
        self.heard = self.left = self.changed = self.moved = self.asked = 0
        self.first = self.opened = 0
        self.refused = self.odd = self.stirred = self.lost = self.missed = self.fresh = self.barred = False
        self.had = topic

    @property
    def info(self) -> ConsumerGroupInfo | None:
        """What the broker has of the group."""
        return self.broker.consumer_table.get(GROUP)

    @property
    def entry(self) -> SubscriptionData | None:
        """And of the topic."""
        return self.info.subscription_table.get(TOPIC) if self.info else None

    @property
    def version(self) -> int:
        """The member's own, where it subscribes to the topic."""
        return self.client.subscription_inner[TOPIC].sub_version if self.topic else self.unused

    @property
    def refuses(self) -> bool:
        """A pull of the member's would be refused."""
        return isinstance(self.broker.subscription(GROUP, TOPIC, self.version), Refusal)

    def raises(self) -> None:
        """Its table of queues has changed: what was added is to be pulled (``dispatchPullRequest``), and the version is
        raised at once after that."""
        need(self.topic)
        self.client.message_queue_changed(TOPIC, self.now)
        self.moved, self.fresh = self.now, True

    def ticks(self) -> None:
        """A periodic heartbeat is due."""
        self.client.scheduled(self.now)

    def begins(self) -> None:
        """Another one begins."""
        need(self.client.free)
        self.client.send_heartbeat_to_all_broker_with_lock(self.now)

    def sends(self) -> None:
        """It is sent to this broker."""
        self.client.send()

    def arrives(self) -> None:
        """It comes there."""
        need(self.client.flies)
        assert self.client.sent is not None
        self._heard(self.topic, full=not self.client.sent.without_sub, heartbeat=None)
        self.heard = self.now

    def ends(self) -> None:
        """It is over."""
        self.client.end()

    def others(self, *, topic: bool, takes: bool, same: bool, version: int) -> None:
        """Another member's comes."""
        data = Heartbeat(GROUP, subscribed(topic, TAG if takes else OTHER_TAG, version), self._other(same=same))
        self._heard(topic, full=True, heartbeat=data)
        self.left = self.left if topic else self.now

    def prints(self, *, same: bool) -> None:
        """One without subscriptions."""
        need(self.print != 0)
        self.broker.heart_beat(Heartbeat(GROUP, (), self._other(same=same), without_sub=True))

    def forgets(self) -> None:
        """The broker forgets the group."""
        self.broker.forget()
        self.had, self.moved = False, self.now

    def pulls(self) -> None:
        """A pull of the member's."""
        need(self.topic)
        found = self.broker.subscription(GROUP, TOPIC, self.version)
        if isinstance(found, Refusal):
            self.first = self.first if self.refused else self.now
            self.refused, self.asked = True, self.now
        else:
            self.refused = False
            self.lost |= not self._found(found, self.client.subscription_inner[TOPIC])

    def firsts(self) -> None:
        """The first one of a queue that was added."""
        need(self.fresh and self.now >= self.moved + self.delay)
        self.pulls()
        self.fresh = False
        self.barred |= self.refused

    def posts(self) -> None:
        """One that has its expression with it: the broker asks no table."""
        need(self.topic)
        own = self.client.subscription_inner[TOPIC]
        self.refused = False
        self.lost |= not self._found(own, own)

    def pulled(self, *, topic: bool, takes: bool, version: int) -> None:
        """A pull of another member's."""
        need(topic)
        found = self.broker.subscription(GROUP, TOPIC, version)
        if not isinstance(found, Refusal):
            own = SubscriptionData(TOPIC, frozenset({TAG if takes else OTHER_TAG}), version)
            self.missed |= not self._found(found, own)

    def _found(self, broker: SubscriptionData, own: SubscriptionData) -> bool:
        """The message is given to the listener: the broker filters, and then the client."""
        return broker.takes(TAG) and own.takes(TAG)

    def _other(self, *, same: bool) -> int:
        """A fingerprint of another member."""
        return self.print if same or not self.print else self.print + 1

    def _heard(self, topic: bool, *, full: bool, heartbeat: Heartbeat | None) -> None:
        before, closed = self.entry is not None, self.refuses
        if heartbeat is None:
            self.client.arrive(self.broker)
        else:
            self.broker.heart_beat(heartbeat)
        if full:
            changes = before != (self.entry is not None)
            self.odd |= changes != (self.had != topic)
            self.had = topic
            self.stirred |= changes
            self.changed = self.now if changes else self.changed
        self.opened = self.now if closed and not self.refuses else self.opened
