"""The lemma that it suffices to look at one queue: about the loops of a transition, for any step and any queues.

The table is an array over an uninterpreted sort of queues; the set of visited queues is arbitrary, too. The turn of a
queue reads and writes its own entry alone; its effect is any function of the queue and its entry, so that the answers
about the queue are covered. The loop may go through the queues in any order and stop at any point.
"""

from types import SimpleNamespace

from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.sorts import BOOL, array_sort, sort
from rebalance_proofs.proofs.obligation import Obligation, Statement

__all__ = ["LOOP"]

QUEUE, ENTRY = sort("Queue"), sort("Entry")
step = smt.Function("step", QUEUE, ENTRY, ENTRY)
first, table = smt.Consts("first table", array_sort(QUEUE, ENTRY))
visited = smt.Const("visited", array_sort(QUEUE, BOOL))
turn, any_queue = smt.Consts("turn any", QUEUE)


def _invariant(queue: smt.Term, entries: smt.ArrayTerm, seen: smt.ArrayTerm) -> smt.BoolTerm:
    """A visited queue's entry is the result of its own turn; any other entry is unchanged."""
    kept: smt.BoolTerm = entries[queue] == smt.If(seen[queue], step(queue, first[queue]), first[queue])
    return kept


def _loop(encoding: object, v: SimpleNamespace) -> Statement:
    taken = smt.Store(table, turn, step(turn, table[turn]))
    given = {
        "so far, at the queue whose turn it is": _invariant(turn, table, visited),
        "so far, at any queue": _invariant(any_queue, table, visited),
        "no queue has two turns": smt.Not(visited[turn]),
    }
    return Statement(given, _invariant(any_queue, taken, smt.Store(visited, turn, smt.BoolVal(True))))


LOOP = Obligation(
    "lemma.loop",
    "After every turn of a loop, each queue's entry is its own turn's work on its first entry, or its first entry.",
    (),
    _loop,
    logic="QF_AUFLIA",
)
"""Initially no queue is visited, and the invariant only says that the table is the first one."""
