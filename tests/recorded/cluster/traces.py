"""Shipped recordings as traces; each is read once in a process."""

from dataclasses import replace
from functools import cache

from rebalance_proofs.recorded.cluster.judge import CHECKS, Verdict, judge
from rebalance_proofs.recorded.cluster.requests import Calls
from rebalance_proofs.recorded.cluster.trace import Trace
from rebalance_proofs.recorded.groups.event import Event
from rebalance_proofs.recorded.groups.run import shipped

SMALL = (
    "java-4.9.8/c2_ordered_long",
    "java-4.9.8/l_delayed_unlock",
    "java-4.9.8/n_await_ordered",
    "java-4.9.8/o_shutdown_ordered",
    "java-4.9.8/j_shutdown",
    "java-4.9.8/x_start_threw",
)
"""Those that are held in half a second or less, each."""


@cache
def trace(scenario: str) -> Trace:
    """The trace of a scenario such as ``java-5.3.3/relock``."""
    version, _, name = scenario.partition("/")
    return Trace.read(shipped(version, name), version.removeprefix("java-"))


def first(of: Trace, who: str, kind: type[Event], **fields: object) -> Event:
    """The first event of a kind with these values."""
    return next(
        event for event in of.kind(kind, who) if all(getattr(event, name) == value for name, value in fields.items())
    )


def without(of: Trace, event: Event) -> Trace:
    """The trace without an event; the lines of its process are numbered anew."""
    return _with(of, event.who, [one for one in of.of[event.who] if one is not event])


def changed(of: Trace, event: Event, **changes: object) -> Trace:
    """The trace with another event in an event's place, at its time."""
    after = replace(event, **changes)  # type: ignore[arg-type]
    lines = [after if one is event else one for one in of.of[event.who]]
    return _with(of, event.who, sorted(lines, key=lambda one: (one.at, one.row)))


def _with(of: Trace, who: str, lines: list[Event]) -> Trace:
    numbered = [replace(one, row=row) for row, one in enumerate(lines, start=1)]
    return replace(of, of={**of.of, who: numbered})


def held(of: Trace) -> Verdict:
    """The verdict of all machines."""
    return judge(of, "edited")


def whys(of: Trace, machine: str) -> list[str]:
    """Why a machine does not accept the trace, by time."""
    return [one.why for one in sorted(CHECKS[machine](of, Calls(of)).rejected)]
