"""Without the same cidAll, by hand."""

import pytest

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.premises.same_cid_all import (
    BOTH_SEES_FIRST,
    BOTH_SEES_SECOND,
    FIRST_ONLY,
    IDS,
    SAME_CID_ALL,
    SECOND_ONLY,
)
from tests.model.premises.shares import shares


def test_consumer_sees_the_list_of_its_digit():
    digits = (FIRST_ONLY, SECOND_ONLY, BOTH_SEES_FIRST, BOTH_SEES_SECOND)
    group = SAME_CID_ALL.group((AVERAGELY,), 4, 1, (0, *digits))
    first, second = ("c0", "c2", "c3"), ("c1", "c2", "c3")
    assert [consumer.cid_all for consumer in group.consumers] == [first, second, first, second]


def test_first_digit_selects_the_ids():
    choices = SAME_CID_ALL.radices(2, 1)[0]
    groups = [SAME_CID_ALL.group((AVERAGELY,), 2, 1, (number, 2, 2)) for number in range(choices)]
    found = [tuple(consumer.client_id for consumer in group.consumers) for group in groups]
    assert found[0] == ("c0", "c1")
    assert found[-1] == (f"c{IDS - 2}", f"c{IDS - 1}")
    assert len(set(found)) == choices == 10


@pytest.mark.parametrize("digits", [(FIRST_ONLY, FIRST_ONLY), (SECOND_ONLY, SECOND_ONLY)])
def test_empty_list_is_excluded(digits):
    assert not SAME_CID_ALL.admits(2, 1, (0, *digits))


@pytest.mark.parametrize(
    ("digits", "expected"),
    [
        pytest.param((FIRST_ONLY, SECOND_ONLY), [[0, 1], [0, 1]], id="each knows only itself: all queues twice"),
        pytest.param((FIRST_ONLY, BOTH_SEES_FIRST), [[0], [1]], id="both have seen one list"),
        pytest.param((FIRST_ONLY, BOTH_SEES_SECOND), [[0], [0, 1]], id="the second knows only itself: queue 0 twice"),
        pytest.param((SECOND_ONLY, BOTH_SEES_FIRST), [[0], [0, 1]], id="the same with the lists exchanged"),
    ],
)
def test_two_queues_are_divided_by_each_consumers_list(digits, expected):
    assert shares(SAME_CID_ALL, 2, 2, (0, *digits)) == expected


def test_queue_has_no_owner_if_both_consumers_expect_the_other():
    digits = (SECOND_ONLY, BOTH_SEES_FIRST, FIRST_ONLY)
    assert shares(SAME_CID_ALL, 3, 2, (0, *digits)) == [[0], [0], [1]]
