"""The clients of transition claims: their modes, and the variables that they never read."""

import random
from dataclasses import replace

import pytest

from rebalance_proofs.model.client.pull_from_where import ConsumeFromWhere
from rebalance_proofs.model.client.settings import LITE_PULL, PULL, PUSH
from rebalance_proofs.model.transition.client import ORDERLY, Mode
from rebalance_proofs.model.transition.clients import CLIENTS, NODE, V5_2
from rebalance_proofs.model.transition.variables import QUEUE, ROUND, Case
from tests.model.transition.random_cases import played, sampled

KNOWN = {variable.name: variable for variable in (*QUEUE, *ROUND)}

TOLD_APART = ("dropped", "locked", "consume_lock", "cached", "lock", "stored", "queried", "persist")
"""By the Java clients."""

each_client = pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.name)


def test_clients_have_distinct_names():
    for part in ("name", "rocketmq_name", "observed"):
        assert len({getattr(client, part) for client in CLIENTS}) == len(CLIENTS)


@each_client
def test_modes_have_distinct_names(client):
    assert len({mode.name for mode in client.modes}) == len({*client.modes}) == len(client.modes)
    assert len({replace(mode, name="") for mode in client.modes}) == len(client.modes)


@each_client
def test_client_requests_locks_only_with_an_ordered_listener(client):
    """``isOrder`` belongs to the listener; since 5.3.2 it is false in broadcasting mode."""
    for mode in client.modes:
        assert mode.order == (mode.orderly and mode != replace(mode, order=0, broadcasting=1))
        assert mode.order or not mode.orderly or client is V5_2
        assert not (mode.orderly and mode.kind)


@each_client
def test_ignored_unknowns_change_nothing(client):
    source = random.Random(3)
    assert client.ignores <= {*KNOWN}
    for _ in range(150):
        mode, case = sampled(client, 2, 2, source)
        other = Case(
            case.consumer,
            tuple(_otherwise(client, state, source) for state in case.queues),
            tuple(tuple(_otherwise(client, asked, source) for asked in row) for row in case.rounds),
        )
        one, two = played(client, mode, case), played(client, mode, other)
        assert [each.effects for each in one[0].rounds] == [each.effects for each in two[0].rounds]
        assert [each.changed for each in one[0].rounds] == [each.changed for each in two[0].rounds]
        if "locked" not in client.ignores:
            assert one[1] == two[1]
        for before, after in zip(one[0].rounds, two[0].rounds, strict=True):
            assert [bool(seen.after) for seen in before.queues] == [bool(seen.after) for seen in after.queues]


def _otherwise(client, numbers, source):
    return {name: source.choice(KNOWN[name].values) if name in client.ignores else n for name, n in numbers.items()}


@pytest.mark.parametrize("client", [client for client in CLIENTS if client is not NODE], ids=lambda client: client.name)
@pytest.mark.parametrize(
    "name", ["dropped", "locked", "consume_lock", "cached", "lock", "stored", "queried", "persist"]
)
def test_other_unknowns_change_something(client, name):
    assert name not in client.ignores
    source = random.Random(name)
    for _ in range(3_000):
        mode, case = sampled(client, 1, 1, source)
        mode = ORDERLY if source.random() < 0.5 else mode
        values = KNOWN[name].values
        group = case.queues[0] if name in case.queues[0] else case.rounds[0][0]
        answers = []
        for number in values:
            group[name] = number
            answers.append([_words(outcome) for outcome in played(client, mode, case)[1][0]])
        if any(answer != answers[0] for answer in answers):
            return
    pytest.fail("never")


def _words(outcome):
    """What is done, but for the words that only repeat the answer; whether the entry stays, and is live."""
    return [effect[0] for effect in outcome.effects], outcome.after


def test_mode_is_converted_to_settings():
    found = Mode("m", kind=2, orderly=1, broadcasting=1, order=1).settings(where=2)
    assert (found.kind, found.orderly, found.broadcasting) == (LITE_PULL, True, True)
    assert found.consume_from_where is ConsumeFromWhere.TIMESTAMP
    assert [Mode("", kind=kind).settings(0).kind for kind in range(3)] == [PUSH, PULL, LITE_PULL]
    assert Mode("").settings(0).consume_from_where is ConsumeFromWhere.LAST_OFFSET
