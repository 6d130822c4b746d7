"""Proof that a result is a sublist: the client visits mqAll once and selects its queues.

The proof is by induction over the positions. The state of the induction is the last selected position, or -1 if no
position was selected yet.
"""

from types import SimpleNamespace

from rebalance_proofs.model.terms import smt
from rebalance_proofs.proofs.obligation import Obligation, Statement, truth_values


def _base(e: object, v: SimpleNamespace) -> Statement:
    return Statement({"no queue was selected, and position 0 is next": smt.And(v.last == -1, v.p == 0)}, v.last < v.p)


def _step(e: object, v: SimpleNamespace) -> Statement:
    kept = v.mine == 1
    after = smt.If(kept, v.p, v.last)
    return Statement(
        truth_values(v, "mine")
        | {"the selected queues precede position p of mqAll": smt.And(-1 <= v.last, v.last < v.p, v.p < v.q)},
        smt.And(after < v.p + 1, smt.Implies(kept, smt.And(0 <= after, after < v.q, v.last < after))),
    )


FILTER = (
    Obligation("filter.base", "At first, no selected queue is at or after the next position.", ("last", "p"), _base),
    Obligation(
        "filter.step",
        "A queue selected at the next position is in mqAll, and after all queues selected before.",
        ("q", "last", "p", "mine"),
        _step,
    ),
)
