"""Scenarios of groups with gRPC members."""

from collections.abc import Mapping
from dataclasses import dataclass

JAVA, PYTHON = "rocketmq-client-java", "rocketmq-python-client"
"""Packages of the gRPC clients: in Maven's repository, and on PyPI."""


@dataclass(frozen=True)
class Member:
    """One member of the group."""

    client: str
    version: str
    topics: tuple[str, ...]
    ms: int = 10
    """Time of its listener for one message, in milliseconds."""


@dataclass(frozen=True)
class Step:
    """One step: ``join``, ``kill``, ``shutdown`` of members, or ``queues`` of a topic, then a pause in seconds."""

    do: str
    of: tuple[str, ...]
    then: float
    to: int = 0
    """The topic's new number of queues."""


@dataclass(frozen=True)
class Scenario:
    """A group on one broker behind a proxy."""

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
    )
}
"""Name of a scenario -> the scenario."""
