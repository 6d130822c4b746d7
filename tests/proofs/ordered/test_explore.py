"""Shortest traces to two listeners: by exploration, by the solver's unrolling, and replayed on the code."""

from dataclasses import replace

import pytest

from rebalance_proofs.model.ordered.clients import CLIENTS, GO, V4_9, V5_0, V5_2, OrderedClient
from rebalance_proofs.proofs.ordered.circumstances import (
    ALIKE,
    IN_TIME,
    PREMISES,
    PROMPT,
    RENEWED,
    RENEWED_AS_SHIPPED,
    Circumstances,
    needed,
)
from rebalance_proofs.proofs.ordered.claims import claims
from rebalance_proofs.proofs.ordered.examples import in_ticks
from rebalance_proofs.proofs.ordered.explore import shortest
from rebalance_proofs.proofs.ordered.search import explored, smallest
from tests.proofs.ordered.unrolled import fewest

LENGTHS = {
    V4_9: {"time": 8, "overtaken": 12, "return": 14, "shutdown": 12, "unsubscribed": 13, "restart": 9, "twin": 8},
    V5_0: {"time": 8, "overtaken": 12, "return": 14, "shutdown": 12, "unsubscribed": 13, "restart": 9, "twin": 8},
    V5_2: {
        "time": 10,
        "overtaken": 12,
        "shutdown": 12,
        "unsubscribed": 13,
        "restart": 9,
        "twin": 8,
        "renewed-as-shipped": 11,
    },
    GO: {"time": 12, "shutdown": 15, "restart": 13, "twin": 12},
}
"""Actions, by the premise that is dropped."""
USES = [(client, world) for client in LENGTHS for world in (*PREMISES, RENEWED_AS_SHIPPED)]


SOME = (V4_9, V5_2, GO)
"""Clients with every mutant that any of them has."""


def name(value: object) -> str:
    return value.name if isinstance(value, (OrderedClient, Circumstances)) else str(value)


each_client = pytest.mark.parametrize(
    "client",
    [pytest.param(one, id=one.name, marks=[] if one in SOME else [pytest.mark.slow]) for one in CLIENTS],
)


@pytest.mark.parametrize(("client", "world"), USES, ids=name)
def test_a_dropped_premise_takes_so_many_actions_or_is_not_needed(client, world):
    schedule = explored(client.encoding, client, world)
    assert (len(schedule) if schedule else None) == LENGTHS[client].get(world.name)
    assert needed(client, world.name) == bool(schedule)


@each_client
@pytest.mark.parametrize("world", [IN_TIME, RENEWED], ids=name)
def test_with_all_premises_two_consumers_never_come_to_it(client, world):
    assert explored(client.encoding, client, world) is None


def test_some_clients_have_all_mutants():
    assert {mutant.name for client in SOME for mutant in client.mutants} == {
        mutant.name for client in CLIENTS for mutant in client.mutants
    }


@pytest.mark.parametrize("client", [V5_0, V5_2], ids=name)
def test_nor_where_all_put_first_pulls_off_and_a_tick_longer_is_too_long(client):
    assert explored(client.encoding, client, ALIKE) is None
    limits = in_ticks(client, ALIKE)
    longer = replace(limits, listener=limits.listener + 1, wait=limits.wait + 1)
    found = shortest(client.encoding, ALIKE, longer)
    assert found
    assert len(found) == (11 if client.forces else 9)


@each_client
def test_every_mutant_comes_to_it(client):
    assert client.mutants
    for mutant in client.mutants:
        world = {"given-back": PROMPT, "exclusive.renewed-alike": ALIKE}.get(mutant.breaks, IN_TIME)
        assert shortest(mutant.encoding, world, in_ticks(client, world)), mutant.name


def test_every_counterexample_is_run_by_the_code():
    refuted = [claim for claim in claims() if not claim.holds]
    assert refuted
    for claim in refuted:
        found = smallest(claim)
        assert found, claim.id
        assert found.group.left_behind if claim.world.prompt else found.group.both, claim.id
        assert not any(all(seen.runs) for seen in found.group.seen[:-1]), claim.id


QUICKLY = 11
"""Actions up to which the solver says in a few seconds that there is nothing."""
SHORT = [(client, world) for client, world in USES if LENGTHS[client].get(world.name, 99) <= QUICKLY]
LONG = [use for use in USES if use not in SHORT and use[1].name in LENGTHS[use[0]]]


@pytest.mark.slow
@pytest.mark.parametrize(("client", "world"), SHORT, ids=name)
def test_the_solver_finds_none_that_is_shorter_at_any_millisecond(client, world):
    assert fewest(client, world, LENGTHS[client][world.name]) == LENGTHS[client][world.name]


@pytest.mark.slow
@pytest.mark.parametrize(("client", "world"), LONG, ids=name)
def test_nor_within_the_lengths_that_it_can_decide_soon(client, world):
    assert fewest(client, world, QUICKLY) is None
