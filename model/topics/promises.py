"""What strategies over several topics promise, by the lists that they divide."""

from typing import TypedDict


class Promises(TypedDict):
    """What a strategy gives and what it does not, as arguments of ``Strategy``."""

    holds: frozenset[str]
    fails: frozenset[str]


PER_TOPIC: Promises = {"holds": frozenset({"tilt", "attained", "lowest-first"}), "fails": frozenset({"level"})}
ONE_LIST: Promises = {"holds": frozenset({"level", "tilt", "lowest-first"}), "fails": frozenset({"attained"})}
