"""Inductive invariants of one queue's pull requests: named conjuncts, each with its sentence."""

from rebalance_proofs.model.machine.values import Implies, Not
from rebalance_proofs.model.pulls.limits import Limits
from rebalance_proofs.model.pulls.state import Pulls, live
from rebalance_proofs.proofs.machine.induction import Conjunct

__all__ = [
    "DIES",
    "HAS_REQUEST",
    "HEALED",
    "HITS_OWN_ENTRY",
    "LETS_GO",
    "ONE_REQUEST",
    "REPAIRS_WHILE_HELD",
    "RESTS",
    "Invariant",
]

Part = Conjunct[Pulls, Limits]
Invariant = tuple[Part, ...]

ONE = Part(
    "one",
    "Of an entry there is at most one request, or one task in its place.",
    lambda s, lim: s.waiting + s.pulling + s.asking + s.repairing <= 1,
)
MARKED = Part("marked", "Entries that have left the table are marked.", lambda s, lim: Not(s.unmarked))
RUNS = Part("runs", "The thread of `PullMessageService` runs.", lambda s, lim: Not(s.ended))
AT_LEAST_ONE = Part(
    "at-least-one",
    "A live entry has a request.",
    lambda s, lim: Implies(live(s), s.waiting + s.pulling + s.asking >= 1),
)
YOUNG = Part(
    "young",
    "When a rebalance last left an entry as it was, its request was taken not too long ago.",
    lambda s, lim: s.kept <= lim.limit,
)
STAMPED = Part(
    "stamped",
    "An entry's last pull began when its request was last taken, or the entry was made.",
    lambda s, lim: Implies(s.present, s.age == s.idle),
)
NOT_HASTY = Part(
    "not-hasty", "No rebalance has taken an entry for one that is not pulled too soon.", lambda s, lim: Not(s.hasty)
)
NOT_LATE = Part("not-late", "No pull has begun for an entry that had left the table.", lambda s, lim: Not(s.late))
QUERIED = Part(
    "queried", "No offset is asked for of an entry that has left the table.", lambda s, lim: s.old_asking == 0
)
HELD = Part("held", "No task is about an entry that has left the table.", lambda s, lim: s.old_repairing == 0)
NOT_HIT = Part("not-hit", "No task has taken out an entry that it was not about.", lambda s, lim: Not(s.hit))
NOT_WRITTEN = Part("not-written", "No task has written when its entry had left the table.", lambda s, lim: Not(s.wrote))
NOT_BEGUN = Part("not-begun", "No pull has begun while the consumer was suspended.", lambda s, lim: Not(s.begun))
NOT_SUSPENDED = Part("not-suspended", "The consumer is not suspended.", lambda s, lim: Not(s.suspended))
NOT_STALE = Part(
    "not-stale", "No rebalance has left an entry live whose queue is another's.", lambda s, lim: Not(s.stale)
)

ONE_REQUEST: Invariant = (ONE,)
HAS_REQUEST: Invariant = (AT_LEAST_ONE, RUNS)
HEALED: Invariant = (YOUNG, STAMPED, NOT_HASTY, RUNS)
DIES: Invariant = (MARKED, QUERIED, NOT_LATE)
HITS_OWN_ENTRY: Invariant = (ONE, HELD, NOT_HIT)
REPAIRS_WHILE_HELD: Invariant = (ONE, HELD, NOT_WRITTEN)
RESTS: Invariant = (NOT_BEGUN,)
LETS_GO: Invariant = (NOT_SUSPENDED, NOT_STALE)
