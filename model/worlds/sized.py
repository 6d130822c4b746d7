"""SMT encoding of one consumer's result for a fixed number of queues.

The encoding is built from one condition for each queue, under which the consumer owns it.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce

from rebalance_proofs.model.allocation.strategy import Encoding
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.finite import how_many
from rebalance_proofs.model.worlds.groups import Member


def sized_member(owned: Sequence[smt.BoolTerm], n: int, place: int, position: smt.IntTerm) -> Member:
    """Return the consumer at index ``place`` of n, which owns position p if ``owned[p]`` holds.

    ``position`` is the position of the queue that the claim is about.
    """
    return Member(encoding_of(owned), smt.IntVal(len(owned)), smt.IntVal(n), smt.IntVal(place), position)


def with_length(member: Member, length: smt.IntTerm) -> Member:
    """Return the member with another length of its result.

    Elements beyond the owned queues count as queues outside mqAll.
    """
    return replace(member, encoding=replace(member.encoding, count=lambda q, c, index: length))


def encoding_of(owned: Sequence[smt.BoolTerm]) -> Encoding:
    """Return the encoding of a consumer that takes the owned queues in mqAll's order.

    ``owned[p]`` is true if the consumer owns position p. The parts of the encoding ignore their arguments q, c and
    index.
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
        raise ValueError("one consumer's queues do not determine the owners of the other queues")

    return Encoding(owns=owns, count=lambda q, c, index: how_many(list(owned)), element=element, rank=rank, owner=owner)
