"""Running a case on a client's own code."""

from types import SimpleNamespace

import pytest

from rebalance_proofs.model.client.effects import (
    DROP,
    IN,
    OUT,
    PERSIST,
    PULL_REQUEST,
    READ_OFFSET,
    REMOVE_OFFSET,
    UNLOCK,
)
from rebalance_proofs.model.client.environment import DENIED, FAILS, NO_BROKER, OK, THROW, THROWS, Answers
from rebalance_proofs.model.client.process_queue_table import HELD
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.model.transition.client import BROADCAST, ORDERLY, PUSH
from rebalance_proofs.model.transition.clients import CLIENTS, NODE, V4_9, V5_2
from rebalance_proofs.model.transition.numbers import LOCKS, NO_OFFSET
from rebalance_proofs.model.transition.rounds import (
    Held,
    Watched,
    answers_of,
    queue_of,
    run,
    run_apart,
    run_unsubscribed,
)
from tests.model.transition.handmade import case

AWAY = {"in_set": 0}
ABSENT = {"present": 0}
OWN = PUSH.with_own_store()

each_client = pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.name)


def test_queue_topic_is_the_own_another_or_a_retry_topic():
    assert queue_of(3, 1) == MessageQueue("T", "broker-a", 3)
    assert queue_of(3, 0) == queue_of(3, 0, retry=1) == MessageQueue("U", "broker-a", 3)
    assert queue_of(0, 1, retry=1).topic == "%RETRY%T"


def test_numbers_are_converted_to_answers():
    benign = {"lock": 0, "stored": 100, "queried": 77, "persist": 0}
    assert answers_of(benign) == Answers(OK, 100, 77, OK)
    assert answers_of({"lock": 1, "stored": -9, "queried": -8, "persist": 2}) == Answers(DENIED, THROWS, FAILS, THROW)


@each_client
def test_benign_round_has_no_effects(client):
    found = run(client, PUSH, case([{}, {}], [[{}, {}]] * 2))
    assert [(each.changed, each.thrown, each.effects) for each in found.rounds] == [(False, "", ())] * 2
    for seen in found.last.queues:
        assert seen.before == seen.after == Held(dropped=False, locked=True, tries=0, fresh=False)


@each_client
def test_observations_of_a_leaving_and_returning_queue_are_recorded(client):
    found = run(client, PUSH, case([{}], [[AWAY], [{}]]))
    first, second = found.rounds
    assert found.last is second
    assert (first.changed, second.changed) == (True, True)
    (gone,), (come,) = first.queues, second.queues
    assert gone.after is come.before is None
    assert gone.before == Held(dropped=False, locked=True, tries=0, fresh=False)
    assert (come.after.fresh, come.after.dropped, come.after.locked) == (True, False, client is not NODE)
    assert gone.did(DROP)
    assert gone.did(OUT)
    assert not gone.did(IN)
    assert come.did(IN)
    assert (gone.mine, gone.asked.in_set, come.asked.in_set) == (True, 0, 1)


def test_every_queue_has_its_own_answers_and_effects():
    found = run(V5_2, OWN, case([ABSENT, ABSENT, {}], [[{"stored": 7}, {"stored": 9}, AWAY]]))
    one, two, three = found.last.queues
    assert one.effects == (
        (REMOVE_OFFSET, queue_of(0, 1)),
        (READ_OFFSET, queue_of(0, 1), "S", 7),
        (IN, queue_of(0, 1)),
        (PULL_REQUEST, queue_of(0, 1), 7, 500),
    )
    assert two.did(PULL_REQUEST, 9, 500)
    assert not two.did(PULL_REQUEST, 7, 500)
    assert [effect[0] for effect in three.effects] == [DROP, PERSIST, REMOVE_OFFSET, OUT]
    assert len(found.last.effects) == 12


def test_exception_is_recorded_without_a_result():
    for client, mode, message in ((V4_9, OWN, "persist"), (V5_2, OWN, "persist"), (NODE, PUSH, "scripted update")):
        found = run(client, mode, case([{}], [[{"in_set": 0, "persist": 2}]])).last
        assert (found.changed, found.thrown) == (None, message)


def test_listener_belongs_to_the_entry_before_the_round():
    found = run(V4_9, ORDERLY, case([{"consume_lock": HELD}, ABSENT], [[AWAY, {}], [{}, {}]]))
    assert [[seen.consume_lock for seen in each.queues] for each in found.rounds] == [[HELD, 0], [HELD, 0]]


@each_client
def test_separate_consumers_have_separate_tables(client):
    """The second one throws; the others continue."""
    queues = [{}, {}, ABSENT]
    mode = PUSH if client is NODE else OWN
    found = run_apart(client, mode, case(queues, [[AWAY, {"in_set": 0, "persist": 2}, {}]]))
    one, two, three = found.last.queues
    assert {seen.queue for seen in found.last.queues} == {queue_of(0, 1)}
    assert (one.after, three.after.fresh) == (None, True)
    assert two.did(PERSIST, THROW) or client is NODE
    assert found.last.changed is None
    assert found.last.thrown
    assert found.last.effects == (*one.effects, *two.effects, *three.effects)


@each_client
def test_separate_consumers_report_their_own_changes(client):
    calm = run_apart(client, PUSH, case([{}, {}], [[{}, {}]]))
    assert (calm.last.changed, calm.last.thrown) == (False, "")
    moved = run_apart(client, PUSH, case([{}, {}], [[{}, AWAY]]))
    assert (moved.last.changed, moved.last.thrown) == (True, "")


@each_client
def test_unsubscribing_requests_nothing(client):
    found = run_unsubscribed(client, BROADCAST, case([{}, ABSENT], [[{}, {}]]))
    one, two = found.last.queues
    assert (two.before, two.after, two.effects) == (None, None, ())
    if client is NODE:
        assert (found.last.changed, one.after, one.effects) == (False, one.before, ())
    else:
        assert (found.last.changed, one.after) == (True, None)
        assert [effect[0] for effect in one.effects] == [OUT, DROP]


def test_effect_is_found_by_its_details():
    queue = queue_of(0, 1)
    seen = Watched(queue, True, SimpleNamespace(), None, None, 0, (0, 0), ((PERSIST, queue, THROW), (OUT, queue)))
    assert seen.did(PERSIST)
    assert seen.did(PERSIST, THROW)
    assert not seen.did(PERSIST, OK)
    assert seen.did(OUT)
    assert not seen.did(IN)


def test_delayed_effect_is_recorded_after_the_last_round():
    """With its queue, and with the results of the round in which it was delayed."""
    away, back = [AWAY, AWAY, {}], [{}, AWAY, {}]
    first, second = run(V4_9, ORDERLY, case([{"cached": 1}, {"cached": 1}, {}], [away, back])).rounds
    assert [seen.later for seen in first.queues] == [(), (), ()]
    assert [seen.later for seen in second.queues] == [((UNLOCK, queue_of(0, 1)),), ((UNLOCK, queue_of(1, 1)),), ()]
    unknown = run(V4_9, ORDERLY, case([{"cached": 1}], [[AWAY | {"lock": LOCKS.index(NO_BROKER)}]]))
    assert unknown.last.queues[0].later == ()
    assert run(V5_2, ORDERLY, case([{"cached": 1}], [[AWAY]])).last.queues[0].later == ()


@each_client
def test_offset_in_memory_is_recorded_before_and_after_each_round(client):
    first, second = run(client, PUSH, case([{"memory": 5}], [[AWAY], [{"stored": 9}]])).rounds
    assert (first.queues[0].memory, second.queues[0].memory) == ((5, NO_OFFSET), (NO_OFFSET, 9))


def test_user_defined_store_hides_its_memory():
    first, second = run(V5_2, OWN, case([{"memory": 5}], [[AWAY], [{"stored": 9}]])).rounds
    assert (first.queues[0].memory, second.queues[0].memory) == ((5, 5), (5, 5))
