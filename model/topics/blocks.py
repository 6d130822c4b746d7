"""SMT encodings of strategies that give every consumer one block of a list of queues."""

from rebalance_proofs.model.allocation.strategy import Count, Encoding, Owner
from rebalance_proofs.model.terms import smt


def blocks(first: Count, length: Count, owner: Owner) -> Encoding:
    """Return the encoding of a strategy that gives each consumer one block of the list.

    The block of an index is ``length(q, c, index)`` positions long and begins at ``first(q, c, index)``.
    """

    def owns(q: smt.IntTerm, c: smt.IntTerm, index: smt.IntTerm, position: smt.IntTerm) -> smt.BoolTerm:
        begin = first(q, c, index)
        return smt.And(begin <= position, position < begin + length(q, c, index))

    return Encoding(
        owns=owns,
        count=length,
        element=lambda q, c, index, k: first(q, c, index) + k,
        rank=lambda q, c, index, position: position - first(q, c, index),
        owner=owner,
    )
