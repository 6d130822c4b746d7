"""Copies of a machine as rows of small integers, with times in ticks; actions are compiled terms."""

from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from rebalance_proofs.model.machine.copies import ME, NOBODY, OTHER
from rebalance_proofs.model.machine.machine import act_of
from rebalance_proofs.model.machine.record import flags, names, naming, variables
from rebalance_proofs.model.machine.values import And, Bool
from rebalance_proofs.model.terms.kernel import Kernel
from rebalance_proofs.proofs.happens import Happens
from rebalance_proofs.proofs.machine.compiled import AnyConfiguration, compiled, kernel
from rebalance_proofs.proofs.machine.world import MachineWorld
from rebalance_proofs.proofs.rows import Keys, Rows, numbered

__all__ = ["Together"]

AnyWorld = MachineWorld[Any, Any, Any]


class Together:
    """Transition system of several copies. A row has each copy's own columns, then the shared ones, and last the time.

    If times count from now on (``Variable.relative``), there is no column for the time.
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
        """``unseen``: fields kept at their first values. ``end``: the tick after which no time passes; 0 for none."""
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
        asked = {name: known[name].matters for name in self._all}
        self._numbers = [name for name in self._all if name not in truths]
        self._asked = {name: one for name, one in asked.items() if one}
        self._matters = kernel(of, *(lambda s, lim, one=one: one(s) for one in self._asked.values()))
        clock = bool(of.clock)

        def waits(s: Any, lim: Any) -> Bool:
            return clock and And(s.now < end if end else True, self._world.waits(s, s.now + 1, lim))

        self._waiting = kernel(of, waits)

    @cached_property
    def _weights(self) -> Rows:
        """Each column's weight in the number of a row. Raises ``ValueError`` if the states exceed 63 bits."""
        weights, weight = [], 1
        for place, (least, most) in enumerate(zip(self._least.tolist(), self._most.tolist(), strict=True)):
            weights.append(weight)
            weight *= most - least + 1 + (place in self._nones)
        if weight >= 2**63:
            raise ValueError(f"{weight} states are more than there are numbers")
        return np.array(weights, dtype=np.int64)

    def place(self, who: int, name: str) -> int:
        """Index of the column of a copy's own field, or of a shared field."""
        if name in self._shared:
            return self.copies * self._width + self._shared.index(name)
        return who * self._width + self.own.index(name)

    def number(self, who: int) -> int:
        """Number by which rows name a copy."""
        return ME if self._world.twins else ME + who

    def start(self) -> Rows:
        """One row: all copies in their first states."""
        each = [self._fixed[name] for name in self.own]
        of_all = [self._fixed[name] for name in self._shared]
        row = [*(each * self.copies), *of_all, *([0] * len(self._time))]
        return np.asfortranarray(np.array([row], dtype=self._type))

    def after(self, rows: Rows, happens: Happens) -> tuple[Rows, Rows]:
        """Successor rows by an action, and the indexes of the rows in which it is possible."""
        who, chosen = self._of.acting(happens), vars(self._of.completed(dict(happens.said), self.limits))
        said = {name: int(value) for name, value in chosen.items()}
        act = act_of(self._encoding, happens.action)
        action = compiled(self._of, act, happens.action, self._world, self._all)
        changed, after, possible = action.of(rows, lambda rows: self._given(rows, who, said))
        for name, values in zip(self._all, after, strict=True):
            place = self.place(who, name)
            if name in self._named:
                others = np.where(values == OTHER, changed[:, place], NOBODY)
                values = np.where(values == ME, self.number(who), others)
            changed[:, place] = values
        self._normal(changed, who)
        return changed, possible

    def waits(self, rows: Rows) -> Rows:
        """One truth value a row: whether a tick can pass."""
        may: Rows = np.logical_and.reduce([self.so(self._waiting, rows, who) for who in range(self.copies)])
        return may

    def later(self, rows: Rows) -> Rows:
        """The rows one tick later."""
        later = rows.copy(order="K")
        if self._time:
            later[:, -1] += 1
            return later
        for who in range(self.copies):
            for name in self._times:
                if who == 0 or name in self.own:
                    later[:, self.place(who, name)] -= 1
            self._normal(later, who)
        return later

    def packed(self, rows: Rows) -> Keys:
        """Each row as one number."""
        numbers = numbered(rows, self._weights) - int(self._least @ self._weights)
        for place, none in self._nones.items():
            # None is encoded as the number after the greatest.
            behind = (self._most[place] + 1 - none) * self._weights[place]
            numbers += np.where(rows[:, place] == none, behind, 0)
        return numbers

    def so(self, of: Kernel, rows: Rows, who: int) -> Rows:
        """One truth value a row: whether a predicate holds from one copy's viewpoint."""
        told: Rows = np.broadcast_to(of(*self._given(rows, who, {}))[0], len(rows)).astype(bool)
        return told

    def _given(self, rows: Rows, who: int, said: Mapping[str, int]) -> Sequence[Any]:
        given: dict[str, Any] = {**self._fixed, **said}
        for name in self._all:
            given[name] = rows[:, self.place(who, name)]
        for name in self._named:
            own = np.where(given[name] == self.number(who), ME, OTHER)
            given[name] = np.where(given[name] == NOBODY, NOBODY, own)
        if self._time:
            given["now"] = rows[:, -1]
        return [given[name] for name in self._of.names]

    def _normal(self, rows: Rows, who: int) -> None:
        """Normalize rows in place, for one copy's and the shared fields: zero what does not matter, clip to the
        explored range."""
        for name, matters in zip(self._asked, self._matters(*self._given(rows, who, {})), strict=True):
            rows[:, self.place(who, name)] *= matters
        for name in self._numbers:
            place = self.place(who, name)
            none = rows[:, place] == self._nones[place] if place in self._nones else None
            np.clip(rows[:, place], self._least[place], self._most[place], out=rows[:, place])
            if none is not None:
                rows[none, place] = self._nones[place]
