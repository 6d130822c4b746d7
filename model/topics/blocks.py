"""Encodings in which every consumer gets one block of the list."""

import z3

from rebalance_proofs.model.allocation.strategy import Count, Encoding, Owner


def blocks(first: Count, length: Count, owner: Owner) -> Encoding:
    """The block of an index is ``length(q, c, index)`` positions long and begins at ``first(q, c, index)``."""

    def owns(q: z3.ArithRef, c: z3.ArithRef, index: z3.ArithRef, position: z3.ArithRef) -> z3.BoolRef:
        begin = first(q, c, index)
        return z3.And(begin <= position, position < begin + length(q, c, index))

    return Encoding(
        owns=owns,
        count=length,
        element=lambda q, c, index, k: first(q, c, index) + k,
        rank=lambda q, c, index, position: position - first(q, c, index),
        owner=owner,
    )
