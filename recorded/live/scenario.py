"""A scenario: topics, brokers, members, and what is done to them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from rebalance_proofs.recorded.groups.subscriptions import subscriptions
from rebalance_proofs.recorded.live.step import Delay, Step, Together

Setting = bool | int | float | str


@dataclass(frozen=True, kw_only=True)
class Member:
    """How a member is set up."""

    group: str = "G"
    mode: str = "concurrent"
    """``concurrent`` or ``ordered``."""
    ms: int = 20
    """The time that the listener takes for each message, in ms."""
    sub: str = "T1"
    """``T1:A,T2``: topics, with tags where there are any."""
    strategy: str = "AllocateMessageQueueAveragely"
    """The simple name of a class of the client's, or the full name of one of the user's own."""
    from_: str = "FIRST"
    """``FIRST`` or ``LAST``: ``consumeFromWhere``."""
    id: str | None = None
    """The instance name; by default the member's own name, so that each has a client id of its own."""
    produces: bool = False
    """Whether its process has a producer, too, by which the client instance stays when the consumer is shut down."""
    set: Mapping[str, Setting] = field(default_factory=dict)
    """Setters of the consumer to be called -> values: ``awaitTerminationMillisWhenShutdown``."""
    props: Mapping[str, Setting] = field(default_factory=dict)
    """Java's system properties."""

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics that it subscribes to."""
        return tuple(subscriptions(self.sub))


@dataclass(frozen=True, kw_only=True)
class Send:
    """What the producer does."""

    rate: int = 20
    """Messages a second and topic."""
    tags: tuple[str, ...] = ("A",)
    first: float = 0.0
    """Seconds that it sends before the first step."""


@dataclass(frozen=True, kw_only=True)
class Scenario:
    """A scenario, as its file says."""

    name: str
    about: str
    members: Mapping[str, Member]
    steps: tuple[Step, ...]
    topics: Mapping[str, int] = field(default_factory=lambda: {"T1": 8})
    """Topic -> number of queues at each broker."""
    brokers: int = 1
    broker: Mapping[str, Setting] = field(default_factory=dict)
    """The brokers' settings."""
    send: Send = Send()
    patience: float = 150.0
    """Seconds without any progress after which the end is not waited for any longer."""

    @property
    def broker_names(self) -> tuple[str, ...]:
        """``b0``, ``b1``, ..."""
        return tuple(f"b{number}" for number in range(self.brokers))

    @property
    def delayed(self) -> frozenset[str]:
        """The brokers that something stands in front of, to delay what they send and get."""
        return frozenset(step.of for step in every(self.steps) if isinstance(step, Delay))


def every(steps: tuple[Step, ...]) -> Iterator[Step]:
    """The steps, and those within them."""
    for step in steps:
        yield step
        if isinstance(step, Together):
            for lane in step.lanes:
                yield from every(lane)
