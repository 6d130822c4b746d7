"""A scenario: topics, brokers, consumers, and the steps of a run."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from rebalance_proofs.recorded.groups.member import subscriptions
from rebalance_proofs.recorded.live.step import (
    Delay,
    KillBroker,
    Partition,
    StartBroker,
    Step,
    StopBroker,
    Together,
)

Setting = bool | int | float | str


@dataclass(frozen=True, kw_only=True)
class Member:
    """Configuration of one consumer in a scenario."""

    group: str = "G"
    mode: str = "concurrent"
    """Kind of the listener: ``concurrent`` or ``ordered``."""
    ms: int = 20
    """Duration of a listener call per message, in ms."""
    sub: str = "T1"
    """Topics to which the consumer subscribes, with tags if any: ``T1:A,T2``."""
    strategy: str = "AllocateMessageQueueAveragely"
    """Allocation strategy: simple name of a client's class, or full name of your own class."""
    from_: str = "FIRST"
    """``FIRST`` or ``LAST``: ``consumeFromWhere``."""
    id: str | None = None
    """The instance name; by default the consumer's name, so that each has its own client id."""
    release: str | None = None
    """Release of the consumer's client, such as ``4.9.8``; by default that of all clients of the run."""
    produces: bool = False
    """True if the process also has a producer, which keeps the client instance alive.

    The instance then remains after the consumer's ``shutdown()``.
    """
    set: Mapping[str, Setting] = field(default_factory=dict)
    """Setters of the consumer and their values, such as ``awaitTerminationMillisWhenShutdown``."""
    props: Mapping[str, Setting] = field(default_factory=dict)
    """Java system properties of the consumer's process."""

    @property
    def topics(self) -> tuple[str, ...]:
        """Topics that the consumer subscribes to."""
        return tuple(subscriptions(self.sub))


@dataclass(frozen=True, kw_only=True)
class Send:
    """Configuration of the producer: what it sends, and how fast."""

    rate: int = 20
    """Messages per second and topic."""
    tags: tuple[str, ...] = ("A",)
    first: float = 0.0
    """Seconds during which the producer sends before the first step."""


@dataclass(frozen=True, kw_only=True)
class Scenario:
    """A scenario, as its file defines it."""

    name: str
    about: str
    members: Mapping[str, Member]
    steps: tuple[Step, ...]
    topics: Mapping[str, int] = field(default_factory=lambda: {"T1": 8})
    """Topic -> number of queues at each broker."""
    brokers: int = 1
    broker: Mapping[str, Setting] = field(default_factory=dict)
    """Settings that all brokers get."""
    send: Send = Send()
    patience: float = 150.0
    """Seconds without progress after which the run ends, even if it is not calm."""

    @property
    def broker_names(self) -> tuple[str, ...]:
        """Names of the brokers: ``b0``, ``b1``, ..."""
        return tuple(f"b{number}" for number in range(self.brokers))

    @property
    def late(self) -> frozenset[str]:
        """Names of brokers that do not run at first: their first step starts them."""
        first: dict[str, Step] = {}
        for step in every(self.steps):
            if isinstance(step, StopBroker | KillBroker | StartBroker):
                first.setdefault(step.of, step)
        return frozenset(name for name, step in first.items() if isinstance(step, StartBroker))

    @property
    def delayed(self) -> frozenset[str]:
        """Names of brokers with a proxy that can delay or hold their traffic."""
        return frozenset(step.of for step in every(self.steps) if isinstance(step, Delay | Partition))


def every(steps: tuple[Step, ...]) -> Iterator[Step]:
    """Yield all steps, including steps inside ``together``."""
    for step in steps:
        yield step
        if isinstance(step, Together):
            for lane in step.lanes:
                yield from every(lane)
