"""Python code of a client's heartbeats (``MQClientInstance``), in steps that can interleave.

A heartbeat goes to all brokers in turn, under one lock; one of the brokers is observed.
"""

from dataclasses import replace
from typing import TYPE_CHECKING

from rebalance_proofs.model.machine.values import number
from rebalance_proofs.model.possible import need
from rebalance_proofs.model.subscriptions.broker import Broker, Heartbeat, SubscriptionData, V2Answer

if TYPE_CHECKING:
    from rebalance_proofs.model.machines.subscriptions.state import Limits

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
