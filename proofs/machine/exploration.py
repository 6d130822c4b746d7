"""The shortest way to what must not be: all states of a machine, breadth first, in ticks, by compiled terms."""

from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np
import z3

from rebalance_proofs.model.machine.machine import ENVIRONMENT, act_of
from rebalance_proofs.model.machine.record import flags, variables
from rebalance_proofs.model.machine.values import And, Bool, term
from rebalance_proofs.model.terms.kernel import Kernel, compile_kernel
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.happens import Happens, Schedule
from rebalance_proofs.proofs.kernel_exploration import KernelExploration
from rebalance_proofs.proofs.machine.compiled import AnyConfiguration, compiled
from rebalance_proofs.proofs.machine.configuration import OBSERVES, Predicate
from rebalance_proofs.proofs.machine.relevant import relevant
from rebalance_proofs.proofs.machine.world import MachineWorld
from rebalance_proofs.proofs.rows import Keys, numbered
from rebalance_proofs.proofs.timed_exploration import Rows, Unended

__all__ = ["explored"]


@cache
def explored(configuration: AnyConfiguration, encoding: Any, claim: Claim) -> Schedule | None:
    """The first schedule of the fewest actions that breaks the claim, in ticks; None when there is none.

    Raises ``Unended`` when the search has not ended after as many actions as the configuration has it.
    """
    state, _, limits = configuration.symbols
    if z3.is_false(z3.simplify(term(configuration.bad(claim)(state, limits)))):
        return None
    try:
        found = _Exploration(configuration, encoding, claim).shortest(configuration.limit)
    except Unended:
        if configuration.gives_up:
            return None
        raise
    if found is None:
        return None
    return tuple(reversed(found if configuration.clock else found[1:]))


def _ever(of: AnyConfiguration, world: MachineWorld[Any, Any, Any], move: Happens) -> bool:
    """The premises permit it in some state."""
    state, _, limits = of.symbols
    permitted = world.permits(move.action, state, of.chosen(move, limits), limits)
    return not z3.is_false(z3.simplify(term(permitted)))


def _kernel(configuration: AnyConfiguration, *predicates: Predicate[Any, Any]) -> Kernel:
    state, _, limits = configuration.symbols
    return compile_kernel(configuration.names, *(term(one(state, limits)) for one in predicates))


class _Exploration(KernelExploration):
    """A row is the time, and the other fields of a state. Without a clock it is 0, and no time passes."""

    def __init__(self, configuration: AnyConfiguration, encoding: Any, claim: Claim) -> None:
        machine, world = configuration.machine, claim.world
        actions, fields = relevant(configuration, encoding, claim)
        moves = (move for move in configuration.moves if move.action in actions)
        self.moves = tuple(move for move in moves if _ever(configuration, world, move))
        first = {name: place for place, name in enumerate(configuration.ends)}
        self._endings = sorted(self.moves, key=lambda move: first.get(move.action, len(first))) if first else []
        self.columns, self.names = ("now", *configuration.own), configuration.names
        self._ticks = configuration.ticks.but(**configuration.ticks_of(claim))
        self.fixed = vars(self._ticks)
        self._configuration, self._encoding, self._claim = configuration, encoding, claim

        def waits(s: Any, lim: Any) -> Bool:
            return bool(configuration.clock) and And(s.now < configuration.last(claim), world.waits(s, s.now + 1, lim))

        known, truths = variables(machine.state), flags(machine.state)
        self._waiting, self._wrong = _kernel(configuration, waits), _kernel(configuration, configuration.bad(claim))
        asked = {name: one.matters for name, one in known.items() if one.matters}
        self._idle = [self.columns.index(name) for name in asked]
        self._matters = _kernel(configuration, *(lambda s, lim, one=one: one(s) for one in asked.values()))
        most = {name: one.most or configuration.most for name, one in known.items() if name not in truths}
        self._most = np.array([most.get(name, 1) for name in self.columns])
        self._blind = [place for place, name in enumerate(self.columns) if name not in {*fields, "now"}]
        bits = [0 if place in self._blind else int(most).bit_length() for place, most in enumerate(self._most)]
        if sum(bits) > 63:
            raise ValueError(f"a state takes {sum(bits)} bits, which is more than a number has")
        weights = [1 << sum(bits[:place]) if bits[place] else 0 for place in range(len(bits))]
        self._weights = np.array(weights, dtype=np.int64)

    def start(self) -> Rows:
        first = self._configuration.machine.begun(self._ticks, self._claim.subjects[0])
        return self._normal(np.array([[0, *(int(getattr(first, one)) for one in self.columns[1:])]], dtype=np.int64))

    def told(self, said: Mapping[str, bool], rows: Rows) -> Mapping[str, Any]:
        chosen = vars(self._configuration.completed(said, self._ticks))
        return {name: int(value) for name, value in chosen.items()}

    def after(self, rows: Rows, happens: Happens) -> tuple[Rows, Rows]:
        act = act_of(self._encoding, happens.action)
        action = compiled(self._configuration, act, happens.action, self._claim.world)
        changed, possible = self.turned(action, rows, happens)
        return self._normal(changed), possible

    def waiting(self) -> Kernel:
        return self._waiting

    def wrong(self) -> Kernel:
        return self._wrong

    def packed(self, rows: Rows) -> Keys:
        return numbered(rows, self._weights)

    def ending(self, rows: Rows) -> tuple[int, Happens] | None:
        if not self._configuration.ends:
            wrong = self.first_wrong(rows)
            return None if wrong is None else (wrong, Happens(ENVIRONMENT, OBSERVES))
        for happens in self._endings:
            after, origin = self.after(rows, happens)
            wrong = self.first_wrong(after)
            if wrong is not None:
                return int(origin[wrong]), happens
        return None

    def _normal(self, rows: Rows) -> Rows:
        """The same without what makes no difference, and no number out of its room."""
        for place, matters in zip(self._idle, self._computed(self._matters, rows, {}), strict=True):
            rows[:, place] *= matters
        rows[:, self._blind] = 0
        return np.clip(rows, 0, self._most, out=rows)
