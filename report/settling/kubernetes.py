"""Ends of a consumer on Kubernetes, and the grace period that its ``shutdown()`` needs."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from rebalance_proofs.model.machine.values import number
from rebalance_proofs.model.ordered.clients import OrderedClient
from rebalance_proofs.model.ordered.limits import DEFAULTS, Limits
from rebalance_proofs.model.settling.limits import DEFAULTS as SETTLING
from rebalance_proofs.proofs.ordered.passing import NEVER_ENDS, TICK
from rebalance_proofs.report.aligned import aligned
from rebalance_proofs.report.english import seconds
from rebalance_proofs.report.ordered.indexed import ordered_clients
from rebalance_proofs.report.settling.settle import EVENTS, Event

__all__ = ["CASES", "EVENTS_OF_PODS", "Case", "Kubernetes", "Summand", "concurrent", "document", "ordered", "told"]

BROKER_CALL = 1_000
"""Time limit in ms of a lock or unlock request (``lockBatchMQ``, ``unlockBatchMQ``)."""
UNREGISTER = 3_000
"""Time limit in ms of ``unregisterClient`` (``mqClientApiTimeout``)."""
USUAL = 30
"""Kubernetes' default of ``terminationGracePeriodSeconds``."""
LOOP = number(SETTLING.loop)
"""Default of the longest rebalance, in ms."""
BOUND_TO = ("client", "broker", "renewal")
"""Fields of ``Limits`` on which the explored pauses after a shutdown or crash depend."""
EVENTS_OF_PODS = ("shutdown", "crash", "host-lost")
"""Events whose times are the bounds of ``CASES``."""
CASES = {
    "shutdown": "SIGTERM, shutdown() called",
    "no-shutdown": "SIGTERM, shutdown() not called",
    "killed": "SIGKILL",
    "node-lost": "node lost",
}


@dataclass(frozen=True)
class Summand:
    """One part of the longest duration of ``shutdown()``."""

    time: int
    """Duration in ms."""
    sentence: str


@dataclass(frozen=True)
class Case:
    """One end of a pod, such as SIGKILL."""

    name: str
    """Key of ``CASES``."""
    sentence: str
    bound: int | None
    """Longest time in ms until every queue is consumed again; None if unknown."""


@dataclass(frozen=True)
class Kubernetes:
    """The answer for one client and kind of listener."""

    grace: tuple[Summand, ...]
    """Parts of the longest duration of ``shutdown()``, as read in the sources; empty if the source was not read."""
    each_broker: int
    """Time in ms that each broker adds to ``shutdown()`` if it does not answer."""
    cases: tuple[Case, ...]
    caveats: tuple[str, ...]

    @property
    def total(self) -> int:
        """Longest duration of ``shutdown()``, in ms."""
        return sum(part.time for part in self.grace)

    @property
    def grace_seconds(self) -> int | None:
        """Value of ``terminationGracePeriodSeconds``: the longest duration, rounded up; None if unknown."""
        return -(-self.total // 1_000) if self.grace else None


def ordered(client: OrderedClient, limits: Limits, loop: int = LOOP) -> Kubernetes:
    """Return the answer for ordered listeners.

    ``loop``: longest rebalance, in ms. Bounds are explored with default lock settings, so other settings have none.
    """
    default = all(getattr(limits, name) == getattr(DEFAULTS, name) for name in BOUND_TO)
    pauses = ordered_clients()[client.name].pauses
    java = client.rules.waits_for_listener

    def bound(event: Event) -> int | None:
        ticks = pauses[event.way.name]
        known = default and ticks != NEVER_ENDS and (java or not event.delay)
        return event.delay + ticks * TICK if known else None

    locks = (Summand(2 * BROKER_CALL, "for lock and unlock requests"),)
    cases = _cases(
        tuple(bound(EVENTS[name]) for name in EVENTS_OF_PODS),
        "after it has released its locks and unregistered"
        if java
        else "its locks are released under a running listener",
        "its locks stay until they expire",
        java=java,
    )
    caveat = (
        "These times are explored in steps of 10 s, not proved; `rebalance safe --pauses` lists the assumptions."
        if default
        else "Times are explored only for the default lock settings, so none is known for these settings."
    )
    grace = _grace(number(limits.wait), loop, locks) if java else ()
    return Kubernetes(grace, 2 * BROKER_CALL + UNREGISTER, cases, (caveat,))


def concurrent(wait: int, loop: int, bounds: tuple[int, int, int]) -> Kubernetes:
    """Return the answer for concurrent listeners of a Java client.

    ``wait``: ``awaitTerminationMillisWhenShutdown``. ``loop``: longest rebalance. ``bounds``: longest time until every
    queue is consumed again, after a shutdown, a crash, and the loss of a host. All in ms.
    """
    cases = _cases(
        bounds, "after it has committed its offsets and unregistered", "uncommitted messages are redelivered"
    )
    return Kubernetes(_grace(wait, loop, ()), UNREGISTER, cases, ())


def _grace(wait: int, loop: int, more: tuple[Summand, ...]) -> tuple[Summand, ...]:
    return (
        Summand(2 * wait, "(2 x awaitTerminationMillisWhenShutdown)"),
        *more,
        Summand(UNREGISTER, "to unregister"),
        Summand(loop, "for a running rebalance"),
    )


def _cases(bounds: tuple[int | None, ...], shut: str, crashed: str, *, java: bool = True) -> tuple[Case, ...]:
    after_shutdown, after_crash, after_loss = bounds
    noticed = seconds(EVENTS["host-lost"].delay)
    hook = "the Java client installs no shutdown hook" if java else "the process ends at once"
    return (
        Case("shutdown", shut, after_shutdown),
        Case("no-shutdown", f"as after SIGKILL; {hook}", after_crash),
        Case("killed", f"brokers see the closed connection; {crashed}", after_crash),
        Case("node-lost", f"brokers notice within {noticed}; then as after SIGKILL", after_loss),
    )


def told(every: Sequence[tuple[str, Kubernetes]], *caveats: str) -> Iterator[str]:
    """Yield the lines for a terminal.

    ``every``: each client's name and answer; a name is printed only if there are several. ``caveats``: sentences that
    limit all bounds.
    """
    yield "Kubernetes: longest time until every queue is consumed again"
    several = len(every) > 1
    for name, found in every:
        if several:
            yield f"  {name}:"
        indent = "    " if several else "  "
        yield from (f"{indent}{line}" for line in (*_rows(found), *_period(found)))
    known = any(case.bound is not None for _, found in every for case in found.cases)
    notes = dict.fromkeys((*(line for _, found in every for line in found.caveats), *(caveats if known else ())))
    yield from (f"  {line}" for line in notes)


def _rows(found: Kubernetes) -> Iterator[str]:
    bounds = (("unknown" if case.bound is None else seconds(case.bound)) for case in found.cases)
    yield from aligned(
        [(CASES[case.name], bound, case.sentence) for case, bound in zip(found.cases, bounds, strict=True)]
    )


def _period(found: Kubernetes) -> Iterator[str]:
    if found.grace_seconds is None:
        yield "terminationGracePeriodSeconds: unknown; this client's shutdown was not read."
        return
    short = f"   (Kubernetes' default of {USUAL} is too short)" if found.grace_seconds > USUAL else ""
    yield f"terminationGracePeriodSeconds: {found.grace_seconds}{short}"
    parts = [f"{seconds(part.time)} {part.sentence}" for part in found.grace if part.time]
    yield f"  = {' + '.join(parts)}"
    broker = seconds(found.each_broker)
    yield f"  Read in the sources, not proved; one broker may not answer. Add {broker} for each further such broker,"
    yield "  and the time of a preStop hook."


def document(found: Kubernetes) -> dict[str, Any]:
    """Return the answer as JSON; times in ms, the grace period in seconds."""
    return {
        "termination_grace_period_seconds": found.grace_seconds,
        "shutdown_takes": [vars(part) for part in found.grace],
        "cases": [vars(case) for case in found.cases],
    }
