"""Trying a strategy in all spaces in this process, without Spark.

The smallest groups come first, within a time limit.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf
from time import perf_counter

from rebalance_proofs.model.own.asked import Asked
from rebalance_proofs.model.worlds.agreed import AGREED
from rebalance_proofs.model.worlds.joins import JOINS
from rebalance_proofs.spark_enum.own.repeated import repeated, small
from rebalance_proofs.spark_enum.own.rows import NEEDED, Found
from rebalance_proofs.spark_enum.own.spaces import OwnSpace
from rebalance_proofs.spark_enum.own.tried import RETURNS, Tried, everything, try_out

FEWEST, MOST = 1, 512
"""The minimum and the maximum number of groups per batch."""
HOPELESS, STILL_HOPELESS = 32, 4
"""The number of failing groups after which a space is abandoned.

In each of these groups a call returned no list. The second number applies after a first space was abandoned.
"""
QUICK, SLOW = 0.2, 0.8
"""Seconds: a faster batch makes the next one larger, a slower one makes it smaller."""
SECONDS = 15.0
"""Default time limit in seconds for all spaces.

For slow code, the largest groups are left out.
"""

KNOWN = 1 / 3
"""The maximum fraction of the remaining time after a necessary guarantee is broken."""

EARLY = 1.0
"""Seconds until a first result is reported."""
AGAIN = 5.0
"""Seconds for repeated calls.

Each space has its share, and at least one group of it is repeated.
"""

LEAST = 0.05
"""The share, in seconds, of a space for which no time is left."""

Told = Callable[[Found], object]


@dataclass
class Here:
    """Tries spaces one after the other; the remaining time is divided among them."""

    seconds: float = SECONDS
    """The time limit in seconds; 0 for none."""
    early: Told | None = None
    """Called once with the first space's results so far, after ``EARLY`` seconds."""

    def __call__(self, spaces: Sequence[OwnSpace], asked: Asked, told: Told = lambda found: None) -> list[Found]:
        """Return the results of each space."""
        found, left, clock = [], self.seconds, asked.clock
        weights, patience = [_weight(space) for space in spaces], HOPELESS
        for number, space in enumerate(spaces):
            start = clock()
            share = left * weights[number] / sum(weights[number:])
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
    """Return whether a call returned no list in every group tried.

    At least ``patience`` groups must have been tried.
    """
    return tried.refused == tried.groups >= patience


def again(spaces: Sequence[OwnSpace], asked: Asked, another: Asked, known: Sequence[Found] = ()) -> list[Found]:
    """Return the results of repeated calls, in spaces in which all consumers see the same lists.

    ``known`` are the results of the first calls.
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
    """Return the weight of a space for its share of the time.

    Unused time goes to the other spaces.
    """
    return max(1.0, space.calls / 10_000)


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
