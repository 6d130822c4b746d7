"""Sets of assumptions of claims about machines.

They exclude actions, restrict actions to some states, and limit the passing of time.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic, Self

from rebalance_proofs.model.machine.record import C, L, S
from rebalance_proofs.model.machine.values import And, Bool, Int
from rebalance_proofs.proofs.world import Premised

__all__ = ["MachineWorld"]


@dataclass(frozen=True)
class MachineWorld(Premised, Generic[S, C, L]):
    """A set of assumptions about a machine's environment.

    Each kind of claims derives its own class; methods run on numbers and on terms.
    """

    @property
    def excludes(self) -> Mapping[str, str]:
        """Return excluded actions, each with the assumption that excludes it.

        The assumption is worded as in ``premises``.
        """
        return {}

    def allows(self, action: str, state: S, choices: C, limits: L) -> Bool:
        """Return whether the assumptions permit an action that is not in ``excludes``.

        The action's guard is not checked here.
        """
        return True

    def waits(self, state: S, until: Int, limits: L) -> Bool:
        """Return whether time can pass until ``until``: no event is due before.

        Always true for a machine without a clock.
        """
        return True

    def given(self, limits: L) -> dict[str, Bool]:
        """Return the assumptions about the limits, by sentence."""
        return {"no limit is negative": And(*(limit >= 0 for limit in vars(limits).values()))}

    @property
    def twins(self) -> bool:
        """Return whether two consumers have the same client id, so that they seem to be one."""
        return False

    def beside(self, encoding: Any) -> Self:
        """Return these assumptions with access to the client's encoding (``Machine.parts``).

        They can then depend on the client's own behaviour.
        """
        return self

    def first(self, state: S, limits: L) -> S:
        """Return the first state under these assumptions, made from the machine's first state."""
        return state

    def isolated(self, action: str, state: S, choices: C, limits: L) -> Bool:
        """Return an extra condition on actions in runs, which proofs do not assume.

        In a run, only the copies (consumers) of the run exist.
        """
        return True

    def lets(self, action: str, state: S, choices: C, limits: L) -> Bool:
        """Return whether an action can happen in a run: it is permitted, and ``isolated`` holds."""
        return And(self.permits(action, state, choices, limits), self.isolated(action, state, choices, limits))

    def permits(self, action: str, state: S, choices: C, limits: L) -> Bool:
        """Return whether the assumptions permit an action: not excluded, and allowed in this state."""
        return False if action in self.excludes else self.allows(action, state, choices, limits)
