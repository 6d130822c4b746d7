"""Any number of consumers that join a hash ring only take: the ring without their virtual nodes and the ring with them.

The induction is that of one joiner. Ids are numbers that are compared for equality alone, so that those of the joiners
may be taken to be the numbers from j on.
"""

from dataclasses import replace

import z3

from proofs.allocation.names import name_consumer, name_queue
from proofs.hashing.state import FIRST, NEW, SECOND, both_empty, invariant, nearer, new_node, state
from proofs.movement.joined import others
from proofs.movement.monotone import MONOTONE
from proofs.obligation import Obligation, Statement

__all__ = ["SEVERAL"]

VARIABLES = ("h", "j", *FIRST, *SECOND)


def related(v, without, having):
    """What the ring without the joiners and the ring with them have to do with each other."""
    theirs = having.owner >= v.j
    same = z3.And(without.found, having.hash == without.hash, having.owner == without.owner)
    not_farther = z3.Not(nearer(v.h, without.hash, having.hash))
    return z3.And(
        z3.Implies(without.found, z3.And(having.found, without.owner < v.j)),
        z3.Implies(z3.And(having.found, z3.Not(theirs)), same),
        z3.Implies(z3.And(without.found, having.found, theirs), not_farther),
    )


def _base(e, v):
    return Statement(both_empty(v), related(v, state(v), state(v, SECOND)))


def _step_other(e, v):
    without, having = (e.put(v.h, state(v, names), new_node(v)) for names in (FIRST, SECOND))
    return Statement(invariant(v, related) | {"the next node is no joiner's": v.k < v.j}, related(v, without, having))


def _step_joiner(e, v):
    having = e.put(v.h, state(v, SECOND), new_node(v))
    return Statement(invariant(v, related) | {"the next node is a joiner's": v.k >= v.j}, related(v, state(v), having))


def _only_take(e, v):
    without, having = state(v), state(v, SECOND)
    return Statement(
        invariant(v, related)
        | {"i, who is no joiner, has the queue": z3.And(having.found, having.owner == v.i, v.i < v.j)},
        z3.And(without.found, without.owner == v.i),
    )


def violation(group, results):
    """Names the first consumer that gains a queue."""
    for other in others(group, results):
        for queue in other.gained:
            return f"{name_consumer(group, other.place)} gains {name_queue(group, queue)}."
    return None


SEVERAL_JOINING = (
    Obligation("joins.base", "Empty rings are related.", VARIABLES, _base),
    Obligation(
        "joins.step-other",
        "They stay related when a node of another is put on both.",
        (*VARIABLES, *NEW),
        _step_other,
    ),
    Obligation(
        "joins.step-joiner",
        "They stay related when a virtual node of a joiner is put on their ring.",
        (*VARIABLES, *NEW),
        _step_joiner,
    ),
    Obligation("joins.only-take", "Of related rings, who is no joiner had what it has.", (*VARIABLES, "i"), _only_take),
)


SEVERAL = replace(
    MONOTONE,
    name="several",
    sentence="When any number of consumers join, the others gain nothing; when they leave, the others keep all",
    obligations=SEVERAL_JOINING,
    violation=violation,
)
