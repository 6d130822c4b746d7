"""Without the own id in cidAll, by hand."""

import pytest

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.premises.ids import OWN_ID_LISTED
from tests.model.premises.shares import shares


def test_cid_all_has_the_old_id_in_place_of_the_new_one():
    group = OWN_ID_LISTED.group((AVERAGELY,), 2, 1, (0, 1))
    assert [consumer.client_id for consumer in group.consumers] == ["c0", "c1"]
    assert {consumer.cid_all for consumer in group.consumers} == {("c0", "c1-old")}


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        pytest.param((0, 0), [[0, 1], [2, 3]], id="everyone is listed"),
        pytest.param((0, 1), [[0, 1], []], id="the second restarted"),
        pytest.param((1, 0), [[], [2, 3]], id="the first restarted"),
        pytest.param((1, 1), [[], []], id="both restarted"),
    ],
)
def test_unlisted_consumer_takes_nothing_and_its_share_has_no_owner(values, expected):
    assert shares(OWN_ID_LISTED, 2, 4, values) == expected
