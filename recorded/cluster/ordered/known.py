"""State of one ordered consumer and its queues while its events are checked."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from rebalance_proofs.model.machine.values import number
from rebalance_proofs.model.machines.ordered.actions import OrderedClient
from rebalance_proofs.model.machines.ordered.state import DEFAULTS, Choices, Limits, Ordered
from rebalance_proofs.recorded.cluster.follow import Follower, Way, does
from rebalance_proofs.recorded.cluster.removals import Removal, Reset
from rebalance_proofs.recorded.cluster.requests import Call
from rebalance_proofs.recorded.cluster.tally import Tally
from rebalance_proofs.recorded.cluster.trace import STALL, Trace
from rebalance_proofs.recorded.groups.broker import Answered, Heard
from rebalance_proofs.recorded.groups.driver import StartConsumer
from rebalance_proofs.recorded.groups.event import LOCK, REBALANCING, UNLOCK, Event
from rebalance_proofs.recorded.groups.member import Ask

# Requests that changed a queue's lock at a broker, with their times of arrival and answer.

Spans = Mapping[tuple[str, str], Sequence[tuple[int, int, str | None]]]
"""(group, queue) -> requests, as (arrival in ms, answer in ms, lock holder afterwards)."""


def spans(trace: Trace) -> Spans:
    """Return the requests of a run that changed a lock, by (group, queue)."""
    found: defaultdict[tuple[str, str], list[tuple[int, int, str | None]]] = defaultdict(list)
    for broker in trace.brokers:
        heard: dict[tuple[str, int], int] = {}
        for event in trace.of[broker]:
            if isinstance(event, Heard) and event.code in (LOCK, UNLOCK):
                heard[event.from_, event.opaque] = event.at
            elif isinstance(event, Answered) and event.code in (LOCK, UNLOCK):
                since = heard.get((event.from_, event.opaque), event.at)
                holder = event.asked.client_id if event.code == LOCK else None
                for q in event.said.granted or () if event.code == LOCK else event.asked.queues:
                    found[event.asked.consumer_group or "", q].append((since, event.at, holder))
    return found


MACHINE = "ordered"
SHUTDOWN: tuple[Way, ...] = (
    (does("interrupts"),),
    (does("gives_back"),),
    (does("interrupts"), does("gives_back")),
)


def limits(started: StartConsumer) -> Limits:
    """Return a consumer's time limits, from defaults, system properties and settings."""
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
    """State of one queue at one ordered consumer."""

    follower: Follower[Ordered, Choices, Limits, OrderedClient]
    pulled: int = 0
    """Time in ms of the queue's last pull."""
    granted: int = 0
    merged: int = 0
    """Numbers of lock renewals: ``granted`` without a received answer, and ``merged`` into one."""
    row: str | None = None
    """Client id of the lock's holder in the last poll of the broker.

    The value is None if nobody held the lock.
    """
    other: str = ""
    """Client id of the last client other than this one that got the lock; "" if it is this one.

    The model does not distinguish the other clients.
    """
    differs: int | None = None
    """Time in ms from which the model's holder differs from the last poll; None if they agree."""
    returns: int = 0
    """Number of unlock requests that the broker has not answered."""
    unsent: int | None = None
    """Time in ms from which the model has sent an unlock request that the client never sent."""
    entry: str = ""
    """Identity of the queue's process queue, from events of its addition and removal.

    "" if there is none.
    """
    early: tuple[str, int] = "", 0
    """A process queue that a poll showed before its addition, as (identity, time in ms)."""


@dataclass
class Known:
    """State of one ordered consumer's process while its events are checked."""

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
    """The consumer's lock and unlock requests, by (broker, line number of the broker's answer)."""
    asks: dict[int, Ask] = field(default_factory=dict)
    threads: frozenset[str] = frozenset((REBALANCING,))
    """Threads that rebalance: they request the group's consumer ids. ``resume()`` and resets use other threads."""
    places: dict[str, Place] = field(default_factory=dict)
    mine: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    """Topic -> queues that the last rebalance assigned to the consumer."""
    closing: bool = False
    removals: Mapping[str, Sequence[Removal]] = field(default_factory=dict)
    """Queue -> removals of its process queues by resets, or for an illegal offset."""
    resets: Sequence[Reset] = ()
    """Resets of the consumer's own offsets."""
    gone: dict[str, int] = field(default_factory=dict)
    """Identity of a process queue -> time in ms of its removal."""

    def is_going(self, q: str, at: int) -> bool:
        """Return True if a reset, or the correction of an illegal offset, is removing the process queue."""
        of_reset = any(one.concerns(q, at) for one in self.resets)
        return of_reset or any(one.covers(at) for one in self.removals.get(q, ()))

    def a_little_before(self, place: Place, event: Event, seen: Callable[[Ordered], object]) -> bool:
        """Return True if the condition ``seen`` held shortly before the event.

        A poll is written a little after it was made.
        """
        was = any(map(seen, place.follower.lately(event.at, STALL)))
        self.tally.widened += was
        return was
