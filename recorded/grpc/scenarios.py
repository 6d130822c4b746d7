"""Scenarios of groups with gRPC members."""

from collections.abc import Mapping
from dataclasses import dataclass

JAVA, PYTHON = "rocketmq-client-java", "rocketmq-python-client"
"""Packages of the gRPC clients: in Maven's repository, and on PyPI."""
REMOTING = "rocketmq-client"
"""The remoting client of Java, whose members connect to the brokers and not to the proxy."""


@dataclass(frozen=True)
class Member:
    """One member of the group."""

    client: str
    version: str
    topics: tuple[str, ...]
    ms: int = 10
    """Time of its listener for one message, in milliseconds."""
    by_broker: bool = False
    """Whether the broker assigns queues to a remoting member (``setClientRebalance(false)``)."""


@dataclass(frozen=True)
class Step:
    """One step, then a pause in seconds.

    The steps: ``join``, ``kill``, ``shutdown`` of members, ``stop-server``, ``start-server``, and ``queues`` and
    ``mode`` of a topic.
    """

    do: str
    of: tuple[str, ...]
    then: float
    to: int = 0
    """The topic's new number of queues."""
    mode: str = ""
    """The topic's new message request mode at the broker: ``PULL`` or ``POP``."""


@dataclass(frozen=True)
class Scenario:
    """A group on brokers behind a proxy."""

    name: str
    about: str
    topics: Mapping[str, int]
    """Topic -> its number of queues."""
    members: Mapping[str, Member]
    steps: tuple[Step, ...]
    ordered: bool = False
    """Whether the group consumes in order: its members are assigned single queues, not all of a broker's as one."""
    rate: float = 2.0
    """Messages per second and topic."""
    brokers: int = 0
    """Number of brokers, with the proxy in cluster mode; 0 for a proxy in local mode, which contains a broker."""


ONE, TWO, THREE = ("T1",), ("T1", "T2"), ("T1", "T2", "T3")

SCENARIOS: Mapping[str, Scenario] = {
    one.name: one
    for one in (
        Scenario(
            "grpc_join",
            "gRPC members in Java and Python join an ordered group, whose topic then gets another queue.",
            {"T1": 2},
            {"j0": Member(JAVA, "5.2.0", ONE), "p0": Member(PYTHON, "5.1.1", ONE), "p1": Member(PYTHON, "5.1.2", ONE)},
            (Step("join", ("j0",), 10), Step("join", ("p0", "p1"), 15), Step("queues", ("T1",), 15, to=3)),
            ordered=True,
        ),
        Scenario(
            "grpc_crash",
            "A gRPC member is killed while its listener runs; members in Java and Python go on.",
            {"T1": 4},
            {
                "j0": Member(JAVA, "5.2.0", ONE),
                "p0": Member(PYTHON, "5.1.1", ONE, ms=20_000),
                "p1": Member(PYTHON, "5.1.1", ONE),
            },
            (Step("join", ("j0", "p1"), 10), Step("join", ("p0",), 6), Step("kill", ("p0",), 30)),
        ),
        Scenario(
            "grpc_two_topics",
            "gRPC members subscribe to two and three topics: Python 5.1.1 reads the first ones several times.",
            {"T1": 4, "T2": 4, "T3": 4},
            {
                "p0": Member(PYTHON, "5.1.1", TWO),
                "p1": Member(PYTHON, "5.1.1", THREE),
                "p2": Member(PYTHON, "5.1.2", THREE),
                "j0": Member(JAVA, "5.2.0", TWO),
            },
            (Step("join", ("p0", "p1", "p2", "j0"), 25),),
        ),
        Scenario(
            "grpc_mixed",
            "Remoting members join gRPC members in one group: first one that pulls its share, then one that pops.",
            {"T1": 4},
            {
                "j0": Member(JAVA, "5.2.0", ONE),
                "p0": Member(PYTHON, "5.1.2", ONE),
                "r0": Member(REMOTING, "4.9.8", ONE),
                "r1": Member(REMOTING, "5.5.0", ONE, by_broker=True),
            },
            (
                Step("join", ("j0", "p0"), 8),
                Step("join", ("r0",), 30),
                Step("shutdown", ("r0",), 2),
                Step("mode", ("T1",), 2, mode="POP"),
                Step("join", ("r1",), 30),
            ),
        ),
        Scenario(
            "grpc_brokers",
            "One of two brokers ends and comes back, then the proxy: queries fail, and assignments change.",
            {"T1": 2, "T2": 2},
            {
                "j0": Member(JAVA, "5.2.0", TWO),
                "p0": Member(PYTHON, "5.1.1", TWO),
                "p1": Member(PYTHON, "5.1.2", TWO),
            },
            (
                Step("join", ("j0", "p0", "p1"), 12),
                Step("stop-server", ("b1",), 30),
                Step("start-server", ("b1",), 25),
                Step("stop-server", ("x",), 15),
                Step("start-server", ("x",), 20),
            ),
            brokers=2,
        ),
    )
}
"""Name of a scenario -> the scenario."""
