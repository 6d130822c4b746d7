"""A shortest run that shows a longest pause, with the names of its members kept from start to end."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from rebalance_proofs.proofs.breadth_first import Rows
from rebalance_proofs.proofs.ordered.composed.group import Event, Moved, States
from rebalance_proofs.proofs.ordered.composed.longest import Explored

TOLD = ("renews", "has-none", "idles", "polls its routes")
"""Moves that a printed run leaves out, because they change nothing that it shows."""


@dataclass(frozen=True)
class Step:
    """One move of a run."""

    tick: int
    """Time of the move, in ticks from the run's start."""
    name: str
    who: int
    """The member, from 0; -1 for a move of no member."""
    event: Event | None
    before: States
    """The state before, one row."""
    after: States
    """The state after, one row."""


@dataclass(frozen=True)
class _Edge:
    name: str
    event: Event | None
    ticks: bool
    target: int


Goal = Callable[[Moved, Rows], Rows]


class _Search:
    """A search for the run, forward through the states from which the pause is still ahead."""

    def __init__(self, explored: Explored, waits: Rows, kinds: tuple[Event, Event | None]) -> None:
        self.of, self.waits = explored, waits
        self.first, self.second = kinds
        self.lasts = explored.lasting(waits)
        self.ahead = explored.ahead(self.lasts)
        once = self.second is None
        self.lasted, self.later = self.lasts, self.ahead
        if not once:
            assert self.second is not None
            self.lasted = explored.lasting(waits, {self.second: self.lasts})
            self.later = explored.ahead(self.lasted, {self.second: self.ahead})

    def edges(self) -> list[_Edge]:
        """Return the moves of the run, by the keys of their targets."""
        of, places = self.of, np.zeros(len(self.of.keys), dtype=bool)
        calm = places.copy()
        calm[np.searchsorted(of.keys, of.layers[0])] = True
        starts = np.searchsorted(of.keys, of.begin)
        most = of.worst(self.first, self.later)
        path, at = self._walk(starts, calm, lambda m, t: (m.event is self.first) & (self.later[t] >= most), self.first)
        left = self.second is not None
        while not (self.waits[at] and self._lasting(left)[at] >= most):
            allowed = (self.later if left else self.ahead) >= most

            def goal(m: Moved, t: Rows, left: bool = left) -> Rows:
                goes_on = self.waits[t] & (self._lasting(left)[t] >= most)
                met: Rows = goes_on if m.event is None else self.ahead[t] >= most
                return met

            more, at = self._walk(np.array([at]), allowed, goal, self.second if left else None)
            path += more
            left = left and more[-1].event is None
        count = most
        while count:
            allowed = self.waits & (self._lasting(left) >= count)

            def onward(m: Moved, t: Rows, left: bool = left, count: int = count) -> Rows:
                goes_on = m.ticks & (self._lasting(left)[t] >= count - 1)
                met: Rows = self.waits[t] & (goes_on if m.event is None else self.lasts[t] >= count)
                return met

            more, at = self._walk(np.array([at]), allowed, onward, self.second if left else None)
            path += more
            if more[-1].event is None:
                count -= 1
            else:
                left = False
        return path

    def _lasting(self, left: bool) -> Rows:
        return self.lasted if left else self.lasts

    def _walk(self, begin: Rows, allowed: Rows, goal: Goal, event: Event | None) -> tuple[list[_Edge], int]:
        """Return a shortest way through allowed states to a move that meets the goal."""
        parents: dict[int, tuple[int, _Edge]] = {}
        seen, fresh = {int(one) for one in begin}, begin
        while len(fresh):
            nexts = []
            for moved, sources, targets in self._after(fresh, event):
                met = np.flatnonzero(np.broadcast_to(goal(moved, targets), len(targets)))
                if len(met):
                    at = int(met[0])
                    edge = _Edge(moved.name, moved.event, moved.ticks, int(targets[at]))
                    return [*self._back(parents, int(sources[at])), edge], int(targets[at])
                if moved.event is not None:
                    continue
                for source, target in zip(sources.tolist(), targets.tolist(), strict=True):
                    if allowed[target] and target not in seen:
                        seen.add(target)
                        parents[target] = source, _Edge(moved.name, None, moved.ticks, target)
                        nexts.append(target)
            fresh = np.array(nexts, dtype=np.int64)
        raise RuntimeError("no run shows the pause")

    @staticmethod
    def _back(parents: Mapping[int, tuple[int, _Edge]], at: int) -> list[_Edge]:
        path = []
        while at in parents:
            at, edge = parents[at]
            path.append(edge)
        return path[::-1]

    def _after(self, places: Rows, event: Event | None) -> Iterator[tuple[Moved, Rows, Rows]]:
        of = self.of
        for moves in (of.group.moves, of.group.events) if event else (of.group.moves,):
            for moved, sources, targets in of.successors(of.keys[places], moves):
                if moved.event is event or moved.event is None:
                    yield moved, np.searchsorted(of.keys, sources), np.searchsorted(of.keys, targets)


def run(explored: Explored, waits: Rows, first: Event, second: Event | None) -> list[Step]:
    """Return a run with the longest pause around the events, from a calm group."""
    edges = _Search(explored, waits, (first, second)).edges()
    group, keys = explored.group, explored.keys
    for state in explored.starts():
        steps, tick = [], 0
        for edge in edges:
            found = _follow(explored, state, edge, int(keys[edge.target]))
            if found is None:
                break
            moved, after = found
            steps.append(Step(tick, moved.name, moved.who, moved.event, state, after))
            state, tick = after, tick + moved.ticks
        else:
            return steps
    raise RuntimeError(f"the run of {group.of.queue.name} does not begin at a calm group")


def _follow(explored: Explored, state: States, edge: _Edge, key: int) -> tuple[Moved, States] | None:
    group = explored.group
    for moved in (group.events if edge.event else group.moves)(state):
        if (moved.name, moved.event, moved.ticks) != (edge.name, edge.event, edge.ticks):
            continue
        reached = group.keys(group.sorted(moved.states))
        same = np.flatnonzero(reached == key)
        if len(same):
            return moved, moved.states.at(same[:1])
    return None


def words(explored: Explored, steps: list[Step]) -> Iterator[tuple[int, str]]:
    """Yield (time in ticks, sentence) for the moves that change what a reader follows."""
    of = explored.group.of
    for step in steps:
        owner = int(step.after.owner[0])
        moved = owner != int(step.before.owner[0])
        if step.who < 0:
            said = "" if step.name in ("10 s pass", "time passes") else step.name
        elif step.name in TOLD or (step.name == "takes" and _same(of.works, step)):
            said = ""
        else:
            said = f"c{step.who + 1} {of.words(step.name)}"
        whose = f"c{owner} owns the queue" if owner else "no member owns the queue"
        if said or moved:
            yield step.tick, "; ".join(part for part in (said, whose if moved else "") if part)


def _same(works: Rows, step: Step) -> bool:
    return bool(works[step.before.members[0, step.who]] == works[step.after.members[0, step.who]])
