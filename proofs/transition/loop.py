"""Lemma: a proof about one queue covers all queues of a loop over the table.

The table of process queues is an array over an uninterpreted sort of queues; the set of visited queues is arbitrary,
too. The iteration for a queue reads and writes only that queue's entry. Its effect is any function of the queue and
its entry, so that all answers about the queue are covered. The loop may visit the queues in any order and stop at any
point.
"""

from types import SimpleNamespace

from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.sorts import BOOL, array_sort, sort
from rebalance_proofs.proofs.obligation import Obligation, Statement

QUEUE, ENTRY = sort("Queue"), sort("Entry")
step = smt.Function("step", QUEUE, ENTRY, ENTRY)
first, table = smt.Consts("first table", array_sort(QUEUE, ENTRY))
visited = smt.Const("visited", array_sort(QUEUE, BOOL))
turn, any_queue = smt.Consts("turn any", QUEUE)


def _invariant(queue: smt.Term, entries: smt.ArrayTerm, seen: smt.ArrayTerm) -> smt.BoolTerm:
    """Return the invariant: a visited queue's entry is the result of its own iteration.

    Entries of queues that are not in ``seen`` are unchanged.
    """
    kept: smt.BoolTerm = entries[queue] == smt.If(seen[queue], step(queue, first[queue]), first[queue])
    return kept


def _loop(encoding: object, v: SimpleNamespace) -> Statement:
    taken = smt.Store(table, turn, step(turn, table[turn]))
    given = {
        "so far, for the queue of this iteration": _invariant(turn, table, visited),
        "so far, for any queue": _invariant(any_queue, table, visited),
        "no queue has two iterations": smt.Not(visited[turn]),
    }
    return Statement(given, _invariant(any_queue, taken, smt.Store(visited, turn, smt.BoolVal(True))))


LOOP = Obligation(
    "lemma.loop",
    "After every loop iteration, a visited queue's entry is its own iteration's result; other entries are unchanged.",
    (),
    _loop,
    logic="QF_AUFLIA",
)
"""The lemma's obligation: each iteration preserves the invariant.

Initially no queue is visited, and the invariant only states that the table is the initial one.
"""
