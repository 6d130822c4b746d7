"""Premises about the inner strategy agree, in small groups, with disjoint and covering strategies."""

from itertools import product

import pytest

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.allocation.averagely_by_circle import AVERAGELY_BY_CIRCLE
from rebalance_proofs.model.allocation.consistent_hash import CONSISTENT_HASH
from rebalance_proofs.model.allocation.machine_room_nearby import NEARBY
from rebalance_proofs.model.group import client_ids
from rebalance_proofs.model.queues import one_broker
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.simplified import simplify
from rebalance_proofs.proofs.allocation.nearby import COVERAGE, EXCLUSION

(EXCLUSIVE,) = EXCLUSION
NEAR_OWNER, FAR_OWNER = COVERAGE
GROUPS = [
    (queues, consumers)
    for q, n in ((1, 2), (2, 2), (1, 3))
    for queues, consumers in product(product(range(2), repeat=q), product(range(3), repeat=n))
]
"""Rooms of queues, rooms of consumers."""

each_inner = pytest.mark.parametrize(
    "inner", [AVERAGELY, AVERAGELY_BY_CIRCLE, CONSISTENT_HASH], ids=lambda inner: inner.name
)


def answers(inner, of_queues, of_consumers, place):
    """What the inner strategy says of one queue: whether there is anybody near, who gets it there, who among all."""
    queues, ids = one_broker(len(of_queues)), client_ids(len(of_consumers))
    inside = [queue for queue, room in zip(queues, of_queues, strict=True) if room == of_queues[place]]
    people = [client_id for client_id, room in zip(ids, of_consumers, strict=True) if room == of_queues[place]]
    near = [client_id in people and queues[place] in inner.allocate(client_id, inside, people) for client_id in ids]
    everywhere = [queues[place] in inner.allocate(client_id, inside, ids) for client_id in ids]
    return int(bool(people)), list(map(int, near)), list(map(int, everywhere))


def met(step, **values):
    statement = step.statement(NEARBY, values)
    return all(smt.is_true(simplify(world)) for world in statement.given.values())


@each_inner
def test_shared_queue_satisfies_the_assumptions_of_exclusion(inner):
    """All but the last (i owns the queue), so the premises exclude no disjoint inner strategy."""
    for of_queues, of_consumers in GROUPS:
        for place, room in enumerate(of_queues):
            alive, near, everywhere = answers(inner, of_queues, of_consumers, place)
            for i, j in product(range(len(of_consumers)), repeat=2):
                if i == j:
                    continue
                values = {
                    **{"own_i": of_consumers[i], "own_j": of_consumers[j], "room": room, "alive": alive},
                    **{"near_i": near[i], "near_j": near[j], "all_i": everywhere[i], "all_j": everywhere[j]},
                    **{"stray_i": 0, "stray_j": 0},
                }
                statement = EXCLUSIVE.statement(NEARBY, values)
                *premises, takes = statement.given.values()
                assert all(smt.is_true(simplify(world)) for world in premises)
                assert smt.is_true(simplify(smt.Implies(takes, statement.then)))


@each_inner
def test_every_queue_satisfies_the_assumptions_of_coverage(inner):
    for of_queues, of_consumers in GROUPS:
        for place, room in enumerate(of_queues):
            alive, near, everywhere = answers(inner, of_queues, of_consumers, place)
            views = [
                {
                    "own": own,
                    "room": room,
                    "alive": alive,
                    "near": near[index],
                    "everywhere": everywhere[index],
                    "stray": 0,
                }
                for index, own in enumerate(of_consumers)
            ]
            assert any(met(NEAR_OWNER if alive else FAR_OWNER, **view) for view in views)
