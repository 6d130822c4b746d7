"""State of one queue's pull requests at one push consumer.

Also: the nondeterministic choices of actions, and differences between clients.
"""

from dataclasses import dataclass
from typing import Annotated, Protocol

from rebalance_proofs.model.machine.record import Record, Shown, Variable
from rebalance_proofs.model.machine.values import And, Bool, Implies, Int, Not
from rebalance_proofs.model.pulls.limits import Limits
from rebalance_proofs.model.pulls.rebalance import Transition
from rebalance_proofs.model.pulls.rules import PullRules

__all__ = ["OF_ENTRY", "PARTIES", "PLACES", "Choices", "Pulls", "Variant", "live", "well_formed"]

PARTIES = CONSUMER, ENTRY, OLD = ("consumer", "process queue", "old process queues")
YES = {True: "yes", False: "–"}
MOST = 2
"""Largest number of requests, and largest age, that explorations distinguish.

A pull of this age counts as too old.
"""
OF_ENTRY = ("age", "idle", "kept", "waiting", "pulling", "asking", "repairing")
PLACES = ("waiting", "pulling", "asking", "repairing")
"""Where a pull request can be: waiting, sent, querying its offset, or in a repair task."""


def live(s: "Pulls") -> Bool:
    """Check whether the process queue is in the table and is not dropped."""
    return And(s.present, Not(s.dropped))


def _ghost(meaning: str) -> Variable:
    return Variable(meaning, ghost=True)


def _count(place: str, party: str) -> Variable:
    meaning = {
        "wait": "Pull requests in the queue of `PullMessageService`, or scheduled for it.",
        "sent": "Pull requests whose callback has not been called yet.",
        "asks": "Pull requests held by `pullMessage` while it queries an ordered queue's start offset.",
        "repairs": "Repair tasks, which write the offset that the broker has named and remove the process queue.",
    }
    return Variable(meaning[place], MOST, shown=Shown(place, party=party))


@dataclass(frozen=True)
class Pulls(Record):
    """A consumer's state of one queue. Fields of an absent process queue are 0.

    A pull request waits from its hand-over to ``PullMessageService``, at once or later, until its turn comes.
    """

    present: Annotated[
        Bool,
        Variable(
            ("Whether the process queue is in the consumer's table."),
            shown=Shown("in table", YES, party=ENTRY),
        ),
    ]
    dropped: Annotated[
        Bool,
        Variable(
            "Whether the process queue is in the table, and not marked as dropped.",
            shown=Shown("live", YES, "live", of=live, party=ENTRY),
        ),
    ]
    age: Annotated[
        Int, Variable("Time since the process queue's last pull began, or since its creation if none has.", most=MOST)
    ]
    idle: Annotated[
        Int,
        Variable(
            ("Time since the process queue's request was last taken, or since its creation if none was."),
            MOST,
            ghost=True,
        ),
    ]
    kept: Annotated[
        Int,
        Variable(("Value of `idle` when a rebalance last left the process queue as it was."), most=MOST, ghost=True),
    ]
    waiting: Annotated[Int, _count("wait", ENTRY)]
    pulling: Annotated[Int, _count("sent", ENTRY)]
    asking: Annotated[Int, _count("asks", ENTRY)]
    repairing: Annotated[Int, _count("repairs", ENTRY)]
    fixed: Annotated[
        Bool,
        Variable("Whether the first request has its offset (`isPreviouslyLocked`); later pulls do not query it."),
    ]
    old_waiting: Annotated[Int, _count("wait", OLD)]
    old_pulling: Annotated[Int, _count("sent", OLD)]
    old_asking: Annotated[Int, _count("asks", OLD)]
    old_repairing: Annotated[Int, _count("repairs", OLD)]
    unmarked: Annotated[Bool, Variable("Whether a process queue that has left the table is not dropped.")]
    ended: Annotated[
        Bool,
        Variable(
            "Whether the thread of `PullMessageService` has ended.",
            shown=Shown("thread", {True: "has ended", False: "runs"}),
        ),
    ]
    suspended: Annotated[
        Bool,
        Variable(
            "Whether the consumer is suspended: no pulls and no rebalances.",
            shown=Shown("suspended", YES),
        ),
    ]
    late: Annotated[Bool, _ghost("Whether a pull has begun after its process queue had left the table.")]
    hit: Annotated[Bool, _ghost("Whether a repair task has removed another process queue than its own.")]
    wrote: Annotated[
        Bool, _ghost("Whether a repair task has written an offset after its process queue had left the table.")
    ]
    cut: Annotated[
        Bool,
        _ghost("Whether a rebalance has removed a live process queue as idle while a request of it existed."),
    ]
    hasty: Annotated[
        Bool,
        _ghost(
            "Whether a rebalance has removed a live process queue as idle although its request was taken just before."
        ),
    ]
    begun: Annotated[
        Bool, _ghost("Whether a pull has begun although its request was taken while the consumer was suspended.")
    ]
    stale: Annotated[
        Bool, _ghost("Whether a rebalance has left a process queue live although another consumer owns the queue.")
    ]


@dataclass(frozen=True)
class Choices(Record):
    """Choices of an action that the model leaves open, such as the broker's answer."""

    old: Annotated[Bool, Variable("Whether the action is about a process queue that has left the table.")]
    later: Annotated[
        Bool, Variable("Whether the pull is delayed: flow control, no lock, no subscription, or a failure to send it.")
    ]
    in_set: Annotated[Bool, Variable("Whether the queue is still in mqSet.")]
    stays: Annotated[
        Bool,
        Variable("Whether the process queue is dropped but cannot be removed yet, because an ordered listener runs."),
    ]
    silent: Annotated[Bool, Variable("Whether the start offset of the queue is unknown.")]
    span: Annotated[Int, Variable("Amount of time that passes.")]


class Variant(Protocol):
    """Differences between clients in their pulls."""

    @property
    def rules(self) -> PullRules:
        """The client's rules for pulls, besides those of its rebalance."""

    @property
    def transition(self) -> Transition:
        """The client's rebalance of one queue, as an SMT encoding."""


def well_formed(s: Pulls, lim: Limits) -> Bool:
    """Check that the state is possible.

    Counts are not negative, an absent process queue's fields are 0, and at most one offset query runs.
    """
    none = And(Not(s.dropped), Not(s.fixed), *(getattr(s, name) == 0 for name in OF_ENTRY))
    counts = (getattr(s, name) >= 0 for name in (*OF_ENTRY, *(f"old_{place}" for place in PLACES)))
    return And(*counts, s.asking + s.old_asking <= 1, Implies(Not(s.present), none))
