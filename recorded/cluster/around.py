"""Find events near a rejected event, to print with it.

Events of all processes about the same queue, group or consumer are listed. An event is rejected if no behaviour of a
state machine of the model explains it.
"""

from collections.abc import Iterator
from dataclasses import fields
from typing import Any

from rebalance_proofs.recorded.cluster.near import Near
from rebalance_proofs.recorded.cluster.requests import Calls
from rebalance_proofs.recorded.cluster.trace import PRODUCING, Trace
from rebalance_proofs.recorded.groups.broker import Answered, Heard, Table, lock_of, offset_of
from rebalance_proofs.recorded.groups.event import Event
from rebalance_proofs.recorded.groups.names import DRIVER, PROCESSES
from rebalance_proofs.recorded.groups.requests import GroupData, Request, Response
from rebalance_proofs.recorded.text import printable

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
    yield from (one.consumer_group for one in said if one.consumer_group)
    yield from (group.group for one in said for group in one.groups or ())
    if topic := getattr(event, "topic", None):
        yield topic


def _near(calls: Calls, event: Event) -> Near:
    other = calls.owners.get((event.who, event.from_), "") if isinstance(event, Heard | Answered) else ""
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
