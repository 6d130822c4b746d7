"""Worlds of claims about machines: which actions the premises exclude, when they permit others, and how time passes."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic, Self

from rebalance_proofs.model.machine.record import C, L, S
from rebalance_proofs.model.machine.values import And, Bool, Int
from rebalance_proofs.proofs.world import Premised

__all__ = ["MachineWorld"]


@dataclass(frozen=True)
class MachineWorld(Premised, Generic[S, C, L]):
    """Premises about a machine's environment. Each kind of claims derives its own; methods run on numbers and on
    terms."""

    @property
    def excludes(self) -> Mapping[str, str]:
        """Actions that never happen, each with the premise that excludes it, as worded in ``premises``."""
        return {}

    def allows(self, action: str, state: S, choices: C, limits: L) -> Bool:
        """Whether the premises permit an action that they do not exclude altogether; the action's guard is not checked
        here."""
        return True

    def waits(self, state: S, until: Int, limits: L) -> Bool:
        """Whether time can pass until then: nothing is due before. Always true for a machine without a clock."""
        return True

    def given(self, limits: L) -> dict[str, Bool]:
        """Premises about the limits, by their sentences."""
        return {"no limit is negative": And(*(limit >= 0 for limit in vars(limits).values()))}

    @property
    def twins(self) -> bool:
        """Whether copies take each other for themselves."""
        return False

    def beside(self, encoding: Any) -> Self:
        """This world, able to evaluate premises about the client's own behaviour by its encoding
        (``Machine.parts``)."""
        return self

    def first(self, state: S, limits: L) -> S:
        """The first state in this world, made of the machine's first state."""
        return state

    def isolated(self, action: str, state: S, choices: C, limits: L) -> Bool:
        """Extra condition on actions in runs, where nothing exists but what the run shows. Proofs do not assume it."""
        return True

    def lets(self, action: str, state: S, choices: C, limits: L) -> Bool:
        """Whether the world lets an action happen in a run: permitted by the premises, and isolated."""
        return And(self.permits(action, state, choices, limits), self.isolated(action, state, choices, limits))

    def permits(self, action: str, state: S, choices: C, limits: L) -> Bool:
        """Whether the premises permit an action: it is neither excluded nor disallowed in this state."""
        return False if action in self.excludes else self.allows(action, state, choices, limits)
