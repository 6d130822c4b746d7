"""Results before and after a join written by hand, as groups and as encodings."""

from collections.abc import Sequence
from dataclasses import replace

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.allocation.strategy import Encoding
from rebalance_proofs.model.group import Group
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.simplified import simplify
from rebalance_proofs.model.terms.solver import Solver, sat, unknown
from rebalance_proofs.model.worlds.joins import JOINS
from rebalance_proofs.proofs.allocation.search import violated
from rebalance_proofs.proofs.guarantee import Guarantee

Listed = Sequence[Sequence[int]]
"""For each consumer the positions that it gets, ascending."""


def joined(q: int, before: Listed, after: Listed, joiner: int) -> Group:
    """A group with the results ``after``, joined by ``joiner``; without it the results were ``before``."""
    tables = {len(before): before, len(after): after}

    def allocate(current_cid, mq_all, cid_all):
        return [mq_all[position] for position in tables[len(cid_all)][cid_all.index(current_cid)]]

    return JOINS.group((replace(AVERAGELY, allocate=allocate),), len(after), q, (joiner,))


def said(guarantee: Guarantee, q: int, before: Listed, after: Listed, joiner: int) -> str | None:
    """The guarantee's sentence about these results; None if they satisfy it."""
    return violated(guarantee, joined(q, before, after, joiner))


def tabled(before: Listed, after: Listed) -> Encoding:
    """An encoding of exactly these results; it tells them apart by the number of consumers."""
    tables = {len(before): before, len(after): after}

    def lists(c):
        return list(enumerate(tables[simplify(c).number]))

    def owns(q, c, index, position):
        return smt.Or([smt.And(index == i, position == p) for i, positions in lists(c) for p in positions])

    def count(q, c, index):
        return smt.Sum([smt.If(index == i, len(positions), 0) for i, positions in lists(c)])

    def element(q, c, index, k):
        entries = [(i, at, p) for i, positions in lists(c) for at, p in enumerate(positions)]
        return smt.Sum([smt.If(smt.And(index == i, k == at), p, 0) for i, at, p in entries])

    return Encoding(owns=owns, count=count, element=element, rank=element, owner=element)


def can_be_violated(guarantee: Guarantee, encoding: Encoding, n: int, q: int, joiner: int) -> bool:
    """Whether the guarantee's formula is satisfiable for that join."""
    group = JOINS.symbolic((encoding,), n)
    solver = Solver()
    solver.add(*group.constraints, group.queues == q, smt.Int("joiner0") == joiner, guarantee.violated(group))
    answer = solver.check()
    assert answer != unknown
    return answer == sat
