"""The answer of ``rebalance settle`` about gRPC clients (rocketmq-clients), which proxy and broker give their messages.

The proxy assigns every queue to every consumer. Thus an event leaves no queue without a reader while another consumer
runs, and what takes time are the messages that a consumer has received and not acknowledged: others do not see them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from rebalance_proofs.model.receiving import times
from rebalance_proofs.model.receiving.releases import ANY, READ, client_of, releases, whose
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.report.schemas import published
from rebalance_proofs.report.settling.settle import Basis, Event, Part
from rebalance_proofs.report.text.english import seconds
from rebalance_proofs.report.text.wrapping import aligned

FORMAT = 1
"""Version of the JSON; increases when a reader of the old form would misread the new one."""
PUSH, ORDERLY, SIMPLE = "push", "push orderly", "simple"
ENDS = ("crash", "host-lost", "stop", "shutdown", "rolling")
"""Events after which a consumer's messages go to other consumers."""
JOINS = ("join", "lost-notification")
GROWS = ("broker-added", "queues-added")
OUTAGES = ("broker-restart", "broker-frozen")
"""Events without a bound: how soon proxies reach a broker again was not read."""
NO_BOUND = (
    "{} {} no bound for the event {}: how soon a proxy reaches the broker again is unknown. Until then, no consumer "
    "receives its messages"
)
ALL = (
    "The proxy assigns every queue to every consumer of a group (read in RouteActivity.queryAssignment of proxies "
    "5.0.0 and 5.5.0)."
)
SEVERAL = (
    "Thus several consumers always read each queue, which is no fault: the broker hides a received message from the "
    "others until it is acknowledged or its invisible time ends."
)
SIMPLE_READS = "A SimpleConsumer reads a queue only when your code calls receive()."
WORKS_ON = "If the {} continues, it still works on its messages: two consumers can then process one message."
LOST_PROXY = (
    "If the proxy stops without a shutdown, or its requests fail, messages stay hidden until their last renewal ends: "
    "1 min to 1 h, by their age (RenewStrategyPolicy)."
)
REFUSED = (
    "--invisible must be 10s to 12h: by default, proxies refuse other durations (minInvisibleTimeMillsForRecv, "
    "maxInvisibleTimeMills)"
)
BUSY = (
    "A waiting receive request then gets them at once. If requests find enough new messages, only a fifth of them read "
    "the retry topic first (popFromRetryProbability), so there is no bound."
)
RECORDED = (ANY, "grpc-java", "grpc-python")
"""Clients of the recorded group that ``OBSERVED`` names."""
OBSERVED = (
    "Observed: in a recorded group with a proxy in local mode, other consumers got such messages 121.5 s after the "
    "kill (recorded/grpc/proxy-5.5.0/grpc_crash)."
)
ASSUMED = (
    "Assumes default settings, proxy and broker 5.5.0, and requests that succeed within {} (--request).",
    "Consumers send heartbeats to the proxy that gives them messages. Timers and revive queues of brokers are not "
    "behind; the time to read them comes in addition.",
    "Faults of clients are left out: `rebalance list 'receiving.*'` lists them as refuted claims.",
)


def _read(time: int, sentence: str) -> Part:
    return Part(time, sentence, Basis.READ)


REMOVED = (
    _read(times.EXPIRED, "the proxy gets no heartbeat for this time (channelExpiredTimeout); from the last heartbeat"),
    _read(times.SCAN, "it checks that in this period"),
)
RETURNED = (
    _read(times.RENEWALS, "it tries again if it is just renewing a message (renewSchedulePeriodMillis)"),
    _read(times.CLEARED, "it asks the broker to hide the messages only so long (invisibleTimeMillisWhenClear)"),
)
REVIVED = _read(times.REVIVED, "the broker puts the messages into the group's retry topic (PopReviveService)")
WOKEN = _read(times.TICK, "the broker wakes a receive request that waits for the ordered queue")
CACHED = _read(times.CACHED, "the proxy's route is old enough to be renewed (topicRouteServiceCacheRefreshSeconds)")


@dataclass(frozen=True)
class Answer:
    """The answer for one gRPC client and one event; times in ms."""

    release: str
    event: Event
    mode: str
    request: int
    """Longest time of a request."""
    reads: tuple[Part, ...]
    """Summands of the time until each queue has a reader, while another consumer runs."""
    hidden: tuple[Part, ...]
    """Summands of the time until other consumers can receive the messages of a consumer that is gone."""
    least: int | None
    """Least time for which these messages stay hidden, if renewals succeed; None if it is not known."""
    alone: int | None
    """Longest time from the start of a push consumer until it receives; None for a SimpleConsumer."""

    @property
    def total(self) -> int:
        """The longest time after the event until each message can be received."""
        return sum(part.time for part in (*self.reads, *self.hidden))


def answer(release: str, event: Event, *, mode: str, request: int, invisible: int | None) -> Answer:
    """Return the answer. ``invisible``: invisible duration of a SimpleConsumer. Raises ``UsageError``."""
    name = event.name
    if name in OUTAGES:
        plural = "have" if release == ANY else "has"
        raise UsageError(NO_BOUND.format(whose(release), plural, name))
    if mode == SIMPLE and invisible is None and name in ENDS:
        raise UsageError("--mode simple needs --invisible, the invisible duration that your code passes to receive()")
    if mode != SIMPLE and invisible is not None:
        raise UsageError("--invisible needs --mode simple; the proxy renews the invisible time of a push consumer")
    if invisible is not None and not times.LEAST_HIDDEN <= invisible <= times.MOST_HIDDEN:
        raise UsageError(REFUSED)
    known = _known(release, mode)
    scans = max(one.period for one in known) if mode != SIMPLE else times.ROUTES
    queries = "queries its assignments" if mode != SIMPLE else "updates its routes"
    started = tuple(_started(known, request)) if mode != SIMPLE else ()
    reads: tuple[Part, ...] = ()
    if name in JOINS:
        reads = started
    elif name == "broker-added" or (name == "queues-added" and mode == ORDERLY):
        scanned = _read(
            2 * (scans + request),
            f"a consumer {queries} twice, each after {seconds(scans)} + {seconds(request)} (--request): the first "
            "answer is still the old one",
        )
        reads = (CACHED, scanned)
    hidden: tuple[Part, ...] = ()
    least = None
    if name in ENDS:
        delivered = WOKEN if mode == ORDERLY else REVIVED
        removed = () if name in ("shutdown", "rolling") else REMOVED
        if mode == SIMPLE:
            assert invisible is not None
            hidden = (_read(invisible, "the invisible duration of receive() ends (--invisible)"), delivered)
        else:
            hidden = (*removed, *RETURNED, delivered)
            beat = max(one.beat for one in known)
            least = max(0, times.EXPIRED - beat - request) + times.CLEARED if removed else None
    alone = sum(part.time for part in started) if started else None
    return Answer(release, event, mode, request, reads, hidden, least, alone)


def _known(release: str, mode: str) -> list[times.Times]:
    """Return the times of all releases that a name stands for. Raises ``UsageError`` if none has a push consumer."""
    read = releases(release)
    if mode != SIMPLE:
        read = frozenset(one for one in read if READ[one.partition(" ")[0]][one.partition(" ")[2]])
        if not read:
            raise UsageError(f"{whose(release)} has no push consumer; use --mode simple")
    return [times.TIMES[one] for one in sorted(read)]


def _started(known: Sequence[times.Times], request: int) -> Iterator[Part]:
    first = max(one.first for one in known)
    yield _read(first + request, f"a consumer queries its assignments {seconds(first)} after its start (+ --request)")
    skipped = max((one.period for one in known if one.skips), default=0)
    if skipped:
        yield _read(skipped, "it queries again, because it had no settings yet")


# ---- Text and JSON


def told(found: Answer, remark: str = "") -> Iterator[str]:
    """Yield the answer, with a remark on the client's version."""
    yield _headline(found)
    yield from [remark] * bool(remark)
    parts = (*found.reads, *found.hidden)
    if parts:
        yield ""
        yield from aligned([(f"  {seconds(part.time)}", part.sentence, part.basis.value) for part in parts])
    yield ""
    yield from _queues(found)
    yield from _messages(found)
    yield from (line.format(seconds(found.request)) for line in ASSUMED)


def _headline(found: Answer) -> str:
    case = f"{whose(found.release)}, {found.mode}: when {found.event.sentence}"
    name, total = found.event.name, seconds(found.total)
    if name in ENDS and found.mode == ORDERLY:
        return f"{case}, the consumer's unacknowledged messages block an ordered queue for at most {total}."
    if name in ENDS:
        since = " of their receipt" if found.mode == SIMPLE else ""
        return f"{case}, the consumer's unacknowledged messages are in the retry topic within {total}{since}."
    if name in JOINS and found.mode == SIMPLE:
        return f"{case}, no queue changes its owner: it reads at its first receive()."
    if name in JOINS:
        return f"{case}, it reads every queue within {total} of its start."
    if not found.reads:
        return f"{case}, consumers read them at once: they read all queues of a broker as one."
    return f"{case}, every queue has a reader within {total} of the change at the name servers."


def _queues(found: Answer) -> Iterator[str]:
    yield ALL
    yield SEVERAL
    if found.event.name not in GROWS:
        yield "No queue is without a reader while another consumer of the group runs."
    if found.event.name in ENDS and found.alone is not None:
        yield f"Without another one, queues have no reader until {seconds(found.alone)} after a consumer's start."
    if found.mode == SIMPLE:
        yield SIMPLE_READS


def _messages(found: Answer) -> Iterator[str]:
    name = found.event.name
    if name not in ENDS:
        return
    if found.mode == ORDERLY:
        yield "Until then, the broker gives no consumer further messages of the ordered queue."
    else:
        yield BUSY
    if found.least is not None:
        yield f"The messages stay hidden for at least {seconds(found.least)}, if renewals succeed."
    if found.mode != SIMPLE:
        yield LOST_PROXY
    if name in ("stop", "host-lost"):
        yield WORKS_ON.format("process" if name == "stop" else "host")
    if name in ("shutdown", "rolling") and found.mode != SIMPLE:
        yield "Times count from the client's notice to the proxy, which is the end of shutdown()."
    if name == "crash" and found.mode == PUSH and client_of(found.release) in RECORDED:
        yield OBSERVED


def schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of ``document``."""
    return published("settle_grpc")


def document(found: Answer, remark: str = "") -> dict[str, Any]:
    """Return the answer as JSON, with a remark on the client's version; times in ms."""
    return {
        "format": FORMAT,
        "client": found.release,
        "remark": remark or None,
        "event": found.event.name,
        "mode": found.mode,
        "total": found.total,
        "reads": [_document(part) for part in found.reads],
        "hidden": [_document(part) for part in found.hidden],
        "least_hidden": found.least,
        "alone": found.alone,
    }


def _document(part: Part) -> dict[str, Any]:
    return {"time": part.time, "sentence": part.sentence, "basis": part.basis.name}
