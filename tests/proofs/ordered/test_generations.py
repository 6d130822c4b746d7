"""Merged generations: their ordered consumption is the same in every state."""

from dataclasses import replace

import pytest

from rebalance_proofs.model.ordered.actions import OrderedEncoding, encoding
from rebalance_proofs.model.ordered.clients import CLIENTS
from rebalance_proofs.model.transition import java
from rebalance_proofs.model.transition.generations import GENERATIONS, V4_9_5
from rebalance_proofs.proofs.ordered.inductive import ACTIONS
from rebalance_proofs.proofs.ordered.variables import flags, limits_of, said_of, state_of, unknowns
from tests.proofs.differing import differing

TAKEN_AS_ONE = [
    pytest.param(client.rules, older.rules, client.rebalance, id=f"{client.name}-{older.releases[0]}")
    for client in CLIENTS
    for older in client.generations[:-1]
]


def differ(one: OrderedEncoding, other: OrderedEncoding) -> list[str]:
    """The actions in which they do."""
    v = unknowns()
    state, said, limits = state_of(v), said_of(v), limits_of(v)
    return differing(
        ACTIONS,
        lambda name: (getattr(one, name)(state, said, limits), getattr(other, name)(state, said, limits)),
        flags(v).values(),
        "me",
        "lock",
    )


@pytest.mark.parametrize(("rules", "older", "newer"), TAKEN_AS_ONE)
def test_they_do_the_same(rules, older, newer):
    one, other = (encoding(java.encoding(rebalance).step, rules) for rebalance in (older, newer))
    assert differ(one, other) == []


def test_a_difference_would_be_seen():
    rules = next(client.rules for client in CLIENTS if V4_9_5 in client.generations)
    one, other = (
        encoding(java.encoding(replace(V4_9_5.rules, new_locked=waits)).step, rules) for waits in (True, False)
    )
    assert differ(one, other) == ["adds"]


def test_every_release_that_was_read_is_one_clients():
    releases = [r for client in CLIENTS for generation in client.generations for r in generation.releases]
    assert sorted(releases) == sorted(["go", *(r for generation in GENERATIONS for r in generation.releases)])
