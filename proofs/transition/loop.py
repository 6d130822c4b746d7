"""Why it is enough to look at one queue: the lemma about the loops of a transition, for any step and any queues.

The table is an array over a sort of queues of which nothing is known, and so is what the loop has visited. The turn of
a queue reads and writes its own entry alone; what a turn does is any function of the queue and its entry, so that the
queue's answers are in it too. The loop may go through the queues in any order and stop at any point.
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
    """The queue's entry is what its own turn makes of it when that has come, and untouched before."""
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
"""At first nothing is visited, and the invariant says nothing but that the table is the first one."""
