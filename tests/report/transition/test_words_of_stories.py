"""Every effect and every value that can occur in a story has words."""

import pytest

from rebalance_proofs.model.client import effects as names
from rebalance_proofs.model.client.environment import DENIED, EXC
from rebalance_proofs.model.transition.clients import CLIENTS
from rebalance_proofs.model.transition.rounds import queue_of, run
from rebalance_proofs.model.transition.variables import CONSUMER, QUEUE, ROUND
from rebalance_proofs.report.text.english import seconds
from rebalance_proofs.report.transition.circumstances import (
    CONSUMER_TEXTS,
    STATE_TEXTS,
    answers,
    consumer,
    state,
    texts_of,
)
from rebalance_proofs.report.transition.effects import one_by_one, phrases, sentences
from tests.report.transition.told import case

QUEUE_0 = queue_of(0, 1)
SHIPPED = CLIENTS[0].modes[0]
WHOLE_REBALANCE = {
    names.REBALANCE_LATER,
    names.FIND_CONSUMER_IDS,
    names.ALLOCATE,
    names.QUEUE_CHANGED,
    names.HEARTBEAT,
    names.LISTENER,
    names.PULL_THRESHOLD,
    names.PULL_THRESHOLD_SIZE,
    names.QUERY_ASSIGNMENT,
    names.LOCK_BATCH,
    names.UNLOCK_BATCH,
    names.EMIT,
}
"""What happens around a transition, not in it."""


def deeds(client, mode, variable, value):
    """What the client does with a queue that is new, and with one that is taken away, where one value is unusual."""
    own, asked, consumer_numbers = (
        {variable.name: value} if variable in known else {} for known in (QUEUE, ROUND, CONSUMER)
    )
    new, old = {"present": 0}, {"in_set": 0}
    cases = [case([own | new], [[asked]], consumer_numbers), case([own], [[asked | old]], consumer_numbers)]
    return tuple(one_by_one(run(client, mode, given).last.effects) for given in cases)


@pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.name)
def test_values_with_equal_words_have_equal_behaviour(client):
    for mode in client.modes:
        texts = STATE_TEXTS | texts_of(mode) | CONSUMER_TEXTS
        for variable in (*QUEUE, *ROUND, *CONSUMER):
            if variable.name in ("mine", "present", "in_set"):
                assert variable.name not in texts  # told in sentences of their own
                continue
            values = [value for value in client.values(variable, mode.own_store) if value != variable.benign]
            done = {}
            for value in values:
                told = texts[variable.name](value)
                assert told
                done.setdefault(told, set()).add(deeds(client, mode, variable, value))
            assert {len(each) for each in done.values()} <= {1}, (mode.name, variable.name, done)


def test_value_without_text_is_described_by_its_meaning(monkeypatch):
    monkeypatch.delitem(STATE_TEXTS, "cached")
    (numbers,) = case([{"cached": 1}], [[{}]]).queues
    assert state(numbers) == ["there are pulled messages that are not consumed: 1"]


def test_every_effect_of_every_client_has_words():
    known = {found for name, found in vars(names).items() if name.isupper()} - WHOLE_REBALANCE
    for client in CLIENTS:
        for mode in client.modes:
            for numbers in ({"in_set": 0}, {"in_set": 0, "persist": 2}, {"stored": -1}, {"stored": -9}, {"lock": 1}):
                for held in ({}, {"present": 0}, {"cached": 1}, {"consume_lock": 1, "lock_age": 20_001}):
                    seen = run(client, mode, case([held], [[numbers]]))
                    for words in one_by_one(seen.last.effects):
                        assert words.split()[0] not in known, words
                        assert "{" not in words


@pytest.mark.parametrize(
    ("details", "said"),
    [
        ((names.TRY_CONSUME_LOCK, 500, 1), "checks that the listener is not running"),
        ((names.TRY_CONSUME_LOCK, 500, 0), "waits 0.5 s for the listener without success"),
        ((names.TRY_CONSUME_LOCK, 500, "INT"), "is interrupted while it waits for the listener"),
        ((names.LOCK, DENIED), "is denied the broker's lock"),
        ((names.LOCK, EXC), "fails to ask for the broker's lock"),
        ((names.UNLOCK, EXC), "fails to release the broker's lock"),
        ((names.SCHEDULE_UNLOCK, 20_000), "delays the release of the broker's lock by 20 s"),
        ((names.PROCESS_QUEUE_LOCKED, 1), "records that it holds the broker's lock"),
        ((names.READ_OFFSET, "S", -1), "finds no stored offset"),
        ((names.READ_OFFSET, -2), "fails to read the offset"),
        ((names.MAX_OFFSET, 77), "asks the broker for the largest offset: 77"),
        ((names.SEARCH_OFFSET, "err"), "fails to ask the broker for the offset of its time stamp"),
        ((names.PULL_REQUEST, 100), "starts to pull from offset 100"),
        ((names.PULL_REQUEST, 100, 500), "starts to pull from offset 100 in 0.5 s"),
        ((names.REBALANCE_LATER, 500), "asks for another rebalance in 0.5 s"),
        (("unheard-of", 3), "unheard-of 3"),
    ],
)
def test_effect_has_its_phrase(details, said):
    name, *rest = details
    assert one_by_one([(name, QUEUE_0, *rest)]) == (said,)


def test_repeated_queue_becomes_a_pronoun():
    told = phrases(
        [(name, QUEUE_0) for name in (names.PERSIST, names.PERSIST, names.REMOVE_OFFSET, names.OUT)], own_store=True
    )
    assert told == ("persists the offset twice", "forgets it", "removes the process queue from its table")


def test_no_effects_are_described_as_nothing():
    assert sentences(()) == ("does nothing",)


def test_every_kind_of_consumer_has_a_name():
    found = {consumer(mode) for client in CLIENTS for mode in client.modes}
    assert found >= {
        "a push consumer",
        "a broadcasting push consumer with an ordered listener",
        "a lite pull consumer",
        "a broadcasting pull consumer",
    }


def test_several_queues_are_named():
    seen = run(CLIENTS[0], SHIPPED, case([{}], [[{"lock": 4, "persist": 2}]])).last.queues[0]
    assert answers(seen, SHIPPED) == [
        "the address of its broker is not known",
        "sending its offset to the broker fails",
    ]
    assert answers(seen, SHIPPED, "queue 3")[1] == "sending the offset of queue 3 to the broker fails"


def test_failure_names_where_the_offset_is_kept():
    seen = run(CLIENTS[0], SHIPPED, case([{}], [[{"persist": 2}]])).last.queues[0]
    assert {answers(seen, mode)[0] for mode in CLIENTS[0].modes} == {
        "sending its offset to the broker fails",
        "writing its offset into the file fails",
        "persisting its offset throws an exception",
    }


@pytest.mark.parametrize(("milliseconds", "said"), [(20_001, "20.001 s"), (500, "0.5 s"), (1_234_567, "1234.567 s")])
def test_seconds_are_exact(milliseconds, said):
    assert seconds(milliseconds) == said
