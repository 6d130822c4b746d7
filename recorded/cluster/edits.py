"""Mutation test of the recording checks: edit traces at random.

Most edits should be rejected; the share of rejected edits is measured.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from random import Random
from typing import Any

from rebalance_proofs.model.client.pull_from_where import is_retry
from rebalance_proofs.recorded.cluster.trace import Trace
from rebalance_proofs.recorded.groups.broker import Answered, Heard, Table
from rebalance_proofs.recorded.groups.event import BEAT, BYE, ENDS, LIST, LOCK, PULL, QUERY, UNLOCK, UPDATE, Event, Sent
from rebalance_proofs.recorded.groups.member import (
    Allocate,
    Answer,
    Ask,
    Begin,
    End,
    Entry,
    EntryGone,
    EntryNew,
    Notified,
    OffsetRead,
    OffsetRemoved,
    OffsetUpdate,
    Persist,
    Pulled,
)

QUEUES = ("result", "queues", "granted", "ids", "cid_all")
"""Fields of events that contain lists of queues or client ids."""
PARTS = ("said", "asked")
"""Fields of events that contain requests or responses, which name queues and clients."""
LEAST, MOST = 500, 30_000
"""Shortest and longest time in ms by which a moved event comes earlier or later."""
MACHINES: Mapping[type[Event], str] = {
    Allocate: "allocation",
    EntryNew: "transition",
    EntryGone: "transition",
    OffsetRead: "transition",
    OffsetRemoved: "transition",
    Persist: "transition",
    Notified: "settling",
    Entry: "ordered",
    Begin: "offsets",
    End: "offsets",
    OffsetUpdate: "offsets",
    Sent: "offsets",
    Pulled: "pulls",
}
OF_CODE = {
    PULL: "pulls",
    UPDATE: "offsets",
    QUERY: "transition",
    ENDS: "transition",
    LIST: "settling",
    LOCK: "ordered",
    UNLOCK: "ordered",
    BEAT: "registry",
    BYE: "registry",
}
OF_TABLE = {"members": "registry", "subs": "subscriptions", "lock": "ordered", "offset": "offsets"}


def machine_of(event: Event) -> str | None:
    """Return the state machine of the model that checks an event.

    Return None for the driver's events, and for others that no machine checks.
    """
    if isinstance(event, Answered) and event.code == PULL:
        return "subscriptions"
    if isinstance(event, (Ask, Answer, Heard, Answered)):
        return OF_CODE.get(event.code)
    if isinstance(event, Table):
        return OF_TABLE.get(event.what)
    return MACHINES.get(type(event))


@dataclass(frozen=True)
class Edit:
    """One random change of a trace: an event was removed, moved, or got another queue or client."""

    kind: str
    """``taken out``, ``moved`` or ``exchanged`` (a queue or client id was replaced)."""
    machine: str
    event: Event
    after: Event | None
    """The event after the edit; None if the edit removed it."""


def edited(trace: Trace, seed: int, machine: str | None = None) -> tuple[Edit, Trace]:
    """Return a random edit and the edited trace; the same seed gives the same edit.

    ``machine`` restricts the edit to events that this state machine checks. Line numbers are adapted.
    """
    random = Random(f"{seed} {machine} {trace.run.folder.name}")
    places = [
        (who, place)
        for who, events in trace.of.items()
        for place, event in enumerate(events)
        if (about := machine_of(event)) is not None and machine in (None, about)
    ]
    while True:
        who, place = random.choice(places)
        event = trace.of[who][place]
        kind = random.choice([*EDITS])
        after = EDITS[kind](event, random, trace)
        if after is event:
            continue
        rest = [*trace.of[who][:place], *trace.of[who][place + 1 :]]
        lines = sorted([*rest, after], key=lambda each: (each.at, each.row)) if after else rest
        numbered = [replace(one, row=row) for row, one in enumerate(lines, start=1)]
        edit = Edit(kind, machine_of(event) or "", event, after)
        return edit, Trace(trace.run, trace.version, trace.beyond, {**trace.of, who: numbered})


def _takes_out(event: Event, random: Random, trace: Trace) -> Event | None:
    return None


def _moves(event: Event, random: Random, trace: Trace) -> Event:
    by = random.randint(LEAST, MOST) * random.choice((-1, 1))
    return replace(event, at=max(0, event.at + by))


def _exchanges(event: Event, random: Random, trace: Trace) -> Event:
    """Return the event with a queue or client id replaced by another.

    Return the event unchanged if it names none.
    """
    names = sorted(set(_names(event)))
    others = sorted(_all_names(trace))
    if not names:
        return event
    name = random.choice(names)
    alike = [one for one in others if one != name and _shape(one) == _shape(name)]
    return _with(event, name, random.choice(alike)) if alike else event


EDITS: Mapping[str, Callable[[Event, Random, Trace], Event | None]] = {
    "taken out": _takes_out,
    "moved": _moves,
    "exchanged": _exchanges,
}


def _shape(name: str) -> tuple[int, bool, bool]:
    return name.count(":"), "@" in name, is_retry(name)


def _names(value: Any) -> Iterator[str]:
    """Yield the names of queues and clients in a field's value."""
    for one in fields(value) if is_dataclass(value) else ():
        held = getattr(value, one.name)
        if (one.name in ("q", "of", "client_id", "cid") and isinstance(held, str) and ":" in held) or _client(held):
            yield held
        elif isinstance(held, tuple) and one.name in QUEUES:
            yield from held
        elif one.name in PARTS:
            yield from _names(held)


def _client(held: object) -> bool:
    return isinstance(held, str) and "@" in held and " " not in held and held.count(":") == 0


def _all_names(trace: Trace) -> set[str]:
    found: set[str] = set()
    for events in trace.of.values():
        for event in events[:400]:
            found.update(_names(event))
    return found


def _with(value: Any, name: str, other: str) -> Any:
    """Return a field's value with each ``name`` replaced by ``other``."""
    changed: dict[str, Any] = {}
    for one in fields(value):
        held = getattr(value, one.name)
        if isinstance(held, str) and held == name:
            changed[one.name] = other
        elif isinstance(held, tuple) and name in held and one.name in QUEUES:
            changed[one.name] = tuple({name: other}.get(each, each) for each in held)
        elif one.name in PARTS and is_dataclass(held):
            changed[one.name] = _with(held, name, other)
    return replace(value, **changed) if changed else value
