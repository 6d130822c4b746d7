"""The shortest way to what must not be: all states of a machine, breadth first, in ticks, by compiled terms."""

from functools import cache
from typing import Any

import numpy as np

from rebalance_proofs.model.machine.machine import ENVIRONMENT, Act, act_of
from rebalance_proofs.model.machine.record import flags, names, variables
from rebalance_proofs.model.machine.values import And, Bool, number, term
from rebalance_proofs.model.terms.kernel import Kernel, compile_kernel
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.guarded import Guarded, compile_guarded
from rebalance_proofs.proofs.happens import Happens, Schedule
from rebalance_proofs.proofs.kernel_exploration import KernelExploration
from rebalance_proofs.proofs.machine.configuration import OBSERVES, Configuration, Predicate
from rebalance_proofs.proofs.machine.world import MachineWorld
from rebalance_proofs.proofs.rows import Keys, numbered
from rebalance_proofs.proofs.timed_exploration import Rows, Unended

__all__ = ["compiled", "explored"]

AnyConfiguration = Configuration[Any, Any, Any, Any]
AnyWorld = MachineWorld[Any, Any, Any] | None


@cache
def explored(configuration: AnyConfiguration, encoding: Any, claim: Claim) -> Schedule | None:
    """The first schedule of the fewest actions that breaks the claim, in ticks; None when there is none.

    Raises ``Unended`` when the search has not ended after as many actions as the configuration has it.
    """
    try:
        found = _Exploration(configuration, encoding, claim).shortest(configuration.limit)
    except Unended:
        if configuration.gives_up:
            return None
        raise
    if found is None:
        return None
    return tuple(reversed(found if configuration.clock else found[1:]))


@cache
def compiled(of: AnyConfiguration, act: Act[Any, Any, Any], name: str = "", world: AnyWorld = None) -> Guarded:
    """An action as a NumPy function of all unknowns: whether it is possible, and each field but the time after it.

    In a world it is possible only where the premises permit it.
    """
    given = of.given(of.unknowns())
    turn = act(*given)
    can = And(turn.can, True if world is None else world.permits(name, *given))
    return compile_guarded(of.names, term(can), *(getattr(turn.after, one) for one in of.own))


def _kernel(configuration: AnyConfiguration, *predicates: Predicate[Any, Any]) -> Kernel:
    state, _, limits = configuration.given(configuration.unknowns())
    return compile_kernel(configuration.names, *(term(one(state, limits)) for one in predicates))


class _Exploration(KernelExploration):
    """A row is the time, and the other fields of a state. Without a clock it is 0, and no time passes."""

    def __init__(self, configuration: AnyConfiguration, encoding: Any, claim: Claim) -> None:
        machine, world = configuration.machine, claim.world
        aside = {*configuration.aside(claim), *world.excludes}
        self.moves = tuple(move for move in configuration.moves if move.action not in aside)
        self.columns, self.names = ("now", *configuration.own), configuration.names
        scale = configuration.scale(claim)
        self._ticks = ticks = scale.ticks
        numbers = {name: number(value) for name, value in configuration.numbers(ticks).items()}
        self.fixed = {**vars(ticks), **dict.fromkeys(names(machine.choices), 0), **numbers}
        self._configuration, self._encoding, self._claim = configuration, encoding, claim

        def waits(s: Any, lim: Any) -> Bool:
            return bool(configuration.clock) and And(s.now < scale.end, world.waits(s, s.now + 1, lim))

        known, truths = variables(machine.state), flags(machine.state)
        self._waiting, self._wrong = _kernel(configuration, waits), _kernel(configuration, configuration.bad(claim))
        asked = {name: one.matters for name, one in known.items() if one.matters}
        asked |= {name: lambda s: False for name in world.idle}
        self._idle = [self.columns.index(name) for name in asked]
        self._matters = _kernel(configuration, *(lambda s, lim, one=one: one(s) for one in asked.values()))
        most = {name: one.most or configuration.most for name, one in known.items() if name not in truths}
        self._most = np.array([most.get(name, 1) for name in self.columns])
        bits = [int(most).bit_length() for most in self._most]
        if sum(bits) > 63:
            raise ValueError(f"a state takes {sum(bits)} bits, which is more than a number has")
        self._weights = np.array([1 << sum(bits[:place]) for place in range(len(bits))], dtype=np.int64)

    def start(self) -> Rows:
        machine = self._configuration.machine
        first = machine.first(machine.state.blank(), self._ticks, self._claim.subjects[0])
        return np.array([[0, *(int(getattr(first, one)) for one in self.columns[1:])]], dtype=np.int64)

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
        wrong = self.first_wrong(rows)
        return None if wrong is None else (wrong, Happens(ENVIRONMENT, OBSERVES))

    def _normal(self, rows: Rows) -> Rows:
        """The same without what makes no difference, and no number out of its room."""
        for place, matters in zip(self._idle, self._computed(self._matters, rows, {}), strict=True):
            rows[:, place] *= matters
        return np.clip(rows, 0, self._most, out=rows)
