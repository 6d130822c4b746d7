"""Proof that joining consumers only take queues under CONSISTENT_HASH.

The rings without and with them are compared, by induction over all virtual nodes. The joiners' nodes may appear
anywhere in the order of insertion, and may collide with others. In reverse: leaving consumers only give away queues.
"""

from collections.abc import Callable
from types import SimpleNamespace
from typing import NamedTuple

from rebalance_proofs.model.allocation.ring import Nearest, RingEncoding
from rebalance_proofs.model.terms import smt
from rebalance_proofs.proofs.hashing.state import (
    FIRST,
    NEW,
    SECOND,
    Nearer,
    both_empty,
    invariant,
    nearer,
    nearer_behind,
    new_node,
    state,
)
from rebalance_proofs.proofs.obligation import Obligation, Statement

VARIABLES = ("h", "j", *FIRST, *SECOND)


class Joiners(NamedTuple):
    """The joining consumers, as the obligations name them: one joiner or several."""

    name: str
    """The beginning of the obligations' names."""
    who: str
    """The joiners in words: ``the joiner``, ``a joiner``."""
    are: Callable[[SimpleNamespace, smt.IntTerm], smt.BoolTerm]
    """``are(v, owner)``: return the condition that the id ``owner`` belongs to a joiner."""


ONE = Joiners("join", "the joiner", lambda v, owner: owner == v.j)


def joining(nearer: Nearer, joiners: Joiners = ONE) -> tuple[Obligation, ...]:
    """Return the obligations that joiners only take queues.

    ``nearer`` is the client's search order on the ring.
    """
    name, who, are = joiners

    def related(v: SimpleNamespace, without: Nearest, having: Nearest) -> smt.BoolTerm:
        """Return the invariant between the ring without the joiners and the ring with them.

        ``without`` and ``having`` are the nodes that an arbitrary queue finds on them.
        """
        same = smt.And(without.found, having.hash == without.hash, having.owner == without.owner)
        not_farther = smt.Not(nearer(v.h, without.hash, having.hash))
        return smt.And(
            smt.Implies(without.found, smt.And(having.found, smt.Not(are(v, without.owner)))),
            smt.Implies(smt.And(having.found, smt.Not(are(v, having.owner))), same),
            smt.Implies(smt.And(without.found, having.found, are(v, having.owner)), not_farther),
        )

    def base(e: RingEncoding, v: SimpleNamespace) -> Statement:
        return Statement(both_empty(v), related(v, state(v), state(v, SECOND)))

    def step_other(e: RingEncoding, v: SimpleNamespace) -> Statement:
        without, having = (e.put(v.h, state(v, names), new_node(v)) for names in (FIRST, SECOND))
        whose = {f"the next node does not belong to {who}": smt.Not(are(v, v.k))}
        return Statement(invariant(v, related) | whose, related(v, without, having))

    def step_joiner(e: RingEncoding, v: SimpleNamespace) -> Statement:
        having = e.put(v.h, state(v, SECOND), new_node(v))
        return Statement(
            invariant(v, related) | {f"the next node belongs to {who}": are(v, v.k)}, related(v, state(v), having)
        )

    def only_takes(e: RingEncoding, v: SimpleNamespace) -> Statement:
        without, having = state(v), state(v, SECOND)
        has = smt.And(having.found, having.owner == v.i, smt.Not(are(v, v.i)))
        return Statement(
            invariant(v, related) | {f"i, which is not {who}, has the queue": has},
            smt.And(without.found, without.owner == v.i),
        )

    return (
        Obligation(f"{name}.base", "The invariant holds for two empty rings.", VARIABLES, base),
        Obligation(
            f"{name}.step-other",
            "The invariant still holds after both rings get a node of a consumer that does not join.",
            (*VARIABLES, *NEW),
            step_other,
        ),
        Obligation(
            f"{name}.step-joiner",
            f"The invariant still holds after a virtual node of {who} is added to the second ring.",
            (*VARIABLES, *NEW),
            step_joiner,
        ),
        Obligation(
            f"{name}.only-takes",
            f"Under the invariant, a consumer that is not {who} had the queue before if it has it now.",
            (*VARIABLES, "i"),
            only_takes,
        ),
    )


JOINING, JOINING_GO = joining(nearer), joining(nearer_behind)
