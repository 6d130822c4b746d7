"""Transition system of several copies of a machine, with states as rows of an array.

A copy is one consumer. Times are in ticks, and actions are compiled.
"""

from collections.abc import Collection, Iterable, Mapping
from functools import cached_property
from typing import Any

import numpy as np

from rebalance_proofs.model.machine.copies import ME, NOBODY, OTHER
from rebalance_proofs.model.machine.machine import act_of
from rebalance_proofs.model.machine.record import flags, names, naming, variables
from rebalance_proofs.model.machine.run import Happens
from rebalance_proofs.model.machine.values import And, Bool
from rebalance_proofs.model.machine.world import MachineWorld
from rebalance_proofs.proofs.breadth_first import Keys, Rows, numbered, picked
from rebalance_proofs.proofs.machine.compiled import (
    AnyConfiguration,
    Fitted,
    Normal,
    Step,
    View,
    effect,
    guard,
    kernel,
    mattering,
    matters,
)

AnyWorld = MachineWorld[Any, Any, Any]


class Together:
    """Transition system of several copies of a machine (several consumers).

    A row is one state: each copy's own columns, then the shared columns, then the time. Relative times
    (``Variable.relative``) need no column for the time.
    """

    def __init__(
        self,
        of: AnyConfiguration,
        encoding: Any,
        variant: Any,
        world: AnyWorld,
        limits: Any,
        copies: int,
        unseen: Collection[str] = (),
        end: int = 0,
    ) -> None:
        """Compile the actions. ``unseen``: fields left at their first values.

        ``end``: the tick after which no time passes; 0 for none.
        """
        self.limits, self.copies = limits, copies
        self._of, self._encoding, self._world = of, encoding, world.beside(encoding)
        known, record = variables(of.machine.state), of.machine.state
        told = [name for name in of.own if name not in unseen]
        self._times = [name for name in told if known[name].relative]
        self.own = [name for name in told if not known[name].shared]
        self._shared = [name for name in told if known[name].shared]
        self._all = (*self.own, *self._shared)
        time = [] if self._times else list(of.clock)
        self._time = time
        self._width, self._named = len(self.own), naming(record)
        self.columns = (*(f"{name}{who}" for who in range(copies) for name in self.own), *self._shared, *time)
        self._first = world.first(of.machine.begun(limits, variant), limits)
        chosen = {name: int(value) for name, value in vars(of.completed({}, limits)).items()}
        self._fixed = {name: int(getattr(self._first, name)) for name in names(record)} | vars(limits) | chosen
        truths, rooms = flags(record), {name: one.room for name, one in known.items()}
        spans = {name: (one.least, 1 if name in truths else one.most or of.most) for name, one in known.items()}
        spans |= (
            {"now": (0, of.most)}
            | {name: room(limits) for name, room in rooms.items() if room}
            | dict.fromkeys(self._named, (0, copies))
        )
        row = [*(self.own * copies), *self._shared, *time]
        self._least, self._most = (np.array([spans[name][end] for name in row]) for end in (0, 1))
        nones = {place: known[name].none for place, name in enumerate(row) if name in known}
        self._nones = {place: none for place, none in nones.items() if none is not None}
        self._type = np.int8 if copies > 1 else np.int64
        self._numbers = [name for name in self._all if name not in truths]
        self._steps: dict[Happens, Step] = {}
        self._views: dict[tuple[Fitted, int], View] = {}
        self._passing: list[tuple[list[int], Normal]] | None = None
        clock = bool(of.clock)

        def waits(s: Any, lim: Any) -> Bool:
            return clock and And(s.now < end if end else True, self._world.waits(s, s.now + 1, lim))

        self._waiting = kernel(of, waits)

    @cached_property
    def _weights(self) -> Rows:
        """Return the factor of each column when a row is represented as one number.

        Raises ``ValueError`` if the states exceed 63 bits.
        """
        weights, weight = [], 1
        for place, (least, most) in enumerate(zip(self._least.tolist(), self._most.tolist(), strict=True)):
            weights.append(weight)
            weight *= most - least + 1 + (place in self._nones)
        if weight >= 2**63:
            raise ValueError(f"{weight} states do not fit into 63 bits")
        return np.array(weights, dtype=np.int64)

    def place(self, who: int, name: str) -> int:
        """Return the index of the column of the copy's field ``name``, or of a shared field."""
        if name in self._shared:
            return self.copies * self._width + self._shared.index(name)
        return who * self._width + self.own.index(name)

    def number(self, who: int) -> int:
        """Return the number that represents the copy ``who`` in fields that identify a copy."""
        return ME if self._world.twins else ME + who

    def start(self) -> Rows:
        """Return one row: all copies in their first states."""
        each = [self._fixed[name] for name in self.own]
        of_all = [self._fixed[name] for name in self._shared]
        row = [*(each * self.copies), *of_all, *([0] * len(self._time))]
        first = np.asfortranarray(np.array([row], dtype=self._type))
        for who in range(self.copies):
            self._normal(who, self._all)(first)
        return first

    def after(self, rows: Rows, happens: Happens) -> tuple[Rows, Rows]:
        """Return the successors of all rows in which the action is possible.

        The second array has, for each successor, the index of the row that it comes from.
        """
        if happens not in self._steps:
            self._steps[happens] = self._step(happens)
        step = self._steps[happens]
        (can,) = step.guard(rows)
        possible = np.flatnonzero(np.broadcast_to(can, len(rows)))
        before = picked(rows, possible)
        if not len(possible):
            return before, possible
        changed = before.copy(order="F")
        columns = changed.T
        for (place, naming_one), values in zip(step.changed, step.after(before), strict=True):
            if naming_one:
                others = np.where(values == OTHER, columns[place], NOBODY)
                values = np.where(values == ME, step.after.number, others)
            columns[place] = values
        step.normal(changed)
        return changed, possible

    def _step(self, happens: Happens) -> Step:
        who, chosen = self._of.acting(happens), vars(self._of.completed(dict(happens.said), self.limits))
        said = {name: int(value) for name, value in chosen.items()}
        act = act_of(self._encoding, happens.action)
        names, after = effect(self._of, act, self._all)
        can = guard(self._of, act, happens.action, self._world)
        changed = tuple((self.place(who, name), name in self._named) for name in names)
        return Step(self._seen(can, who, said), self._seen(after, who, said), changed, self._normal(who, names))

    def waits(self, rows: Rows) -> Rows:
        """Return, for each row, whether one tick of time can pass."""
        may: Rows = np.logical_and.reduce([self.so(self._waiting, rows, who) for who in range(self.copies)])
        return may

    def later(self, rows: Rows) -> Rows:
        """Return the states (one per row) after one tick of time."""
        later = rows.copy(order="K")
        if self._time:
            later[:, -1] += 1
            return later
        if self._passing is None:
            self._passing = [self._tick(who) for who in range(self.copies)]
        for places, normal in self._passing:
            for place in places:
                later[:, place] -= 1
            normal(later)
        return later

    def _tick(self, who: int) -> tuple[list[int], Normal]:
        """Return the time columns of one copy that a tick lowers, and their normalization.

        The shared columns belong to the first copy.
        """
        places = [self.place(who, name) for name in self._times if who == 0 or name in self.own]
        return places, self._normal(who, self._times)

    def packed(self, rows: Rows) -> Keys:
        """Return each row as one number."""
        numbers = numbered(rows, self._weights) - int(self._least @ self._weights)
        for place, none in self._nones.items():
            # None is encoded as the number after the greatest.
            behind = (self._most[place] + 1 - none) * self._weights[place]
            numbers += np.where(rows[:, place] == none, behind, 0)
        return numbers

    def so(self, of: Fitted, rows: Rows, who: int) -> Rows:
        """Return, for each row, whether a predicate is true from the viewpoint of the copy ``who``."""
        if (of, who) not in self._views:
            self._views[of, who] = self._seen(of, who, {})
        told: Rows = np.broadcast_to(self._views[of, who](rows)[0], len(rows)).astype(bool)
        return told

    def _seen(self, of: Fitted, who: int, said: Mapping[str, int]) -> View:
        fixed: dict[str, int] = {**self._fixed, **said}
        places: dict[str, int] = {name: self.place(who, name) for name in self._all}
        if self._time:
            places["now"] = len(self.columns) - 1
        given = tuple((places[name], 0) if name in places else (None, fixed[name]) for name in of.names)
        named = tuple(place for place, name in enumerate(of.names) if name in self._named)
        return View(of, given, named, self.number(who))

    def _normal(self, who: int, changed: Iterable[str]) -> Normal:
        """Return the normalization of a copy's own and shared fields after some fields changed.

        The rows were normal before these fields changed. A shared field can have an effect for one copy alone, so
        this is always evaluated again.
        """
        fields = {*changed}
        asked = tuple(
            name
            for name, of in mattering(self._of).items()
            if name in self._all and (name in fields or name in self._shared or not fields.isdisjoint(of))
        )
        zeroed = tuple(self.place(who, name) for name in asked)
        places = [self.place(who, name) for name in self._numbers if name in fields or name in asked]
        clipped = ((place, int(self._least[place]), int(self._most[place]), self._nones.get(place)) for place in places)
        return Normal(self._seen(matters(self._of, asked), who, {}), zeroed, tuple(clipped))
