"""Groups over several topics: digits, concrete groups and symbolic groups describe the same groups."""

from itertools import product

import numpy as np
import pytest

from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.kernel import compile_kernel
from rebalance_proofs.model.topics import STRATEGIES, TOPICS
from rebalance_proofs.model.topics.encoding import sizes_of
from tests.each import each

SIZES = tuple(product((1, 2, 3), (1, 2, 3, 4)))
each_size = each(("n", "q"), SIZES)
each_strategy = each("strategy", STRATEGIES, ids=lambda strategy: strategy.name)


def test_topics_drop_no_assumption():
    assert not TOPICS.dropped
    assert TOPICS.sized
    assert TOPICS.bound == (4, 6)


@each_size
def test_closed_form_counts_the_topic_groups(n, q):
    groups = list(TOPICS.all_values(n, q))
    assert len(groups) == len(set(groups)) == TOPICS.groups(n, q)


@each_size
def test_digits_are_restored_from_the_assignment(n, q):
    for values in TOPICS.all_values(n, q):
        for queue in range(q):
            assert TOPICS.configuration(n, TOPICS.assignment(n, q, values, queue)) == (q, values)


@pytest.mark.parametrize(
    ("values", "note"),
    [
        ((), "Topic T0 has queue 0."),
        ((0, 0), "Topic T0 has queues 0 to 2."),
        ((0, 1, 1, 0), "Topic T0 has queues 0 to 1, topic T1 has queue 2, topic T2 has queues 3 to 4."),
    ],
)
def test_note_lists_the_queues_of_each_topic(values, note):
    group = TOPICS.group(STRATEGIES[:1], 2, len(values) + 1, values)
    assert group.setting.notes == (note,)


def test_all_consumers_see_all_topics():
    group = TOPICS.group(STRATEGIES[:1], 3, 4, (0, 1, 1))
    assert [queue.topic for queue in group.queues] == ["T0", "T0", "T1", "T2"]
    views = {(consumer.mq_all, consumer.cid_all) for consumer in group.consumers}
    assert views == {(group.queues, ("c0", "c1", "c2"))}
    assert {consumer.strategy for consumer in group.consumers} == {STRATEGIES[0]}


@each_strategy
@each_size
def test_symbolic_topic_group_equals_the_concrete_group(strategy, n, q):
    """The group is admitted, has as many topics, and each member owns, counts and lists the consumer's queues."""
    symbolic = TOPICS.symbolic((strategy.encoding,), n, q)
    names = [str(variable) for variable in symbolic.variables]
    view = [smt.IntVal(0)] * 3
    parts = [
        part
        for member in symbolic.members
        for part in (
            member.owns,
            member.encoding.count(*view),
            member.encoding.element(*view, smt.Int("p")),
            member.encoding.rank(*view, smt.Int("p")),
        )
    ]
    kernel = compile_kernel(names, smt.And(*symbolic.constraints), symbolic.queues, symbolic.topics, *parts)
    for values in TOPICS.all_values(n, q):
        group = TOPICS.group((strategy,), n, q, values)
        results = [[group.queues.index(queue) for queue in result] for result in group.allocate()]
        for place in range(q):
            assignment = TOPICS.assignment(n, q, values, place)
            expected = [1, q, len(sizes_of(values))]
            for listed in results:
                element = listed[place] if place < len(listed) else -1
                rank = listed.index(place) if place in listed else sum(other < place for other in listed)
                expected += [place in listed, len(listed), element, rank]
            found = kernel(*(np.int64(assignment[name]) for name in names))
            assert list(map(int, found)) == list(map(int, expected))


def test_invalid_topic_digits_are_excluded():
    symbolic = TOPICS.symbolic((STRATEGIES[0].encoding,), 2, 3)
    names = [str(variable) for variable in symbolic.variables]
    kernel = compile_kernel(names, smt.And(*symbolic.constraints))
    rows = list(product(range(-1, 4), repeat=len(names)))
    admitted = [row for row in rows if kernel(*map(np.int64, row))[0]]
    assert len(admitted) == 3 * TOPICS.groups(2, 3)
