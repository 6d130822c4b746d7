"""What is always so of one queue's pull requests: named conjuncts, each with its sentence."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import z3

from rebalance_proofs.model.pulls.state import State

__all__ = [
    "Conjunct",
    "dies",
    "form",
    "has_request",
    "healed",
    "lets_go",
    "one_request",
    "own_only",
    "rests",
    "while_held",
]

OF_ENTRY = ("age", "kept", "waiting", "pulling", "asking", "repairing")
COUNTS = (*OF_ENTRY, "old_waiting", "old_pulling", "old_asking", "old_repairing")


@dataclass(frozen=True)
class Conjunct:
    """One part of the invariant."""

    name: str
    sentence: str
    holds: Callable[[State], z3.BoolRef]


def form(state: State) -> z3.BoolRef:
    """How a state is written: nothing is fewer than none, and what is not there has no numbers."""
    me = state.me
    none = z3.And(z3.Not(me.dropped), z3.Not(me.fixed), *(getattr(me, name) == 0 for name in OF_ENTRY))
    counts = [getattr(me, name) >= 0 for name in COUNTS]
    return z3.And(state.limit >= 0, *counts, z3.Implies(z3.Not(me.present), none))


ONE = Conjunct(
    "one",
    "Of an entry there is at most one request, or one task in its place.",
    lambda state: state.me.waiting + state.me.pulling + state.me.asking + state.me.repairing <= 1,
)
MARKED = Conjunct("marked", "Entries that have left the table are marked.", lambda state: z3.Not(state.me.unmarked))
RUNS = Conjunct("runs", "The thread of `PullMessageService` runs.", lambda state: z3.Not(state.me.ended))
AT_LEAST_ONE = Conjunct(
    "at-least-one",
    "A live entry has a request.",
    lambda state: z3.Implies(
        z3.And(state.me.present, z3.Not(state.me.dropped)),
        state.me.waiting + state.me.pulling + state.me.asking >= 1,
    ),
)
YOUNG = Conjunct(
    "young",
    "When a rebalance last left an entry as it was, its last pull was not too long ago.",
    lambda state: state.me.kept <= state.limit,
)
NOT_LATE = Conjunct(
    "not-late", "No pull has begun for an entry that had left the table.", lambda state: z3.Not(state.me.late)
)
QUERIED = Conjunct(
    "queried", "No offset is asked for of an entry that has left the table.", lambda state: state.me.old_asking == 0
)
HELD = Conjunct("held", "No task is about an entry that has left the table.", lambda state: state.me.old_repairing == 0)
NOT_HIT = Conjunct(
    "not-hit", "No task has taken out an entry that it was not about.", lambda state: z3.Not(state.me.hit)
)
NOT_WRITTEN = Conjunct(
    "not-written", "No task has written when its entry had left the table.", lambda state: z3.Not(state.me.wrote)
)

NOT_BEGUN = Conjunct(
    "not-begun", "No pull has begun while the consumer was suspended.", lambda state: z3.Not(state.me.begun)
)
NOT_SUSPENDED = Conjunct("not-suspended", "The consumer is not suspended.", lambda state: z3.Not(state.me.suspended))
NOT_STALE = Conjunct(
    "not-stale", "No rebalance has left an entry live whose queue is another's.", lambda state: z3.Not(state.me.stale)
)


def _named(*conjuncts: Conjunct) -> Mapping[str, Conjunct]:
    return {conjunct.name: conjunct for conjunct in conjuncts}


one_request = _named(ONE)
has_request = _named(AT_LEAST_ONE, RUNS)
healed = _named(YOUNG, RUNS)
dies = _named(MARKED, QUERIED, NOT_LATE)
own_only = _named(ONE, HELD, NOT_HIT)
while_held = _named(ONE, HELD, NOT_WRITTEN)
rests = _named(NOT_BEGUN)
lets_go = _named(NOT_SUSPENDED, NOT_STALE)
