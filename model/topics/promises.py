"""Guarantees of strategies over several topics, by the lists that they divide."""

from typing import TypedDict


class Promises(TypedDict):
    """Guarantees that a strategy gives or does not give, as arguments of ``Strategy``."""

    holds: frozenset[str]
    fails: frozenset[str]


PER_TOPIC: Promises = {"holds": frozenset({"tilt", "attained", "lowest-first"}), "fails": frozenset({"level"})}
ONE_LIST: Promises = {"holds": frozenset({"level", "tilt", "lowest-first"}), "fails": frozenset({"attained"})}
