"""Results before and after queues are added, written by hand, as groups and as encodings."""

from collections.abc import Sequence
from dataclasses import replace

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.allocation.strategy import Encoding
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.solver import Solver, sat, unknown
from rebalance_proofs.model.worlds.grows import GROWS
from rebalance_proofs.proofs.allocation.search import violated
from rebalance_proofs.proofs.guarantee import Guarantee

Listed = Sequence[Sequence[int]]
"""For each consumer the positions that it gets, ascending; before the growth, positions in the old list."""


def said(guarantee: Guarantee, q: int, before: Listed, after: Listed, first: int, new: int) -> str | None:
    """The guarantee's sentence about these results for q queues, some of them new; None if they satisfy it."""

    def allocate(current_cid, mq_all, cid_all):
        return [mq_all[place] for place in (after if len(mq_all) == q else before)[cid_all.index(current_cid)]]

    group = GROWS.group((replace(AVERAGELY, allocate=allocate),), len(after), q, (first, new - 1))
    return violated(guarantee, group)


def tabled(before: Listed, after: Listed, size: int) -> Encoding:
    """An encoding of exactly these results; it tells them apart by the number of queues (``size``: all of them)."""

    def pick(q, there, here):
        return smt.If(q == size, here, there)

    def owns(lists, index, position):
        return smt.Or([smt.And(index == i, position == p) for i, positions in enumerate(lists) for p in positions])

    def count(lists, index):
        return smt.Sum([smt.If(index == i, len(positions), 0) for i, positions in enumerate(lists)])

    def element(lists, index, k):
        entries = [(i, at, p) for i, positions in enumerate(lists) for at, p in enumerate(positions)]
        return smt.Sum([smt.IntVal(0), *(smt.If(smt.And(index == i, k == at), p, 0) for i, at, p in entries)])

    return Encoding(
        owns=lambda q, c, index, position: pick(q, owns(before, index, position), owns(after, index, position)),
        count=lambda q, c, index: pick(q, count(before, index), count(after, index)),
        element=lambda q, c, index, k: pick(q, element(before, index, k), element(after, index, k)),
        rank=lambda q, c, index, position: smt.IntVal(0),
        owner=lambda q, c, position: smt.IntVal(0),
    )


def can_be_violated(guarantee: Guarantee, encoding: Encoding, n: int, q: int, first: int, new: int) -> bool:
    """Whether the guarantee's formula is satisfiable for that growth."""
    group = GROWS.symbolic((encoding,), n)
    solver = Solver()
    sizes = group.queues == q, smt.Int("first") == first, smt.Int("new") == new
    solver.add(*group.constraints, *sizes, guarantee.violated(group))
    answer = solver.check()
    assert answer != unknown
    return answer == sat
