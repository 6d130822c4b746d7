"""How the actions show in a recording: one queue of an ordered consumer, and the queue's lock at its broker."""

from dataclasses import replace
from typing import Protocol

from rebalance_proofs.model.machine.copies import NOBODY
from rebalance_proofs.model.machine.recorded import (
    Cause,
    History,
    Recorded,
    Unseen,
    another,
    cannot,
    does,
    nothing,
    outside,
    shows,
)
from rebalance_proofs.model.machine.values import And, Bool, Implies, Not, Or
from rebalance_proofs.model.machines.ordered.state import Limits, Ordered

LOCK, UNLOCK = "LOCK_BATCH_MQ", "UNLOCK_BATCH_MQ"
STALL = 2_000
"""Longest pause of a thread in ms that leaves no event."""
QUERYING = 5_000
"""Longest time in ms of an offset query. The process queue is created and locked before the query."""


class AtLock(History, Protocol):
    """What a recording shows of one queue of an ordered consumer, and of the queue's lock at its broker."""

    @property
    def own(self) -> bool:
        """Whether the process has sent the request of the event."""

    @property
    def granted(self) -> bool:
        """Whether the broker grants the lock."""

    @property
    def rebalances(self) -> bool:
        """Whether a rebalance has sent the lock request; other requests renew locks."""

    @property
    def late(self) -> bool:
        """Whether the answer to the lock request may come too late for the consumer."""

    @property
    def heard(self) -> bool | None:
        """Whether the answer to the lock request reaches the consumer; None if it may come too late."""

    @property
    def merged(self) -> bool:
        """Whether an earlier grant of a renewal reached the consumer while this one was under way."""

    @property
    def took(self) -> int:
        """Longest time in ms from the handling of the request by the broker to the event."""

    @property
    def more(self) -> bool | None:
        """Whether another unlock request of the process is under way; None if that is not known."""

    @property
    def party(self) -> int:
        """The client that has sent the request: ``ME`` if it has the client id of the process, else ``OTHER``."""

    @property
    def frees(self) -> bool:
        """Whether the sender of the unlock request may have the lock, as far as grants show."""

    @property
    def foreign(self) -> bool:
        """Whether a client that is neither the sender of the request nor the process may hold the lock."""

    @property
    def holder(self) -> int:
        """Holder of the lock in the polled row: ``ME``, ``OTHER`` or ``NOBODY``."""

    @property
    def polled(self) -> int:
        """Longest time in ms from the poll of the broker's table to its event."""

    @property
    def unheard(self) -> bool:
        """Whether the broker may have handled requests without an event."""

    @property
    def unrecorded(self) -> bool:
        """Whether the broker has handled the process's request without an event."""

    @property
    def revoked(self) -> bool:
        """Whether the process queue is to be removed: it is not assigned, or a reset or a correction removes it."""

    @property
    def unpulled(self) -> bool:
        """Whether the queue was not pulled for so long that a rebalance removes its process queue."""

    @property
    def corrects(self) -> bool:
        """Whether an illegal offset of the queue is being corrected."""

    @property
    def leaves_lock(self) -> bool:
        """Whether the process queue can leave the table without an unlock request.

        It does if the consumer has unsubscribed from the topic, or the broker is unknown. If an illegal offset is
        corrected, it leaves the table although its listener runs.
        """

    @property
    def going(self) -> bool:
        """Whether the process queue is being removed, or was removed just before."""

    @property
    def returning(self) -> bool:
        """Whether an unlock request of the process is under way, or is sent soon."""

    @property
    def shown_first(self) -> int:
        """Milliseconds for which a poll has shown the process queue before the event of its addition."""

    @property
    def hesitates(self) -> int:
        """Milliseconds since the lock was checked for the listener's call, if the process queue has changed since."""

    @property
    def of_former(self) -> bool:
        """Whether the result belongs to a pull of the queue's former process queue: the present one has sent none."""


def _is_returned(s: Ordered, h: AtLock) -> Bool:
    """Check that the recording has the unlock request that is in flight."""
    return Implies(s.unlocking, h.returning)


def _is_holder(s: Ordered, h: AtLock) -> Bool:
    """Check that the lock's holder is as polled."""
    return s.holder == h.holder


def _is_marked(s: Ordered, h: AtLock) -> Bool:
    """Check that the process queue has the polled flags."""
    return And(s.present, s.dropped == h.event.dropped, s.locked == h.event.locked)


def _is_dated(s: Ordered, h: AtLock) -> Bool:
    """Check that the time of the lock is about the polled one."""
    late = h.at - h.event.lock_age - s.stamp
    return Implies(s.present, And(late >= -QUERYING - STALL, late <= STALL))


def _is_going(s: Ordered, h: AtLock) -> Bool:
    """Check that the process queue is being removed: it is dropped first, and loses its lock."""
    return And(h.going, Implies(And(s.present, h.event.locked), s.locked))


def _is_denied(s: Ordered, h: AtLock) -> Bool:
    return Not(And(s.present, s.locked))


def _is_pulled(s: Ordered, h: AtLock) -> Bool:
    """Check that the machine has messages, or takes none."""
    return Or(s.cached, s.dropped, Not(s.present), s.stopping)


def _is_gone(s: Ordered, h: AtLock) -> Bool:
    return And(Not(s.present), _is_returned(s, h))


REVOKES: tuple[Cause[Ordered], ...] = (
    does("revokes", only=lambda s, h: h.revoked, in_set=False),
    does("revokes", only=lambda s, h: not h.revoked and h.unpulled, in_set=True),
)
"""Removals of the process queue, because of a rebalance or a reset, and because the queue was not pulled."""
LATE_UNLOCK: Cause[Ordered] = replace(
    outside(lambda s, h: s.but(unlocking=True)), only=lambda s, h: And(h.corrects, Not(s.unlocking))
)
"""Unlock after the correction of an illegal offset, which removes the process queue and then waits for the listener.

By then, a rebalance may have locked and added the queue again.
"""
DENIED = "the broker denies a lock that is free, or that the consumer holds"
GRANTED = "the broker grants a lock that another client holds"
LEARNT = "it receives the answer that its lock was renewed"

TABLE: Recorded[Ordered, Limits] = Recorded(
    each="lock",
    begins="",
    ends=(),
    rows=(
        shows("broker-starting", does("restarts")),
        # The broker handles a request between its arrival and its answer.
        shows(
            "answered",
            does("locks", heard=lambda s, h: h.heard),
            does("adds", found=False).then("locks", heard=lambda s, h: h.heard),
            code=LOCK,
            only=lambda h: h.own and h.granted and h.rebalances,
            early=lambda h: h.took,
            why=GRANTED,
        ),
        shows(
            "answered",
            does("renews", heard=lambda s, h: h.heard),
            code=LOCK,
            only=lambda h: h.own and h.granted and not h.rebalances,
            early=lambda h: h.took,
            why=GRANTED,
        ),
        shows(
            "answered",
            cannot("renews", "locks"),
            code=LOCK,
            only=lambda h: h.own and not h.granted and h.rebalances,
            early=lambda h: h.took,
            why=DENIED,
            looks=True,
        ),
        shows(
            "answered",
            cannot("renews"),
            code=LOCK,
            only=lambda h: h.own and not h.granted and not h.rebalances,
            early=lambda h: h.took,
            why=DENIED,
            looks=True,
        ),
        shows(
            "answered",
            another("renews", lambda h: h.party, heard=False),
            code=LOCK,
            only=lambda h: not h.own and h.granted,
            early=lambda h: h.took,
            why="the broker grants another client a lock that the consumer holds",
        ),
        shows(
            "answered",
            does("unlocked", more=lambda s, h: h.more),
            code=UNLOCK,
            only=lambda h: h.own,
            early=lambda h: h.took,
            why="it has not returned a lock",
        ),
        shows(
            "answered",
            another("unlocked", lambda h: h.party, given={"unlocking": 1}, only=lambda s, h: h.frees, more=False),
            nothing(lambda s, h: h.foreign),
            code=UNLOCK,
            only=lambda h: not h.own,
            early=lambda h: h.took,
        ),
        # Polls of the broker's table.
        shows(
            "table",
            nothing(_is_holder),
            what="lock",
            only=lambda h: not h.unheard,
            early=lambda h: h.polled,
            why="the broker's lock has another holder",
            looks=True,
        ),
        # A broker that has just started may have granted the lock before its first recorded request.
        shows(
            "table",
            nothing(_is_holder),
            another("renews", lambda h: h.holder, only=lambda s, h: h.holder != NOBODY, heard=False),
            what="lock",
            only=lambda h: h.unheard,
            why="the broker's lock has another holder",
        ),
        shows(
            "unchanged",
            nothing(_is_holder),
            early=lambda h: h.polled,
            why="no poll has seen the lock's holder",
            looks=True,
        ),
        # Answers reach the consumer. It learns of two renewals at once, or not at all after a time-out.
        shows(
            "answer",
            nothing(lambda s, h: Or(s.adding, h.late)),
            does("locks", only=lambda s, h: h.unrecorded, heard=True),
            only=lambda h: h.rebalances and h.granted,
            code=LOCK,
            why=GRANTED,
        ),
        shows(
            "answer",
            does("renewed"),
            does("renews", only=lambda s, h: h.unrecorded, heard=True).then("renewed"),
            nothing(lambda s, h: h.merged or h.late),
            only=lambda h: not h.rebalances and h.granted,
            code=LOCK,
            why=LEARNT,
        ),
        shows(
            "answer",
            does("refused", sees=_is_denied),
            nothing(lambda s, h: Or(_is_denied(s, h), h.late)),
            only=lambda h: not h.rebalances and not h.granted,
            code=LOCK,
        ),
        # The process queue. A poll can show it before the event of its addition.
        shows(
            "entry-new",
            does("adds", found=True, sees=lambda s, h: s.present),
            only=lambda h: not h.shown_first,
            why="its lock was not granted to a rebalance",
        ),
        shows(
            "entry-new",
            does("adds", found=True, sees=lambda s, h: s.present),
            only=lambda h: h.shown_first > 0,
            early=lambda h: h.shown_first,
            why="its lock was not granted to a rebalance",
        ),
        shows(
            "entry-gone",
            does("clears"),
            how="clear",
            why="its entry leaves the table",
        ),
        shows(
            "entry-gone",
            nothing(_is_gone),
            *(replace(one, sees=_is_gone) for one in REVOKES),
            does("unsubscribes", only=lambda s, h: h.leaves_lock),
            # A reset removes the process queue even if its listener runs.
            does("revokes", only=lambda s, h: h.event.how == "reset", in_set=False).then("unsubscribes"),
            only=lambda h: h.event.how != "clear",
            why="its entry leaves the table",
        ),
        shows("entry", nothing(_is_dated), why="a poll sees another time of its lock"),
        shows(
            "entry",
            nothing(_is_marked),
            dropped=False,
            early=STALL,
            why="a poll sees other flags of its process queue",
            looks=True,
        ),
        shows(
            "entry",
            nothing(_is_marked),
            nothing(_is_going),
            *(replace(one, sees=lambda s, h: And(_is_marked(s, h), _is_returned(s, h))) for one in REVOKES),
            dropped=True,
            early=STALL,
            why="a poll sees other flags of its process queue",
        ),
        shows(
            "ask",
            nothing(lambda s, h: Or(s.unlocking, h.closing)),
            does("sends_unlock"),
            *(replace(one, sees=lambda s, h: s.unlocking) for one in REVOKES),
            LATE_UNLOCK,
            code=UNLOCK,
            why="it returns the lock",
        ),
        # Messages and the listener.
        shows(
            "pulled",
            does("pulls"),
            nothing(lambda s, h: Or(h.of_former, _is_pulled(s, h))),
            why="its messages were pulled too early",
        ),
        shows("begin", does("starts"), only=lambda h: not h.hesitates, why="the listener is called"),
        shows(
            "begin",
            does("starts"),
            only=lambda h: h.hesitates > 0,
            early=lambda h: h.hesitates,
            why="the listener is called",
        ),
        shows("end", does("ends", more=False), nothing(lambda s, h: Not(s.runs))),
        shows("shutdown-begin", does("shuts")),
        shows("killed", does("crashes")),
    ),
    # A shutdown waits for the listener, and then returns all locks.
    hidden=(Unseen(does("interrupts")), Unseen(does("gives_back", sees=_is_returned))),
    urgent=(),
    kept=frozenset(),
    late="",
    settings={
        "client": "rocketmq.client.rebalance.lockMaxLiveTime",
        "unlock": "rocketmq.client.unlockDelayTimeMills",
        "loop": "rocketmq.client.maxTimeConsumeContinuously",
        "broker": "rocketmq.broker.rebalance.lockMaxLiveTime",
        "wait": "awaitTerminationMillisWhenShutdown",
    },
)
