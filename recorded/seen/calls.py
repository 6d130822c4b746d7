"""Listener calls in a recorded run, from their begin and end events."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from rebalance_proofs.recorded.groups.event import Event
from rebalance_proofs.recorded.groups.member import Begin, End


@dataclass(frozen=True, eq=False)
class Call:
    """One call of a listener."""

    who: str
    q: str
    offsets: tuple[int, ...]
    keys: tuple[str, ...]
    begin: int
    end: int
    """Time in ms of the listener's return, else of the end of its process or of the recording."""
    again: int
    """``reconsumeTimes`` of the message: how often the listener failed on it before."""
    returned: bool


def calls_of(events: Iterable[Event], over: int) -> Iterator[Call]:
    """Yield the listener calls of one consumer; ``events`` are its events.

    ``over``: time in ms of the end of its process or of the recording.
    """
    running: defaultdict[tuple[str, int], list[Begin]] = defaultdict(list)
    for event in events:
        if isinstance(event, Begin):
            running[event.q, event.offsets[0]].append(event)
        elif isinstance(event, End) and running[event.q, event.from_]:
            begun = running[event.q, event.from_]
            own = (place for place, one in enumerate(begun) if event.thread in (None, one.thread))
            yield _call(begun.pop(next(own, 0)), event.at, True)
    for left in running.values():
        for event in left:
            yield _call(event, max(over, event.at), False)


def _call(event: Begin, end: int, returned: bool) -> Call:
    return Call(event.who, event.q, event.offsets, event.keys, event.at, end, event.reconsume_times, returned)
