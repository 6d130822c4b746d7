"""Strategies inverted, compared with the model's allocation, and the resulting findings."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rebalance_proofs.model.allocation.consistent_hash import CONSISTENT_HASH
from rebalance_proofs.model.allocation.machine_room import machine_room
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.recorded.audit.finding import Level, What
from rebalance_proofs.recorded.audit.views import by_names, indexes, sizes
from tests.recorded.audit.audited import audited

BROKERS = ("r1@a", "r2@a", "r3@b", "plain")
QUEUES = tuple(("T", broker, number) for broker in BROKERS for number in range(3))


def _queues(names):
    return [MessageQueue(*one) for one in names]


@given(st.sets(st.sampled_from(["r1", "r2", "r3", "other"])), st.integers(1, 8), st.data())
def test_machine_room_result_is_found_at_its_index(rooms, members, data):
    index = data.draw(st.integers(0, members - 1))
    cid_all = [str(one) for one in range(members)]
    own = machine_room(rooms)(cid_all[index], _queues(QUEUES), cid_all)
    result = [(one.topic, one.broker_name, one.queue_id) for one in own]
    assert len(own) in sizes("MACHINE_ROOM", len(QUEUES), members)
    if own:
        assert index in indexes("MACHINE_ROOM", QUEUES, members, result)


@pytest.mark.parametrize(
    ("result", "found"),
    [
        ([("T", "plain", 0)], ()),  # in no room
        ([("T", "r1@a", 1), ("T", "r1@a", 2)], ()),  # of one room index 0 has the remainder, too
        ([("T", "r1@a", 0), ("T", "r1@a", 2)], (0,)),
        ([("T", "r1@a", 0), ("T", "r2@a", 0)], ()),
        ([("T", "r1@a", 0), ("T", "r1@a", 1), ("T", "r1@a", 2)], (0,)),  # of two rooms and two members
        ([("T", "r2@a", 0), ("T", "r2@a", 1), ("T", "r2@a", 2)], (0, 1)),  # the first of two rooms, or the second
        ([("T", "r4@a", 0)], ()),  # not in mqAll
    ],
)
def test_indexes_of_a_machine_room_result_are_found(result, found):
    assert indexes("MACHINE_ROOM", QUEUES, 2, result) == found


def test_too_many_rooms_are_not_tried():
    many = [("T", f"r{number}@b", 0) for number in range(30)]
    assert indexes("MACHINE_ROOM", many, 3, many[:1]) is None


def test_single_member_gets_the_whole_ring():
    assert indexes("CONSISTENT_HASH", QUEUES, 1, QUEUES) == (0,)
    assert indexes("CONSISTENT_HASH", QUEUES, 1, QUEUES[:2]) == ()
    assert indexes("CONSISTENT_HASH", QUEUES, 2, QUEUES[:2]) is None
    assert indexes("CONFIG", QUEUES, 2, QUEUES[:2]) is None


def test_ring_divides_all_queues_by_names():
    ids = ["b@1", "a@1", "c@1"]
    shares = [by_names("CONSISTENT_HASH", QUEUES, ids, one) for one in ids]
    assert frozenset().union(*shares) == set(QUEUES)
    assert sum(map(len, shares)) == len(QUEUES)
    assert by_names("AVG", QUEUES, ids, "a@1") is None


def _line(second, client, queues, cid_all, strategy, broker="b"):
    names = ", ".join(f"MessageQueue [topic=T, brokerName={broker}, queueId={one}]" for one in queues)
    return (
        f"2023-01-31 12:00:{second:02},000 INFO RocketmqClient - rebalanced result changed. "
        f"allocateMessageQueueStrategyName={strategy}, group=G, topic=T, clientId={client}, mqAllSize=8, "
        f"cidAllSize={cid_all}, rebalanceResultSize={len(queues)}, rebalanceResultSet=[{names}]\n"
    )


def _unlike(place, logs):
    (group,) = audited(place, logs).groups
    return [one for one in group.findings if one.what is What.UNLIKE]


def test_wrong_ring_share_is_reported(tmp_path):
    """Of two members with logs each has its share of the ring, and then one more queue."""
    mq_all = [MessageQueue("T", "b", number) for number in range(8)]
    ids = ["a@1", "b@1"]
    own = {one: [q.queue_id for q in CONSISTENT_HASH.allocate(one, mq_all, ids)] for one in ids}
    assert all(own.values())
    right = {f"{one}.log": _line(1, one, own[one], 2, "CONSISTENT_HASH") for one in ids}
    assert _unlike(tmp_path, right) == []
    wrong = right | {"a@1.log": _line(1, "a@1", sorted([*own["a@1"], own["b@1"][0]]), 2, "CONSISTENT_HASH")}
    (found,) = _unlike(tmp_path, wrong)
    assert (found.level, found.members) == (Level.POSSIBLE, ("a@1",))
    assert "if cidAll is a@1, b@1" in found.detail
    # A third one, of which there is no log, can be the other.
    (tmp_path / "logs" / "b@1.log").unlink()
    every = _line(40, "a@1", range(8), 2, "CONSISTENT_HASH")
    assert _unlike(tmp_path, {"a@1.log": wrong["a@1.log"] + every}) == []


def test_machine_room_share_of_no_index_is_reported(tmp_path):
    every = _line(40, "a@1", range(8), 1, "MACHINE_ROOM", "r@b")
    (found,) = _unlike(tmp_path, {"a.log": _line(1, "a@1", [0, 1, 2, 4], 2, "MACHINE_ROOM", "r@b") + every})
    assert found.level is Level.SEEN
    assert found.detail.startswith("for mqAllSize=8, cidAllSize=2, MACHINE_ROOM assigns no consumer these 4 queues")
