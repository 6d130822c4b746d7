"""The concrete implementation in the place of the encoding: what the client's code returns for given numbers."""

import z3

from model.allocation.strategy import Encoding, Strategy
from model.premises import AGREED
from model.queues import positions_in


def observed(strategy: Strategy) -> Encoding:
    """An encoding whose parts run the client's code; all arguments have to be numerals."""

    def result(q: z3.ExprRef, c: z3.ExprRef, index: z3.ExprRef) -> list[int]:
        group = AGREED.group((strategy,), number(c), number(q), ())
        return positions_in(group.queues, group.consumers[number(index)].allocate())

    def rank(q, c, index, position):
        listed = result(q, c, index)
        place = number(position)
        return z3.IntVal(listed.index(place) if place in listed else -1)

    def owner(q, c, position):
        owners = [index for index in range(number(c)) if number(position) in result(q, c, z3.IntVal(index))]
        return z3.IntVal(owners[0] if owners else -1)

    return Encoding(
        owns=lambda q, c, index, position: z3.BoolVal(number(position) in result(q, c, index)),
        count=lambda q, c, index: z3.IntVal(len(result(q, c, index))),
        element=lambda q, c, index, k: z3.IntVal(_at(result(q, c, index), number(k))),
        rank=rank,
        owner=owner,
    )


def number(term: z3.ExprRef) -> int:
    """The value of a term without unknowns."""
    return z3.simplify(term).as_long()


def _at(listed: list[int], k: int) -> int:
    return listed[k] if 0 <= k < len(listed) else -1
