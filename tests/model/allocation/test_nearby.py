"""MACHINE_ROOM_NEARBY as terms, over any inner strategy, against the client's code."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.allocation.machine_room_nearby import (
    MUTANTS,
    NEARBY,
    MachineRoomResolver,
    machine_room_nearby,
)
from rebalance_proofs.model.group import client_ids
from rebalance_proofs.model.queues import one_broker
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.simplified import simplify

BOTH = (False, True)
CASES = [case for case in product(BOTH, repeat=4) if case[1] or not case[0]]
"""(same room, alive, near, everywhere); a consumer's own room is alive."""


def takes(encoding, same, alive, near, everywhere, stray=False):
    own, room = smt.IntVal(5), smt.IntVal(5 if same else 7)
    said = encoding.takes(own, room, *map(smt.BoolVal, (alive, near, everywhere, stray)))
    return smt.is_true(simplify(said))


@pytest.mark.parametrize(("same", "alive", "near", "everywhere"), CASES)
def test_nearby_term_prefers_the_own_room_then_rooms_without_consumers(same, alive, near, everywhere):
    expected = near if same else everywhere and not alive
    assert takes(NEARBY, same, alive, near, everywhere) is expected
    assert takes(NEARBY, same, alive, near, everywhere, stray=True)


rooms = st.lists(st.sampled_from("ABCDE"), min_size=1, max_size=5)


@given(of_queues=rooms, of_consumers=rooms, answers=st.randoms(use_true_random=False))
def test_nearby_term_equals_the_client_for_any_inner_strategy(of_queues, of_consumers, answers):
    """The inner strategy is any function: equal arguments give equal results."""
    queues, ids = one_broker(len(of_queues)), client_ids(len(of_consumers))
    home, table = dict(zip(ids, of_consumers, strict=True)), {}

    def gives(client_id, queue, among):
        return table.setdefault((client_id, queue, tuple(among)), answers.random() < 0.5)

    def inner(client_id, mq_all, cid_all):
        assert {of_queues[queue.queue_id] for queue in mq_all} == {of_queues[mq_all[0].queue_id]}
        return [queue for queue in mq_all if gives(client_id, queue, cid_all)]

    allocate = machine_room_nearby(inner, MachineRoomResolver(lambda queue: of_queues[queue.queue_id], home.get))
    for client_id in ids:
        taken = allocate(client_id, queues, ids)
        for queue, room in zip(queues, of_queues, strict=True):
            near = [other for other in ids if home[other] == room]
            same, alive = home[client_id] == room, bool(near)
            said = takes(NEARBY, same, alive, gives(client_id, queue, near), gives(client_id, queue, ids))
            assert (queue in taken) is said


def test_nearby_inner_encoding_defaults_to_avg():
    assert NEARBY.inner is AVERAGELY.encoding


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_nearby_mutant_differs_in_some_case(mutant):
    assert [case for case in CASES if takes(mutant.encoding, *case) is not takes(NEARBY, *case)]
