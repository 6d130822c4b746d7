"""Copies of a machine as rows of small numbers, in ticks; what can happen to them is the terms, compiled."""

from collections.abc import Collection, Mapping, Sequence
from functools import cache, cached_property
from typing import Any

import numpy as np

from rebalance_proofs.model.machine.copies import ME, NOBODY, OTHER
from rebalance_proofs.model.machine.machine import Act, act_of
from rebalance_proofs.model.machine.record import flags, names, naming, variables
from rebalance_proofs.model.machine.values import And, Bool, number, term
from rebalance_proofs.model.terms.kernel import Kernel, compile_kernel
from rebalance_proofs.proofs.guarded import Guarded, compile_guarded
from rebalance_proofs.proofs.happens import Happens
from rebalance_proofs.proofs.machine.configuration import Configuration, Predicate
from rebalance_proofs.proofs.machine.world import MachineWorld
from rebalance_proofs.proofs.rows import Keys, Rows, numbered

__all__ = ["Together", "compiled", "kernel"]

AnyConfiguration = Configuration[Any, Any, Any, Any]
AnyWorld = MachineWorld[Any, Any, Any]


@cache
def compiled(
    of: AnyConfiguration,
    act: Act[Any, Any, Any],
    name: str = "",
    world: AnyWorld | None = None,
    fields: tuple[str, ...] | None = None,
) -> Guarded:
    """An action as a NumPy function of all unknowns: whether it is possible, and each field but the time after it.

    In a world it is possible only where the premises permit it. ``fields``: these alone.
    """
    given = of.given(of.unknowns())
    turn = act(*given)
    can = And(turn.can, True if world is None else world.lets(name, *given))
    told = of.own if fields is None else fields
    return compile_guarded(of.names, term(can), *(getattr(turn.after, one) for one in told))


def kernel(of: AnyConfiguration, *predicates: Predicate[Any, Any]) -> Kernel:
    """Predicates of one copy's view as a NumPy function of all unknowns."""
    state, _, limits = of.given(of.unknowns())
    return compile_kernel(of.names, *(term(one(state, limits)) for one in predicates))


class Together:
    """What so many copies can do. A row has the columns of each, then those that they share, and last the time.

    Where times are counted from now on there is no column for it (``Variable.relative``).
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
    ) -> None:
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
        self._first = world.first(of.machine.first(record.blank(), limits, variant), limits)
        numbers = {name: number(value) for name, value in of.numbers(limits).items()}
        chosen = {**dict.fromkeys(names(of.machine.choices), 0), **numbers}
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
        clock, end = bool(of.clock), of.end

        def waits(s: Any, lim: Any) -> Bool:
            return clock and And(s.now < end if end else True, self._world.waits(s, s.now + 1, lim))

        self._waiting = kernel(of, waits)

    @cached_property
    def _weights(self) -> Rows:
        """What each column counts in the number of a row. Raises ``ValueError`` where there are too many states."""
        weights, weight = [], 1
        for place, (least, most) in enumerate(zip(self._least.tolist(), self._most.tolist(), strict=True)):
            weights.append(weight)
            weight *= most - least + 1 + (place in self._nones)
        if weight >= 2**63:
            raise ValueError(f"{weight} states are more than there are numbers")
        return np.array(weights, dtype=np.int64)

    def place(self, who: int, name: str) -> int:
        """The column of a copy's field, or of one that all share."""
        if name in self._shared:
            return self.copies * self._width + self._shared.index(name)
        return who * self._width + self.own.index(name)

    def number(self, who: int) -> int:
        """By which a copy is named in rows."""
        return ME if self._world.twins else ME + who

    def start(self) -> Rows:
        """All in their first states: one row."""
        each = [self._fixed[name] for name in self.own]
        of_all = [self._fixed[name] for name in self._shared]
        row = [*(each * self.copies), *of_all, *([0] * len(self._time))]
        return np.asfortranarray(np.array([row], dtype=self._type))

    def after(self, rows: Rows, happens: Happens) -> tuple[Rows, Rows]:
        """The states afterwards, where that is possible, and the places of the rows that they come from."""
        who, said = self._of.acting(happens), {name: int(value) for name, value in happens.said}
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
        """By row, whether a tick can pass."""
        may: Rows = np.logical_and.reduce([self.so(self._waiting, rows, who) for who in range(self.copies)])
        return may

    def later(self, rows: Rows) -> Rows:
        """The same a tick later."""
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
            # It comes behind the others.
            behind = (self._most[place] + 1 - none) * self._weights[place]
            numbers += np.where(rows[:, place] == none, behind, 0)
        return numbers

    def so(self, of: Kernel, rows: Rows, who: int) -> Rows:
        """By row, whether it is so of one copy, as it sees it."""
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
        """Without what makes no difference, and with no number out of its room, of one copy and of what all share."""
        for name, matters in zip(self._asked, self._matters(*self._given(rows, who, {})), strict=True):
            rows[:, self.place(who, name)] *= matters
        for name in self._numbers:
            place = self.place(who, name)
            none = rows[:, place] == self._nones[place] if place in self._nones else None
            np.clip(rows[:, place], self._least[place], self._most[place], out=rows[:, place])
            if none is not None:
                rows[none, place] = self._nones[place]
