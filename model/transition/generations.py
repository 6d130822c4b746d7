"""Generations of the Java client: groups of releases, with their Python code and SMT rules."""

from dataclasses import dataclass, replace

from rebalance_proofs.model.client.java_v4_9 import JavaV4_9, JavaV4_9_0, JavaV4_9_1, JavaV4_9_5
from rebalance_proofs.model.client.java_v5_0 import JavaV5_0
from rebalance_proofs.model.client.java_v5_2 import JavaV5_3_2, JavaV5_5
from rebalance_proofs.model.client.rebalance import RebalanceImpl
from rebalance_proofs.model.releases import BY_GENERATION
from rebalance_proofs.model.transition.java import Rules


@dataclass(frozen=True)
class Generation:
    """Releases that change their process queue table in the same way."""

    releases: tuple[str, ...]
    """The releases, oldest first; the source of each was read."""
    made: type[RebalanceImpl]
    """The Python code. If releases differ in some modes only, it is the last release's."""
    rules: Rules
    recorded: str = ""
    """The release whose behaviour was recorded; empty if none was run."""


@dataclass(frozen=True)
class TakenAsOne:
    """Generations of a client that claims do not distinguish."""

    name: str
    """Name used in claim ids: ``java_v5_2``."""
    rocketmq_name: str
    """Name for people: ``Java 5.0 to 5.1.4``."""
    generations: tuple[Generation, ...]
    """The generations; the last one provides Python code and SMT rules."""

    @property
    def made(self) -> type[RebalanceImpl]:
        """The Python code of the client's rebalance."""
        return self.generations[-1].made

    @property
    def rebalance(self) -> Rules:
        """The rules of the client's rebalance, for its SMT encoding."""
        return self.generations[-1].rules


def releases_of(*generations: Generation) -> tuple[str, ...]:
    """Return the releases of some generations, in order."""
    return tuple(release for one in generations for release in one.releases)


_V4_9_0, _V4_9_1, _V4_9_5, _V4_9_8, _V5_0, _V5_2, _V5_5 = BY_GENERATION

V4_9_8 = Generation(
    _V4_9_8,
    JavaV4_9,
    Rules(
        marks_first=False,
        expects_all=True,
        keeps_offset=False,
        try_lock=1000,
        pull_delay=0,
        broker_error_is_none=True,
        file_persists=True,
    ),
    "4.9.8",
)
V4_9_5 = Generation(_V4_9_5, JavaV4_9_5, replace(V4_9_8.rules, file_persists=False))
V4_9_1 = Generation(_V4_9_1, JavaV4_9_1, replace(V4_9_5.rules, new_locked=False))
V4_9_0 = Generation(_V4_9_0, JavaV4_9_0, replace(V4_9_1.rules, expects_all=False))
V5_0 = Generation(
    _V5_0,
    JavaV5_0,
    Rules(
        marks_first=True,
        expects_all=False,
        keeps_offset=False,
        try_lock=1000,
        pull_delay=500,
        broker_error_is_none=False,
        file_persists=False,
    ),
    "5.1.4",
)
V5_2 = Generation(
    _V5_2,
    JavaV5_3_2,
    replace(V5_0.rules, keeps_offset=True, try_lock=500, file_persists=True),
    "5.3.3",
)

V5_5 = Generation(_V5_5, JavaV5_5, replace(V5_2.rules, groups_by_destination=True))
"""Known from its source: in one rebalance of a topic with queues it does what 5.2 does."""

UP_TO_5_1 = (V4_9_0, V4_9_1, V4_9_5, V4_9_8, V5_0)
FROM_5_2 = (V5_2, V5_5)
GENERATIONS = (*UP_TO_5_1, *FROM_5_2)
"""All generations, oldest first; together they contain every release whose source was read."""
