"""Longest pauses of one queue for any one or two events, in ticks, over all behaviours of a group.

``Explored`` holds all states that a calm group reaches with at most two events, and the moves between them. The longest
pause is the longest path through states in which the queue waits; it may begin before the second event and end long
after it. It is found backward: first the states that wait, then those from which a tick leads to one of them, and so
on.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rebalance_proofs.proofs.breadth_first import Rows, first, together
from rebalance_proofs.proofs.ordered.composed.group import Event, Group, Moved, States
from rebalance_proofs.proofs.ordered.passing import NEVER_ENDS

CHUNK = 200_000
"""Number of states whose successors are computed at once."""
ENDLESS = 120
"""Number of ticks from which a pause counts as one without an upper bound, if longer ones exist, too."""
Edges = tuple[Rows, Rows]


@dataclass(frozen=True)
class _Backward:
    """Edges, sorted by the state that they lead to."""

    sources: Rows
    starts: Rows
    marks: Rows
    """Room for one number a state."""

    @classmethod
    def of(cls, edges: Edges, count: int) -> "_Backward":
        order = np.argsort(edges[1], kind="stable")
        starts = np.searchsorted(edges[1][order], np.arange(count + 1))
        return cls(edges[0][order], starts, np.zeros(count, dtype=np.int64))

    def into(self, targets: Rows) -> Rows:
        """Return the sources of all edges into ``targets``."""
        begin, many = self.starts[targets], self.starts[targets + 1] - self.starts[targets]
        total = int(many.sum())
        if not total:
            return np.zeros(0, dtype=np.int64)
        places = np.repeat(begin - np.concatenate([[0], np.cumsum(many)[:-1]]), many) + np.arange(total)
        return self.sources[places]

    def closed(self, reached: Rows, allowed: Rows) -> Rows:
        """Return ``reached`` and all allowed states from which edges lead to one of them."""
        reached = reached.copy()
        fresh = np.flatnonzero(reached)
        while len(fresh):
            sources = self.into(fresh)
            sources = sources[allowed[sources] & ~reached[sources]]
            reached[sources] = True
            fresh = self.once(sources)
        return reached

    def once(self, places: Rows) -> Rows:
        """Return the indexes without repetitions."""
        self.marks[places] = np.arange(len(places))
        found: Rows = places[self.marks[places] == np.arange(len(places))]
        return found


class Explored:
    """All states of a group within two events from calm, or within any number of events, and the longest pauses."""

    def __init__(
        self, group: Group, first: Sequence[Event], second: Sequence[Event] = (), *, repeated: bool = False
    ) -> None:
        """``first``: kinds of the first event; ``second``: those of the second, if there is one.

        ``repeated``: any number of events of the kinds ``first`` happen, at any times.
        """
        self.group, self.first, self.second = group, tuple(first), tuple(second)
        self.begin = np.unique(group.keys(group.sorted(States.joined(list(self.starts())))))
        self.keys = np.zeros(0, dtype=np.int64)
        free: list[Edges] = []
        ticks: list[Edges] = []
        caused: dict[Event, list[Edges]] = {event: [] for event in (*self.first, *self.second)}
        fresh = self.begin
        self.layers: list[Rows] = []
        always = self.first if repeated else ()
        for kinds in ((), (), ()) if repeated else (self.first, self.second, ()):
            layer = fresh
            while len(fresh):
                self.keys = together(self.keys, fresh)
                reached = []
                for moved, sources, targets in self.successors(fresh, group.moves):
                    (ticks if moved.ticks else free).append((sources, targets))
                    reached.append(targets)
                if always:
                    caused_now = self.successors(fresh, group.events)
                    reached += [targets for moved, _, targets in caused_now if moved.event in always]
                fresh = self._new(reached)
                layer = np.concatenate([layer, fresh])
            self.layers.append(np.sort(layer))
            reached = []
            for moved, sources, targets in self.successors(self.layers[-1], group.events):
                if moved.event is not None and moved.event in kinds:
                    caused[moved.event].append((sources, targets))
                    reached.append(targets)
            fresh = self._new(reached)
            if not len(fresh):
                break
        count = len(self.keys)
        self._free, self._ticks = (_Backward.of(self._placed(of), count) for of in (free, ticks))
        self._caused = {event: self._placed(of) for event, of in caused.items()}

    def starts(self) -> Iterator[States]:
        """Yield the states of calm groups from which all others are reached."""
        for members in range(1, self.group.most + 1):
            for there in (True, False):
                yield self.group.normal(self.group.start(members, there=there))

    def successors(self, keys: Rows, moves: Callable[[States], Iterator[Moved]]) -> Iterator[tuple[Moved, Rows, Rows]]:
        for begin in range(0, len(keys), CHUNK):
            some = keys[begin : begin + CHUNK]
            for moved in moves(self.group.read(some)):
                if len(moved.origin):
                    targets = self.group.keys(self.group.sorted(moved.states))
                    sources = some[moved.origin]
                    differ = sources != targets
                    yield moved, sources[differ], targets[differ]

    def _new(self, reached: list[Rows]) -> Rows:
        if not reached:
            return np.zeros(0, dtype=np.int64)
        every = np.concatenate(reached)
        found: Rows = every[first(every, self.keys)]
        return found

    def _placed(self, edges: list[Edges]) -> Edges:
        if not edges:
            return np.zeros(0, dtype=np.int32), np.zeros(0, dtype=np.int32)
        sources, targets = (np.concatenate([one[end] for one in edges]) for end in (0, 1))
        return (
            np.searchsorted(self.keys, sources).astype(np.int32),
            np.searchsorted(self.keys, targets).astype(np.int32),
        )

    @cached_property
    def waits(self) -> Rows:
        """Whether the queue waits, by state."""
        return self.told(self.group.waits)

    def told(self, of: Callable[[States], Rows]) -> Rows:
        parts = [of(self.group.read(self.keys[begin : begin + CHUNK])) for begin in range(0, len(self.keys), CHUNK)]
        return np.concatenate(parts)

    @cached_property
    def stuck(self) -> int:
        """Number of states from which neither time passes nor an event is needed; must be 0."""
        passes = np.zeros(len(self.keys), dtype=bool)
        passes[self._ticks.sources] = True
        every = np.ones(len(self.keys), dtype=bool)
        return int((~self._free.closed(passes, every)).sum())

    def lasting(self, waits: Rows, onward: Mapping[Event, Rows] | None = None) -> Rows:
        """Return, for each state, the longest pause that goes on from it, in ticks.

        ``onward``: the same after one of these events, which can then happen once.
        """
        lasts = np.zeros(len(self.keys), dtype=np.int16)
        jumps = [
            (edges, onward[event]) for event, edges in self._caused.items() if onward is not None and event in onward
        ]
        longer, count = waits, 0
        while longer.any():
            lasts[longer] = count
            count += 1
            if count > ENDLESS:
                break
            reached = np.zeros(len(self.keys), dtype=bool)
            reached[self._ticks.into(np.flatnonzero(longer))] = True
            reached &= waits
            for (sources, targets), after in jumps:
                reached[sources[waits[sources] & (after[targets] >= count)]] = True
            longer = self._free.closed(reached & waits, waits)
        return lasts

    def ahead(self, lasts: Rows, onward: Mapping[Event, Rows] | None = None) -> Rows:
        """Return, for each state, the longest pause that can begin at it or later, in ticks."""
        found = np.zeros(len(self.keys), dtype=np.int16)
        done = np.zeros(len(self.keys), dtype=bool)
        for count in range(int(max([lasts.max(), *(one.max() for one in (onward or {}).values())])), 0, -1):
            reached = done | (lasts >= count)
            for event, after in (onward or {}).items():
                sources, targets = self._caused[event]
                reached[sources[after[targets] >= count]] = True
            fresh = np.flatnonzero(reached & ~done)
            while len(fresh):
                found[fresh] = count
                done[fresh] = True
                sources = np.concatenate([self._free.into(fresh), self._ticks.into(fresh)])
                fresh = self._free.once(sources[~done[sources]])
        return found

    @cached_property
    def unsettled(self) -> Rows:
        """Whether a state is none of a calm group."""
        calm = np.ones(len(self.keys), dtype=bool)
        calm[np.searchsorted(self.keys, self.layers[0])] = False
        return calm

    @cached_property
    def after_events(self) -> Rows:
        """The indexes of all states to which an explored event leads."""
        found: Rows = np.unique(np.concatenate([targets for _, targets in self._caused.values()]))
        return found

    def apart(self) -> int:
        """Return the shortest distance in ticks from a second event at which a third one always finds a calm group.

        It is one tick longer than the group needs to become calm, because events of one tick have any order.
        """
        most = int(self.lasting(self.unsettled)[self.after_events].max())
        return NEVER_ENDS if most >= ENDLESS else most + 1

    def after_last(self, waits: Rows) -> int:
        """Return the longest time in ticks, from any state, after which the queue no longer waits without an event."""
        every = np.ones(len(self.keys), dtype=bool)
        may = waits
        while True:
            before = self._free.closed(may, every)
            before[self._ticks.into(np.flatnonzero(before))] = True
            if (before == may).all():
                break
            may = before
        most = int(self.lasting(may).max())
        return NEVER_ENDS if most >= ENDLESS else most

    def singles(self, waits: Rows) -> dict[Event, int]:
        """Return the longest pause around one event of each kind from calm."""
        ahead = self.ahead(self.lasting(waits))
        return {event: self.worst(event, ahead) for event in self.first}

    def pairs(self, waits: Rows) -> dict[tuple[Event, Event], int]:
        """Return the longest pause around two events, by the kinds of the first and the second."""
        lasts = self.lasting(waits)
        ahead = self.ahead(lasts)
        found: dict[tuple[Event, Event], int] = {}
        for second in self.second:
            lasted = self.lasting(waits, {second: lasts})
            later = self.ahead(lasted, {second: ahead})
            found |= {(one, second): self.worst(one, later) for one in self.first}
        return found

    def worst(self, event: Event, ahead: Rows) -> int:
        """Return the longest pause in ``ahead`` after that event from calm."""
        sources, targets = self._caused[event]
        calm = np.zeros(len(self.keys), dtype=bool)
        calm[np.searchsorted(self.keys, self.layers[0])] = True
        these = targets[calm[sources]]
        most = int(ahead[these].max()) if len(these) else 0
        return NEVER_ENDS if most >= ENDLESS else most
