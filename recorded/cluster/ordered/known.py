"""State of one ordered consumer and its queues while its events are checked."""

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from rebalance_proofs.model.machine.values import number
from rebalance_proofs.model.ordered.clients import OrderedClient
from rebalance_proofs.model.ordered.limits import DEFAULTS, Limits
from rebalance_proofs.model.ordered.state import Choices, Ordered, Variant
from rebalance_proofs.recorded.cluster.follow import Follower, Way, does
from rebalance_proofs.recorded.cluster.ordered.spans import Spans
from rebalance_proofs.recorded.cluster.requests import Call
from rebalance_proofs.recorded.cluster.tally import Tally
from rebalance_proofs.recorded.cluster.trace import STALL, Trace
from rebalance_proofs.recorded.groups.driver import StartConsumer
from rebalance_proofs.recorded.groups.event import Event
from rebalance_proofs.recorded.groups.member import Ask

__all__ = ["MACHINE", "SHUTDOWN", "Known", "Place", "limits"]

MACHINE = "ordered"
SHUTDOWN: tuple[Way, ...] = (
    (does("interrupts"),),
    (does("gives_back"),),
    (does("interrupts"), does("gives_back")),
)


def limits(started: StartConsumer) -> Limits:
    """Return a consumer's limits: the defaults, or its system properties and settings."""
    given = {
        "client": "rocketmq.client.rebalance.lockMaxLiveTime",
        "unlock": "rocketmq.client.unlockDelayTimeMills",
        "loop": "rocketmq.client.maxTimeConsumeContinuously",
        "broker": "rocketmq.broker.rebalance.lockMaxLiveTime",
    }
    wait = int(started.settings.get("awaitTerminationMillisWhenShutdown", number(DEFAULTS.wait)))
    return replace(DEFAULTS, wait=wait, **started.numbers(given))


@dataclass
class Place:
    """One queue at one consumer."""

    follower: Follower[Ordered, Choices, Limits, Variant]
    pulled: int = 0
    """Time in ms of the last pull."""
    granted: int = 0
    merged: int = 0
    """Number of granted renewals without a received answer, and how many of them the machine merged into one."""
    row: str | None = None
    """Holder of the lock in the last poll."""
    differs: int | None = None
    """Since when in ms the holder differs from the last poll."""
    returns: int = 0
    """Number of sent lock returns that the broker has not answered."""
    unsent: int | None = None
    """Since when in ms the machine has an open lock return that was never sent."""
    entry: str = ""
    """The entry in the table, by events of its addition and removal."""
    early: tuple[str, int] = "", 0
    """(entry that a poll saw before the event of its addition, time in ms)."""


@dataclass
class Known:
    """State of one process."""

    trace: Trace
    who: str
    id: str
    """Client id of the process; a broker treats two processes with one id as one client."""
    spans: Spans
    tally: Tally
    client: OrderedClient
    limits: Limits
    group: str
    calls: Mapping[tuple[str, int], Call]
    """(broker, row of its answer) -> the lock or unlock request."""
    asks: dict[int, Ask] = field(default_factory=dict)
    places: dict[str, Place] = field(default_factory=dict)
    mine: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    """Topic -> queues of its last rebalance result."""
    closing: bool = False
    gone: dict[str, int] = field(default_factory=dict)
    """Entry -> time in ms of its removal."""

    def a_little_before(self, place: Place, event: Event, seen: Callable[[Ordered], object]) -> bool:
        """Return True if ``seen`` held shortly before: a poll is written a little after it was made."""
        was = any(map(seen, place.follower.lately(event.at, STALL)))
        self.tally.widened += was
        return was
