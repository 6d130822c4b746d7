"""State of one consumer of one ordered queue and of the broker's lock.

Also: the nondeterministic choices of actions, and differences between clients.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Protocol

from rebalance_proofs.model.client.effects import PULL_REQUEST, SCHEDULE_UNLOCK, UNLOCK
from rebalance_proofs.model.client.environment import DENIED, OK
from rebalance_proofs.model.client.process_queue import FREE, HELD
from rebalance_proofs.model.machine.copies import NOBODY
from rebalance_proofs.model.machine.record import Record, Shown, Timed, Variable
from rebalance_proofs.model.machine.values import And, Bool, Int, Not, Or, number, term
from rebalance_proofs.model.ordered.limits import Limits, OrderedRules
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.finite import YES
from rebalance_proofs.model.terms.simplified import simplify
from rebalance_proofs.model.transition.numbers import LOCKS, UNANSWERED
from rebalance_proofs.model.transition.step import (
    NOTHING_THROWN,
    PULL_IDLE_LIMIT,
    Asked,
    Entry,
    Slot,
    Step,
    Thrown,
    happens,
    push,
)

# Rebalance of one ordered queue, as far as it concerns the lock.
# It is computed from the SMT encoding in ``model.transition``, for numbers as well as for terms.

Transition = Callable[[Entry, Asked, Thrown], Step]
"""SMT encoding of a client's rebalance of one queue, as in claims ``transition.*``."""


@dataclass(frozen=True)
class Given:
    """Inputs of a rebalance of one queue: all values are numbers, or all are terms.

    If a process queue is removed although its queue is in mqSet, no message was pulled for too long.
    """

    present: Bool
    dropped: Bool
    locked: Bool
    lock_age: Int
    works: Bool
    """Whether the listener runs for the queue's process queue."""
    cached: Bool
    in_set: Bool
    found: Bool
    """Whether a start offset is found for a new process queue."""
    unlock: Int
    """The client's ``unlockDelayTimeMills`` in ms (``Limits.unlock``)."""


@dataclass(frozen=True)
class Rebalanced:
    """Result of a rebalance for the queue."""

    present: Bool
    dropped: Bool
    locked: Bool
    lock_age: Int
    cached: Bool
    unlocks: Bool
    """Whether the client sends an unlock request at once."""
    later: Bool
    """Whether the client schedules an unlock request with a delay."""
    waits: bool
    """Whether the first pull of a new process queue is delayed."""


def asked(in_set: smt.BoolTerm, lock: str, stored: smt.IntTerm, unlock: smt.IntTerm | int) -> Asked:
    """Return the inputs of a rebalance of an ordered push consumer, for its SMT encoding.

    ``in_set``: whether the consumer owns the queue; ``lock``: the broker's answer to its lock request; ``stored``:
    the answer to its offset query.
    """
    told = smt.IntVal(LOCKS.index(lock))
    return push(in_set, stored, lock=told, order=YES, orderly=YES, unlock_delay=unlock)


def rebalanced(transition: Transition, given: Given, *, granted: bool) -> Rebalanced:
    """Return the result of a rebalance for the queue.

    ``granted``: whether the broker grants the lock if the rebalance requests it.
    """
    if any(map(smt.is_expr, vars(given).values())):
        return _of_terms(transition, given, granted)
    return _of_values(transition, given, granted)


def _of_terms(transition: Transition, given: Given, granted: bool) -> Rebalanced:
    zero = smt.IntVal(0)
    in_set, works = term(given.in_set), term(given.works)
    entry = Entry(
        present=term(given.present),
        dropped=term(given.dropped),
        locked=term(given.locked),
        pull_age=smt.If(in_set, PULL_IDLE_LIMIT + 1, zero),
        lock_age=_int(given.lock_age),
        consume_lock=smt.If(works, HELD, FREE),
        cached=term(given.cached),
        tries=zero,
        memory=zero,
    )
    stored = smt.If(term(given.found), 0, UNANSWERED)
    lock = OK if granted else DENIED
    done = transition(entry, asked(in_set, lock, stored, given.unlock), NOTHING_THROWN)
    slots: tuple[Slot, ...] = done.slots
    after, waits = done.after, any(slot.details[1] > 0 for slot in done.addition if slot.name == PULL_REQUEST)
    effects = happens(slots, UNLOCK), happens(slots, SCHEDULE_UNLOCK)
    return Rebalanced(after.present, after.dropped, after.locked, after.lock_age, after.cached, *effects, waits)


def _int(value: Int) -> smt.IntTerm:
    return smt.IntVal(value) if isinstance(value, int) else value


@cache
def _of_values(transition: Transition, given: Given, granted: bool) -> Rebalanced:
    done = _of_terms(transition, given, granted)
    flags = {name: _so(value) for name, value in vars(done).items() if name != "lock_age"}
    age = simplify(_int(done.lock_age))
    assert isinstance(age, smt.Numeral)
    return Rebalanced(lock_age=age.number, **flags)


def _so(value: Bool) -> bool:
    return smt.is_true(simplify(term(value)))


OLDEST, LATEST = -7, 4
"""Range of times that explorations distinguish, in ticks relative to now.

Older times are beyond every limit and count as equal. No time lies beyond the latest.
"""
NOTHING = "–"


def _room(lim: Limits) -> tuple[int, int]:
    """Return the range of times that explorations distinguish, in ticks relative to now.

    Raises ``ValueError`` if a limit does not fit.
    """
    told = max(map(number, (lim.client, lim.broker, lim.unlock, lim.renewal)))
    if told >= -OLDEST or max(number(lim.unlock), number(lim.first_pull)) > LATEST:
        raise ValueError("a time limit exceeds the range of ticks that the exploration distinguishes")
    return OLDEST, LATEST


def _waited(lim: Limits) -> tuple[int, int]:
    return -max(number(lim.wait), number(lim.loop) + 1), 0


def _ghost(meaning: str) -> Variable:
    return Variable(meaning, ghost=True)


@dataclass(frozen=True)
class Ordered(Timed):
    """A consumer's state of the queue, and the broker's state of its lock.

    All times are on one clock, which consumers and broker are assumed to share.
    """

    present: Annotated[
        Bool,
        Variable(
            "Whether the consumer has a process queue in its table.",
            shown=Shown("process queue", {True: "in table", False: NOTHING}),
        ),
    ]
    dropped: Annotated[Bool, Variable("Whether the process queue is dropped.")]
    locked: Annotated[Bool, Variable("Whether the consumer believes that it holds the lock (`ProcessQueue.locked`).")]
    stamp: Annotated[
        Int,
        Variable(
            "Time at which the consumer last learned that it holds the lock (`lastLockTimestamp`).",
            matters=lambda s: s.present,
            room=lambda lim: (_room(lim)[0], 0),
            relative=True,
        ),
    ]
    pulls_from: Annotated[
        Int,
        Variable(
            "Time of the first pull of the process queue, at the earliest.",
            matters=lambda s: s.present,
            room=lambda lim: (0, number(lim.first_pull)),
            relative=True,
        ),
    ]
    cached: Annotated[Bool, Variable("Whether there are pulled messages that are not consumed.")]
    runs: Annotated[
        Bool,
        Variable(
            "Whether the consumer's listener runs with messages of the queue.",
            shown=Shown("listener", {True: "runs", False: NOTHING}),
        ),
    ]
    since: Annotated[
        Int,
        Variable(
            "Time at which the lock was checked for this listener call.",
            matters=lambda s: s.runs,
            room=lambda lim: (-number(lim.listener), 0),
            relative=True,
        ),
    ]
    orphan: Annotated[Bool, Variable("Whether the listener's process queue has left the table.")]
    twice: Annotated[Bool, Variable("Whether a second listener call has started during the first one.")]
    answered: Annotated[
        Bool, Variable("Whether the grant of a renewal is in flight to the consumer; of several grants, any one.")
    ]
    answered_at: Annotated[
        Int,
        Variable(
            "Time at which the broker granted the renewal in flight.",
            matters=lambda s: s.answered,
            room=lambda lim: (-number(lim.delay), 0),
            relative=True,
        ),
    ]
    adding: Annotated[
        Bool,
        Variable("Whether a rebalance waits for its lock grant or for an offset."),
    ]
    adding_at: Annotated[
        Int,
        Variable(
            "Time at which the broker granted the rebalance's lock.",
            matters=lambda s: s.adding,
            room=lambda lim: (-number(lim.delay), 0),
            relative=True,
        ),
    ]
    unlocking: Annotated[Bool, Variable("Whether an unlock request is in flight to the broker.")]
    later: Annotated[Bool, Variable("Whether an unlock request is delayed; of several, any one.")]
    due: Annotated[
        Int,
        Variable(
            ("Time at which the delayed unlock request is due."), matters=lambda s: s.later, room=_room, relative=True
        ),
    ]
    stopping: Annotated[
        Bool,
        Variable(
            "Whether `shutdown` was called, or the process has ended: no new consume request is accepted.",
            matters=lambda s: Not(s.closed),
        ),
    ]
    waits_since: Annotated[
        Int,
        Variable(
            "Time at which the shutdown's current wait for the listener began: the first or the second wait.",
            # After `unlockAll`, only a consumer with messages continues.
            matters=lambda s: And(s.stopping, Not(s.closed), Or(Not(s.yielded), s.cached)),
            room=_waited,
            relative=True,
        ),
    ]
    cut: Annotated[
        Bool,
        Variable(
            "Whether the shutdown's first wait is over: a running listener call was interrupted, and requests that "
            "had not begun are dropped (`shutdownNow`).",
            matters=lambda s: Not(s.closed),
        ),
    ]
    yielded: Annotated[Bool, Variable("Whether the shutdown has sent its unlock requests (`unlockAll`).")]
    closed: Annotated[Bool, Variable("Whether the table is empty after shutdown, or the process has ended.")]
    granted_at: Annotated[Int, _ghost("Time at which the broker last granted the lock to this consumer.")]
    released: Annotated[Bool, _ghost("Whether the broker has processed an unlock of this consumer since that grant.")]
    left: Annotated[
        Int,
        _ghost(
            "Time of the last action at which the queue had a process queue, one was being added, or a rebalance "
            "got its lock."
        ),
    ]
    owned_from: Annotated[
        Int,
        _ghost("Start of this consumer's current ownership: the first grant after a grant to another consumer."),
    ]
    lost: Annotated[
        Bool,
        _ghost("Whether the broker has granted the lock to another consumer since `owned_from`, or never to this one."),
    ]
    lost_at: Annotated[Int, _ghost("Time of the first grant to another consumer since `owned_from`.")]
    call_from: Annotated[Int, _ghost("Value of `owned_from` at the listener's call.")]
    call_lost: Annotated[Bool, _ghost("Whether the broker has granted the lock to another consumer since `call_from`.")]
    call_lost_at: Annotated[Int, _ghost("Time of the first grant to another consumer since `call_from`.")]
    holder: Annotated[
        Int,
        Variable(
            "Holder of the queue's lock at the broker, which knows consumers only by their client ids.",
            shared=True,
            names=True,
            shown=Shown("lock holder", party="broker"),
        ),
    ]
    updated: Annotated[
        Int,
        Variable(
            "Time at which the broker last granted the lock to its holder (`lastUpdateTimestamp`).",
            matters=lambda s: s.holder != NOBODY,
            room=lambda lim: (_room(lim)[0], 0),
            relative=True,
            shared=True,
        ),
    ]


@dataclass(frozen=True)
class Choices(Record):
    """Choices of an action that the model leaves open, such as whether an answer is lost."""

    in_set: Annotated[
        Bool,
        Variable(
            "Whether the queue is still in mqSet, so that its process queue is removed only because no message was "
            "pulled for too long."
        ),
    ]
    heard: Annotated[Bool, Variable("Whether the broker's answer will arrive.")]
    found: Annotated[Bool, Variable("Whether an offset to start at is found.")]
    more: Annotated[
        Bool,
        Variable(
            "Whether the same kind of object is left after the action: messages, unlock requests in flight, delayed "
            "unlock requests or started consume requests."
        ),
    ]


class Variant(Protocol):
    """Differences between clients in ordered consumption."""

    @property
    def rules(self) -> OrderedRules:
        """The client's rules for ordered consumption, besides those of its rebalance."""

    @property
    def transition(self) -> Transition:
        """The client's rebalance of one queue, as an SMT encoding."""

    @property
    def gives_back(self) -> bool:
        """Whether a rebalance that removes a queue unlocks it."""

    @property
    def puts_off(self) -> bool:
        """Whether the client delays the unlock of a queue with cached messages."""
