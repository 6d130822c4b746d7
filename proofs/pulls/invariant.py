"""Inductive invariants of one queue's pull requests: named conjuncts with sentences."""

from rebalance_proofs.model.machine.conjunct import Conjunct
from rebalance_proofs.model.machine.values import Implies, Not
from rebalance_proofs.model.pulls.limits import Limits
from rebalance_proofs.model.pulls.state import Pulls, live

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
    "A process queue has at most one pull request, or one repair task instead.",
    lambda s, lim: s.waiting + s.pulling + s.asking + s.repairing <= 1,
)
MARKED = Part("marked", "Removed process queues are dropped.", lambda s, lim: Not(s.unmarked))
RUNS = Part("runs", "The thread of `PullMessageService` runs.", lambda s, lim: Not(s.ended))
AT_LEAST_ONE = Part(
    "at-least-one",
    "A live process queue has a pull request.",
    lambda s, lim: Implies(live(s), s.waiting + s.pulling + s.asking >= 1),
)
YOUNG = Part(
    "young",
    "When a rebalance last kept a process queue, its request was taken at most the idle limit before.",
    lambda s, lim: s.kept <= lim.limit,
)
STAMPED = Part(
    "stamped",
    "A process queue's last pull began when its request was last taken, or when the process queue was created.",
    lambda s, lim: Implies(s.present, s.age == s.idle),
)
NOT_HASTY = Part("not-hasty", "No rebalance has removed a process queue as idle too soon.", lambda s, lim: Not(s.hasty))
NOT_LATE = Part("not-late", "No pull has begun for a removed process queue.", lambda s, lim: Not(s.late))
QUERIED = Part("queried", "No offset query is under way for a removed process queue.", lambda s, lim: s.old_asking == 0)
HELD = Part("held", "No repair task belongs to a removed process queue.", lambda s, lim: s.old_repairing == 0)
NOT_HIT = Part("not-hit", "No repair task has removed a process queue other than its own.", lambda s, lim: Not(s.hit))
NOT_WRITTEN = Part(
    "not-written",
    "No repair task has written an offset after the removal of its process queue.",
    lambda s, lim: Not(s.wrote),
)
NOT_BEGUN = Part("not-begun", "No pull has begun while the consumer was suspended.", lambda s, lim: Not(s.begun))
NOT_SUSPENDED = Part("not-suspended", "The consumer is not suspended.", lambda s, lim: Not(s.suspended))
NOT_STALE = Part(
    "not-stale",
    "No rebalance has left a process queue live that belongs to another consumer.",
    lambda s, lim: Not(s.stale),
)

ONE_REQUEST: Invariant = (ONE,)
HAS_REQUEST: Invariant = (AT_LEAST_ONE, RUNS)
HEALED: Invariant = (YOUNG, STAMPED, NOT_HASTY, RUNS)
DIES: Invariant = (MARKED, QUERIED, NOT_LATE)
HITS_OWN_ENTRY: Invariant = (ONE, HELD, NOT_HIT)
REPAIRS_WHILE_HELD: Invariant = (ONE, HELD, NOT_WRITTEN)
RESTS: Invariant = (NOT_BEGUN,)
LETS_GO: Invariant = (NOT_SUSPENDED, NOT_STALE)
