"""The page about a strategy of one's own: which groups are drawn, and what stands first."""

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
    """Of a strategy that gives queues to two consumers, in groups of two and two at most."""
    found = check(spaces(Extent(Bounds(2, 2))), lambda number, *held: Calling(strategies.overlaps))
    return Answer(Strategy("mine.py:overlaps", "python", "00ff"), ("rebalance", "check", "mine.py:overlaps"), found)


@pytest.mark.parametrize(("most", "drawn"), [(module.MOST, True), (4, True), (3, False)])
def test_a_group_is_drawn_that_is_not_too_large(answer, monkeypatch, most, drawn):
    """Its numbers of queues and consumers, one times the other."""
    (row,) = (row for row in answer.failing if row.name == BROKEN)
    assert row.smallest.wrong.size == (2, 2)
    monkeypatch.setattr(module, "MOST", most)
    assert (f'id="figure-{BROKEN}-title"' in page(answer)) is drawn
    assert "2 consumers, 2 queues" in page(answer)


def test_what_is_required_is_drawn_before_the_rest(answer):
    text = page(answer)
    drawn = [name for row in answer.checked.rows if f'<section class="finding" id="{(name := row.name)}"' in text]
    places = {name: text.index(f'<section class="finding" id="{name}"') for name in drawn}
    failing = [row.name for row in answer.failing if row.name in drawn]
    assert sorted(drawn, key=places.get)[: len(failing)] == failing
    assert len(failing) < len(drawn)


def test_a_page_of_the_largest_number_of_groups_fits():
    assert module.MOST == 64 * 8 == Bounds().queues * 8
