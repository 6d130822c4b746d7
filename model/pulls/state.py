"""One queue's pull requests at one push consumer: the state, actions' choices, and differences between clients."""

from dataclasses import dataclass
from typing import Annotated, Protocol

from rebalance_proofs.model.machine.record import Record, Shown, Variable
from rebalance_proofs.model.machine.values import And, Bool, Implies, Int, Not
from rebalance_proofs.model.pulls.limits import Limits
from rebalance_proofs.model.pulls.rebalance import Transition
from rebalance_proofs.model.pulls.rules import PullRules

__all__ = ["OF_ENTRY", "PARTIES", "PLACES", "Choices", "Pulls", "Variant", "live", "well_formed"]

PARTIES = CONSUMER, ENTRY, OLD = ("consumer", "entry", "old entries")
YES = {True: "yes", False: "–"}
MOST = 2
"""Explorations count no more requests of a kind than this, and take a pull of this age for too old."""
OF_ENTRY = ("age", "idle", "kept", "waiting", "pulling", "asking", "repairing")
PLACES = ("waiting", "pulling", "asking", "repairing")
"""The places where a request can be, or a task instead of it."""


def live(s: "Pulls") -> Bool:
    """Whether the entry is in the table, and not marked as dropped."""
    return And(s.present, Not(s.dropped))


def _ghost(meaning: str) -> Variable:
    return Variable(meaning, ghost=True)


def _count(place: str, party: str) -> Variable:
    meaning = {
        "wait": "Pull requests in the queue of `PullMessageService`, or scheduled for it.",
        "sent": "Pull requests whose callback has not been called yet.",
        "asks": "Pull requests held by `pullMessage`, which asks where an ordered queue's pulls begin.",
        "repairs": "Tasks that write the offset which the broker has named, and take the queue's entry out.",
    }
    return Variable(meaning[place], MOST, shown=Shown(place, party=party))


@dataclass(frozen=True)
class Pulls(Record):
    """A consumer's state of the queue. An entry's fields are 0 where the table has no entry.

    A pull request waits from when it is given to ``PullMessageService``, at once or for later, until its turn has come.
    """

    present: Annotated[
        Bool,
        Variable("Whether the queue has an entry in the consumer's table.", shown=Shown("in table", YES, party=ENTRY)),
    ]
    dropped: Annotated[
        Bool,
        Variable(
            "Whether the entry is in the table, and not marked as dropped.",
            shown=Shown("live", YES, "live", of=live, party=ENTRY),
        ),
    ]
    age: Annotated[
        Int, Variable("Time since the entry's last pull began, or since it was made if none has.", most=MOST)
    ]
    idle: Annotated[
        Int,
        Variable("Time since the entry's request was last taken, or since it was made if none was.", MOST, ghost=True),
    ]
    kept: Annotated[Int, Variable("That time when a rebalance last left the entry as it was.", most=MOST, ghost=True)]
    waiting: Annotated[Int, _count("wait", ENTRY)]
    pulling: Annotated[Int, _count("sent", ENTRY)]
    asking: Annotated[Int, _count("asks", ENTRY)]
    repairing: Annotated[Int, _count("repairs", ENTRY)]
    fixed: Annotated[
        Bool,
        Variable("The entry's first request has got its offset (`isPreviouslyLocked`): no other pull asks for it."),
    ]
    old_waiting: Annotated[Int, _count("wait", OLD)]
    old_pulling: Annotated[Int, _count("sent", OLD)]
    old_asking: Annotated[Int, _count("asks", OLD)]
    old_repairing: Annotated[Int, _count("repairs", OLD)]
    unmarked: Annotated[Bool, Variable("One of the entries that have left the table is not marked as dropped.")]
    ended: Annotated[
        Bool,
        Variable(
            "The thread of `PullMessageService`: whether it still runs.",
            shown=Shown("thread", {True: "has ended", False: "runs"}),
        ),
    ]
    suspended: Annotated[
        Bool,
        Variable(
            "Whether the consumer is suspended: nothing is pulled, and nothing rebalanced.",
            shown=Shown("suspended", YES),
        ),
    ]
    late: Annotated[Bool, _ghost("A pull has begun whose entry had left the table.")]
    hit: Annotated[Bool, _ghost("A task has taken out another entry than the one it was about.")]
    wrote: Annotated[Bool, _ghost("A task has written an offset when the entry it was about had left the table.")]
    cut: Annotated[
        Bool, _ghost("A rebalance has taken a live entry for one that is not pulled, while a request of it was there.")
    ]
    hasty: Annotated[
        Bool,
        _ghost("A rebalance has taken a live entry for one that is not pulled, whose request was taken just before."),
    ]
    begun: Annotated[Bool, _ghost("A pull has begun whose request was taken while the consumer was suspended.")]
    stale: Annotated[Bool, _ghost("A rebalance has left an entry live whose queue is another consumer's.")]


@dataclass(frozen=True)
class Choices(Record):
    """An action's nondeterministic choices."""

    old: Annotated[Bool, Variable("The action is about an entry that has left the table.")]
    later: Annotated[
        Bool, Variable("The pull is put off: flow control, not locked, no subscription, or it could not be sent.")
    ]
    in_set: Annotated[Bool, Variable("The queue is still in mqSet.")]
    stays: Annotated[
        Bool, Variable("The entry is marked, and cannot be taken out yet: the listener of an ordered consumer runs.")
    ]
    silent: Annotated[Bool, Variable("The offset at which the queue would begin is not known.")]
    span: Annotated[Int, Variable("How much time passes.")]


class Variant(Protocol):
    """The properties in which clients differ."""

    @property
    def rules(self) -> PullRules:
        """The client's rules of pulling."""

    @property
    def transition(self) -> Transition:
        """The client's rebalance of one queue, as terms."""


def well_formed(s: Pulls, lim: Limits) -> Bool:
    """No count is negative, an absent entry's fields are 0, and at most one offset is being asked for."""
    none = And(Not(s.dropped), Not(s.fixed), *(getattr(s, name) == 0 for name in OF_ENTRY))
    counts = (getattr(s, name) >= 0 for name in (*OF_ENTRY, *(f"old_{place}" for place in PLACES)))
    return And(*counts, s.asking + s.old_asking <= 1, Implies(Not(s.present), none))
