"""Check one recorded run with all state machines of the model."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from time import perf_counter
from typing import Any

from rebalance_proofs.model.machines.offsets import claims as offsets
from rebalance_proofs.model.machines.ordered import claims as ordered
from rebalance_proofs.model.machines.pulls import claims as pulls
from rebalance_proofs.model.machines.registry import claims as registry
from rebalance_proofs.model.machines.settling import claims as settling
from rebalance_proofs.model.machines.subscriptions import claims as subscriptions
from rebalance_proofs.recorded.cluster import lines, requests, rounds, shares
from rebalance_proofs.recorded.cluster.beats import groups_of
from rebalance_proofs.recorded.cluster.clients import (
    offsets_client,
    ordered_client,
    pulls_client,
    registry_client,
    settling_client,
    subscriptions_client,
)
from rebalance_proofs.recorded.cluster.follower import check as follower
from rebalance_proofs.recorded.cluster.listeners.check import listeners
from rebalance_proofs.recorded.cluster.messages import Messages, stored
from rebalance_proofs.recorded.cluster.requests import Calls
from rebalance_proofs.recorded.cluster.tally import MONITORS, Near, Rejection, Tally, Unexplained
from rebalance_proofs.recorded.cluster.trace import PRODUCING, Trace
from rebalance_proofs.recorded.groups.broker import Answered, Heard, Table, lock_of, offset_of
from rebalance_proofs.recorded.groups.event import Event, GroupData, Request, Response
from rebalance_proofs.recorded.groups.names import DRIVER, PROCESSES
from rebalance_proofs.recorded.rows import printable

# Find events near a rejected event, to print with it.
# Events of all processes about the same queue, group or consumer are listed. An event is rejected if no behaviour of
# a state machine of the model explains it.

BEFORE, AFTER = 10, 4
"""Maximum number of events that are listed before and after the rejected event."""
NAME_OF = {kind: name for name, kind in (*DRIVER.items(), *PROCESSES.items())}
LONGEST = 70
"""Maximum length of an event's text, in characters."""
LEFT_OUT = (
    *("at", "who", "n", "row", "opaque", "keys", "thread", "entry", "born_ago", "consumer_group"),
    *("to", "from_", "timestamp", "sys_flag", "group", "reconsume_times"),
)
"""Fields of events that are not printed: they do not help to understand a queue's history."""


def around(trace: Trace, calls: Calls, who: str, row: int) -> tuple[Near, ...]:
    """Return the events near a line of a process's file, including the event in this line.

    ``who`` is the process's name and ``row`` the line's number. Return nothing if there is no such line.
    """
    found = next((event for event in trace.of.get(who, ()) if event.row == row), None)
    if found is None:
        return ()
    about = {*_about(found)}
    every = (event for events in trace.of.values() for event in events)
    same = [one for one in every if one is found or _same(one, found, about)]
    same.sort(key=lambda one: (one.at, one is not found, one.who, one.row))
    place = next(place for place, one in enumerate(same) if one is found)
    return tuple(_near(calls, one) for one in same[max(0, place - BEFORE) : place + AFTER + 1])


def _same(one: Event, found: Event, about: set[str]) -> bool:
    """Return True if an event is about the same queue, group or consumer.

    Messages and offsets are numerous, so they count only near another message or offset.
    """
    if not about:
        return one.who == found.who and type(one) is type(found)
    many = isinstance(one, PRODUCING) or (isinstance(one, Table) and one.what == "offset")
    alike = isinstance(found, PRODUCING) or (isinstance(found, Table) and found.what == "offset")
    return (alike or not many) and not about.isdisjoint(_about(one))


def _about(event: Event) -> Iterator[str]:
    """Yield the queues that an event names. If it names none, yield its groups and topics."""
    said = [one for name in ("said", "asked") if isinstance(one := getattr(event, name, None), Request)]
    queues = [getattr(event, "q", None), *(one.q for one in said), *(q for one in said for q in one.queues)]
    if isinstance(event, Table):
        key = lock_of(event) or offset_of(event)
        queues.append(key.q if key else None)
    named = [q for q in queues if q]
    if named:
        yield from named
        return
    if isinstance(event, Table):
        yield event.of
    yield from groups_of(event)
    if topic := getattr(event, "topic", None):
        yield topic


def _near(calls: Calls, event: Event) -> Near:
    other = calls.owner(event) or "" if isinstance(event, Heard | Answered) else ""
    said = printable(" ".join((NAME_OF[type(event)], *_said(event))))
    words = said if len(said) <= LONGEST else f"{said[: LONGEST - 1]}…"
    return Near(event.at, event.who, event.row, words, other)


def _said(record: Any) -> Iterator[str]:
    """Yield the values of a record as text; for a flag that is true, its name."""
    for name in (one.name for one in fields(record)):
        value = getattr(record, name)
        if name in LEFT_OUT or value is None or value is False or value in ("", ()):
            continue
        if isinstance(value, Request | Response):
            yield from _said(value)
        elif value is True:
            yield name.rstrip("_")
        elif isinstance(value, tuple):
            yield f"{name} {', '.join(one.group if isinstance(one, GroupData) else str(one) for one in value)}"
        else:
            yield str(value) if name in ("q", "code", "what", "of", "how") else f"{name.rstrip('_')} {value}"


def _offsets(trace: Trace, calls: Calls) -> Tally:
    """Check a trace's offsets with the model's machine, and all messages and listener calls by simple rules."""
    tally = follower.check(offsets.PAGE, offsets_client, trace, calls)
    stored(trace, tally)
    listeners(trace, Messages.of(trace), calls, tally)
    return tally


CHECKS: Mapping[str, Callable[[Trace, Calls], Tally]] = {
    lines.MACHINE: lambda trace, calls: lines.check(trace),
    requests.MACHINE: requests.check,
    shares.MACHINE: lambda trace, calls: shares.check(trace),
    rounds.MACHINE: lambda trace, calls: rounds.check(trace),
    settling.PAGE.name: lambda trace, calls: follower.check(settling.PAGE, settling_client, trace, calls),
    registry.PAGE.name: lambda trace, calls: follower.check(registry.PAGE, registry_client, trace, calls),
    ordered.PAGE.name: lambda trace, calls: follower.check(ordered.PAGE, ordered_client, trace, calls),
    pulls.PAGE.name: lambda trace, calls: follower.check(pulls.PAGE, pulls_client, trace, calls),
    subscriptions.PAGE.name: lambda trace, calls: follower.check(
        subscriptions.PAGE, subscriptions_client, trace, calls
    ),
    offsets.PAGE.name: _offsets,
}
"""Name of a state machine -> function that checks a trace with it, in order of the reports."""


@dataclass(frozen=True)
class Verdict:
    """Results of all state machines for one recorded run."""

    name: str
    """Name of the run's folder, as printed in reports."""
    release: str
    lines: int
    seconds: float
    tallies: tuple[Tally, ...]
    unknown: Mapping[str, int]
    """Unknown events and fields, which were skipped -> how often each occurs."""
    files: Mapping[str, str]
    """Process name -> its file in the run's folder."""
    remarks: tuple[str, ...] = ()
    """Remarks on versions that other releases represent."""

    @property
    def accepted(self) -> bool:
        """True if every state machine explains all events."""
        return all(tally.accepted for tally in self.tallies)

    @property
    def rejections(self) -> list[tuple[str, Rejection]]:
        """All rejected events, each as (name of the state machine, rejection), sorted by time."""
        found = [(tally.machine, one) for tally in self.tallies for one in tally.rejected]
        return sorted(found, key=lambda each: each[1])


def judge(trace: Trace, name: str) -> Verdict:
    """Check a trace with all state machines; ``name`` is printed in reports."""
    begun = perf_counter()
    calls = Calls(trace)
    tallies = tuple(_held(machine, trace, calls) for machine in CHECKS)
    for tally in tallies:
        _look_around(trace, calls, tally)
    unknown = {**trace.beyond.events, **trace.beyond.keys}
    files = {who: path.name for who, path in trace.run.files.items()}
    count = sum(map(len, trace.of.values()))
    return Verdict(name, trace.version, count, perf_counter() - begun, tallies, unknown, files, trace.remarks)


def accepts(trace: Trace, first: str = "") -> bool:
    """Return True if all state machines accept a trace; those after the first that rejects it are not asked.

    ``first``: the state machine that is asked first, by default the first one of ``CHECKS``.
    """
    calls = Calls(trace)
    return all(_held(machine, trace, calls).accepted for machine in sorted(CHECKS, key=lambda one: one != first))


def _look_around(trace: Trace, calls: Calls, tally: Tally) -> None:
    """Attach nearby events to the first rejected event of a state machine."""
    if tally.rejected:
        tally.rejected.sort()
        first = tally.rejected[0]
        tally.rejected[0] = replace(first, near=around(trace, calls, first.who, first.row))


def _held(machine: str, trace: Trace, calls: Calls) -> Tally:
    """Check a trace with one state machine.

    An impossible name or number counts as a rejected event.
    """
    try:
        return CHECKS[machine](trace, calls)
    except (ValueError, LookupError) as error:
        tally = Tally(machine, MONITORS)
        first = min((events[0] for events in trace.of.values() if events), key=lambda event: event.at)
        tally.reject("all", Unexplained(first, f"an event of the trace has an impossible value: {error}"))
        return tally
