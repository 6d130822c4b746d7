"""The encoding of one consumer's result for a fixed number of queues, from conditions on which it owns them."""

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce

import z3

from rebalance_proofs.model.allocation.strategy import Encoding
from rebalance_proofs.model.terms.finite import how_many
from rebalance_proofs.model.worlds.groups import Member


def sized_member(owned: Sequence[z3.BoolRef], n: int, place: int, position: z3.ArithRef) -> Member:
    """The consumer at ``place`` of n, which owns position p if ``owned[p]`` holds; ``position`` is in question."""
    return Member(encoding_of(owned), z3.IntVal(len(owned)), z3.IntVal(n), z3.IntVal(place), position)


def with_length(member: Member, length: z3.ArithRef) -> Member:
    """The member with a result of that length; elements beyond those that it owns count as outside of mqAll."""
    return replace(member, encoding=replace(member.encoding, count=lambda q, c, index: length))


def encoding_of(owned: Sequence[z3.BoolRef]) -> Encoding:
    """The encoding of the owned positions in mqAll's order; ``owned[p]`` says whether position p is owned.

    Its parts ignore their arguments q, c and index.
    """
    before = [how_many(list(owned[:position])) for position in range(len(owned))]

    def owns(q: z3.ArithRef, c: z3.ArithRef, index: z3.ArithRef, position: z3.ArithRef) -> z3.BoolRef:
        return z3.Or([z3.And(position == place, has) for place, has in enumerate(owned)])

    def element(q: z3.ArithRef, c: z3.ArithRef, index: z3.ArithRef, k: z3.ArithRef) -> z3.ArithRef:
        at = [z3.And(has, rank == k) for has, rank in zip(owned, before, strict=True)]
        return reduce(lambda rest, place: z3.If(at[place], place, rest), reversed(range(len(owned))), z3.IntVal(-1))

    def rank(q: z3.ArithRef, c: z3.ArithRef, index: z3.ArithRef, position: z3.ArithRef) -> z3.ArithRef:
        return reduce(
            lambda rest, place: z3.If(position == place, before[place], rest), range(len(owned)), z3.IntVal(-1)
        )

    def owner(q: z3.ArithRef, c: z3.ArithRef, position: z3.ArithRef) -> z3.ArithRef:
        raise ValueError("what one consumer owns does not say who owns the rest")

    return Encoding(owns=owns, count=lambda q, c, index: how_many(list(owned)), element=element, rank=rank, owner=owner)
