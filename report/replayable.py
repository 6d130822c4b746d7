"""Replay a counterexample on the modelled client code, from the actions in its trace."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.results import Counterexample

Recipe = Mapping[str, Any]
"""Replay data of a whole trace or of one step, as JSON values."""


class NotARun(Exception):
    """Raised for a trace that cannot be replayed; the message gives the reason."""


@dataclass(frozen=True)
class Ran:
    """Result of a replay."""

    example: Counterexample
    """The replayed part of the counterexample; without a sentence if it breaks no guarantee."""
    stopped: str = ""
    """Why the replay stopped early; empty if it reached the end."""


@dataclass(frozen=True)
class Replayable:
    """Functions that write and replay the traces of one kind of claims."""

    recipe: Callable[[Claim, Counterexample], tuple[Recipe, Sequence[Recipe]]]
    """``recipe(claim, example)`` returns replay data of the whole trace, and of each step after the first state."""
    run: Callable[[Claim, Recipe, Sequence[Recipe]], Ran]
    """``run(claim, whole, steps)`` replays a trace. Raises ``NotARun``."""


def integer(recipe: Recipe, name: str, least: int = 0, most: int = 2**53) -> int:
    """Return the integer ``name`` of the replay data, between ``least`` and ``most``.

    Raises ``NotARun``.
    """
    value = recipe.get(name)
    if type(value) is not int or not least <= value <= most:
        raise NotARun(f"{name!r} is not a whole number from {least} to {most}")
    return value
