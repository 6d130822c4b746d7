"""Assertions of generated tests fail exactly if their guarantee is broken."""

import itertools

import pytest

from rebalance_proofs.model.allocation import AVERAGELY
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.model.worlds.groups import AGREED
from rebalance_proofs.proofs.allocation.claims import GUARANTEES
from rebalance_proofs.report.own.written import ASSERTIONS, _two_lines, pytest_first
from rebalance_proofs.spark_enum.own.spaces import INSIDE
from tests.each import each

ELSEWHERE = MessageQueue("T", "broker-z", 0)
CASES = [
    (3, ((0, 1), (2,))),
    (3, ((0, 2), (1,))),
    (3, ((1, 0), (2,))),
    (3, ((0,), (1, 2))),
    (3, ((0, 1, 2), ())),
    (3, ((0, 1), (1, 2))),
    (3, ((0,), (2,))),
    (3, ((0, 0), (1, 2))),
    (3, ((0, -1), (1, 2))),
    (2, ((0,), (1,), ())),
    (2, ((0, 1), (), ())),
    (2, ((0,), (), (1,))),
    (2, ((0,), (1,), (1,))),
    (4, ((0, 1, 2, 3),)),
    (4, ((0, 1, 3),)),
    (4, ((0, 1), (2, 3))),
    (4, ((2, 3), (0, 1))),
    (2, ((), (0,), (), (1,))),
]
"""Number of queues, and the positions of each consumer's queues; -1 is a queue that is not in the topic."""
BY_NAME = {one.name: one for one in (*GUARANTEES, INSIDE)}


def passes(name: str, queues, taken) -> bool:
    """True if the assertion passes for these results."""
    names = {
        "itertools": itertools,
        "taken": taken,
        "queues": queues,
        "consumers": [f"c{n}" for n in range(len(taken))],
    }
    try:
        exec(ASSERTIONS[name], names)
    except AssertionError:
        return False
    return True


@each("name", [name for name in ASSERTIONS if name != "returns"])
@each(("q", "places"), CASES)
def test_assertion_fails_if_its_guarantee_does(name, q, places):
    """The guarantee judges the same results; ``contiguous`` is only judged for lists within mqAll."""
    if name == "contiguous" and any(-1 in one or len({*one}) < len(one) for one in places):
        return
    group = AGREED.group((AVERAGELY,), len(places), q, ())
    taken = [[ELSEWHERE if place < 0 else group.queues[place] for place in one] for one in places]
    assert passes(name, group.queues, taken) is (BY_NAME[name].violation(group, taken) is None)


@each(
    ("taken", "right"),
    [([[], ()], True), ([[ELSEWHERE]], True), ([None], False), ([[], "no"], False), ([[ELSEWHERE, 1]], False)],
)
def test_result_is_a_list_of_queues(taken, right):
    assert passes("returns", [], taken) is right


@pytest.mark.parametrize(
    ("lines", "between"),
    [("a\n\n\n\n\n\nb", "\n\n\n"), ("a\n\nb\n\n", "\n\n"), ("a\nb\n", "\n"), ("a\n\n\nb", "\n\n\n")],
)
def test_file_has_at_most_two_empty_lines_in_a_row(lines, between):
    assert _two_lines(lines) == f"a{between}b\n"


def test_first_line_has_no_line_break():
    first = pytest_first(["rebalance", "check", "a\nb  c.py"])
    assert first == ('"""Written by `rebalance check a b c.py`: each test fails until the strategy is fixed."""')
