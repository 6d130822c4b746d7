"""The lemma that it suffices to look at one queue: about the loops of a transition, for any step and any queues.

The table is an array over an uninterpreted sort of queues; the set of visited queues is arbitrary, too. The turn of a
queue reads and writes its own entry alone; its effect is any function of the queue and its entry, so that the answers
about the queue are covered. The loop may go through the queues in any order and stop at any point.
"""

from types import SimpleNamespace

import z3

from rebalance_proofs.proofs.obligation import Obligation, Statement

__all__ = ["LOOP"]

QUEUE, ENTRY = z3.DeclareSort("Queue"), z3.DeclareSort("Entry")
step = z3.Function("step", QUEUE, ENTRY, ENTRY)
first, table = z3.Consts("first table", z3.ArraySort(QUEUE, ENTRY))
visited = z3.Const("visited", z3.ArraySort(QUEUE, z3.BoolSort()))
turn, any_queue = z3.Consts("turn any", QUEUE)


def _invariant(queue: z3.ExprRef, entries: z3.ArrayRef, seen: z3.ArrayRef) -> z3.BoolRef:
    """A visited queue's entry is the result of its own turn; any other entry is unchanged."""
    kept: z3.BoolRef = entries[queue] == z3.If(seen[queue], step(queue, first[queue]), first[queue])
    return kept


def _loop(encoding: object, v: SimpleNamespace) -> Statement:
    taken = z3.Store(table, turn, step(turn, table[turn]))
    given = {
        "so far, at the queue whose turn it is": _invariant(turn, table, visited),
        "so far, at any queue": _invariant(any_queue, table, visited),
        "no queue has two turns": z3.Not(visited[turn]),
    }
    return Statement(given, _invariant(any_queue, taken, z3.Store(visited, turn, z3.BoolVal(True))))


LOOP = Obligation(
    "lemma.loop",
    "After every turn of a loop, each queue's entry is its own turn's work on its first entry, or its first entry.",
    (),
    _loop,
    logic="QF_AUFLIA",
)
"""Initially no queue is visited, and the invariant only says that the table is the first one."""
