"""A joiner only takes: the ring without its virtual nodes and the ring with them, by induction over all virtual nodes.

The joiner's nodes may stand anywhere in the order in which nodes are put, and may collide with others. Read backwards,
a leaver only gives.
"""

import z3

from proofs.hashing.state import (
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
from proofs.obligation import Obligation, Statement

__all__ = ["JOINING", "JOINING_GO"]

VARIABLES = ("h", "j", *FIRST, *SECOND)


def joining(nearer: Nearer) -> tuple[Obligation, ...]:
    """In a client that goes around the ring like this."""

    def related(v, without, having):
        """What the ring without the joiner j and the ring with it have to do with each other."""
        mine = having.owner == v.j
        same = z3.And(without.found, having.hash == without.hash, having.owner == without.owner)
        not_farther = z3.Not(nearer(v.h, without.hash, having.hash))
        return z3.And(
            z3.Implies(without.found, z3.And(having.found, without.owner != v.j)),
            z3.Implies(z3.And(having.found, z3.Not(mine)), same),
            z3.Implies(z3.And(without.found, having.found, mine), not_farther),
        )

    def base(e, v):
        return Statement(both_empty(v), related(v, state(v), state(v, SECOND)))

    def step_other(e, v):
        without, having = (e.put(v.h, state(v, names), new_node(v)) for names in (FIRST, SECOND))
        return Statement(
            invariant(v, related) | {"the next node is not the joiner's": v.k != v.j}, related(v, without, having)
        )

    def step_joiner(e, v):
        having = e.put(v.h, state(v, SECOND), new_node(v))
        return Statement(
            invariant(v, related) | {"the next node is the joiner's": v.k == v.j}, related(v, state(v), having)
        )

    def only_takes(e, v):
        without, having = state(v), state(v, SECOND)
        return Statement(
            invariant(v, related)
            | {"i, not the joiner, has the queue": z3.And(having.found, having.owner == v.i, v.i != v.j)},
            z3.And(without.found, without.owner == v.i),
        )

    return (
        Obligation("join.base", "Empty rings are related.", VARIABLES, base),
        Obligation(
            "join.step-other",
            "They stay related when a node of another is put on both.",
            (*VARIABLES, *NEW),
            step_other,
        ),
        Obligation(
            "join.step-joiner",
            "They stay related when a virtual node of the joiner is put on its ring.",
            (*VARIABLES, *NEW),
            step_joiner,
        ),
        Obligation(
            "join.only-takes",
            "Of related rings, who is not the joiner had what it has.",
            (*VARIABLES, "i"),
            only_takes,
        ),
    )


JOINING, JOINING_GO = joining(nearer), joining(nearer_behind)
