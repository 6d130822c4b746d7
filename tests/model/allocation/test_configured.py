"""Constructor arguments, and what all strategies have in common."""

import pickle

import pytest
from pyspark import cloudpickle

from rebalance_proofs.model.allocation import ALL, STRATEGIES
from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.allocation.config import CONFIG
from rebalance_proofs.model.allocation.consistent_hash import CONSISTENT_HASH
from rebalance_proofs.model.allocation.machine_room import MACHINE_ROOM
from rebalance_proofs.model.allocation.strategy import AllocationError, Fault
from rebalance_proofs.model.queues import one_broker

each_strategy = pytest.mark.parametrize("strategy", ALL, ids=lambda strategy: strategy.name)


def test_strategy_names_are_unique_and_claimed_ones_come_first():
    assert len({strategy.name for strategy in ALL}) == len(ALL)
    assert ALL[: len(STRATEGIES)] == STRATEGIES


def test_configured_changes_only_the_result():
    configured = CONFIG.configured(queues=one_broker(1))
    assert configured.allocate("c0", (), ()) == [*one_broker(1)]
    assert CONFIG.allocate("c0", (), ()) is None
    assert (configured.name, configured.holds, configured.configure) == (CONFIG.name, CONFIG.holds, CONFIG.configure)


def test_strategy_without_constructor_arguments_refuses_them():
    assert AVERAGELY.configured() is AVERAGELY
    with pytest.raises(TypeError, match="avg takes no arguments, but got virtual_nodes"):
        AVERAGELY.configured(virtual_nodes=10)


def test_constructor_may_throw():
    with pytest.raises(AllocationError, match=r"^illegal virtualNodeCnt :-1$"):
        CONSISTENT_HASH.configured(virtual_nodes=-1)


def test_fault_is_an_error_of_the_client():
    with pytest.raises(AllocationError) as caught:
        MACHINE_ROOM.allocate("c0", [None], ["c0"])
    assert isinstance(caught.value, Fault)


@each_strategy
def test_strategy_does_not_change_its_arguments(strategy):
    mq_all, cid_all = [*one_broker(5)], ["c0", "c1", "c0"]
    strategy.allocate("c0", mq_all, cid_all)
    assert (mq_all, cid_all) == ([*one_broker(5)], ["c0", "c1", "c0"])


@each_strategy
def test_strategies_can_be_pickled(strategy):
    there = pickle.loads(cloudpickle.dumps(strategy.allocate))
    assert there("c1", one_broker(9), ["c0", "c1"]) == strategy.allocate("c1", one_broker(9), ["c0", "c1"])
