"""Symbolic results at given numbers equal the code's results on lists of that length."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.allocation.averagely_by_circle import AVERAGELY_BY_CIRCLE
from rebalance_proofs.model.allocation.machine_room import KINDS, MACHINE_ROOM
from rebalance_proofs.model.allocation.machine_room_others import MACHINE_ROOM_GO
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.model.terms import smt
from rebalance_proofs.proofs.code.claims import SUBJECTS, subject_of
from rebalance_proofs.proofs.code.statements import paths
from tests.each import each
from tests.proofs.code.evaluated import elements_at, length_at, path_at, value

LISTED = {"named": 1, "listed": 1}
BY_NAME = {strategy.name: strategy for strategy, *_ in SUBJECTS}
each_strategy = pytest.mark.parametrize("strategy", BY_NAME.values(), ids=BY_NAME)


@pytest.mark.parametrize("strategy", [AVERAGELY, AVERAGELY_BY_CIRCLE], ids=lambda strategy: strategy.name)
@given(q=st.integers(1, 40), c=st.integers(1, 12), data=st.data())
def test_symbolic_result_equals_the_list_result(strategy, q, c, data):
    index = data.draw(st.integers(0, c - 1))
    numbers = LISTED | {"q": q, "c": c, "i": index}
    path = path_at(subject_of(strategy), numbers)
    taken = strategy.allocate(f"c{index}", range(q), [f"c{place}" for place in range(c)])
    assert elements_at(path, numbers) == [(place, False) for place in taken]


@given(q=st.integers(1, 10**12), share=st.integers(1, 30), data=st.data())
def test_symbolic_result_equals_the_result_for_a_very_long_list(q, share, data):
    """Ranges are lists that need no memory; the ids are 1, 2, ..., c."""
    c = max(q // share, 1)
    index = data.draw(st.integers(0, c - 1))
    numbers = LISTED | {"q": q, "c": c, "i": index}
    path = path_at(subject_of(AVERAGELY), numbers)
    taken = AVERAGELY.allocate(index + 1, range(q), range(1, c + 1))
    assert length_at(path, numbers) == len(taken)
    assert [place for place, _ in elements_at(path, numbers)] == taken


@pytest.mark.parametrize("strategy", [MACHINE_ROOM, MACHINE_ROOM_GO], ids=lambda strategy: strategy.name)
@given(kinds=st.lists(st.integers(0, len(KINDS) - 1), min_size=1, max_size=25), c=st.integers(1, 6), data=st.data())
def test_symbolic_result_equals_the_result_for_all_kinds_of_brokers(strategy, kinds, c, data):
    subject = subject_of(strategy)
    index = data.draw(st.integers(0, c - 1))
    numbers = LISTED | {"m": len(kinds), "c": c, "i": index}
    (rule,) = {str(found): found for path in paths(subject) for found in path.kept}.values()
    kept = [
        place
        for place, kind in enumerate(kinds)
        if smt.is_true(value(rule, {"m": len(kinds), "at": place, "kind": kind}))
    ]
    numbers["q"] = len(kept)
    queues = [MessageQueue("T", KINDS[kind], place) for place, kind in enumerate(kinds)]
    found = elements_at(path_at(subject, numbers), numbers)
    taken = strategy.allocate(f"c{index}", queues, [f"c{place}" for place in range(c)])
    assert [kept[place] if of_kept else place for place, of_kept in found] == [queue.queue_id for queue in taken]


@each_strategy
@each("named", [0, 1])
@each("listed", [0, 1])
@each(("queues", "ids"), [(0, 0), (0, 2), (3, 0), (3, 2)])
def test_symbolic_result_equals_the_result_for_refused_arguments(strategy, named, listed, queues, ids):
    numbers = {"named": named, "listed": listed, "q": queues, "m": queues, "c": ids, "i": 0}
    path = path_at(subject_of(strategy), numbers)
    own = "c0" if named else ""
    cid_all = [f"c{place}" for place in range(ids)] if listed else ["other"] * ids
    mq_all = [MessageQueue("T", KINDS[0], place) for place in range(queues)]
    if path.raises:
        with pytest.raises(path.raises):
            strategy.allocate(own, mq_all, cid_all)
        return
    assert len(elements_at(path, numbers)) == len(strategy.allocate(own, mq_all, cid_all))


@each_strategy
@given(numbers=st.fixed_dictionaries({name: st.integers(-(10**6), 10**6) for name in ("q", "m", "c", "i")}))
def test_paths_exclude_each_other(strategy, numbers):
    """For any numbers."""
    path_at(subject_of(strategy), numbers | LISTED)
