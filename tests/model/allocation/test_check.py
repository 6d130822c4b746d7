"""The argument checks: which comes first, and what the client says."""

import pytest

from rebalance_proofs.model.allocation import ALL
from rebalance_proofs.model.allocation.config import CONFIG
from rebalance_proofs.model.allocation.strategy import AllocationError, check
from rebalance_proofs.model.queues import one_broker
from tests.each import each

NO_CID = "currentCID is empty"
NO_QUEUES = "mqAll is null or mqAll empty"
NO_IDS = "cidAll is null or cidAll empty"
QUEUES = one_broker(2)

REFUSED = [
    pytest.param("", QUEUES, ["c0"], NO_CID, id="empty id"),
    pytest.param(None, QUEUES, ["c0"], NO_CID, id="null id"),
    pytest.param("c0", (), ["c0"], NO_QUEUES, id="empty mqAll"),
    pytest.param("c0", None, ["c0"], NO_QUEUES, id="null mqAll"),
    pytest.param("c0", QUEUES, [], NO_IDS, id="empty cidAll"),
    pytest.param("c0", QUEUES, None, NO_IDS, id="null cidAll"),
    pytest.param("", (), [], NO_CID, id="the id is checked before mqAll and cidAll"),
    pytest.param("c0", (), [], NO_QUEUES, id="mqAll is checked before cidAll"),
]


@pytest.mark.parametrize(("current_cid", "mq_all", "cid_all", "text"), REFUSED)
def test_check_raises_the_clients_error(current_cid, mq_all, cid_all, text):
    with pytest.raises(AllocationError) as caught:
        check(current_cid, mq_all, cid_all)
    assert str(caught.value) == text


@each("strategy", [strategy for strategy in ALL if strategy is not CONFIG], ids=lambda strategy: strategy.name)
@each(("current_cid", "mq_all", "cid_all", "text"), REFUSED)
def test_all_strategies_but_config_start_with_the_checks(strategy, current_cid, mq_all, cid_all, text):
    with pytest.raises(AllocationError) as caught:
        strategy.allocate(current_cid, mq_all, cid_all)
    assert str(caught.value) == text


@pytest.mark.parametrize(("current_cid", "listed"), [("c0", True), ("c1", True), ("c", False), ("C0", False)])
def test_check_returns_whether_the_id_is_listed(current_cid, listed):
    assert check(current_cid, QUEUES, ["c0", "c1"]) is listed
