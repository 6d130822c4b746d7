"""Python code of one group member and a broker, for claims about subscriptions.

There is a method for each action of the machine.
"""

from typing import TYPE_CHECKING

from rebalance_proofs.model.possible import need
from rebalance_proofs.model.subscriptions.broker import Broker, ConsumerGroupInfo, Heartbeat, Refusal, SubscriptionData
from rebalance_proofs.model.subscriptions.client import MQClientInstance, MQClientInstanceV2

if TYPE_CHECKING:
    from rebalance_proofs.model.machines.subscriptions.state import Limits

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
