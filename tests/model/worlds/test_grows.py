"""Groups whose topic has more queues than before."""

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.allocation.machine_room import MACHINE_ROOM
from rebalance_proofs.model.worlds.grows import GROWS
from tests.model.premises.shares import shares


def test_new_queues_have_a_broker_between_the_others():
    group = GROWS.group((AVERAGELY,), 2, 5, (1, 2))
    assert [queue[1:] for queue in group.queues] == [
        ("broker-a", 0),
        ("broker-b", 0),
        ("broker-b", 1),
        ("broker-b", 2),
        ("broker-c", 0),
    ]
    assert list(group.queues) == sorted(group.queues)
    assert group.reference.consumers[0].mq_all == (group.queues[0], group.queues[4])


def test_room_queues_stay_in_their_room():
    assert shares(GROWS, 2, 3, (1, 0), (MACHINE_ROOM,)) == [[0, 2], [1]]
    names = [queue.broker_name for queue in GROWS.group((MACHINE_ROOM,), 1, 3, (1, 0)).queues]
    assert names == ["room1@broker-a", "room1@broker-b", "room1@broker-c"]


def test_at_least_one_queue_is_old():
    assert list(GROWS.all_values(1, 1)) == []
    assert list(GROWS.all_values(1, 3)) == [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0)]
