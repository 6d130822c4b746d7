"""Consumers present before a join, and the queues that each keeps, gains and gives away."""

from rebalance_proofs.model.queues import one_broker
from rebalance_proofs.proofs.movement.lemmas import Other, joiner, others, staying
from rebalance_proofs.proofs.movement.lemmas import changed_hands_observed as changed_hands
from tests.proofs.movement.handmade import joined

QUEUES = one_broker(4)
BEFORE, AFTER = [[0, 1, 2], [3]], [[0], [1], [2, 3]]


def queues(*positions):
    return [QUEUES[position] for position in positions]


def test_consumers_are_matched_by_id():
    for place, kept in ((0, (1, 3)), (1, (0, 3)), (2, (0,))):
        group = joined(4, BEFORE, AFTER, place)
        results = group.allocate()
        assert joiner(group) == place
        found = others(group, results)
        assert [other.place for other in found] == [at for at in range(3) if at != place]
        assert [other.before for other in found] == [queues(0, 1, 2), queues(3)]
        assert [other.after for other in found] == [results[other.place] for other in found]
        assert staying(group, results) == set(queues(*kept))
        assert changed_hands(group, results) == 4 - len(kept)


def test_kept_gained_and_released_queues_keep_their_order():
    other = Other(0, queues(3, 1, 0), queues(0, 2, 3))
    assert (other.kept, other.gained, other.given_away) == (queues(3, 0), queues(2), queues(1))


def test_first_consumer_has_no_others():
    group = joined(4, [], [[0, 1, 2, 3]], 0)
    assert others(group, group.allocate()) == []
    assert joiner(group) == 0
