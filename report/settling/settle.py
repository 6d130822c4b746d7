"""The answer of ``rebalance settle``: longest time until a group has settled, with its parts."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

from rebalance_proofs.model.machine.values import number
from rebalance_proofs.model.offsets import clients as offsets
from rebalance_proofs.model.ordered.clients import OrderedClient
from rebalance_proofs.model.registry.clients import ALL
from rebalance_proofs.model.registry.limits import DEFAULTS as SHIPPED
from rebalance_proofs.model.settling import spans
from rebalance_proofs.model.settling.clients import CLIENTS, SettlingClient
from rebalance_proofs.model.settling.limits import Limits
from rebalance_proofs.model.subscriptions.clients import CLIENTS as SUBSCRIBING
from rebalance_proofs.model.subscriptions.limits import DEFAULTS as HEARTBEATS
from rebalance_proofs.proofs.ordered.passing import NEVER_ENDS, TICK, Way
from rebalance_proofs.report.aligned import aligned
from rebalance_proofs.report.english import count, seconds
from rebalance_proofs.report.mark import BRIEFLY, GROUPS
from rebalance_proofs.report.marks import mark_of, marks
from rebalance_proofs.report.one_event import ONE_EVENT
from rebalance_proofs.report.ordered.indexed import ordered_clients
from rebalance_proofs.report.schemas import published

__all__ = [
    "EVENTS",
    "FORMAT",
    "NOT_READ",
    "Answer",
    "Event",
    "Part",
    "answer",
    "document",
    "schema",
    "settling_client",
    "told",
]

FORMAT = 1
"""Version of the JSON; increases when a reader of the old form would misread the new one."""


class Basis(Enum):
    """Kinds of evidence for a number."""

    PROVED = "proved"
    ADDED = "added up from what is proved"
    EXPLORED = "explored, not proved"
    READ = "read in the sources, not claimed"
    RECKONED = "reckoned from what was given"


@dataclass(frozen=True)
class Part:
    """One part of the time."""

    time: int
    """Duration in ms."""
    sentence: str
    basis: Basis
    claim: str = ""
    """Id of the claim that proves it; empty without one."""


@dataclass(frozen=True)
class Event:
    """An event that changes a group."""

    name: str
    sentence: str
    before: tuple[Part, ...]
    """Parts of the time until clients that ask are given changed lists."""
    way: Way
    """How an ordered queue changes hands."""
    notified: bool
    """Whether clients are notified."""
    again: str
    """Messages that can be consumed again, with concurrent listeners."""
    lost: bool = False
    """Whether a consumer's noted but uncommitted offsets are lost with it."""
    fresh: bool = False
    """Whether there are new queues, without a committed offset."""

    @property
    def delay(self) -> int:
        """Time in ms until clients that ask are given changed lists."""
        return sum(part.time for part in self.before)


def _registry(claim: str) -> str:
    return f"registry.{ALL.name}.{claim}"


def _read(sentence: str) -> tuple[Part, ...]:
    """A part that takes no time, as read in the sources."""
    return (Part(0, sentence, Basis.READ),)


ROUTES = Part(
    number(SHIPPED.poll), "every client polls its routes (taken to be 30 s apart)", Basis.PROVED, _registry("routed")
)
HEARTBEAT = Part(
    number(SHIPPED.beat),
    "every client sends its next heartbeat (taken to be 30 s apart, and none skipped)",
    Basis.PROVED,
    _registry("again"),
)
CLOSED = Part(0, "its system closes its connections, and the brokers hear of it at once", Basis.READ)
SCANNED = Part(
    number(SHIPPED.expired + SHIPPED.scan),
    "the broker misses heartbeats for 120 s, looks every 10 s, and closes the connection; it may tell the others then",
    Basis.PROVED,
    _registry("gone"),
)
COMES_BACK = replace(ROUTES, sentence="where it was down for long, every client finds it in a route again")

LIVES = "what was not committed when the new owner asked, and what the old one consumes until it has rebalanced, too"
NETWORK = ", and, where its network alone vanishes, all that it had pulled and goes on to consume"
RUNS = "what its listeners still run, what was consumed behind that, and more where its last commit is lost"
NOTED = "what was consumed and not committed"
FIRST_HEARTBEAT = "its first heartbeat tells the brokers, unless it fails or has to wait: then the next, 30 s later"

EVENTS = {
    event.name: event
    for event in (
        Event("join", "a consumer joins", _read(FIRST_HEARTBEAT), Way.ALIVE, True, LIVES),
        Event(
            "lost-notification",
            "a consumer joins, and nobody hears of it",
            _read(FIRST_HEARTBEAT),
            Way.ALIVE,
            False,
            LIVES,
        ),
        Event("shutdown", "a consumer is shut down", _read("it tells every broker"), Way.SHUT, True, RUNS),
        Event("crash", "a process dies", (CLOSED,), Way.CRASHED, True, NOTED, True),
        Event("host-lost", "a host or its network vanishes", (SCANNED,), Way.CRASHED, True, NOTED + NETWORK, True),
        Event("broker-restart", "a broker restarts", (COMES_BACK, HEARTBEAT), Way.FREE, True, LIVES),
        Event("queues-added", "a topic gets more queues", (ROUTES,), Way.FREE, False, LIVES, fresh=True),
        Event("broker-added", "a broker is added", (ROUTES,), Way.FREE, False, LIVES, fresh=True),
    )
}
"""Events by name."""


NOT_READ = "the rebalance thread of {} is not modelled; name a Java client version such as 5.2"
PLAIN = next(one for one in SUBSCRIBING if not one.fingerprints)
ACCEPTED, SOON = (f"subscriptions.{PLAIN.name}.{promise}" for promise in ("accepted", "accepted-soon"))
LATER = number(HEARTBEATS.period) + 2 * number(HEARTBEATS.beat)
LONGER = ", and as long as rebalances and first pulls take"
EXPLORED = (
    "Explored in steps of ten seconds, with the settings as shipped: rebalances and renewals come every 20 s at most,",
    "and succeed, listeners return within a step, and nothing asks for the lock of a queue that was taken away.",
)
RETRY = number(HEARTBEATS.retry)
AGAIN = seconds(RETRY)
REFUSED = (
    "Where a heartbeat of its process is under way when a client's queues change, it sends none, and brokers can",
    f"refuse its pulls for {seconds(LATER)} more, with heartbeats of 3 s",
    f"({Basis.PROVED.value}, {mark_of(ACCEPTED)}: {ACCEPTED}),",
    f"and until the next pull, {AGAIN} ({Basis.READ.value}).",
    "That is near at hand for a consumer that joins: the first broker to get its first heartbeat notifies it, too.",
)
AT_ONCE = Part(
    RETRY,
    "the first pull of a queue is sent at once, and is refused where it comes before its owner's heartbeat (that takes "
    "less): it comes again",
    Basis.PROVED,
    SOON,
)
BUSY = (
    "Each queue of an ordered group that is taken away while its listener runs makes a rebalance of its process longer "
    "by {}, one after the other"
)


@dataclass(frozen=True)
class Answer:
    """The answer for one client and event."""

    client: OrderedClient
    event: Event
    orderly: bool
    parts: tuple[Part, ...]
    usual: Part | None
    """Time of the rebalances in case of a notification, in place of the regular time; None without such a case."""
    overlap: Part | None
    """Longest time that two consumers read a queue; None if they cannot, or if nothing is known."""
    rate: float
    """Messages a second that are sent to the group; 0 if not given."""
    commit: int
    """Time between commits (``persistConsumerOffsetInterval``), in ms."""
    once: str
    """Id of the claim that limits what is delivered again from queues with a committed offset; empty without one."""
    skips: str
    """Id of the refuted claim about skipped messages in queues without a committed offset; empty without such queues.
    """
    busy: int
    """Number of listeners of ordered queues that a rebalance waits for."""
    halved: str
    """Id of the refuted claim about work that interrupted listeners leave half done; empty if none is interrupted."""

    @property
    def total(self) -> int:
        """Sum of all parts, in ms."""
        return sum(part.time for part in self.parts)

    @property
    def lock_wait(self) -> int:
        """Time that a rebalance waits for a listener, in ms."""
        return self.client.rebalance.try_lock


def settling_client(client: OrderedClient) -> SettlingClient | None:
    """The model of the rebalance thread in the client's newest releases; None if that was not read."""
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
) -> Answer:
    """The answer for limits in ms. Raises ``LookupError`` if the client's rebalance thread was not read."""
    thread = settling_client(client)
    if thread is None:
        raise LookupError(NOT_READ.format(client.rocketmq_name))
    parts = list(event.before)
    usual = None
    waits = busy * client.rebalance.try_lock
    limits = replace(limits, loop=limits.loop + waits)
    if orderly:
        ticks = ordered_clients()[client.name].pauses[event.way.name]
        assert ticks != NEVER_ENDS
        words = f"{event.way.value}: rebalances, and the broker's lock; what a rebalance takes is to be added"
        parts.append(Part(ticks * TICK, words, Basis.EXPLORED))
        if busy:
            parts.append(Part(waits, f"a rebalance of the old owner waits for {_listeners(busy)}", Basis.RECKONED))
        usual = _at_the_timer(client, thread, limits) if event.notified and event.way is Way.ALIVE else None
    else:
        parts.append(_rebalanced(thread, limits, busy))
        usual = _notified(thread, limits) if event.notified else None
        if client.rebalance.pull_delay:
            parts.append(Part(client.rebalance.pull_delay, "the first pull of a queue is put off", Basis.READ))
        else:
            parts.append(AT_ONCE)
    known = offsets.ORDERLY if orderly else offsets.CONCURRENT
    of = next(one for one in known if client.generations[-1] in one.generations)
    once = f"offsets.{of.name}.only-uncommitted"
    if orderly:
        once = "" if event.lost else f"offsets.{of.name}.one-batch"
    skips = f"offsets.{of.name}.not-skipped.without-offset" if event.fresh else ""
    overlap = None if orderly or event.again != LIVES else _both(event, _rebalanced(thread, limits, busy))
    halved = f"offsets.{of.name}.finished.without-heeding" if event.way is Way.SHUT else ""
    return Answer(client, event, orderly, tuple(parts), usual, overlap, rate, commit, once, skips, busy, halved)


def _listeners(busy: int) -> str:
    return f"{count(busy, 'listener')} of ordered queues"


def _at_the_timer(client: OrderedClient, thread: SettlingClient, limits: Limits) -> Part | None:
    """Time of the rebalances if a listener runs when the notification arrives; None before 5.2.

    The old owner counts itself as balanced in spite of its marked entry, and tries again at its timer only; from 5.2 on
    a new owner without the lock does not, and asks every second.
    """
    if not thread.least:
        return None
    time = number(limits.wait + 2 * limits.loop + limits.least) + client.rebalance.pull_delay
    words = (
        "in the place of that, where the listener runs when the notification comes, and returns before the next "
        "rebalance: the old owner tries again at its timer, and the new one asks every second"
    )
    return Part(time, words, Basis.READ)


def _rebalanced(thread: SettlingClient, limits: Limits, busy: int) -> Part:
    wait, settled = number(spans.period(thread).of(limits)), number(spans.settled(thread).of(limits))
    more = f" with {_listeners(busy)}" if busy else ""
    taken = f"twice the longest rebalance of all its groups (--loop, taken to be {seconds(number(limits.loop))}{more})"
    words = f"every client has rebalanced: at most {seconds(wait)}, and {taken}"
    return Part(settled, words, Basis.PROVED, f"settling.{thread.name}.settles")


def _both(event: Event, rebalanced: Part) -> Part:
    """Time during which clients are given different lists, and until the last one has rebalanced."""
    if not event.delay:
        return rebalanced
    words = ", and ".join(part.sentence for part in (*event.before, rebalanced))
    return Part(event.delay + rebalanced.time, words, Basis.ADDED)


def _notified(thread: SettlingClient, limits: Limits) -> Part:
    words = "in the place of that, for a client that hears of it, but for a wake-up that is lost"
    return Part(number(spans.woken(thread).of(limits)), words, Basis.PROVED, f"settling.{thread.name}.woken")


def told(found: Answer) -> Iterator[str]:
    """The whole answer, line by line."""
    mode = "ordered" if found.orderly else "concurrent"
    yield (
        f"{found.client.rocketmq_name}, {mode} listeners: when {found.event.sentence}, every queue has an owner that "
        f"consumes again after at most {seconds(found.total)}{LONGER if found.orderly else ''}."
    )
    rows = [(f"  {seconds(part.time)}", part.sentence, _basis(part)) for part in found.parts]
    if found.usual:
        rows.append((f"  ({seconds(found.usual.time)})", found.usual.sentence, _basis(found.usual)))
    yield from aligned(rows)
    yield f"This bound holds {ONE_EVENT}"
    yield from (f"  {line}" for line in _repeated(found))
    if not found.busy:
        yield f"{BUSY.format(seconds(found.lock_wait))} (--busy; {Basis.READ.value})."
    if found.orderly:
        yield from EXPLORED
    else:
        yield "As long as rebalances after the change succeed, and find offsets; rebalance show CLAIM has all premises."
    yield from REFUSED
    yield BRIEFLY


def _repeated(found: Answer) -> Iterator[str]:
    if found.overlap:
        heard = "" if found.event.delay else ", if its first heartbeat arrives"
        once = f"{seconds(found.overlap.time)}, and while listeners run on{heard}"
        yield f"Read by its old and its new owner at once: at most {once} ({_basis(found.overlap)})."
    again, nothing = "Consumed again at most", "Nothing"
    if found.skips:
        again, nothing = (f"Of queues that change hands, {words[0].lower()}{words[1:]}" for words in (again, nothing))
    if found.once and found.orderly:
        yield f"{again}: one batch, if owners take turns, and no queue comes to a table, or leaves it, while all"
        yield f"offsets are sent ({_proved(found.once)}); rebalance show CLAIM has all premises."
    elif found.once:
        yield f"{again}: {found.event.again}."
        yield f"{nothing} that was committed when the new owner asked ({_proved(found.once)})."
    if found.halved:
        yield "What its listeners had half done when shutdown() interrupted them is committed, and not consumed again,"
        yield f"where they return success (refuted, {mark_of(found.halved)}: {found.halved})."
    if found.skips:
        before = "the first pull of their first owner" if found.orderly else "their first owner asks"
        yield "Of new queues nothing is committed, and that is not promised of them. What was sent to them before"
        yield f"{before} is skipped by a group that begins with the last offset (CONSUME_FROM_LAST_OFFSET, as"
        yield f"shipped; rocketmq#9307; refuted, {mark_of(found.skips)}: {found.skips}),"
        yield "but where the broker answers 0, as it has such a queue in memory from its beginning on."
    if found.rate:
        burst = round(found.rate * found.total / 1000)
        lost = ", or skipped where they are new" if found.skips else ""
        told = f"Waiting then, at {found.rate:g} messages a second to these queues: {burst:,}{lost}"
        yield f"{told} ({Basis.RECKONED.value})."
        if found.event.lost and found.once:
            uncommitted = round(found.rate * found.commit / 1000)
            yield (
                f"Again, besides: about {uncommitted:,}, consumed in the {seconds(found.commit)} between two commits, "
                f"and what one slow message holds back ({Basis.RECKONED.value})."
            )


def _basis(part: Part) -> str:
    if part.claim:
        return f"{part.basis.value}, {mark_of(part.claim)}: {part.claim}"
    return f"{part.basis.value}, {GROUPS}" if part.basis is Basis.EXPLORED else part.basis.value


def _proved(claim: str) -> str:
    return f"{Basis.PROVED.value}, {mark_of(claim)}: {claim}"


def schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of ``document``."""
    return published("settle")


def document(found: Answer) -> dict[str, Any]:
    """The answer as JSON; times in ms."""
    return {
        "format": FORMAT,
        "client": found.client.name,
        "event": found.event.name,
        "orderly": found.orderly,
        "total": found.total,
        "parts": [_document(part) for part in found.parts],
        "notified": _document(found.usual) if found.usual else None,
        "overlap": _document(found.overlap) if found.overlap else None,
        "waiting": round(found.rate * found.total / 1000),
        "skipped": round(found.rate * found.total / 1000) if found.skips else 0,
        "again": round(found.rate * found.commit / 1000) if found.event.lost and found.once else 0,
        "seen": marks(_claims(found)),
    }


def _claims(found: Answer) -> list[str]:
    parts = (*found.parts, *(part for part in (found.usual, found.overlap) if part))
    return [part.claim for part in parts if part.claim] + [found.skips] * bool(found.skips)


def _document(part: Part) -> dict[str, Any]:
    return {"time": part.time, "sentence": part.sentence, "basis": part.basis.name, "claim": part.claim or None}
