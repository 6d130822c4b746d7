"""One member of a group and a broker, action by action, as their code runs."""

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

    def __init__(self, made: type[MQClientInstance], limits: Limits, *, delay: int | None) -> None:
        """Started at 0 ms: its first heartbeat has just come. ``delay``: for so long first pulls are put off, if they
        are."""
        self.delay, self.broker = delay, Broker()
        self.client = made(GROUP, subscribed(True, TAG, 0), limits, 0)
        self.print = self.fingerprint()
        self.client.send_heartbeat_to_all_broker_with_lock(0)
        self.client.send()
        self.client.arrive(self.broker)
        self.client.end()
        self.moved, self.fresh = 0, False
        """When its table last changed, or the broker forgot the group; and whether a first pull is to come."""
        self.refused = self.lost = self.missed = False
        """What came of pulls."""
        self.had = self.found
        """What the broker's table last had of the topic."""
        self.version = self.carried = 0
        """Its own version where it does not subscribe to the topic, and that of a heartbeat without subscriptions."""
        self.known, self.agrees = False, True
        """Of a client without heartbeat V2, which keeps nothing of that."""

    @property
    def own(self) -> SubscriptionData | None:
        """Its subscription to the topic."""
        return self.client.subscription_inner.get(TOPIC)

    @property
    def info(self) -> ConsumerGroupInfo | None:
        """What the broker has of the group."""
        return self.broker.consumer_table.get(GROUP)

    @property
    def found(self) -> SubscriptionData | None:
        """And of the topic."""
        return self.info.subscription_table.get(TOPIC) if self.info else None

    @property
    def refuses(self) -> bool:
        """A pull of the member's would be refused."""
        own = self.subscription()
        return isinstance(self.broker.subscription(GROUP, TOPIC, own.sub_version), Refusal)

    def fingerprint(self) -> int:
        """Of its subscriptions; 0 without heartbeat V2."""
        if not isinstance(self.client, MQClientInstanceV2):
            return 0
        return Heartbeat(GROUP, tuple(self.client.subscription_inner.values())).computed()

    def subscription(self) -> SubscriptionData:
        """Its own. Raises ``Impossible`` where it has none."""
        own = self.own
        need(own is not None)
        assert own is not None
        return own

    def raises(self, now: int) -> None:
        """Its table of queues has changed: what was added is to be pulled (``dispatchPullRequest``), and the version is
        raised at once after that."""
        self.subscription()
        self.client.message_queue_changed(TOPIC, now)
        self.moved, self.fresh = now, True

    def begins(self, now: int) -> None:
        """A heartbeat begins that is not periodic."""
        need(self.client.free)
        self.client.send_heartbeat_to_all_broker_with_lock(now)

    def sends(self) -> None:
        """It is sent to this broker."""
        self.client.send()
        self.carried = self.own.sub_version if self.own else self.version

    def arrives(self) -> None:
        """It comes there."""
        self.had = self.found or self.had
        self.client.arrive(self.broker)

    def others(self, *, topic: bool, takes: bool, same: bool, version: int) -> None:
        """Another member's comes."""
        self.had = self.found or self.had
        told = subscribed(topic, TAG if takes else OTHER_TAG, version)
        self.broker.heart_beat(Heartbeat(GROUP, told, self._other(same=same)))

    def prints(self, *, same: bool) -> None:
        """One without subscriptions."""
        self.broker.heart_beat(Heartbeat(GROUP, (), self._other(same=same), without_sub=True))

    def forgets(self, now: int) -> None:
        """The broker forgets the group."""
        self.had = self.found or self.had
        self.broker.forget()
        self.moved = now

    def pulls(self) -> None:
        """A pull of the member's."""
        own = self.subscription()
        found = self.broker.subscription(GROUP, TOPIC, own.sub_version)
        self.refused = isinstance(found, Refusal)
        if isinstance(found, SubscriptionData):
            self.lost = self.lost or not given(found, own)

    def firsts(self, now: int) -> None:
        """The first one of a queue that was added."""
        need(self.fresh)
        need(self.delay is None or now >= self.moved + self.delay)
        self.pulls()
        self.fresh = False

    def posts(self) -> None:
        """One that has its expression with it: the broker asks no table."""
        own = self.subscription()
        self.refused = False
        self.lost = self.lost or not given(own, own)

    def pulled(self, *, topic: bool, takes: bool, version: int) -> None:
        """A pull of another member's."""
        need(topic)
        found = self.broker.subscription(GROUP, TOPIC, version)
        if isinstance(found, SubscriptionData):
            own = SubscriptionData(TOPIC, frozenset({TAG if takes else OTHER_TAG}), version)
            self.missed = self.missed or not given(found, own)

    def _other(self, *, same: bool) -> int:
        """A fingerprint of another member."""
        return self.print if same or not self.print else self.print + 1


def given(broker: SubscriptionData, own: SubscriptionData) -> bool:
    """The message is given to the listener: the broker filters, and then the client."""
    return broker.takes(TAG) and own.takes(TAG)
