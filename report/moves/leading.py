"""The first sentence of an answer: the level strategy with the fewest moves."""

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from rebalance_proofs.report.english import listing


class Runner(NamedTuple):
    """One strategy in the comparison."""

    name: str
    level: bool
    """True if no consumer has two queues more than another."""
    moves: tuple[Fraction, ...]
    """Average numbers of moves, the most important first."""


def best(runners: Sequence[Runner]) -> list[Runner]:
    """Return the level strategies with the fewest moves; any if none is level."""
    among = [one for one in runners if one.level] or list(runners)
    fewest = min(one.moves for one in among)
    return [one for one in among if one.moves == fewest]


def leading(runners: Sequence[Runner]) -> str:
    """Return the sentence."""
    found = best(runners)
    names = listing(one.name for one in found)
    moves = "moves" if len(found) == 1 else "move"
    if not found[0].level:
        return f"No strategy here gives level shares; {names} {moves} the fewest queues."
    if len(runners) == len(found):
        return f"The shares under {names} are level."
    return f"{names} {moves} the fewest queues of all strategies with level shares."
