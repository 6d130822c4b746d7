"""Try a user-defined strategy in all groups of several spaces in this process, without Spark.

The smallest groups come first, within a time limit.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf
from time import perf_counter

from rebalance_proofs.model.own.asked import Asked
from rebalance_proofs.model.own.names import DERIVED, YOURS
from rebalance_proofs.model.worlds.groups import AGREED
from rebalance_proofs.model.worlds.joins import JOINS
from rebalance_proofs.spark_enum.own.repeated import repeated, small
from rebalance_proofs.spark_enum.own.rows import NEEDED, Found
from rebalance_proofs.spark_enum.own.spaces import OwnSpace
from rebalance_proofs.spark_enum.own.tried import RETURNS, Tried, everything, try_out

FEWEST, MOST = 1, 512
"""The minimum and the maximum number of groups per batch."""
HOPELESS, STILL_HOPELESS = 32, 4
"""Number of groups without a returned list after which the rest of a space is not tried.

The second number applies after a first space was abandoned for that reason.
"""
QUICK, SLOW = 0.2, 0.8
"""Seconds per batch: after a faster batch the next one is larger, after a slower one smaller."""
SECONDS = 15.0
"""Default time limit in seconds for all spaces together.

If the strategy is slow, the largest groups are left out.
"""

KNOWN = 1 / 3
"""Largest fraction of the time limit that is left after a necessary guarantee is broken."""

EARLY = 1.0
"""Seconds after which first results are reported."""
AGAIN = 5.0
"""Seconds for repeated calls, divided among the spaces.

At least one group of each space is repeated.
"""

NAMED = {YOURS: 0.7, DERIVED: 0.3}
"""Part of the remaining time for groups with the user's names, and for those with names that the code looks for."""

LEAST = 0.05
"""Seconds for a space when no time is left."""

Told = Callable[[Found], object]


@dataclass
class Here:
    """A function that tries the strategy in spaces, one after the other, within a time limit.

    The remaining time is divided among the remaining spaces.
    """

    seconds: float = SECONDS
    """The time limit in seconds; 0 for none."""
    early: Told | None = None
    """Function that is called after ``EARLY`` seconds with the first space's results so far."""

    def __call__(self, spaces: Sequence[OwnSpace], asked: Asked, told: Told = lambda found: None) -> list[Found]:
        """Try the strategy in each space and return the results.

        ``told`` is called with the results of each space.
        """
        found, left, clock = [], self.seconds, asked.clock
        patience, weights = HOPELESS, [_weight(space) for space in spaces]
        for number, space in enumerate(spaces):
            start = clock()
            share = left * _share(space, weights[number:])
            early = None if number else self.early
            found.append(_one(space, asked, clock, start + share if self.seconds else None, early, patience))
            if hopeless(found[-1].tried, patience):
                patience = STILL_HOPELESS
            left = max(0.0, left - (clock() - start))
            if space.world is AGREED and set(found[-1].tried.broken) & set(NEEDED):
                left = min(left, self.seconds * KNOWN)
            told(found[-1])
        return found


def hopeless(tried: Tried, patience: int) -> bool:
    """True if a call returned no list in every group, of at least ``patience`` groups."""
    return tried.refused == tried.groups >= patience


def again(spaces: Sequence[OwnSpace], asked: Asked, another: Asked, known: Sequence[Found] = ()) -> list[Found]:
    """Call the strategy again in small groups, and compare the results.

    The consumers of these groups see the same lists. ``another`` calls a second process. ``known`` are the results of
    the first calls.
    """
    found, until = [], perf_counter() + AGAIN
    lost = {one.space.name for one in known if hopeless(one.tried, STILL_HOPELESS)}
    agreed = [space for space in spaces if space.world is AGREED]
    for number, space in enumerate(agreed):
        if not asked.ended and not another.ended:
            few, now = small(space), perf_counter()
            share = max(LEAST, (until - now) / (len(agreed) - number))
            tried = repeated(few, asked, another, now + share, STILL_HOPELESS if space.name in lost else inf)
            given_up = asked.ended or another.ended or space.name in lost
            whole = tried.groups == few.space.groups or bool(tried.broken)
            found.append(Found(few, tried, few.space.groups, cut=not whole and not given_up))
    return found


def _weight(space: OwnSpace) -> float:
    """Return the weight of a space when the time is divided among spaces.

    A space leaves unused time to the next ones.
    """
    return max(1.0, space.calls / 10_000)


def _share(space: OwnSpace, weights: Sequence[float]) -> float:
    """Return the part of the remaining time that a space gets; ``weights``: its own, and those of the spaces after."""
    return NAMED.get(space.naming.name, weights[0] / sum(weights))


def _one(
    space: OwnSpace,
    asked: Asked,
    clock: Callable[[], float],
    until: float | None,
    early: Told | None = None,
    patience: int = HOPELESS,
) -> Found:
    groups, tried = space.space, Tried()
    number, expected, size = 0, groups.groups, FEWEST
    left, began = set(everything(space)), perf_counter()
    while number < expected and not asked.gave_up:
        start = clock()
        if until and start > until and number:
            return Found(space, tried, expected, cut=True)
        if tried.refused == tried.groups < patience:  # no more groups than needed for a result
            size = min(size, patience - tried.groups)
        piece = range(number, min(number + size, expected))
        some = [*map(groups.decode, piece)]
        number = piece.stop
        tried.merge(try_out(space, asked, some, tried.broken))
        left -= set(tried.broken)
        if left <= {RETURNS} and space.world is not AGREED and space.world is not JOINS:
            break  # larger groups would give no new information
        if hopeless(tried, patience):
            break
        if early and perf_counter() - began > EARLY:
            early(Found(space, tried, expected))
            early = None
        took = clock() - start
        size = min(MOST, size * 2) if took < QUICK else max(FEWEST, size // 2) if took > SLOW else size
    return Found(space, tried, expected)
