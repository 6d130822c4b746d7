"""Rows of the answer: the result for each guarantee, over all groups that were tried."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from rebalance_proofs.model.own.names import DERIVED, YOURS
from rebalance_proofs.model.worlds.groups import AGREED, Groups
from rebalance_proofs.spark_enum.own.repeated import REPEATS
from rebalance_proofs.spark_enum.own.spaces import OwnSpace
from rebalance_proofs.spark_enum.own.tried import RETURNS, Tried
from rebalance_proofs.spark_enum.results import Wrong


class Holds(Enum):
    """The result for a guarantee."""

    YES = "holds"
    """The guarantee holds in every group that was tried, with every kind of names."""
    NO = "broken"
    UNTOLD = "not judged"
    """The guarantee could not be checked in all groups, for example because calls failed."""
    UNTRIED = "not tried"
    """In some space no group was tried, because it has no group, or because no time was left."""


@dataclass(frozen=True)
class Found:
    """The results in one space (set of groups)."""

    space: OwnSpace
    tried: Tried
    expected: int
    """The number of groups in the space."""
    cut: bool = False
    """True if time ran out before the largest groups were tried."""


@dataclass(frozen=True)
class Smallest:
    """The smallest group that violates a guarantee."""

    space: OwnSpace
    wrong: Wrong

    @property
    def key(self) -> str:
        """The group's name for ``--group``.

        Examples: ``agreed/plain/2x3``, ``same-cid-all/plain/2x1/0.1.2``.
        """
        n, q = self.wrong.size
        digits = ".".join(map(str, self.wrong.digits))
        return "/".join([self.space.name, f"{n}x{q}", *([digits] if digits else [])])


@dataclass(frozen=True)
class Row:
    """The results for one guarantee in groups with one property (world), such as a join."""

    name: str
    """Examples: ``disjoint``, ``disjoint.without-same-cid-all``, ``monotone``."""
    sentence: str
    world: Groups
    found: tuple[Found, ...]
    """The spaces in which the guarantee was tried, with their results."""
    smallest: Smallest | None
    """The smallest of the groups that decide and that violate the guarantee.

    The user's names come first. If groups are equally large, it is the one whose names come first.
    """
    elsewhere: Smallest | None = None
    """The smallest group with other names than the user's that violates it, if no group that decides does."""
    only_yours: bool = False
    """True if the groups with the user's names decide, and other groups are only tried beside them."""

    @property
    def shown(self) -> Smallest | None:
        """The smallest group to show: one that decides, or else one with other names than the user's."""
        return self.smallest or self.elsewhere

    @property
    def deciding(self) -> tuple[Found, ...]:
        """The results that decide whether the guarantee holds."""
        return tuple(one for one in self.found if _is_yours(one) or not self.only_yours)

    @property
    def holds(self) -> Holds:
        """The result over all groups that decide. It is no proof, because the groups are bounded."""
        if self.smallest:
            return Holds.NO
        found = self.deciding
        whole = all((one.cut or one.tried.groups == one.expected) and not one.tried.unjudged for one in found)
        if not found or not whole:
            return Holds.UNTOLD
        return Holds.YES if all(one.tried.groups for one in found) else Holds.UNTRIED

    @property
    def groups(self) -> int:
        """The number of groups that decide in which the guarantee was checked."""
        return sum(one.tried.groups - one.tried.unjudged for one in self.deciding)


SENTENCES = {
    RETURNS: "Every call returns a list of queues",
    REPEATS: "It repeats its results after other calls and in another process",
}

HISTORY = "history"
"""Name of the world of groups whose members were called before."""
VARY = "vary"
"""Name of the world of groups whose members have different settings."""
CHANGED = (HISTORY, VARY)
ALWAYS = (RETURNS, REPEATS, "inside")
"""Guarantees on which all others depend.

They decide the exit status in addition to the guarantees that the user names.
"""
NEEDED = (*ALWAYS, "disjoint", "covers")
"""The guarantees that every group needs.

They decide the exit status unless the user names others.
"""


def rows(found: Sequence[Found], again: Sequence[Found], *, only_yours: bool = False) -> tuple[Row, ...]:
    """Return the rows of the answer, in display order.

    Groups whose consumers see the same lists come first, then groups that violate an assumption, then groups that
    change. ``again`` are the results of repeated calls. ``only_yours``: where groups with the user's names were tried,
    only these decide.
    """
    told: list[Row] = []
    worlds = {one.space.world.name: one.space.world for one in found}
    for world in worlds.values():
        there = [one for one in found if one.space.world is world]
        guarantees = there[0].space.guarantees
        named = [(RETURNS, SENTENCES[RETURNS]), *((one.name, one.sentence) for one in guarantees)]
        for name, sentence in named:
            told.append(_row(name, sentence, world, there, only_yours))
            if name == RETURNS and world is AGREED:
                told.append(_row(REPEATS, SENTENCES[REPEATS], world, again, only_yours))
    return tuple(told)


def names(space: OwnSpace) -> tuple[str, ...]:
    """Return the names of the rows that contain results of this space, in display order."""
    first = (RETURNS, REPEATS) if space.world is AGREED else (RETURNS,)
    return tuple(row_name(name, space.world) for name in (*first, *(one.name for one in space.guarantees)))


def _row(name: str, sentence: str, world: Groups, found: Sequence[Found], only_yours: bool) -> Row:
    broken = [Smallest(one.space, one.tried.broken[name]) for one in found if name in one.tried.broken]
    smallest = min(broken, key=_order, default=None)
    if name == RETURNS:  # Every group that was tried is judged.
        found = [_judged(one) for one in found]
    yours = only_yours and any(map(_is_yours, found))
    # Results that depend on earlier calls do so with any names, so `repeats` is broken wherever it is.
    if yours and smallest and smallest.space.naming.name != YOURS and name != REPEATS:
        return Row(row_name(name, world), sentence, world, tuple(found), None, smallest, yours)
    return Row(row_name(name, world), sentence, world, tuple(found), smallest, only_yours=yours)


def _is_yours(found: Found) -> bool:
    return found.space.naming.name == YOURS


def _order(one: Smallest) -> tuple[bool, tuple[int, ...], bool]:
    return one.space.naming.name != YOURS, one.wrong.size, one.space.naming.name == DERIVED


def row_name(name: str, world: Groups) -> str:
    """Return a row's name, in the form of claim ids: ``disjoint.without-same-cid-all``.

    For a failed call in groups that change, the name of the change is appended.
    """
    if world.dropped:
        return f"{name}.without-{world.name}"
    if world.name in CHANGED:
        return f"{name}.{world.name}"
    return name if world is AGREED or name != RETURNS else f"{name}.{world.name}"


def _judged(found: Found) -> Found:
    return replace(found, tried=replace(found.tried, unjudged=0))


def failing(told: Sequence[Row], required: Collection[str]) -> Iterator[Row]:
    """Yield the rows that are ``required`` and are not shown to hold."""
    return (row for row in told if needed(row, required) and row.holds is not Holds.YES)


def needed(row: Row, required: Collection[str]) -> bool:
    """Return whether the row decides the exit status: also after earlier calls, and with different settings."""
    if row.world.name in CHANGED:
        return row.name.removesuffix(f".{row.world.name}") in (*NEEDED, *required)
    return row.name in required
