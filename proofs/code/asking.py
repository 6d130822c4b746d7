"""What an unknown value needs of the run that it is met in."""

from typing import Protocol

import z3

__all__ = ["Asking"]


class Asking(Protocol):
    """Decides conditions on unknown values, and keeps what its terms rest on."""

    def decide(self, condition: z3.BoolRef) -> bool:
        """Which way to go."""

    def guard(self, condition: z3.BoolRef) -> None:
        """The terms say what the code does only if this holds."""
