"""Encodings in which every consumer gets one block of the list."""

from collections.abc import Callable

import z3

from rebalance_proofs.model.allocation.strategy import Encoding


def blocks(first: Callable[..., z3.ArithRef], length: Callable[..., z3.ArithRef], owner: Callable) -> Encoding:
    """The block of an index is ``length(q, c, index)`` positions long and begins at ``first(q, c, index)``."""

    def owns(q, c, index, position):
        begin = first(q, c, index)
        return z3.And(begin <= position, position < begin + length(q, c, index))

    return Encoding(
        owns=owns,
        count=length,
        element=lambda q, c, index, k: first(q, c, index) + k,
        rank=lambda q, c, index, position: position - first(q, c, index),
        owner=owner,
    )
