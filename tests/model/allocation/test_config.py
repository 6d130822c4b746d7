"""CONFIG: the configured list, whatever else there is."""

from hypothesis import given
from hypothesis import strategies as st

from rebalance_proofs.model.allocation.config import by_config
from rebalance_proofs.model.queues import MessageQueue

queues = st.lists(st.builds(MessageQueue, st.just("T"), st.sampled_from(["a", "b"]), st.integers(0, 5)), max_size=5)
ids = st.sampled_from([None, "", "c0", "c9"])


@given(configured=queues, cid=ids, mq_all=st.none() | queues, cid_all=st.none() | st.lists(ids, max_size=4))
def test_config_ignores_its_inputs(configured, cid, mq_all, cid_all):
    assert by_config(configured)(cid, mq_all, cid_all) == configured


def test_config_without_a_list_returns_null():
    assert by_config(None)("c0", [], []) is None


def test_config_returns_a_new_list_to_each_caller():
    allocate = by_config((MessageQueue("T", "a", 0),))
    allocate("c0", [], []).clear()
    assert allocate("c1", [], []) == [MessageQueue("T", "a", 0)]
