"""Interface between a symbolic value and the symbolic run that uses it."""

from typing import Protocol

from rebalance_proofs.model.terms import smt


class Asking(Protocol):
    """A run that decides conditions on unknown values, and collects guards.

    A guard is a condition without which the run's terms do not describe the code.
    """

    def decide(self, condition: smt.BoolTerm) -> bool:
        """Choose whether the condition on unknown values is true on this path."""

    def guard(self, condition: smt.BoolTerm) -> None:
        """Record a guard: a condition without which the run's terms do not describe the code."""
