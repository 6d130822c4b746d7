"""Guarantees claimed for strategies over several topics.

They depend on whether a strategy divides one list per topic or one list of all topics.
"""

from typing import TypedDict


class Promises(TypedDict):
    """Names of guarantees that a strategy gives or does not give, as arguments of ``Strategy``."""

    holds: frozenset[str]
    fails: frozenset[str]


PER_TOPIC: Promises = {"holds": frozenset({"tilt", "attained", "lowest-first"}), "fails": frozenset({"level"})}
ONE_LIST: Promises = {"holds": frozenset({"level", "tilt", "lowest-first"}), "fails": frozenset({"attained"})}
