"""Merged generations have equal ordered consumption in every state."""

from dataclasses import dataclass, replace

import pytest

from rebalance_proofs.model.machine.machine import act_of
from rebalance_proofs.model.machines.ordered.actions import CLIENTS, ORDERED, Transition
from rebalance_proofs.model.machines.ordered.state import OrderedRules
from rebalance_proofs.model.transition import java
from rebalance_proofs.model.transition.generations import GENERATIONS, V4_9_5
from rebalance_proofs.proofs.ordered.two import CONFIGURATION
from tests.proofs.differing import differing

TAKEN_AS_ONE = [
    pytest.param(client.rules, older.rules, client.rebalance, id=f"{client.name}-{older.releases[0]}")
    for client in CLIENTS
    for older in client.generations[:-1]
]


@dataclass(frozen=True)
class Variant:
    rules: OrderedRules
    transition: Transition
    gives_back: bool = True
    puts_off: bool = True


def encoding(rebalance, rules: OrderedRules):
    return ORDERED.encoding(Variant(rules, java.encoding(rebalance).step))


def differ(one, other) -> list[str]:
    """The actions in which they do."""
    v = CONFIGURATION.unknowns()
    given = CONFIGURATION.given(v)
    return differing(
        ORDERED.actions,
        lambda name: (act_of(one, name)(*given), act_of(other, name)(*given)),
        CONFIGURATION.truths(v).values(),
        "",
    )


@pytest.mark.parametrize(("rules", "older", "newer"), TAKEN_AS_ONE)
def test_merged_generations_consume_in_order_alike(rules, older, newer):
    one, other = (encoding(rebalance, rules) for rebalance in (older, newer))
    assert differ(one, other) == []


def test_difference_in_ordered_consumption_is_detected():
    rules = next(client.rules for client in CLIENTS if V4_9_5 in client.generations)
    one, other = (encoding(replace(V4_9_5.rules, new_locked=waits), rules) for waits in (True, False))
    assert differ(one, other) == ["adds"]


def test_every_modelled_release_belongs_to_one_ordered_client():
    releases = [r for client in CLIENTS for generation in client.generations for r in generation.releases]
    assert sorted(releases) == sorted(["go", *(r for generation in GENERATIONS for r in generation.releases)])
