"""The answer of ``rebalance settle``: longest time until every queue is consumed again."""

from dataclasses import dataclass, replace
from enum import Enum

from rebalance_proofs.model.machine.values import number
from rebalance_proofs.model.machines.offsets import actions as offsets
from rebalance_proofs.model.machines.ordered.actions import OrderedClient
from rebalance_proofs.model.machines.ordered.state import DEFAULTS as LOCKS
from rebalance_proofs.model.machines.registry.actions import ALL
from rebalance_proofs.model.machines.registry.state import DEFAULTS as SHIPPED
from rebalance_proofs.model.machines.settling import actions as spans
from rebalance_proofs.model.machines.settling.actions import CLIENTS, Limits, SettlingClient
from rebalance_proofs.model.machines.subscriptions.actions import CLIENTS as SUBSCRIBING
from rebalance_proofs.model.machines.subscriptions.state import DEFAULTS as HEARTBEATS
from rebalance_proofs.proofs.ordered.passing import NEVER_ENDS, TICK, Way
from rebalance_proofs.report.ordered.two_events import CONCURRENT, PLANNED, Composed, composed
from rebalance_proofs.report.text.english import count, seconds


class Basis(Enum):
    """Kinds of evidence for a duration."""

    PROVED = "proved"
    ADDED = "sum of proved times"
    EXPLORED = "explored, not proved"
    READ = "read in the sources, not proved"
    RECKONED = "computed from the options"


@dataclass(frozen=True)
class Part:
    """One summand of the total time, with its evidence."""

    time: int
    """Duration in ms."""
    sentence: str
    basis: Basis
    claim: str = ""
    """Id of the claim that proves this part; empty if none does."""


@dataclass(frozen=True)
class Event:
    """An event that changes a group, such as a join or a crash, with its consequences."""

    name: str
    sentence: str
    before: tuple[Part, ...]
    """Summands of the time until brokers and name servers give clients the changed lists."""
    way: Way
    """How an ordered queue changes its owner."""
    notified: bool
    """True if brokers notify clients."""
    again: str
    """Which messages can be redelivered after the event, with concurrent listeners, in words."""
    lost: bool = False
    """True if offsets that a consumer has not committed yet are lost with it."""
    fresh: bool = False
    """True if the event adds queues, which have no committed offset."""
    same_as: str = ""
    """Explored event that this event equals, if its name differs."""
    only_explored: bool = False
    """True if no claim bounds a part of the time, so that it is explored for all listeners."""

    @property
    def explored(self) -> str:
        """The name of the explored event."""
        return self.same_as or self.name

    @property
    def delay(self) -> int:
        """Return the time in ms until brokers and name servers give clients the changed lists."""
        return sum(part.time for part in self.before)


def _registry(claim: str) -> str:
    return f"registry.{ALL.name}.{claim}"


def _read(sentence: str) -> tuple[Part, ...]:
    """Return a summand of 0 ms with its reason, which was read in RocketMQ's sources."""
    return (Part(0, sentence, Basis.READ),)


ROUTES = Part(
    number(SHIPPED.poll), "every client polls its routes (assumed: every 30 s)", Basis.PROVED, _registry("routed")
)
HEARTBEAT = Part(
    number(SHIPPED.beat),
    "every client sends its next heartbeat (assumed: every 30 s, none skipped)",
    Basis.PROVED,
    _registry("again"),
)
CLOSED = Part(0, "the host closes the connections, and the brokers notice at once", Basis.READ)
SCANNED = Part(
    number(SHIPPED.expired + SHIPPED.scan),
    "brokers miss heartbeats for 120 s, check every 10 s, and close the connection; they may notify then",
    Basis.PROVED,
    _registry("gone"),
)
COMES_BACK = replace(ROUTES, sentence="after a long outage, every client finds the broker in a route again")

LIVES = "messages not committed when the new owner asked, and messages that the old owner consumes until it rebalances"
NETWORK = "; if only the network fails, also all pulled messages, which the consumer goes on to consume"
RUNS = "messages in running listeners, messages consumed behind them, and more if the last commit is lost"
NOTED = "messages consumed but not committed"
UNREGISTERS = "it unregisters at every broker; times count from the end of shutdown()"
FIRST_HEARTBEAT = "the first heartbeat informs the brokers; a failed or delayed one is repeated after 30 s"

EVENTS = {
    event.name: event
    for event in (
        Event("join", "a consumer joins", _read(FIRST_HEARTBEAT), Way.ALIVE, True, LIVES),
        Event(
            "lost-notification",
            "a consumer joins and no notification arrives",
            _read(FIRST_HEARTBEAT),
            Way.ALIVE,
            False,
            LIVES,
            same_as="join",
        ),
        Event("shutdown", "a consumer shuts down", _read(UNREGISTERS), Way.SHUT, True, RUNS),
        Event("crash", "a process crashes", (CLOSED,), Way.CRASHED, True, NOTED, True),
        Event("host-lost", "a host or its network vanishes", (SCANNED,), Way.CRASHED, True, NOTED + NETWORK, True),
        Event("broker-restart", "a broker restarts", (COMES_BACK, HEARTBEAT), Way.FREE, True, LIVES),
        Event("queues-added", "a topic gets more queues", (ROUTES,), Way.FREE, False, LIVES, fresh=True),
        Event(
            "broker-added", "a broker is added", (ROUTES,), Way.FREE, False, LIVES, fresh=True, same_as="queues-added"
        ),
        Event(
            "stop",
            "a process is frozen (SIGSTOP, a long GC pause) and may continue",
            (),
            Way.CRASHED,
            False,
            LIVES,
            only_explored=True,
        ),
        Event(
            "broker-frozen",
            "a broker is frozen (SIGSTOP) and continues",
            (),
            Way.LOST,
            False,
            LIVES,
            only_explored=True,
        ),
        Event(
            "rolling",
            "members are restarted one after the other",
            _read("each member shuts down, and its replacement joins with the same or a new id, before or after that"),
            Way.SHUT,
            False,
            RUNS,
            only_explored=True,
        ),
    )
}
"""Events by name."""
ROLLING = EVENTS["rolling"]


NOT_READ = (
    "the rebalance thread of {} is not modelled; name a Java client version such as 5.2, or the gRPC client grpc-{}"
)
PLAIN = next(one for one in SUBSCRIBING if not one.fingerprints)
ACCEPTED, SOON = (f"subscriptions.{PLAIN.name}.{promise}" for promise in ("accepted", "accepted-soon"))
LATER = number(HEARTBEATS.period) + 2 * number(HEARTBEATS.beat)
LONGER = ", plus the time of rebalances and first pulls"
UNEXPLORED = f"explored only for listeners of at most {seconds(TICK)}"
"""Reason why times of ordered listeners are unknown."""
EXPLORED = (
    "Explored in steps of ten seconds with default settings: rebalances and renewals succeed, at most 20 s apart;",
    "listeners return within a step; unlock requests arrive;",
    "and no consumer requests the lock of a queue that it lost.",
)
RETRY = number(HEARTBEATS.retry)
AGAIN = seconds(RETRY)
LISTED_AGAIN = (_registry("good-bye.without-in-flight"), _registry("gone"))
"""Ids of the claims that a broker can list a stopped consumer again, and for how long."""
AT_ONCE = Part(
    RETRY,
    "the first pull comes at once; a broker without the heartbeat (which takes less) refuses it, and it is repeated",
    Basis.PROVED,
    SOON,
)
LISTENER = number(LOCKS.listener)
"""Default of the longest time in ms that a listener takes."""


@dataclass(frozen=True)
class Answer:
    """The answer for one client and one event."""

    client: OrderedClient
    event: Event
    orderly: bool
    parts: tuple[Part, ...]
    usual: Part | None
    """Time of the rebalances if a broker's notification arrives; None if brokers send none."""
    overlap: Part | None
    """Longest time for which two consumers read the same queue.

    None if they cannot, or if unknown.
    """
    rate: float
    """Messages a second that producers send to the queues that change owner; 0 if not given."""
    commit: int
    """Time between commits (``persistConsumerOffsetInterval``), in ms."""
    once: str
    """Id of the claim that limits redelivery from queues with a committed offset.

    Empty if there is none.
    """
    skips: str
    """Id of the refuted claim about skipped messages in queues without a committed offset.

    Empty if the event adds no queues.
    """
    busy: int
    """Number of listeners of ordered queues that a rebalance waits for."""
    halved: str
    """Id of the refuted claim about interrupted listeners' half-done work.

    Empty if none is interrupted.
    """
    limits: Limits
    """The limits of the rebalance thread, in ms, with the wait for listeners of ordered queues."""
    listener: int
    """Longest time in ms that a listener takes."""
    distance: int | None = None
    """Time in ms between restarts of a rolling restart; None if not given."""

    @property
    def composed(self) -> Composed:
        """The explored times for one and for two events."""
        return composed(self.client.name if self.orderly else CONCURRENT)

    @property
    def twice(self) -> int | None:
        """Return the longest time in ms if another consumer joins, shuts down or crashes at any time, too.

        None if it is unknown.
        """
        if self.total is None:
            return None
        ticks = _rolled(self.composed) if self.event is ROLLING else self.composed.planned(self.event.explored)
        return None if ticks is None or ticks == NEVER_ENDS else ticks * TICK + self.waits

    @property
    def after_last(self) -> int | None:
        """Return the longest time in ms after the last of any number of joins, shutdowns and crashes.

        None if it is unknown, or if the event is another one.
        """
        if self.total is None or self.event.explored not in (*PLANNED, ROLLING.name):
            return None
        if not self.orderly:
            return self.rebalanced
        ticks = self.composed.after_last
        return None if ticks == NEVER_ENDS else ticks * TICK + self.waits

    @property
    def rebalanced(self) -> int:
        """Return the longest time in ms of a rebalance and a first pull after a change, with concurrent listeners."""
        thread = settling_client(self.client)
        assert thread is not None
        return sum(part.time for part in _resumed(self.client, thread, self.limits, self.busy))

    @property
    def waits(self) -> int:
        """Return the time in ms that a rebalance waits for listeners of ordered queues."""
        return self.busy * self.lock_wait

    @property
    def apart(self) -> int | None:
        """Return the distance in ms at which a restart begins in a calm group again; None if it is unknown."""
        if self.total is None:
            return None
        if self.orderly:
            return restarts_apart(self.composed, self.waits)
        # The last change can come during a rebalance, and the next one takes its time, too.
        explored = restarts_apart(self.composed, 2 * number(self.limits.loop))
        return None if explored is None else max(explored, self.rebalanced)

    @property
    def total(self) -> int | None:
        """Return the sum of all parts, in ms; None if a part is unknown because listeners take too long."""
        known = not self.orderly or any(part.basis is Basis.EXPLORED for part in self.parts)
        return sum(part.time for part in self.parts) if known else None

    @property
    def waiting(self) -> int | None:
        """Return the number of messages that arrive in the total time; None if that time is unknown."""
        return None if self.total is None else round(self.rate * self.total / 1000)

    @property
    def uncommitted(self) -> int:
        """Return the number of messages consumed between two commits, which are redelivered."""
        return round(self.rate * self.commit / 1000) if self.event.lost and self.once else 0

    @property
    def others(self) -> dict[str, int | None]:
        """Return another event -> the longest time for this event and that one, in ticks; None if it is unknown."""
        unknown = self.total is None or self.event is ROLLING
        explored = self.composed
        return {other: None if unknown else explored.around(self.event.explored, other) for other in explored.single}

    @property
    def lock_wait(self) -> int:
        """Return the time in ms that a rebalance waits for a running listener."""
        return self.client.rebalance.try_lock


def settling_client(client: OrderedClient) -> SettlingClient | None:
    """Return the model of the rebalance thread in the client's newest releases.

    None if there is no such model.
    """
    newest = client.generations[-1] if client.generations else None
    return next((one for one in CLIENTS if newest in one.generations), None)


def answer(
    client: OrderedClient,
    event: Event,
    limits: Limits,
    *,
    orderly: bool,
    rate: float = 0.0,
    commit: int = 5_000,
    busy: int = 0,
    listener: int = LISTENER,
    distance: int | None = None,
) -> Answer:
    """Return the answer; all times in ms.

    Raises ``LookupError`` if the client's rebalance thread is not modelled.
    """
    thread = settling_client(client)
    if thread is None:
        raise LookupError(NOT_READ.format(client.rocketmq_name, client.name))
    parts = list(event.before)
    usual = None
    waits = busy * client.rebalance.try_lock
    limits = replace(limits, loop=limits.loop + waits)
    if orderly:
        handed_over = ordered_parts(client, event, busy=busy, listener=listener)
        if handed_over:
            parts = list(handed_over)
            usual = _at_the_timer(client, thread, limits) if event.notified and event.way is Way.ALIVE else None
    elif event.only_explored:
        parts.append(Part(_alone(composed(CONCURRENT), event) * TICK, "rebalances", Basis.EXPLORED))
    else:
        parts += _resumed(client, thread, limits, busy)
        usual = _notified(thread, limits) if event.notified else None
    known = offsets.ORDERLY if orderly else offsets.CONCURRENT
    of = next(one for one in known if client.generations[-1] in one.generations)
    once = f"offsets.{of.name}.only-uncommitted"
    if orderly:
        once = "" if event.lost else f"offsets.{of.name}.one-batch"
    skips = f"offsets.{of.name}.not-skipped.without-offset" if event.fresh else ""
    alone = orderly or event.only_explored or event.again != LIVES
    overlap = None if alone else _both(event, _rebalanced(thread, limits, busy))
    halved = f"offsets.{of.name}.finished.without-heeding" if event.way is Way.SHUT else ""
    found = (client, event, orderly, tuple(parts), usual, overlap, rate, commit, once, skips, busy, halved)
    return Answer(*found, limits, listener, distance)


def restarts_apart(of: Composed, added: int) -> int | None:
    """Return the time in ms from the end of a restart until the group is calm; None if it is unknown.

    ``added``: time in ms of rebalances and listeners, which the explored time leaves out.
    """
    return None if of.apart == NEVER_ENDS else of.apart * TICK + added


def _alone(of: Composed, event: Event) -> int:
    """Return the longest explored time of the event in a calm group, in ticks; of both events for a restart."""
    return _rolled(of) if event is ROLLING else of.single[event.explored][0]


def _rolled(of: Composed) -> int:
    found = of.around("shutdown", "join")
    assert found is not None
    return found


def ordered_parts(client: OrderedClient, event: Event, *, busy: int, listener: int) -> tuple[Part, ...] | None:
    """Return the parts of the time until every ordered queue is consumed again, with default lock settings.

    ``busy``: number of listeners that a rebalance waits for. ``listener``: longest time in ms that a listener takes.
    Any event can also move queues between two consumers that stay (AVG does so). Returns None if the time is unknown:
    listeners take longer than those that were explored, or a pause has no bound.
    """
    ticks = _alone(composed(client.name), event)
    if listener > TICK or ticks == NEVER_ENDS:
        return None
    words = "rebalances, and the broker's lock, also of queues that move between consumers that stay"
    explored = Part(ticks * TICK - event.delay, words, Basis.EXPLORED)
    waits = busy * client.rebalance.try_lock
    waited = Part(waits, f"the rebalance of the old owner waits for {_listeners(busy)}", Basis.RECKONED)
    return (*event.before, explored, *[waited] * bool(busy))


def _listeners(busy: int) -> str:
    return f"{count(busy, 'listener')} of ordered queues"


def _at_the_timer(client: OrderedClient, thread: SettlingClient, limits: Limits) -> Part | None:
    """Return the time of the rebalances if a listener runs when a notification arrives.

    None before 5.2. The old owner counts as balanced despite its dropped process queue, so it tries again only at its
    periodic rebalance. From 5.2 on, a new owner without the lock does not count as balanced, so it asks every second.
    """
    if not thread.least:
        return None
    time = number(limits.wait + 2 * limits.loop + limits.least) + client.rebalance.pull_delay
    words = "instead, if the listener runs when the notification arrives, and returns before the next rebalance"
    return Part(time, words, Basis.READ)


def _rebalanced(thread: SettlingClient, limits: Limits, busy: int) -> Part:
    wait, settled = number(spans.period(thread).of(limits)), number(spans.settled(thread).of(limits))
    more = f" with {_listeners(busy)}" if busy else ""
    taken = f"2 x the longest rebalance, {seconds(number(limits.loop))} (--loop{more})"
    words = f"every client rebalances: timer {seconds(wait)} + {taken}"
    return Part(settled, words, Basis.PROVED, f"settling.{thread.name}.settles")


def _resumed(client: OrderedClient, thread: SettlingClient, limits: Limits, busy: int) -> tuple[Part, Part]:
    """Return the times of a rebalance and of a first pull after a change, with concurrent listeners."""
    delay = client.rebalance.pull_delay
    pulls = Part(delay, "delay of the first pull of a queue", Basis.READ) if delay else AT_ONCE
    return _rebalanced(thread, limits, busy), pulls


def _both(event: Event, rebalanced: Part) -> Part:
    """Return the sum of two times: clients get different lists, and the last client rebalances."""
    if not event.delay:
        return rebalanced
    words = "; ".join(part.sentence for part in (*event.before, rebalanced))
    return Part(event.delay + rebalanced.time, words, Basis.ADDED)


def _notified(thread: SettlingClient, limits: Limits) -> Part:
    words = "instead, if the notification arrives and no wake-up is lost"
    return Part(number(spans.answered(thread).of(limits)), words, Basis.PROVED, f"settling.{thread.name}.woken")
