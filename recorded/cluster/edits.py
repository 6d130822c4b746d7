"""Mutation test of the recording checks: edit traces at random, in ways that a real group does not show.

Most edits should be rejected; the share of rejected edits is measured. An edit can be legal by chance.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from random import Random
from typing import Any

from rebalance_proofs.model.client.pull_from_where import is_retry
from rebalance_proofs.model.subscriptions import Refusal
from rebalance_proofs.recorded.cluster.beats import groups_of
from rebalance_proofs.recorded.cluster.trace import LOOK, STALL, Trace
from rebalance_proofs.recorded.groups.broker import Answered, Heard, Table, lock_of, offset_of
from rebalance_proofs.recorded.groups.event import (
    BEAT,
    BYE,
    ENDS,
    ILLEGAL,
    LIST,
    LOCK,
    PULL,
    QUERY,
    UNLOCK,
    UPDATE,
    Event,
    Sent,
)
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
LEAST, MOST = STALL, 30_000
"""Shortest and longest time in ms by which a moved event comes earlier or later; shorter pauses leave no event."""
STEP = 20
"""Largest change of an offset."""
NOT_LATEST = Refusal.SUBSCRIPTION_NOT_LATEST.value
STATUSES = ("FOUND", "NO_NEW_MSG", ILLEGAL)
"""Results of pulls (``PullStatus``)."""
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

    Return None for the driver's events, and for others that no machine checks: heartbeats of producers, and answers to
    pulls as they arrive, since their results are recorded as ``pulled``.
    """
    said = event.asked if isinstance(event, Answered) else getattr(event, "said", None)
    if isinstance(event, Ask | Heard | Answered) and event.code == BEAT and not (said and said.groups):
        return None
    if isinstance(event, Answer) and event.code == PULL:
        return None
    if isinstance(event, Answered) and event.code == PULL:
        return "subscriptions"
    if isinstance(event, (Ask, Answer, Heard, Answered)):
        return OF_CODE.get(event.code)
    if isinstance(event, Table):
        return OF_TABLE.get(event.what)
    return MACHINES.get(type(event))


def _groups(event: Event) -> set[str]:
    """Return the groups that an event names."""
    if isinstance(event, Table):
        key = lock_of(event) or offset_of(event)
        return {key.group if key else event.of}
    return {*groups_of(event)}


Changes = Sequence[tuple[Event, Sequence[Event]]]
"""Events of a trace, each with the events that take its place."""


@dataclass(frozen=True)
class Edit:
    """One random change of a trace."""

    kind: str
    """Key of ``EDITS``."""
    machine: str
    event: Event
    after: Event | None
    """The event after the edit; None if the edit removed it."""


def edited(trace: Trace, seed: int, machine: str | None = None, kind: str | None = None) -> tuple[Edit, Trace]:
    """Return a random edit and the edited trace; the same arguments give the same edit.

    ``machine`` restricts the edit to events that this state machine checks, and ``kind`` to a key of ``EDITS``. Events
    about groups without a recorded consumer are not edited: no machine checks them. Line numbers are adapted. Raises
    ``LookupError`` if the trace has no event for such an edit.
    """
    random = Random(f"{seed} {machine} {kind or ''} {trace.run.folder.name}")
    known = {started.group for started in trace.consumers.values()}
    every = (one for events in trace.of.values() for one in events if machine in (None, machine_of(one)))
    places = [one for one in every if machine_of(one) and _groups(one) <= known]
    for event in random.sample(places, len(places)):
        name = kind or random.choice([*EDITS])
        if changes := EDITS[name](event, random, trace):
            after = next(iter(changes[0][1]), None)
            return Edit(name, machine_of(event) or "", event, after), changed(trace, changes)
    raise LookupError(f"no event of {machine or 'any machine'} can be edited{f' in this way: {kind}' if kind else ''}")


def changed(trace: Trace, changes: Changes) -> Trace:
    """Return the trace after changes, with new line numbers."""
    of, made = dict(trace.of), {id(event): after for event, after in changes}
    for who in {event.who for event, _ in changes}:
        lines = [one for event in trace.of[who] for one in made.get(id(event), (event,))]
        lines.sort(key=lambda one: (one.at, one.row))
        of[who] = [replace(one, row=row) for row, one in enumerate(lines, start=1)]
    return Trace(trace.run, trace.version, trace.beyond, of)


# ---- Kinds of edits: each returns the changes, or nothing if the kind does not apply to the event


def _removed(event: Event, random: Random, trace: Trace) -> Changes:
    """Remove the event, unless that is legal.

    The process may end before the effects must show, a poll can find two changes at once, and a client may know the
    queues of a topic a rebalance later.
    """
    life = next(life for life in trace.lives(event.who) if event in life)
    alike = [one for one in life if type(one) is type(event) and _row(one) == _row(event)]
    later = [one.at - event.at for one in alike[alike.index(event) + 1 :]]
    both = isinstance(event, Entry | Table) and later and later[0] < 2 * LOOK
    first = isinstance(event, Allocate) and event == alike[0]
    if both or first or life[-1].at - event.at < STALL:
        return []
    return [(event, ())]


def _row(event: Event) -> tuple[str, ...]:
    """Return the polled row of a table, or the topic that is divided; nothing for other events."""
    if isinstance(event, Table):
        return event.what, event.of
    if isinstance(event, Allocate):
        return (event.topic,)
    return (event.q, event.entry) if isinstance(event, Entry) else ()


def _moved(event: Event, random: Random, trace: Trace) -> Changes:
    by = random.randint(LEAST, MOST) * random.choice((-1, 1))
    return [(event, [replace(event, at=max(0, event.at + by))])]


def _doubled(event: Event, random: Random, trace: Trace) -> Changes:
    """Let the event happen a second time; a request gets another number."""
    again = replace(event, opaque=event.opaque + 1_000_000) if isinstance(event, (Ask, Heard)) else event
    return [(event, [event, replace(again, at=event.at + 1)])]


def _reordered(event: Event, random: Random, trace: Trace) -> Changes:
    """Exchange the event and the process's next different event about the same queue, if they are apart in time."""
    q, lines = _queue(event), trace.of[event.who]
    later = (one for one in lines if one.at > event.at + LEAST and type(one) is not type(event) and _queue(one) == q)
    other = next(later, None) if q else None
    return [(event, [replace(event, at=other.at)]), (other, [replace(other, at=event.at)])] if other else []


def _renamed(event: Event, random: Random, trace: Trace) -> Changes:
    """Replace the name of a queue or of a client by another."""
    names = sorted(set(_names(event)))
    others = sorted(_all_names(trace))
    if not names:
        return []
    name = random.choice(names)
    alike = [one for one in others if one != name and _shape(one) == _shape(name)]
    return [(event, [_with(event, name, random.choice(alike))])] if alike else []


def _owner(event: Event, random: Random, trace: Trace) -> Changes:
    """Give a lock in the broker's table to another client, or take a queue out of a rebalance's result."""
    if isinstance(event, Table) and event.what == "lock" and event.is_:
        clients = [one for one in sorted(_all_names(trace)) if "@" in one]
        mine, others = ([one for one in clients if (one in event.is_) is own] for own in (True, False))
        return (
            [(event, [replace(event, is_=event.is_.replace(mine[0], random.choice(others)))])]
            if mine and others
            else []
        )
    if isinstance(event, Allocate) and event.result:
        gone = random.choice(event.result)
        left = tuple(q for q in event.result if q != gone)
        return [(event, [replace(event, result=left)])]
    return []


def _granted(event: Event, random: Random, trace: Trace) -> Changes:
    """Grant a lock that was denied, or deny one that was granted; the client hears the same."""
    if not isinstance(event, Answered) or event.code != LOCK or event.said.granted is None:
        return []
    whole = event.asked.queues if event.said.granted != event.asked.queues else ()
    heard = [
        one
        for who in trace.consumers
        for one in trace.kind(Answer, who)
        if one.code == LOCK and one.opaque == event.opaque and 0 <= one.at - event.at <= MOST
    ][:1]
    both: list[Answered | Answer] = [event, *heard]
    return [(one, [replace(one, said=replace(one.said, granted=whole))]) for one in both]


def _offset(event: Event, random: Random, sign: int) -> Changes:
    """Change the offset that an event names by up to ``STEP``, unless it would be negative."""
    by = sign * random.randint(1, STEP)
    after: Event
    if isinstance(event, OffsetUpdate):
        offset, after = event.offset, replace(event, offset=event.offset + by)
    elif isinstance(event, OffsetRead):
        offset, after = event.result, replace(event, result=event.result + by)
    elif isinstance(event, Ask) and event.code == UPDATE:
        offset = int(event.said.commit_offset or 0)
        after = replace(event, said=replace(event.said, commit_offset=offset + by))
    elif isinstance(event, Ask) and event.code == PULL:
        offset = int(event.said.queue_offset or 0)
        after = replace(event, said=replace(event.said, queue_offset=offset + by))
    elif isinstance(event, Table) and event.what == "offset" and event.is_ and event.is_.isdecimal():
        offset = int(event.is_)
        after = replace(event, is_=str(offset + by))
    else:
        return []
    return [(event, [after])] if min(offset, offset + by) >= 0 else []


def _raised(event: Event, random: Random, trace: Trace) -> Changes:
    return _offset(event, random, 1)


def _lowered(event: Event, random: Random, trace: Trace) -> Changes:
    return _offset(event, random, -1)


def _flag(event: Event, random: Random, trace: Trace) -> Changes:
    """Negate a flag of a process queue."""
    name = random.choice(("dropped", "locked"))
    if isinstance(event, EntryNew) or (isinstance(event, (Entry, EntryGone)) and name == "locked"):
        return [(event, [replace(event, locked=not event.locked)])]
    if isinstance(event, (Entry, EntryGone)):
        return [(event, [replace(event, dropped=not event.dropped)])]
    return []


def _messages(event: Event, random: Random, trace: Trace) -> Changes:
    """Leave out a pull's last message, or add the next one; move a listener call to the messages beside its own."""
    by = random.choice((-1, 1))
    if isinstance(event, Pulled) and event.got:
        got = event.got[:-1] if by < 0 else (*event.got, event.got[-1] + 1)
        return [(event, [replace(event, got=got)])]
    if isinstance(event, Begin):
        moved = tuple(one + by for one in event.offsets)
        return [(event, [replace(event, offsets=moved)])]
    if isinstance(event, End):
        return [(event, [replace(event, from_=event.from_ + by, to=event.to + by)])]
    return []


def _answer(event: Event, random: Random, trace: Trace) -> Changes:
    """Let a broker refuse what it accepted, or accept what it refused; or change a member list."""
    if isinstance(event, Answered):
        code = 0 if event.said.code else NOT_LATEST
        return [(event, [replace(event, said=replace(event.said, code=code))])]
    if isinstance(event, Pulled):
        other = random.choice([one for one in STATUSES if one != event.status])
        return [(event, [replace(event, status=other)])]
    if isinstance(event, Answer) and event.said.ids:
        return [(event, [replace(event, said=replace(event.said, ids=event.said.ids[:-1]))])]
    if isinstance(event, Answer) and event.said.granted is not None:
        return [(event, [replace(event, said=replace(event.said, granted=(*event.said.granted, "T1:b0:99")))])]
    return []


def _version(event: Event, random: Random, trace: Trace) -> Changes:
    """Change the versions of the subscriptions in a heartbeat or in a broker's table."""
    by = random.choice((-1, 1)) * random.randint(LEAST, MOST)
    if isinstance(event, (Ask, Heard)) and event.said.groups:
        groups = tuple(
            replace(one, subs={k: _other_version(v, by) for k, v in one.subs.items()}) for one in event.said.groups
        )
        return (
            [(event, [replace(event, said=replace(event.said, groups=groups))])] if groups != event.said.groups else []
        )
    if isinstance(event, Table) and event.what == "subs" and event.is_:
        is_ = re.sub(r"@\d+", lambda found: _other_version(found[0], by), event.is_)
        return [(event, [replace(event, is_=is_)])] if is_ != event.is_ else []
    return []


def _other_version(said: str, by: int) -> str:
    text, _, version = said.rpartition("@")
    return f"{text}@{max(0, int(version) + by)}"


EDITS: Mapping[str, Callable[[Event, Random, Trace], Changes]] = {
    "removed": _removed,
    "moved": _moved,
    "doubled": _doubled,
    "exchanged with the next": _reordered,
    "other queue or client": _renamed,
    "other owner": _owner,
    "other grant": _granted,
    "larger offset": _raised,
    "smaller offset": _lowered,
    "other flag": _flag,
    "other messages": _messages,
    "other answer": _answer,
    "other version": _version,
}


def _queue(event: Event) -> str | None:
    return event.said.q if isinstance(event, Ask) else getattr(event, "q", None)


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
