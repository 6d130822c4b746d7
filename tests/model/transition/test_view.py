"""The terms of a transition agree with the client's code for every queue of a table."""

import random

import pytest
from hypothesis import event, given, settings

from rebalance_proofs.model.client.effects import REBALANCE_LATER
from rebalance_proofs.model.transition.client import PUSH
from rebalance_proofs.model.transition.clients import CLIENTS, NODE, V5_0, V5_2
from rebalance_proofs.model.transition.numbers import NO_OFFSET
from rebalance_proofs.model.transition.rounds import Rounds
from rebalance_proofs.model.transition.variables import Case
from tests.model.transition.handmade import case
from tests.model.transition.random_cases import (
    assignment,
    played,
    sampled,
    table_terms,
    used,
)

MANY = 400
"""Random cases of each client."""

each_client = pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.name)


def in_order(rounds: Rounds, round_: int) -> bool:
    """The client goes through its entries as the terms do; those that came in the first round are behind the others."""
    there = [seen.before.fresh for seen in rounds.rounds[round_].queues if seen.before]
    return there == sorted(there)


def compare(client, mode, drawn: Case) -> None:
    """Round by round, as long as the client's order is that of the queues or does not matter."""
    terms = table_terms(client.encoding, len(drawn.queues), len(drawn.rounds))
    steps, thrown = terms(assignment(mode, drawn))
    rounds, found = played(client, mode, drawn)
    count = len(drawn.rounds)
    for number, (seen, outcomes) in enumerate(zip(rounds.rounds, found, strict=True)):
        if seen.thrown and not in_order(rounds, number):
            break
        here = steps[number::count]
        assert [step.outcome for step in here] == outcomes
        assert thrown[number] is bool(seen.thrown)
        assert seen.changed == (None if seen.thrown else any(step.flag("changed") for step in here))
        for step, watched in zip(here, seen.queues, strict=True):
            assert step.flag("out") is watched.did("out")
            assert step.flag("entered") is watched.did("in")
        if client in (V5_0, V5_2) and not seen.thrown:
            assert any(step.flag("denied") for step in here) is ((REBALANCE_LATER, None, 500) in seen.effects)


@settings(max_examples=150)
@given(used())
def test_terms_equal_the_code(found):
    client, mode, chosen = found
    event(client.name)
    compare(client, mode, chosen)


@each_client
@pytest.mark.parametrize("queues", [1, 2, 3])
def test_terms_equal_the_code_in_cases_of_every_kind(client, queues):
    source = random.Random(queues)
    for _ in range(MANY // 3):
        compare(client, *sampled(client, queues, 2, source))


@each_client
@pytest.mark.parametrize("stored", range(-9, 0))
def test_negative_broker_offsets_are_excluded(client, stored):
    compare(client, PUSH, case([{"present": 0, "memory": NO_OFFSET}], [[{"stored": stored}]]))


@pytest.mark.slow
@each_client
@pytest.mark.parametrize("seed", range(8))
def test_terms_equal_the_code_in_many_more_cases(client, seed):
    source = random.Random(f"{seed} more")
    for _ in range(2_000):
        compare(client, *sampled(client, source.choice((1, 2, 3)), 2, source))


@each_client
def test_order_of_entries_matters_only_for_exceptions_in_a_second_round(client):
    """This matters when a removal throws in a second round, which no scenario of the ledger allows."""
    shown = case([{"present": 0}, {}], [[{}, {}], [{"in_set": 0, "persist": 2}, {"in_set": 0}]])
    mode = PUSH if client is NODE else PUSH.with_own_store()
    rounds, found = played(client, mode, shown)
    steps, thrown = table_terms(client.encoding, 2, 2)(assignment(mode, shown))
    assert thrown[1]
    assert rounds.last.thrown
    assert found[1][1].after is None
    assert steps[3].outcome.after is not None
    assert not in_order(rounds, 1)
