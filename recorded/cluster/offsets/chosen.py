"""Select messages for which the model's behaviours are searched.

A search for all would take too long.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rebalance_proofs.recorded.cluster.trace import STALL, Trace
from rebalance_proofs.recorded.groups.event import Event
from rebalance_proofs.recorded.groups.member import Begin, End, EntryGone, EntryNew, Pulled

EVERY = 16
"""Messages whose offset is a multiple of this number are selected as well."""
WAITING = 2
"""Maximum of selected messages that still wait when their process queue is removed."""


@dataclass
class Told:
    """Selected messages and listener calls of one process."""

    chosen: set[tuple[str, str, int]] = field(default_factory=set)
    """Selected messages, each as (queue, identity of its process queue, offset)."""
    begins: defaultdict[tuple[str, int], list[Begin]] = field(default_factory=lambda: defaultdict(list))
    """(queue, offset) of a message -> the listener calls with this message, sorted by time."""
    messages: int = 0
    """Number of messages that the consumer has pulled."""


def again(trace: Trace) -> Mapping[str, frozenset[tuple[str, int]]]:
    """Return, for each group, messages received more than once, as (queue, offset)."""
    times: defaultdict[str, Counter[tuple[str, int]]] = defaultdict(Counter)
    for who, started in trace.consumers.items():
        for event in trace.kind(Begin, who):
            times[started.group].update((event.q, offset) for offset in event.offsets)
    return {group: frozenset(one for one, count in found.items() if count > 1) for group, found in times.items()}


def told(life: Sequence[Event], twice: frozenset[tuple[str, int]]) -> Told:
    """Return the selected messages and the listener calls of one process.

    ``life``: the events of the process. ``twice``: messages that any consumer received twice; they are selected.
    Further selected are each process queue's first and last message, messages that it still contains at its removal,
    and some of the rest.
    """
    found = Told()
    entries: dict[str, tuple[str, list[int]]] = {}
    gone: list[tuple[EntryGone, list[int]]] = []
    ends: dict[tuple[str, int], End] = {}
    for event in life:
        if isinstance(event, EntryNew):
            entries[event.q] = event.entry, []
        elif isinstance(event, Pulled) and event.q in entries:
            entries[event.q][1].extend(event.got)
        elif isinstance(event, EntryGone) and event.q in entries:
            entry, offsets = entries.pop(event.q)
            _choose(found, event.q, entry, offsets, twice)
            gone.append((event, offsets))
        elif isinstance(event, Begin):
            for offset in event.offsets:
                found.begins[event.q, offset].append(event)
        elif isinstance(event, End):
            ends.update({(event.q, offset): event for offset in range(event.from_, event.to + 1)})
    for q, (entry, offsets) in entries.items():
        _choose(found, q, entry, offsets, twice)
    for event, offsets in gone:
        left = [one for one in offsets if (end := ends.get((event.q, one))) is None or end.at > event.at - STALL]
        called = [one for one in left if (event.q, one) in found.begins]
        waiting = [one for one in left if (event.q, one) not in found.begins]
        found.chosen.update((event.q, event.entry, one) for one in (*called, *waiting[:WAITING]))
    return found


def _choose(found: Told, q: str, entry: str, offsets: Sequence[int], twice: frozenset[tuple[str, int]]) -> None:
    found.messages += len(offsets)
    some = [one for one in offsets if (q, one) in twice or one % EVERY == 0]
    found.chosen.update((q, entry, one) for one in (*offsets[:1], *offsets[-1:], *some))
