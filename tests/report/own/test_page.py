"""The page about a user-defined strategy: groups with a figure, and their order."""

import pytest

from rebalance_proofs.report.own import page as module
from rebalance_proofs.report.own.answer import Answer, Strategy
from rebalance_proofs.report.own.page import page
from rebalance_proofs.spark_enum.bounds import Bounds
from rebalance_proofs.spark_enum.own.checked import check
from rebalance_proofs.spark_enum.own.spaces import Extent, spaces
from tests.spark_enum.own import strategies
from tests.spark_enum.own.here import Calling

BROKEN = "disjoint"


@pytest.fixture(scope="module")
def answer():
    """Return the answer for a strategy that gives queues to two consumers, in groups of up to 2 x 2."""
    found = check(spaces(Extent(Bounds(2, 2))), lambda number, *held: Calling(strategies.overlaps))
    return Answer(Strategy("mine.py:overlaps", "python", "00ff"), ("rebalance", "check", "mine.py:overlaps"), found)


@pytest.mark.parametrize(("most", "drawn"), [(module.MOST, True), (4, True), (3, False)])
def test_small_group_is_drawn(answer, monkeypatch, most, drawn):
    """The limit is the number of queues times the number of consumers."""
    (row,) = (row for row in answer.failing if row.name == BROKEN)
    assert row.smallest.wrong.size == (2, 2)
    monkeypatch.setattr(module, "MOST", most)
    assert (f'id="figure-{BROKEN}-title"' in page(answer)) is drawn
    assert "2 consumers, 2 queues" in page(answer)


def test_required_guarantees_are_drawn_first(answer):
    text = page(answer)
    drawn = [name for row in answer.checked.rows if f'<section class="finding" id="{(name := row.name)}"' in text]
    places = {name: text.index(f'<section class="finding" id="{name}"') for name in drawn}
    failing = [row.name for row in answer.failing if row.name in drawn]
    assert sorted(drawn, key=places.get)[: len(failing)] == failing
    assert len(failing) < len(drawn)


def test_page_with_the_largest_number_of_groups_fits():
    assert module.MOST == 64 * 8 == Bounds().queues * 8
