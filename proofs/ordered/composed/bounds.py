"""Longest times for one and for two events, put together from several explorations of one client."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from rebalance_proofs.proofs.ordered.composed.group import Event, Group
from rebalance_proofs.proofs.ordered.composed.longest import Explored
from rebalance_proofs.proofs.ordered.composed.member import Members
from rebalance_proofs.proofs.ordered.composed.queue import Queue
from rebalance_proofs.proofs.ordered.passing import NEVER_ENDS

PLANNED = (Event.JOIN, Event.SHUTDOWN, Event.CRASH)
"""Events of consumer processes, which a deploy combines."""
LIGHT = (*PLANNED, Event.HOST_LOST)


@dataclass(frozen=True)
class Exploration:
    """Two events in a row, of any of these kinds, in groups of at most ``members`` members."""

    members: int
    first: tuple[Event, ...]
    second: tuple[Event, ...] = ()
    """Empty for one event alone."""


def _pairs(members: int, event: Event) -> tuple[Exploration, Exploration]:
    """Return the explorations of the event before and after a join, shutdown or crash."""
    return Exploration(members, PLANNED, (event,)), Exploration(members, (event,), PLANNED)


EXPLORATIONS = (
    Exploration(3, LIGHT, LIGHT),
    *_pairs(3, Event.STOP),
    *_pairs(3, Event.ROUTE),
    *_pairs(2, Event.BROKER_RESTART),
    *_pairs(2, Event.BROKER_FROZEN),
)
"""The explorations of every client. Other pairs have too many states."""
REPEATED = Exploration(2, PLANNED)
"""Any number of joins, shutdowns and crashes."""
RESTART = Exploration(3, (Event.JOIN, Event.SHUTDOWN), (Event.JOIN, Event.SHUTDOWN))
"""The two events of a member that is restarted, in either order."""


@dataclass(frozen=True)
class Bound:
    """Longest times around one or two events, in ticks; ``NEVER_ENDS`` without an upper bound."""

    settled: int
    """Until the queue's owner consumes it again."""
    pause: int
    """In which no member can consume the queue."""


@dataclass(frozen=True)
class Bounds:
    """Longest times of one client."""

    single: Mapping[Event, Bound]
    pairs: Mapping[tuple[Event, Event], Bound]
    apart: int
    """Shortest distance from the end of a restart at which the next event finds a calm group, in ticks."""
    after_last: int
    """Longest time after the last of any number of joins, shutdowns and crashes, in ticks.

    Until the queue's owner consumes it again.
    """
    states: int
    """Number of explored states."""


def greater(one: int, other: int) -> int:
    """Return the longer of two times in ticks."""
    return NEVER_ENDS if NEVER_ENDS in (one, other) else max(one, other)


def _merged(one: Bound | None, other: Bound) -> Bound:
    return other if one is None else Bound(greater(one.settled, other.settled), greater(one.pause, other.pause))


def explored(members: Members, of: Exploration) -> Explored:
    """Explore. Raises ``RuntimeError`` if the model is stuck, which would hide a pause."""
    found = Explored(Group(members, of.members), of.first, of.second, repeated=of == REPEATED)
    if found.stuck:
        raise RuntimeError("a state was reached from which time never passes")
    return found


def _all(members: Members) -> Iterator[Explored]:
    for one in EXPLORATIONS:
        yield explored(members, one)


def bounds(queue: Queue) -> Bounds:
    """Return the longest times of a client."""
    members = Members(queue)
    single: dict[Event, Bound] = {}
    pairs: dict[tuple[Event, Event], Bound] = {}
    states = 0
    for found in _all(members):
        states += len(found.keys)
        waits, idle = found.told(found.group.waits), found.told(found.group.idle)
        alone = [found.singles(of) for of in (waits, idle)]
        both = [found.pairs(of) for of in (waits, idle)]
        for event in alone[0]:
            single[event] = _merged(single.get(event), Bound(*(of[event] for of in alone)))
        for pair in both[0]:
            pairs[pair] = _merged(pairs.get(pair), Bound(*(of[pair] for of in both)))
    for first, second in pairs:
        for event in (first, second):
            pairs[first, second] = _merged(pairs[first, second], single[event])
    apart = explored(members, RESTART).apart()
    repeated = explored(members, REPEATED)
    after_last = repeated.after_last(repeated.told(repeated.group.waits))
    return Bounds(single, pairs, apart, after_last, states + len(repeated.keys))
