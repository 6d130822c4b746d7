"""Interface between a symbolic value and the run that uses it."""

from typing import Protocol

from rebalance_proofs.model.terms import smt

__all__ = ["Asking"]


class Asking(Protocol):
    """A run that decides conditions on unknown values and collects the guards of their terms."""

    def decide(self, condition: smt.BoolTerm) -> bool:
        """Choose whether the condition holds on this path."""

    def guard(self, condition: smt.BoolTerm) -> None:
        """Record a condition without which the terms do not describe the code."""
