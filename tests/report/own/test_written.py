"""Assertions of generated tests fail for what breaks their guarantee, and for nothing else."""

import itertools

import pytest

from rebalance_proofs.model.allocation import AVERAGELY
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.model.worlds.agreed import AGREED
from rebalance_proofs.proofs.allocation.claims import GUARANTEES
from rebalance_proofs.report.own.written import ASSERTIONS, _two_lines, pytest_first
from rebalance_proofs.spark_enum.own.inside import INSIDE
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
"""Number of queues, and the places of those that each consumer gets; -1 is one that the topic does not have."""
BY_NAME = {one.name: one for one in (*GUARANTEES, INSIDE)}


def passes(name: str, queues, taken) -> bool:
    """Whether the assertion passes for these results."""
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
def test_an_assertion_fails_where_its_guarantee_does(name, q, places):
    """As the guarantee itself judges the same results; neighbours are looked for where a list is inside mqAll."""
    if name == "contiguous" and any(-1 in one or len({*one}) < len(one) for one in places):
        return
    group = AGREED.group((AVERAGELY,), len(places), q, ())
    taken = [[ELSEWHERE if place < 0 else group.queues[place] for place in one] for one in places]
    assert passes(name, group.queues, taken) is (BY_NAME[name].violation(group, taken) is None)


@each(
    ("taken", "right"),
    [([[], ()], True), ([[ELSEWHERE]], True), ([None], False), ([[], "no"], False), ([[ELSEWHERE, 1]], False)],
)
def test_a_result_is_a_list_of_queues(taken, right):
    assert passes("returns", [], taken) is right


@pytest.mark.parametrize(
    ("lines", "between"),
    [("a\n\n\n\n\n\nb", "\n\n\n"), ("a\n\nb\n\n", "\n\n"), ("a\nb\n", "\n"), ("a\n\n\nb", "\n\n\n")],
)
def test_a_file_has_two_empty_lines_in_a_row_at_most(lines, between):
    assert _two_lines(lines) == f"a{between}b\n"


def test_the_first_line_is_one_line_whatever_was_typed():
    first = pytest_first(["rebalance", "check", "a\nb  c.py"])
    assert first == (
        '"""Written by `rebalance check a b c.py`: each test fails as long as the strategy does what was found."""'
    )
