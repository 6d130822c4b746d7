"""Ends of a consumer on Kubernetes, and the grace period that its ``shutdown()`` needs."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from rebalance_proofs.model.machine.values import number
from rebalance_proofs.model.machines.ordered.actions import OrderedClient
from rebalance_proofs.model.machines.ordered.state import DEFAULTS, Limits
from rebalance_proofs.model.machines.settling.actions import DEFAULTS as SETTLING
from rebalance_proofs.proofs.ordered.passing import NEVER_ENDS, TICK
from rebalance_proofs.report.ordered.two_events import ONE_EVENT, composed
from rebalance_proofs.report.settling.rendered import REFUSED_MORE
from rebalance_proofs.report.settling.settle import (
    EVENTS,
    LONGER,
    UNEXPLORED,
    Event,
    ordered_parts,
    restarts_apart,
)
from rebalance_proofs.report.text.english import seconds
from rebalance_proofs.report.text.wrapping import aligned

PULL_SERVICE = 2_000
"""Time in ms that ``PullMessageService.shutdown`` takes at most: two waits of 1 s."""
ALLOWANCE = 20_000
"""Time in ms that is added for each broker that may not answer, which is an allowance: no bound is known."""
USUAL = 30
"""Kubernetes' default of ``terminationGracePeriodSeconds``."""
LOOP = number(SETTLING.loop)
"""Default of the longest rebalance, in ms."""
BOUND_TO = ("client", "broker", "renewal")
"""Fields of ``Limits`` on which all explored pauses depend."""
LONGEST_UNLOCK = 40_000
"""Longest ``unlockDelayTimeMills`` in ms for which pauses are known to be as by default, from Java 5.2 on."""
EVENTS_OF_PODS = ("shutdown", "crash", "host-lost")
"""Events whose times are the bounds of ``CASES``."""
CASES = {
    "shutdown": "SIGTERM, shutdown() called",
    "no-shutdown": "SIGTERM, shutdown() not called",
    "killed": "SIGKILL",
    "node-lost": "node lost",
}
MORE = f"Times are given without the time of{LONGER.removeprefix(', plus the time of')}, which comes in addition."
EXPLORED = "These times are explored in steps of 10 s, not proved; `rebalance safe --pauses` lists the assumptions."
MOVES = "They include queues that move between two consumers that stay."
OTHER_LOCKS = "Times are explored only for the default lock settings, so none is known for these settings."
OTHER_LISTENERS = f"Unknown: {UNEXPLORED}."
SECOND = (
    "They hold even if one other consumer joins, shuts down or crashes at any time, such as a replacement pod; a third "
    "event can prolong them."
)
REPLACED = "A replacement pod that joins is a second event."
REFUSED = f"{REFUSED_MORE}."
REFUSED_IN_GO = "Refused pulls of the Go client can add more; how much is unknown."
ONE = f"These times hold {ONE_EVENT}"
OF_ALL_BOUNDS = (REFUSED, ONE)
"""Caveats that the rest of the answer of ``rebalance settle`` prints for its own bound, too."""
MIXED = "Each row assumes that all consumers of the group run this client."


@dataclass(frozen=True)
class Summand:
    """One part of the time for ``shutdown()``."""

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
    """Longest time in ms for which a queue waits for its owner; None if unknown."""


@dataclass(frozen=True)
class Kubernetes:
    """The answer for one client and kind of listener."""

    grace: tuple[Summand, ...]
    """Parts of the time for ``shutdown()`` if all brokers answer, as read in the sources; empty if not read."""
    cases: tuple[Case, ...]
    caveats: tuple[str, ...]
    orderly: bool
    """True for ordered listeners, whose bounds leave out rebalances and first pulls."""
    apart: int | None = None
    """Distance in ms from the end of a restart at which the next finds a calm group; None if unknown."""

    @property
    def takes(self) -> tuple[Summand, ...]:
        """Parts of the time for ``shutdown()``, with the allowance for one broker; empty if unknown."""
        allowance = Summand(ALLOWANCE, "allowed for one broker that does not answer")
        return (*self.grace, allowance) if self.grace else ()

    @property
    def grace_seconds(self) -> int | None:
        """Value of ``terminationGracePeriodSeconds``: the sum of the parts, rounded up; None if unknown."""
        return -(-sum(part.time for part in self.takes) // 1_000) if self.grace else None

    @property
    def min_ready_seconds(self) -> int | None:
        """Value of ``minReadySeconds`` with which each restart begins in a calm group; None if unknown.

        A replaced pod can take its whole grace period to shut down after its replacement is ready.
        """
        if self.apart is None or self.grace_seconds is None:
            return None
        return -(-self.apart // 1_000) + self.grace_seconds


def ordered(client: OrderedClient, limits: Limits, loop: int = LOOP, busy: int = 0) -> Kubernetes:
    """Return the answer for ordered listeners.

    ``loop``: longest rebalance, in ms. ``busy``: number of listeners that a rebalance waits for. Bounds are explored
    with default lock settings and short listeners, so other settings have none.
    """
    default = _like_default(client, limits)
    java = client.rules.waits_for_listener

    explored, waits = composed(client.name), busy * client.rebalance.try_lock

    def bound(event: Event) -> int | None:
        parts = ordered_parts(client, event, busy=busy, listener=number(limits.listener))
        known = parts is not None and default and (java or not event.delay)
        ticks = explored.planned(event.explored)
        return ticks * TICK + waits if known and ticks is not None and ticks != NEVER_ENDS else None

    bounds = tuple(bound(EVENTS[name]) for name in EVENTS_OF_PODS)
    cases = _cases(
        bounds,
        "which takes up to the grace period" if java else "which releases its locks under a running listener",
        "its locks stay until they expire",
        java=java,
    )
    if number(limits.listener) > TICK:
        caveats: tuple[str, ...] = (OTHER_LISTENERS,)
    elif not default:
        caveats = (OTHER_LOCKS,)
    else:
        caveats = (EXPLORED, MOVES, SECOND, REFUSED if java else REFUSED_IN_GO)
    apart = restarts_apart(explored, waits) if default and number(limits.listener) <= TICK else None
    return Kubernetes(_grace(number(limits.wait), loop) if java else (), cases, caveats, orderly=True, apart=apart)


def _like_default(client: OrderedClient, limits: Limits) -> bool:
    """Return whether no pause is longer with these lock settings than with the default ones."""
    if any(getattr(limits, name) != getattr(DEFAULTS, name) for name in BOUND_TO):
        return False
    if client.puts_off:
        return number(limits.unlock) <= number(DEFAULTS.unlock)
    return not client.forces or number(limits.unlock) <= LONGEST_UNLOCK


def concurrent(wait: int, loop: int, bounds: tuple[int, int, int], apart: int | None) -> Kubernetes:
    """Return the answer for concurrent listeners of a Java client.

    ``wait``: ``awaitTerminationMillisWhenShutdown``. ``loop``: longest rebalance. ``bounds``: longest time until every
    queue is consumed again, after a shutdown, a crash, and the loss of a host. ``apart``: distance between restarts, or
    None. All in ms.
    """
    cases = _cases(bounds, "which takes up to the grace period", "uncommitted messages are redelivered")
    return Kubernetes(_grace(wait, loop), cases, (REPLACED, REFUSED, ONE), orderly=False, apart=apart)


def _grace(wait: int, loop: int) -> tuple[Summand, ...]:
    return (
        Summand(2 * wait, "(2 x awaitTerminationMillisWhenShutdown)"),
        Summand(loop, "for a running rebalance"),
        Summand(PULL_SERVICE, "for the pull service"),
    )


def _cases(bounds: tuple[int | None, ...], shut: str, crashed: str, *, java: bool = True) -> tuple[Case, ...]:
    after_shutdown, after_crash, after_loss = bounds
    noticed = seconds(EVENTS["host-lost"].delay)
    hook = "no hook of the Java client calls shutdown()" if java else "the process ends at once"
    return (
        Case("shutdown", f"counted from the end of shutdown(), {shut}", after_shutdown),
        Case("no-shutdown", f"as after SIGKILL; {hook}", after_crash),
        Case("killed", f"brokers see the closed connection; {crashed}", after_crash),
        Case("node-lost", f"brokers notice within {noticed}; then as after SIGKILL", after_loss),
    )


def told(every: Sequence[tuple[str, Kubernetes]], printed: Collection[str] = ()) -> Iterator[str]:
    """Yield the lines for a terminal.

    ``every``: each client's name and answer; a name is printed only if there are several. ``printed``: caveats that
    the caller prints elsewhere.
    """
    longer = LONGER if any(found.orderly for _, found in every) else ""
    yield f"Kubernetes: longest wait of a queue for its owner{longer}"
    several = len(every) > 1
    for name, found in every:
        if several:
            yield f"  {name}:"
        indent = "    " if several else "  "
        yield from (f"{indent}{line}" for line in (*_rows(found), *_period(found)))
    if several:
        yield f"  {MIXED}"
    notes = dict.fromkeys(line for _, found in every for line in found.caveats if line not in printed)
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
    yield f"  = {' + '.join(parts)}, if all brokers answer (read in the sources, not proved)"
    allowed = seconds(ALLOWANCE)
    yield f"  + {allowed} for one broker that does not answer: an allowance, not a bound."
    yield f"  Add {allowed} for each further broker that may not answer. Add the time of a preStop hook."
    yield "  Consumers of one process shut down one after the other: add their times."
    if found.min_ready_seconds is not None:
        yield f"minReadySeconds: {found.min_ready_seconds}"
        yield (
            f"  = {seconds(found.apart or 0)} from the end of a restart until the next one finds a calm group "
            "(explored, not proved) + the grace period."
        )
        yield "  It helps only if pods restart one at a time: maxSurge 1 and maxUnavailable 0."


def document(found: Kubernetes) -> dict[str, Any]:
    """Return the answer as JSON; times in ms, the grace period in seconds."""
    return {
        "termination_grace_period_seconds": found.grace_seconds,
        "min_ready_seconds": found.min_ready_seconds,
        "shutdown_takes": [vars(part) for part in found.takes],
        "allowance_per_broker": ALLOWANCE if found.grace else None,
        "cases": [vars(case) for case in found.cases],
        "caveats": [*[MORE] * found.orderly, MIXED, *found.caveats],
        "proved": False,
    }
