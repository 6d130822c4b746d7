"""Effects of a rebalance on a client's process queue table, as a recording shows them."""

from collections import defaultdict
from dataclasses import dataclass, field

from rebalance_proofs.model.client.effects import IN, LOCK, MAX_OFFSET, OUT, PERSIST, READ_OFFSET, REMOVE_OFFSET
from rebalance_proofs.model.client.environment import DENIED, OK
from rebalance_proofs.recorded.cluster.tally import Unexplained
from rebalance_proofs.recorded.groups.event import ENDS, LIST, QUERY, REBALANCING, Event
from rebalance_proofs.recorded.groups.event import LOCK as LOCK_BATCH
from rebalance_proofs.recorded.groups.member import (
    Allocate,
    Answer,
    Ask,
    EntryGone,
    EntryNew,
    OffsetRead,
    OffsetRemoved,
    Persist,
)

UNHEARD = -2
"""Result of ``OffsetStore.readOffset`` if its query fails or gets no answer."""


@dataclass
class Round:
    """One recorded rebalance of one topic: its result, and its effects on each queue."""

    allocate: Allocate
    seen: defaultdict[str, list[tuple[Event, str, object]]] = field(default_factory=lambda: defaultdict(list))
    """Queue -> its events in order, as (event, effect as "locked", detail as an offset)."""
    had: frozenset[str] = frozenset()
    """Queues of the topic that were in the process queue table at the start of the rebalance."""
    lost: set[str] = field(default_factory=set)
    """Queues that another thread has removed from the table during the rebalance: the rebalance can add them again."""
    whole: bool = True
    """True if the recording contains the rebalance from its start to its end."""
    beside: list[frozenset[str]] = field(default_factory=list)
    """Results of concurrent rebalances of the topic, if the user called ``resume()``.

    ``resume()`` rebalances on the caller's thread.
    """


@dataclass
class Asked:
    """Requests of rebalancing threads, to recognise which answers belong to a rebalance."""

    of: dict[int, Ask] = field(default_factory=dict)
    reads: dict[str, str] = field(default_factory=dict)
    """Queue -> thread that last requested the queue's committed offset."""
    threads: set[str] = field(default_factory=lambda: {REBALANCING})
    """Threads that rebalance; a thread that requests a group's consumer ids is one of them."""


def shown(event: Event, known: Asked) -> tuple[str, str, object] | None:
    """Return what an event shows of a rebalance, as (queue, effect, detail).

    Return None for other events. Details are a broker's answer to a lock request, or an offset.
    """
    if isinstance(event, Ask):
        known.of[event.opaque] = event
        if event.code == LIST:
            known.threads.add(event.thread)
        if event.code == QUERY and event.said.q:
            known.reads[event.said.q] = event.thread
        return None
    if isinstance(event, Answer):
        ask = known.of.get(event.opaque)
        if ask is None or ask.thread not in known.threads or ask.code != event.code:
            return None
        if event.code == LOCK_BATCH and len(ask.said.queues) == 1:
            (q,) = ask.said.queues
            return q, LOCK, OK if q in (event.said.granted or ()) else DENIED
        if event.code == ENDS and ask.said.q:
            return ask.said.q, MAX_OFFSET, event.said.offset
        return None
    if isinstance(event, OffsetRead):
        thread = known.reads.get(event.q, REBALANCING)
        return (event.q, READ_OFFSET, event.result) if thread in known.threads else None
    if isinstance(event, OffsetRemoved):
        return event.q, REMOVE_OFFSET, None
    if isinstance(event, Persist):
        return event.q, PERSIST, None
    if isinstance(event, EntryNew):
        return event.q, IN, None
    if isinstance(event, EntryGone) and event.how != "clear":
        return event.q, OUT, None
    return None


def keep(table: dict[str, str], event: Event, q: str, *, closing: bool) -> None:
    """Apply an added or removed process queue to ``table``: queue -> identity of process queue.

    Raises ``Unexplained`` if the event contradicts the table.
    """
    if isinstance(event, EntryNew):
        if q in table:
            raise Unexplained(event, f"{q} already has the entry {table[q]}")
        table[q] = event.entry
    elif isinstance(event, EntryGone):
        if table.get(q) != event.entry:
            raise Unexplained(event, f"{q} has the entry {table.get(q)}, not {event.entry}")
        del table[q]
