"""One consumer of one ordered queue, and the broker's lock of it: state, and actions' choices."""

from dataclasses import dataclass
from typing import Annotated, Protocol

from rebalance_proofs.model.machine.copies import NOBODY
from rebalance_proofs.model.machine.record import Record, Shown, Timed, Variable
from rebalance_proofs.model.machine.values import And, Bool, Int, Not, Or, number
from rebalance_proofs.model.ordered.limits import Limits
from rebalance_proofs.model.ordered.rebalance import Transition
from rebalance_proofs.model.ordered.rules import OrderedRules

__all__ = ["LATEST", "OLDEST", "Choices", "Ordered", "Variant"]

OLDEST, LATEST = -7, 4
"""Ticks from now: times further back are beyond every limit, and are all alike; nothing is put off beyond the
latest."""
NOTHING = "–"


def _room(lim: Limits) -> tuple[int, int]:
    """The relative times that are told apart, in ticks. Raises ``ValueError`` for limits that are too long for them."""
    told = max(map(number, (lim.client, lim.broker, lim.unlock, lim.renewal)))
    if told >= -OLDEST or max(number(lim.unlock), number(lim.first_pull)) > LATEST:
        raise ValueError("longer limits than the ages that are told apart")
    return OLDEST, LATEST


def _waited(lim: Limits) -> tuple[int, int]:
    return -max(number(lim.wait), number(lim.loop) + 1), 0


def _ghost(meaning: str) -> Variable:
    return Variable(meaning, ghost=True)


@dataclass(frozen=True)
class Ordered(Timed):
    """A consumer's state of the queue, and the broker's. Times are on one clock, which all are taken to share."""

    present: Annotated[
        Bool,
        Variable(
            "Whether the consumer has an entry of the queue in its table.",
            shown=Shown("queue", {True: "has it", False: NOTHING}),
        ),
    ]
    dropped: Annotated[Bool, Variable("Whether the entry is marked as dropped.")]
    locked: Annotated[Bool, Variable("Whether the consumer believes the lock to be its own.")]
    stamp: Annotated[
        Int,
        Variable(
            "Time at which the consumer last heard that it has the lock (`lastLockTimestamp`).",
            matters=lambda s: s.present,
            room=lambda lim: (_room(lim)[0], 0),
            relative=True,
        ),
    ]
    pulls_from: Annotated[
        Int,
        Variable(
            "Time before which the entry is not pulled.",
            matters=lambda s: s.present,
            room=lambda lim: (0, number(lim.first_pull)),
            relative=True,
        ),
    ]
    cached: Annotated[Bool, Variable("Whether messages were pulled and not consumed.")]
    runs: Annotated[
        Bool,
        Variable(
            "Whether the consumer's listener is called with messages of the queue just now.",
            shown=Shown("listener", {True: "runs", False: NOTHING}),
        ),
    ]
    since: Annotated[
        Int,
        Variable(
            "Time at which the lock was checked for this call.",
            matters=lambda s: s.runs,
            room=lambda lim: (-number(lim.listener), 0),
            relative=True,
        ),
    ]
    orphan: Annotated[Bool, Variable("Whether the entry that the listener works on has left the table.")]
    twice: Annotated[Bool, Variable("Whether the listener was called while it was called already.")]
    answered: Annotated[
        Bool, Variable("Whether the grant of a renewal is under way to the consumer; of several, any one.")
    ]
    answered_at: Annotated[
        Int,
        Variable(
            "Time at which the broker granted that renewal.",
            matters=lambda s: s.answered,
            room=lambda lim: (-number(lim.delay), 0),
            relative=True,
        ),
    ]
    adding: Annotated[
        Bool,
        Variable(
            "Whether the grant of the lock that a rebalance has asked for is under way, or an offset is being looked "
            "up."
        ),
    ]
    adding_at: Annotated[
        Int,
        Variable(
            "Time at which the broker granted that lock.",
            matters=lambda s: s.adding,
            room=lambda lim: (-number(lim.delay), 0),
            relative=True,
        ),
    ]
    unlocking: Annotated[Bool, Variable("Whether a return of the lock is under way to the broker.")]
    later: Annotated[Bool, Variable("Whether a return of the lock is put off; of several, any one.")]
    due: Annotated[
        Int, Variable("Time until which that return is put off.", matters=lambda s: s.later, room=_room, relative=True)
    ]
    stopping: Annotated[
        Bool,
        Variable(
            "Whether `shutdown` was called, or the process has ended: no request to consume is accepted any more.",
            matters=lambda s: Not(s.closed),
        ),
    ]
    waits_since: Annotated[
        Int,
        Variable(
            "Time since which the shutdown waits for the listener: its begin, and then the end of its first wait.",
            # After `unlockAll` only a consumer with messages goes on.
            matters=lambda s: And(s.stopping, Not(s.closed), Or(Not(s.yielded), s.cached)),
            room=_waited,
            relative=True,
        ),
    ]
    cut: Annotated[
        Bool,
        Variable(
            "Whether the shutdown's first wait is over: the listener's call, if there was one, was interrupted, and "
            "requests that had not begun are gone (`shutdownNow`).",
            matters=lambda s: Not(s.closed),
        ),
    ]
    yielded: Annotated[Bool, Variable("Whether the shutdown has given all locks back (`unlockAll`).")]
    closed: Annotated[Bool, Variable("Whether the table was emptied, or the process has ended.")]
    granted_at: Annotated[Int, _ghost("Time at which the broker last granted the lock to this consumer.")]
    released: Annotated[
        Bool, _ghost("Whether this consumer has given the lock back since, and the broker has taken it back.")
    ]
    left: Annotated[
        Int,
        _ghost(
            "Time of the last action at which the queue had an entry, or one was being added, or its lock was granted "
            "to a rebalance."
        ),
    ]
    owned_from: Annotated[
        Int,
        _ghost(
            "Time at which the broker granted this consumer the lock, for the first time after having granted it to "
            "another."
        ),
    ]
    lost: Annotated[
        Bool,
        _ghost(
            "Whether the broker has granted the lock to another since then, or has never granted it to this consumer."
        ),
    ]
    lost_at: Annotated[Int, _ghost("Time at which the broker first granted it to another since then.")]
    call_from: Annotated[Int, _ghost("Value of `owned_from` when the listener was called.")]
    call_lost: Annotated[Bool, _ghost("Whether the broker has granted the lock to another since `call_from`.")]
    call_lost_at: Annotated[Int, _ghost("Time at which the broker first granted it to another since `call_from`.")]
    holder: Annotated[
        Int,
        Variable(
            "To whom the broker has granted the queue's lock; it knows consumers by their client ids alone.",
            shared=True,
            names=True,
            shown=Shown("lock", party="broker"),
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
    """An action's nondeterministic choices."""

    in_set: Annotated[
        Bool,
        Variable(
            "Whether the queue is still in mqSet: its entry goes only because no message was pulled for too long."
        ),
    ]
    heard: Annotated[Bool, Variable("Whether the broker's answer will arrive.")]
    found: Annotated[Bool, Variable("Whether an offset is found to begin at.")]
    more: Annotated[
        Bool,
        Variable(
            "Whether there are more of what the action is about: messages, returns under way, returns that were put "
            "off, requests that have begun."
        ),
    ]


class Variant(Protocol):
    """Differences between clients."""

    @property
    def rules(self) -> OrderedRules:
        """Its rules as an ordered consumer, besides those of its rebalance."""

    @property
    def transition(self) -> Transition:
        """Its rebalance of one queue, as terms."""

    @property
    def gives_back(self) -> bool:
        """Whether a rebalance that takes a queue away gives its lock back."""
