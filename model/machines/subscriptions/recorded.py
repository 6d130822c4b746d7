"""How the actions show in a recording: the topics of a group at a broker, and one member's heartbeats and pulls."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Protocol

from rebalance_proofs.model.machine.recorded import Cause, History, Recorded, Unseen, does, nothing, outside, shows
from rebalance_proofs.model.machine.values import And, Bool, Implies, Not, Or
from rebalance_proofs.model.machines.subscriptions.state import Limits, Subscription
from rebalance_proofs.model.subscriptions import FLIES, Refusal

BEAT, PULL = "HEART_BEAT", "PULL_MESSAGE"
SCHEDULED, REBALANCING = "MQClientFactoryScheduledThread", "RebalanceService"
"""Threads of a client that send heartbeats: the periodic ones, and those for changed queues."""
REFUSED = frozenset(one.value for one in Refusal)
PULLED = frozenset((20, 21))
"""Codes without messages of answers to pulls that the table of subscriptions admits: another offset is right."""
UNRECORDED = frozenset((0, 19))
"""Codes of answers to pulls with messages, and without a message yet. The recording has no such answers of brokers."""
NOT_LATEST = Refusal.SUBSCRIPTION_NOT_LATEST.value


class AtBroker(History, Protocol):
    """What a recording shows of one topic of a process, in the group's record at one broker."""

    @property
    def own(self) -> bool:
        """Whether the process has sent the request of the event."""

    @property
    def took(self) -> int:
        """Milliseconds from the earliest time at which the broker can have handled the request, to the event."""

    @property
    def full(self) -> bool:
        """Whether the heartbeat contains subscriptions."""

    @property
    def version(self) -> int | None:
        """Version of the topic in the heartbeat or in the polled row; None if the topic is missing."""

    @property
    def takes(self) -> bool:
        """Whether the heartbeat or the polled row has the same expression of the topic as the process."""

    @property
    def rewritten(self) -> bool:
        """Whether the process has changed the topic's expression."""

    @property
    def fingerprints(self) -> bool:
        """Whether the process sends heartbeats V2."""

    @property
    def ignored(self) -> bool:
        """Whether a heartbeat V2 may list subscriptions that the broker ignores."""

    @property
    def unprepared(self) -> int:
        """Milliseconds for which the topic has had a newer version than that of the heartbeat."""

    @property
    def alone(self) -> bool:
        """Whether the thread had no other reason for the heartbeat than the topic's new version."""

    @property
    def told(self) -> bool:
        """Whether the process may have been notified of what the event shows."""

    @property
    def emptied(self) -> bool:
        """Whether the polls of the group's members show that the group may have had no member."""

    @property
    def polled(self) -> int:
        """Longest time in ms from the poll of a broker's table to its event."""

    @property
    def thaws(self) -> int:
        """Milliseconds after the event for which a broker handles what it received while it was frozen."""

    @property
    def commanded(self) -> int:
        """Milliseconds since the driver commanded what the event shows."""

    @property
    def first_pull(self) -> bool:
        """Whether the request is the first pull of a process queue."""

    @property
    def due(self) -> bool:
        """Whether the pull is not too early: after its process queue was added, or after a refusal."""

    @property
    def admitted(self) -> bool:
        """Whether the broker has handled a pull, and no refusal is recorded."""

    @property
    def arrives(self) -> int:
        """Longest time in ms from a pull to its arrival."""

    @property
    def initially(self) -> Iterable[Mapping[str, int]]:
        """Values of the machine's first state."""


def _is_scheduled(h: AtBroker) -> bool:
    return bool(h.event.thread.startswith(SCHEDULED))


def _is_sent(s: Subscription, h: AtBroker) -> Bool:
    """Check that the heartbeat of the event is the one that the machine has sent."""
    listed = h.version is not None
    return And(
        s.at == FLIES,
        Or(s.full == h.full, h.ignored),
        Implies(h.full, s.subscribes == listed),
        Implies(listed, s.carried == (h.version or 0)),
    )


def _is_told(s: Subscription, h: AtBroker) -> Bool:
    """Check that a heartbeat that changes the topics is followed by a notification."""
    return Or(h.told, Not(s.stirred))


def _is_row(s: Subscription, h: AtBroker) -> Bool:
    """Check that the broker's table is as polled."""
    listed = h.version is not None
    known = Or(not listed, h.rewritten, s.matches == h.takes)
    return And(s.has == listed, Implies(listed, s.latest == (h.version or 0)), known)


def _is_refused(s: Subscription, h: AtBroker) -> Bool:
    """Check that the machine refuses the pull for the recorded reason."""
    return And(s.refused, Implies(h.event.said.code != NOT_LATEST, Not(s.has)))


def _is_accepted(s: Subscription, h: AtBroker) -> Bool:
    return Not(s.refused)


def _others(*, same: bool) -> Cause[Subscription]:
    """Return the effect of another member's heartbeat; ``same``: whether it has the member's fingerprint."""
    return does(
        "others",
        only=lambda s, h: h.full and (h.fingerprints or not same),
        sees=_is_told,
        topic=lambda s, h: h.version is not None,
        takes=lambda s, h: h.takes,
        newer=False,
        version=lambda s, h: h.version or 0,
        same=same,
    )


def _subscribes(subscribes: bool) -> Cause[Subscription]:
    """Return the effect of a user's call: the machine goes on as that of another member."""
    return outside(lambda s, h: s if bool(s.subscribes) == subscribes else s.but(subscribes=subscribes, known=False))


def _rebalances(s: Subscription, h: AtBroker) -> bool:
    """Return True if a heartbeat V2 has subscriptions because the queues of another topic have changed."""
    return h.fingerprints and h.event.thread == REBALANCING and not h.alone


BEGINS: Cause[Subscription] = does("begins", only=lambda s, h: not h.alone, sees=_is_sent)
SENDS: tuple[Cause[Subscription], ...] = (
    does("sends", sees=_is_sent),
    BEGINS.then("sends"),
    replace(BEGINS, only=_rebalances, outside=lambda s, h: s.but(known=False)).then("sends"),
)
"""Heartbeats of the rebalance thread, which also has other reasons than a new version of this topic, and of users."""
BEFORE = "its heartbeat has another version, or it does not have the topic"

TABLE: Recorded[Subscription, Limits] = Recorded(
    each="topic",
    begins="",
    ends=(),
    rows=(
        # The member's version is the time at which it was raised. Heartbeats and pulls carry it.
        shows("raised", does("raises"), nothing(lambda s, h: Not(s.subscribes)), why="it has no such topic"),
        # A heartbeat to all brokers is created before it is sent. The scheduled thread sends the periodic ones.
        shows(
            "ask",
            does("ticks", sees=_is_sent).then("sends"),
            code=BEAT,
            only=_is_scheduled,
            early=lambda h: h.unprepared,
            why=BEFORE,
        ),
        shows("ask", *SENDS, code=BEAT, only=lambda h: not _is_scheduled(h), early=lambda h: h.unprepared, why=BEFORE),
        # The broker handles a heartbeat between its arrival and its answer.
        shows(
            "answered",
            does("arrives"),
            code=BEAT,
            only=lambda h: h.own,
            early=lambda h: h.took,
            why="its heartbeat was not sent",
        ),
        shows(
            "answered",
            _others(same=False),
            _others(same=True),
            *(
                does("prints", only=lambda s, h: h.fingerprints and (h.ignored or not h.full), same=same)
                for same in (False, True)
            ),
            nothing(lambda s, h: not h.full and not h.fingerprints),
            code=BEAT,
            only=lambda h: not h.own,
            early=lambda h: h.took,
            why="another consumer's heartbeat changes the topics, but no consumer is notified",
        ),
        # Polls of the broker's table. The group's record is dropped with its last member.
        shows(
            "table",
            nothing(_is_row),
            what="subs",
            only=lambda h: h.event.is_ is not None,
            early=lambda h: h.polled,
            why="the broker's table has another row",
            looks=True,
        ),
        shows(
            "table",
            nothing(lambda s, h: Not(s.has)),
            does("forgets"),
            what="subs",
            only=lambda h: h.event.is_ is None,
            early=lambda h: h.polled,
        ),
        shows("unchanged", nothing(_is_row), early=lambda h: h.polled, why="no poll has seen the change", looks=True),
        shows(
            "table",
            nothing(),
            does("forgets"),
            what="members",
            only=lambda h: h.emptied,
            early=lambda h: h.polled,
            late=lambda h: h.thaws,
        ),
        # Pulls that the broker refuses, and others.
        shows(
            "answered",
            does("firsts", only=lambda s, h: h.first_pull, sees=_is_refused),
            does("pulls", sees=_is_refused),
            code=PULL,
            only=lambda h: h.event.said.code in REFUSED,
            early=lambda h: h.took,
            why="the broker refuses a pull",
            looks=True,
        ),
        shows(
            "answered",
            does("pulls", sees=_is_accepted),
            does("posts", only=lambda s, h: h.event.asked.has_subscription),
            code=PULL,
            only=lambda h: h.event.said.code in PULLED,
            early=lambda h: h.took,
            why="the broker accepts a pull",
            looks=True,
        ),
        shows(
            "pulled",
            does("pulls", sees=_is_accepted),
            early=lambda h: h.took,
            why="the broker accepts a pull",
            looks=True,
        ),
        shows(
            "answered",
            code=PULL,
            only=lambda h: h.event.said.code in UNRECORDED,
            why="brokers do not record that a pull has messages, or none yet",
        ),
        # A new queue is pulled after a delay, and so is a queue whose pull was refused.
        shows("ask", nothing(lambda s, h: h.due), code=PULL, why="it is pulled too early", looks=True),
        # A pull without a recorded refusal was admitted when it arrived. It may be refused after it has waited.
        shows(
            "ask",
            does("pulls", sees=_is_accepted),
            code=PULL,
            only=lambda h: not h.event.said.has_subscription and h.admitted,
            late=lambda h: h.arrives,
            why="the broker has not refused a pull",
            looks=True,
        ),
        shows(
            "ask",
            does("posts"),
            code=PULL,
            only=lambda h: h.event.said.has_subscription,
            why="it pulls a topic without a subscription",
            looks=True,
        ),
        # The user subscribes to the topic, or unsubscribes.
        shows("subscribed", _subscribes(True), early=lambda h: h.commanded),
        shows("unsubscribed", _subscribes(False), early=lambda h: h.commanded),
    ),
    hidden=(Unseen(does("ends")),),
    urgent=(),
    kept=frozenset(("stirred",)),
    passing=frozenset(("stirred", "moved", "began")),
    late="",
    first=lambda h: h.initially,
)
