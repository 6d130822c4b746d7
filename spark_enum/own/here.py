"""All spaces in this process, without Spark: smallest groups first, and nothing longer than it takes to know."""

from collections.abc import Callable, Sequence

from rebalance_proofs.model.own.asked import Asked
from rebalance_proofs.model.worlds.agreed import AGREED
from rebalance_proofs.model.worlds.joins import JOINS
from rebalance_proofs.spark_enum.own.repeated import repeated, small
from rebalance_proofs.spark_enum.own.rows import Found
from rebalance_proofs.spark_enum.own.spaces import OwnSpace
from rebalance_proofs.spark_enum.own.tried import RETURNS, Tried, everything, try_out

PIECE = 256
"""Groups that are asked for at once; of large ones fewer."""

Told = Callable[[Found], object]


def here(spaces: Sequence[OwnSpace], asked: Asked, told: Told = lambda found: None) -> list[Found]:
    """What is found in each space."""
    found = []
    for space in spaces:
        found.append(_one(space, asked))
        told(found[-1])
    return found


def again(spaces: Sequence[OwnSpace], asked: Asked, another: Asked) -> list[Found]:
    """What comes of asking again, where one view is all there is."""
    found = []
    for space in spaces:
        if space.world is AGREED and not asked.gave_up:
            found.append(Found(small(space), repeated(space, asked, another), small(space).space.groups))
    return found


def _one(space: OwnSpace, asked: Asked) -> Found:
    groups, tried = space.space, Tried()
    code, expected = 0, groups.groups
    left = set(everything(space))
    while code < groups.codes and not asked.gave_up:
        piece = range(code, min(code + PIECE, groups.codes))
        some = [one for one in map(groups.decode, piece) if one is not None]
        code = piece.stop
        tried.merge(try_out(space, asked, some, tried.broken))
        left -= set(tried.broken)
        if left <= {RETURNS} and space.world is not AGREED and space.world is not JOINS:
            break  # nothing is left to be told of larger ones
    return Found(space, tried, expected)
