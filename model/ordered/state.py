"""One consumer of one ordered queue, and the broker's lock of it: the state, and what actions leave open."""

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
"""Ticks: what is older than every limit need not be told apart; nothing is put off for longer."""
NOTHING = "–"


def _room(lim: Limits) -> tuple[int, int]:
    """Raises ``ValueError`` for limits that are too long for it."""
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
    """What a consumer has of the queue, and what the broker has. Times are on the one clock that all take to share."""

    present: Annotated[
        Bool,
        Variable(
            "Whether the consumer has an entry of the queue in its table.",
            shown=Shown("queue", {True: "has it", False: NOTHING}),
        ),
    ]
    dropped: Annotated[Bool, Variable("The entry is marked.")]
    locked: Annotated[Bool, Variable("The consumer takes the lock to be its own.")]
    stamp: Annotated[
        Int,
        Variable(
            "When it heard so last (`lastLockTimestamp`).",
            matters=lambda s: s.present,
            room=lambda lim: (_room(lim)[0], 0),
            relative=True,
        ),
    ]
    pulls_from: Annotated[
        Int,
        Variable(
            "The entry is not pulled before.",
            matters=lambda s: s.present,
            room=lambda lim: (0, number(lim.first_pull)),
            relative=True,
        ),
    ]
    cached: Annotated[Bool, Variable("Messages were pulled and not consumed.")]
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
            "When the lock was checked for this call.",
            matters=lambda s: s.runs,
            room=lambda lim: (-number(lim.listener), 0),
            relative=True,
        ),
    ]
    orphan: Annotated[Bool, Variable("The entry that the listener works on has left the table.")]
    twice: Annotated[Bool, Variable("It was called while it was called already.")]
    answered: Annotated[
        Bool, Variable("The grant of a renewal is under way to the consumer; any one, where there are several.")
    ]
    answered_at: Annotated[
        Int,
        Variable(
            "When the broker granted it.",
            matters=lambda s: s.answered,
            room=lambda lim: (-number(lim.delay), 0),
            relative=True,
        ),
    ]
    adding: Annotated[
        Bool,
        Variable("The grant of the lock that a rebalance has asked for is under way, or its offset is looked up."),
    ]
    adding_at: Annotated[
        Int,
        Variable(
            "When the broker granted that.",
            matters=lambda s: s.adding,
            room=lambda lim: (-number(lim.delay), 0),
            relative=True,
        ),
    ]
    unlocking: Annotated[Bool, Variable("The lock's return is under way to the broker.")]
    later: Annotated[Bool, Variable("A return is put off; any one, where there are several.")]
    due: Annotated[Int, Variable("Until when.", matters=lambda s: s.later, room=_room, relative=True)]
    stopping: Annotated[
        Bool,
        Variable(
            "`shutdown` was called, or the process has ended: no request to consume is accepted any more.",
            matters=lambda s: Not(s.closed),
        ),
    ]
    waits_since: Annotated[
        Int,
        Variable(
            "Since when it waits for its listener: its begin, and then the end of its first wait.",
            # Behind it only those go on that have messages.
            matters=lambda s: And(s.stopping, Not(s.closed), Or(Not(s.yielded), s.cached)),
            room=_waited,
            relative=True,
        ),
    ]
    cut: Annotated[
        Bool,
        Variable(
            "Its first wait was over while the listener was called: that was interrupted, and requests that had not "
            "begun are gone (`shutdownNow`).",
            matters=lambda s: Not(s.closed),
        ),
    ]
    yielded: Annotated[Bool, Variable("It has given all locks back (`unlockAll`).")]
    closed: Annotated[Bool, Variable("Its table was emptied, or the process has ended.")]
    granted_at: Annotated[Int, _ghost("When the broker granted the lock to this consumer last.")]
    released: Annotated[Bool, _ghost("The broker has taken it back from this consumer since, on its own word.")]
    left: Annotated[
        Int,
        _ghost(
            "The last action at which the queue had an entry, or one was being added, or its lock was granted to a "
            "rebalance."
        ),
    ]
    owned_from: Annotated[
        Int, _ghost("When the broker granted it the lock for the first time after it had granted it to another.")
    ]
    lost: Annotated[Bool, _ghost("The broker has granted it to another since; or never to this one.")]
    lost_at: Annotated[Int, _ghost("When it did so first.")]
    call_from: Annotated[Int, _ghost("When the lock had come to the consumer, as its listener was called.")]
    call_lost: Annotated[Bool, _ghost("The broker has granted the lock to another since then.")]
    call_lost_at: Annotated[Int, _ghost("When it did so first.")]
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
            "When it did so last (`lastUpdateTimestamp`).",
            matters=lambda s: s.holder != NOBODY,
            room=lambda lim: (_room(lim)[0], 0),
            relative=True,
            shared=True,
        ),
    ]


@dataclass(frozen=True)
class Choices(Record):
    """What an action leaves open."""

    in_set: Annotated[
        Bool,
        Variable("The queue is still in mqSet: its entry goes only because no message was pulled for too long."),
    ]
    heard: Annotated[Bool, Variable("The broker's answer will arrive.")]
    found: Annotated[Bool, Variable("An offset is found to begin at.")]
    more: Annotated[
        Bool,
        Variable(
            "There are more of them: messages, returns under way, returns that were put off, requests that have begun."
        ),
    ]


class Variant(Protocol):
    """What clients differ in."""

    @property
    def rules(self) -> OrderedRules:
        """As ordered consumers, besides their rebalance."""

    @property
    def transition(self) -> Transition:
        """When they rebalance."""

    @property
    def gives_back(self) -> bool:
        """A rebalance gives the lock of a queue back that it takes away."""
