"""Times in which the driver delays or holds a broker's traffic."""

from rebalance_proofs.recorded.cluster.trace import Trace
from rebalance_proofs.recorded.groups.driver import Delay, Partition
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
