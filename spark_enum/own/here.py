"""All spaces in this process, without Spark: smallest groups first, and nothing longer than it takes to know."""

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
"""Groups that are asked for at once."""
HOPELESS, STILL_HOPELESS = 32, 4
"""After so many groups of a space in all of which some call gave no list, no more of it are tried; and of other spaces
once that has been so of one."""
QUICK, SLOW = 0.2, 0.8
"""Seconds: after a piece that took less the next one is larger, after one that took more it is smaller."""
SECONDS = 15.0
"""For all spaces, unless told otherwise: of slow code the largest groups are left out."""

KNOWN = 1 / 3
"""So much of that is left, at most, once something is broken that every group needs: the answer is known."""

EARLY = 1.0
"""Seconds until something is said."""
AGAIN = 5.0
"""Seconds for asking again; each space has its share, and at least one group of it is asked for."""

LEAST = 0.05
"""Seconds of the share of a space for which none are left."""

Told = Callable[[Found], object]


@dataclass
class Here:
    """Does spaces one after the other, with the time that is left shared out among them."""

    seconds: float = SECONDS
    """0 for as long as it takes."""
    early: Told | None = None
    """Is told once what the first space has shown after ``EARLY`` seconds."""

    def __call__(self, spaces: Sequence[OwnSpace], asked: Asked, told: Told = lambda found: None) -> list[Found]:
        """What is found in each space."""
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
    """In so many groups, which are all that were tried, some call gave no list."""
    return tried.refused == tried.groups >= patience


def again(spaces: Sequence[OwnSpace], asked: Asked, another: Asked, known: Sequence[Found] = ()) -> list[Found]:
    """What comes of asking again, where one view is all there is. ``known`` is what came of asking once."""
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
    """What larger spaces may take of the time; what others leave is theirs."""
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
    code, expected, size = 0, groups.groups, FEWEST
    left, began = set(everything(space)), perf_counter()
    while code < groups.codes and not asked.gave_up:
        start = clock()
        if until and start > until and code:
            return Found(space, tried, expected, cut=True)
        if tried.refused == tried.groups < patience:  # no more at once than it takes to know
            size = min(size, patience - tried.groups)
        piece = range(code, min(code + size, groups.codes))
        some = [one for one in map(groups.decode, piece) if one is not None]
        code = piece.stop
        tried.merge(try_out(space, asked, some, tried.broken))
        left -= set(tried.broken)
        if left <= {RETURNS} and space.world is not AGREED and space.world is not JOINS:
            break  # nothing is left to be told of larger ones
        if hopeless(tried, patience):
            break
        if early and perf_counter() - began > EARLY:
            early(Found(space, tried, expected))
            early = None
        took = clock() - start
        size = min(MOST, size * 2) if took < QUICK else max(FEWEST, size // 2) if took > SLOW else size
    return Found(space, tried, expected)
