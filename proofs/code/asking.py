"""Interface between a symbolic value and the run in which it occurs."""

from typing import Protocol

import z3

__all__ = ["Asking"]


class Asking(Protocol):
    """A run that decides conditions on unknown values and collects the guards of their terms."""

    def decide(self, condition: z3.BoolRef) -> bool:
        """Choose whether the condition holds on this path."""

    def guard(self, condition: z3.BoolRef) -> None:
        """Record a condition without which the terms do not describe the code."""
