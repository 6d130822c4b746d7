"""Worlds of claims about machines: which actions the premises exclude, when they allow others, how long time passes."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic, Self

from rebalance_proofs.model.machine.record import C, L, S
from rebalance_proofs.model.machine.values import And, Bool, Int
from rebalance_proofs.proofs.world import Premised

__all__ = ["MachineWorld"]


@dataclass(frozen=True)
class MachineWorld(Premised, Generic[S, C, L]):
    """A kind of claims says which premises there are; all of it is on numbers and on terms alike."""

    @property
    def excludes(self) -> Mapping[str, str]:
        """Actions that never happen, each with the premise that says so, a part of the world's sentence."""
        return {}

    def allows(self, action: str, state: S, choices: C, limits: L) -> Bool:
        """What the premises say of another action, one that is possible."""
        return True

    def waits(self, state: S, until: Int, limits: L) -> Bool:
        """Time can pass until then: nothing is due before. Of a machine without a clock it is not asked."""
        return True

    def given(self, limits: L) -> dict[str, Bool]:
        """What is asked of the limits, in words."""
        return {"no limit is negative": And(*(limit >= 0 for limit in vars(limits).values()))}

    @property
    def twins(self) -> bool:
        """Copies take each other for themselves."""
        return False

    def beside(self, encoding: Any) -> Self:
        """The same world, for premises that speak of what the client would do (``Machine.parts``)."""
        return self

    def first(self, state: S, limits: L) -> S:
        """The first state there, from that of the machine."""
        return state

    def isolated(self, action: str, state: S, choices: C, limits: L) -> Bool:
        """What is so of an action of a run, in which there is nothing but what is looked at. Proofs do without it."""
        return True

    def lets(self, action: str, state: S, choices: C, limits: L) -> Bool:
        """Whether the action can happen in a run."""
        return And(self.permits(action, state, choices, limits), self.isolated(action, state, choices, limits))

    def permits(self, action: str, state: S, choices: C, limits: L) -> Bool:
        """Whether the premises have it that the action can happen."""
        return False if action in self.excludes else self.allows(action, state, choices, limits)
