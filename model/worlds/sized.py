"""The encoding of one consumer's result for a fixed number of queues, from conditions on which it owns them."""

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce

from rebalance_proofs.model.allocation.strategy import Encoding
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.finite import how_many
from rebalance_proofs.model.worlds.groups import Member


def sized_member(owned: Sequence[smt.BoolTerm], n: int, place: int, position: smt.IntTerm) -> Member:
    """The consumer at ``place`` of n, which owns position p if ``owned[p]`` holds; ``position`` is in question."""
    return Member(encoding_of(owned), smt.IntVal(len(owned)), smt.IntVal(n), smt.IntVal(place), position)


def with_length(member: Member, length: smt.IntTerm) -> Member:
    """The member with a result of that length; elements beyond those that it owns count as outside of mqAll."""
    return replace(member, encoding=replace(member.encoding, count=lambda q, c, index: length))


def encoding_of(owned: Sequence[smt.BoolTerm]) -> Encoding:
    """The encoding of the owned positions in mqAll's order; ``owned[p]`` says whether position p is owned.

    Its parts ignore their arguments q, c and index.
    """
    before = [how_many(list(owned[:position])) for position in range(len(owned))]

    def owns(q: smt.IntTerm, c: smt.IntTerm, index: smt.IntTerm, position: smt.IntTerm) -> smt.BoolTerm:
        return smt.Or([smt.And(position == place, has) for place, has in enumerate(owned)])

    def element(q: smt.IntTerm, c: smt.IntTerm, index: smt.IntTerm, k: smt.IntTerm) -> smt.IntTerm:
        at = [smt.And(has, rank == k) for has, rank in zip(owned, before, strict=True)]
        return reduce(lambda rest, place: smt.If(at[place], place, rest), reversed(range(len(owned))), smt.IntVal(-1))

    def rank(q: smt.IntTerm, c: smt.IntTerm, index: smt.IntTerm, position: smt.IntTerm) -> smt.IntTerm:
        return reduce(
            lambda rest, place: smt.If(position == place, before[place], rest), range(len(owned)), smt.IntVal(-1)
        )

    def owner(q: smt.IntTerm, c: smt.IntTerm, position: smt.IntTerm) -> smt.IntTerm:
        raise ValueError("what one consumer owns does not say who owns the rest")

    return Encoding(owns=owns, count=lambda q, c, index: how_many(list(owned)), element=element, rank=rank, owner=owner)
