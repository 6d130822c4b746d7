"""Replay of a counterexample on the client's code, from the actions that its trace records."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.results import Counterexample

__all__ = ["NotARun", "Ran", "Recipe", "Replayable", "integer"]

Recipe = Mapping[str, Any]
"""Replay data as JSON values, of a whole trace or of one step."""


class NotARun(Exception):
    """The trace records something that cannot be replayed; the message says why."""


@dataclass(frozen=True)
class Ran:
    """Result of a replay."""

    example: Counterexample
    """The part that was replayed; its sentence is empty where that part breaks no guarantee."""
    stopped: str = ""
    """Why the replay stopped early; empty when it reached the end."""


@dataclass(frozen=True)
class Replayable:
    """How one kind of claims writes and replays its traces."""

    recipe: Callable[[Claim, Counterexample], tuple[Recipe, Sequence[Recipe]]]
    """``recipe(claim, example)``: replay data of the whole trace, and of each step after the first state."""
    run: Callable[[Claim, Recipe, Sequence[Recipe]], Ran]
    """``run(claim, whole, steps)``: the replay. Raises ``NotARun``."""


def integer(recipe: Recipe, name: str, least: int = 0, most: int = 2**53) -> int:
    """The integer ``name`` of a recipe, between ``least`` and ``most``. Raises ``NotARun``."""
    value = recipe.get(name)
    if type(value) is not int or not least <= value <= most:
        raise NotARun(f"{name!r} is not a whole number from {least} to {most}")
    return value
