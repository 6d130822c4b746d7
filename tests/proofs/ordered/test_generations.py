"""Generations that are taken as one: their ordered consumption is the same, in every state."""

from dataclasses import fields, replace

import pytest
import z3

from rebalance_proofs.model.ordered.actions import OrderedEncoding, encoding
from rebalance_proofs.model.ordered.clients import CLIENTS
from rebalance_proofs.model.transition import java
from rebalance_proofs.model.transition.generations import GENERATIONS, V4_9_5
from rebalance_proofs.proofs.ordered.variables import flags, limits_of, said_of, state_of, unknowns

TAKEN_AS_ONE = [
    pytest.param(client.rules, older.rules, client.rebalance, id=f"{client.name}-{older.releases[0]}")
    for client in CLIENTS
    for older in client.generations[:-1]
]


def differing(one: OrderedEncoding, other: OrderedEncoding) -> list[str]:
    """Actions that do not do the same in some state."""
    v, found = unknowns(), []
    state, said, limits = state_of(v), said_of(v), limits_of(v)
    for field in fields(OrderedEncoding):
        if field.name in ("step", "listed"):
            continue
        turns = [getattr(e, field.name)(state, said, limits) for e in (one, other)]
        same = [turns[0].can == turns[1].can]
        for part in ("me", "lock"):
            left, right = (getattr(turn.after, part) for turn in turns)
            same += [z3.Implies(turns[0].can, vars(left)[name] == vars(right)[name]) for name in vars(left)]
        solver = z3.Solver()
        solver.add(*flags(v).values(), z3.Not(z3.And(same)))
        if solver.check() != z3.unsat:
            found.append(field.name)
    return found


@pytest.mark.parametrize(("rules", "older", "newer"), TAKEN_AS_ONE)
def test_they_do_the_same(rules, older, newer):
    one, other = (encoding(java.encoding(rebalance).step, rules) for rebalance in (older, newer))
    assert differing(one, other) == []


def test_a_difference_would_be_seen():
    rules = next(client.rules for client in CLIENTS if V4_9_5 in client.generations)
    one, other = (
        encoding(java.encoding(replace(V4_9_5.rules, new_locked=waits)).step, rules) for waits in (True, False)
    )
    assert differing(one, other) == ["adds"]


def test_every_release_that_was_read_is_one_clients():
    releases = [r for client in CLIENTS for generation in client.generations for r in generation.releases]
    assert sorted(releases) == sorted(["go", *(r for generation in GENERATIONS for r in generation.releases)])
