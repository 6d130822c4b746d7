"""One queue's pull requests at one push consumer: the state, what actions leave open, and what clients differ in."""

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
"""More of a kind are explored as so many; and a pull is too long ago when it is so long ago."""
OF_ENTRY = ("age", "kept", "waiting", "pulling", "asking", "repairing")
PLACES = ("waiting", "pulling", "asking", "repairing")
"""Where a request can be, and a task in its place."""


def live(s: "Pulls") -> Bool:
    """The entry is in the table, and not marked as dropped."""
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
    """What a consumer has of the queue. An entry's numbers are 0 where the table has none.

    A pull request waits from when it is given to ``PullMessageService``, for later or not, until its turn has come.
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
        Int, Variable("How long ago the entry's last pull began; or it was made, where none has.", most=MOST)
    ]
    kept: Annotated[
        Int, Variable("How long that was when a rebalance last left the entry as it was.", most=MOST, ghost=True)
    ]
    waiting: Annotated[Int, _count("wait", ENTRY)]
    pulling: Annotated[Int, _count("sent", ENTRY)]
    asking: Annotated[Int, _count("asks", ENTRY)]
    repairing: Annotated[Int, _count("repairs", ENTRY)]
    fixed: Annotated[
        Bool, Variable("That was answered (`isPreviouslyLocked`): no other pull of the entry asks for it.")
    ]
    old_waiting: Annotated[Int, _count("wait", OLD)]
    old_pulling: Annotated[Int, _count("sent", OLD)]
    old_asking: Annotated[Int, _count("asks", OLD)]
    old_repairing: Annotated[Int, _count("repairs", OLD)]
    unmarked: Annotated[Bool, Variable("Of the entries that have left the table one is not marked as dropped.")]
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
    hit: Annotated[Bool, _ghost("A task has taken an entry out that it was not about.")]
    wrote: Annotated[Bool, _ghost("A task has written an offset when the entry it was about had left the table.")]
    cut: Annotated[
        Bool, _ghost("A rebalance has taken a live entry for one that is not pulled, while a request of it was there.")
    ]
    begun: Annotated[Bool, _ghost("A pull has begun whose request was taken while the consumer was suspended.")]
    stale: Annotated[Bool, _ghost("A rebalance has left an entry live whose queue is another consumer's.")]


@dataclass(frozen=True)
class Choices(Record):
    """What an action leaves open."""

    old: Annotated[Bool, Variable("It is about an entry that has left the table.")]
    later: Annotated[
        Bool, Variable("The pull is put off: flow control, not locked, no subscription, or it could not be sent.")
    ]
    in_set: Annotated[Bool, Variable("The queue is still in mqSet.")]
    stays: Annotated[
        Bool, Variable("The entry is marked, and cannot be taken out yet: the listener of an ordered consumer runs.")
    ]
    silent: Annotated[Bool, Variable("The offset at which the queue would begin is not known.")]
    span: Annotated[Int, Variable("So much time passes.")]


class Variant(Protocol):
    """What clients differ in."""

    @property
    def rules(self) -> PullRules:
        """When they pull."""

    @property
    def transition(self) -> Transition:
        """When they rebalance."""


def well_formed(s: Pulls, lim: Limits) -> Bool:
    """Nothing is fewer than none, what is not there has no numbers, and one offset at most is being asked for."""
    none = And(Not(s.dropped), Not(s.fixed), *(getattr(s, name) == 0 for name in OF_ENTRY))
    counts = (getattr(s, name) >= 0 for name in (*OF_ENTRY, *(f"old_{place}" for place in PLACES)))
    return And(*counts, s.asking + s.old_asking <= 1, Implies(Not(s.present), none))
