"""Results written by hand, as groups and as encodings, to try guarantees on."""

from collections.abc import Sequence

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.allocation.strategy import Encoding
from rebalance_proofs.model.group import Group
from rebalance_proofs.model.queues import MessageQueue, one_broker
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.solver import Solver, sat, unknown
from rebalance_proofs.model.worlds.groups import AGREED
from rebalance_proofs.proofs.guarantee import Guarantee

Listed = Sequence[Sequence[int]]
"""For each consumer the positions that it gets, in the order of its result."""


def agreed(n: int, q: int) -> Group:
    """n consumers that agree on q queues; their strategy does not matter here."""
    return AGREED.group((AVERAGELY,), n, q, ())


def results(listed: Listed) -> list[list[MessageQueue]]:
    """The positions as queues of the topic; a position behind the last one is a queue that nobody knows."""
    queues = one_broker(1 + max((position for positions in listed for position in positions), default=0))
    return [[queues[position] for position in positions] for positions in listed]


def said(guarantee: Guarantee, q: int, listed: Listed) -> str | None:
    """The guarantee's sentence about these results; None if they satisfy it."""
    return guarantee.violation(agreed(len(listed), q), results(listed))


def tabled(listed: Listed) -> Encoding:
    """An encoding of exactly these results, for any q and c."""
    entries = [(i, k, p) for i, positions in enumerate(listed) for k, p in enumerate(positions)]

    def owns(q, c, index, position):
        return smt.Or([smt.And(index == i, position == p) for i, _, p in entries])

    def count(q, c, index):
        return smt.Sum([smt.If(index == i, len(positions), 0) for i, positions in enumerate(listed)])

    def element(q, c, index, k):
        return smt.Sum([smt.If(smt.And(index == i, k == place), p, 0) for i, place, p in entries])

    return Encoding(owns=owns, count=count, element=element, rank=undefined, owner=undefined)


def undefined(*arguments: smt.Term) -> smt.IntTerm:
    """Part that a table lacks; no guarantee's ``violated`` uses it."""
    raise NotImplementedError


def can_be_violated(guarantee: Guarantee, encoding: Encoding, n: int, queues: Sequence[int]) -> bool:
    """Whether the guarantee's formula is satisfiable for n consumers that agree, and one of these numbers of queues."""
    group = AGREED.symbolic((encoding,), n)
    solver = Solver()
    solver.add(*group.constraints, smt.Or([group.queues == q for q in queues]), guarantee.violated(group))
    answer = solver.check()
    assert answer != unknown
    return answer == sat
