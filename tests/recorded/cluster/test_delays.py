"""Lives of processes, and times in which the driver delays or holds a broker's traffic."""

from rebalance_proofs.recorded.cluster.trace import Trace
from rebalance_proofs.recorded.groups.broker import BrokerStarted, BrokerStarting
from rebalance_proofs.recorded.groups.driver import Delay, Partition
from rebalance_proofs.recorded.groups.event import Cannot, Release
from rebalance_proofs.recorded.groups.member import Starting
from rebalance_proofs.recorded.groups.names import Beyond
from tests.each import each

DRIVEN = [
    Delay(at=1_000, who="driver", of="b0", ms=500),
    Delay(at=9_000, who="driver", of="b0", ms=0),
    Partition(at=20_000, who="driver", of="b0", held=True),
    Partition(at=50_000, who="driver", of="b0", held=False),
    Partition(at=80_000, who="driver", of="b1", held=True),
    Partition(at=90_000, who="driver", of="b1", held=False),
]


@each(
    "broker, since, until, delayed",
    [
        ("b0", 0, 900, False),
        ("b0", 9_400, 9_900, True),
        ("b0", 12_000, 19_000, False),
        ("b0", 30_000, 40_000, True),
        ("b0", 50_100, 50_200, True),  # what was held arrives
        ("b0", 60_000, 85_000, False),
        ("b1", 60_000, 85_000, True),
    ],
)
def test_traffic_is_delayed_while_it_is_held(broker, since, until, delayed):
    trace = Trace(None, "5.3.3", Beyond(), {"driver": DRIVEN})
    assert trace.delayed(broker, since, until) is delayed


def _release(at):
    return Release(at=at, who="x", rocketmq="V5_3_3", java="17")


def _consumer(at):
    return Starting(at=at, who="x", options={})


def _broker(at):
    return BrokerStarting(at=at, who="x")


@each(
    "events, lives",
    [
        ([_release(1), _consumer(2), _release(3), _consumer(4)], [[1, 2], [3, 4]]),
        ([_consumer(2), _consumer(4)], [[2], [4]]),
        ([_release(1), _release(3), _consumer(4)], [[1], [3, 4]]),  # the first process died at once
        ([_broker(1), _release(2), BrokerStarted(at=3, who="x"), _broker(4), _release(5)], [[1, 2, 3], [4, 5]]),
        ([_broker(1), _broker(4)], [[1], [4]]),
        ([_release(1), Cannot(at=2, who="x", what=("entry",), why=""), _consumer(3), _release(4)], [[1, 2, 3], [4]]),
        ([], []),
    ],
)
def test_process_begins_with_its_release(events, lives):
    trace = Trace(None, "5.3.3", Beyond(), {"x": events})
    assert [[one.at for one in life] for life in trace.lives("x")] == lives
