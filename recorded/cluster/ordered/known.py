"""What is known of one ordered consumer and of each of its queues, while its events are held."""

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
    """The limits of a consumer: as shipped, or as its system properties and settings say."""
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
    """When a pull of it was last sent."""
    granted: int = 0
    merged: int = 0
    """Renewals that were granted and not heard of yet; and those of them that the machine has taken for one."""
    row: str | None = None
    """Whose the lock was at the last look."""
    differs: int | None = None
    """Since when it is another one's."""
    returns: int = 0
    """Returns of the lock that were sent, and of which the broker has not told."""
    unsent: int | None = None
    """Since when the machine has a return under way that nobody has sent."""
    entry: str = ""
    """The entry in the table, by the events of its coming and going."""
    early: tuple[str, int] = "", 0
    """The entry that a look last saw of which it was not told yet that it came, and when."""


@dataclass
class Known:
    """One process."""

    trace: Trace
    who: str
    id: str
    """Its client id, by which brokers know it: for a broker, two processes with one id are one."""
    spans: Spans
    tally: Tally
    client: OrderedClient
    limits: Limits
    group: str
    calls: Mapping[tuple[str, int], Call]
    """Broker, and the line of its answer -> the request for a lock, or return of one, that it answers."""
    asks: dict[int, Ask] = field(default_factory=dict)
    places: dict[str, Place] = field(default_factory=dict)
    mine: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    """Topic -> the queues that its last rebalance gave it."""
    closing: bool = False
    gone: dict[str, int] = field(default_factory=dict)
    """Entry -> when it left the table."""

    def a_little_before(self, place: Place, event: Event, seen: Callable[[Ordered], object]) -> bool:
        """Whether it was so when the look was made, a little before it was written."""
        was = any(map(seen, place.follower.lately(event.at, STALL)))
        self.tally.widened += was
        return was
