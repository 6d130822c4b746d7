"""Compare an inventory with the log statements of a source tree."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from rebalance_proofs.recorded.knowledge.statements.calls import Call
from rebalance_proofs.recorded.knowledge.statements.inventory import Inventory, Statement, inventories
from rebalance_proofs.recorded.knowledge.statements.tree import BadTree, files, version

Found = tuple[str, str, Call]
"""A log statement of the tree: path of its file, class, and the call."""


@dataclass(frozen=True)
class Compared:
    """Differences between a source tree and one release of an inventory."""

    inventory: Inventory
    release: str
    """Release of the inventory that the tree was compared with."""
    guessed: bool
    """True if the tree names no version, so that the release is the one that differs least."""
    number: int
    """Number of log statements in the tree."""
    new: tuple[Found, ...]
    """Statements that only the tree has."""
    missing: tuple[Statement, ...]
    """Statements that only the inventory has."""

    @property
    def differ(self) -> bool:
        """True if there is a difference."""
        return bool(self.new or self.missing)


def compared(tree: Path, release: str = "") -> list[Compared]:
    """Compare a source tree with all inventories that cover one of its files.

    ``release``: version of the client; by default, the version that the tree names. Raises ``BadTree``.
    """
    inside = f"{tree.resolve().name}/" if tree.is_dir() else ""
    sources = [(f"{inside}{path}", source) for path, source in files(tree)]
    named = release or version(tree)
    every = [compared_with(one, sources, named) for one in inventories().values()]
    found = [one for one in every if one]
    if not found:
        raise BadTree("it has no source file of a client or broker whose log statements are known")
    return found


def compared_with(inventory: Inventory, sources: Iterable[tuple[str, str]], named: str) -> Compared | None:
    """Compare source files, given as path and text, with an inventory; None if it covers none of them.

    ``named``: version of the sources; "" if it is unknown.
    """
    own = [(path, source) for path, source in sources if inventory.covers(path)]
    if not own:
        return None
    found = [*inventory.calls(own)]
    known = _release(named, inventory.releases)
    releases = [known] if known else [*reversed(inventory.releases)]
    every = [Compared(inventory, one, not known, len(found), *_differences(inventory, one, found)) for one in releases]
    return min(every, key=lambda one: len(one.new) + len(one.missing))


def _differences(
    inventory: Inventory, release: str, found: Sequence[Found]
) -> tuple[tuple[Found, ...], tuple[Statement, ...]]:
    known = {one.key: one for one in inventory.of(release)}
    keys = [(where, call.level, call.text) for _, where, call in found]
    new = tuple(one for key, one in zip(keys, found, strict=True) if key not in known)
    return new, tuple(one for key, one in known.items() if key not in keys)


def _release(named: str, releases: Sequence[str]) -> str:
    """Return the release of that name, or the newest one that is not newer: 5.1.4 for 5.1.4-company-2."""
    plain = named.removeprefix("v")
    for one in releases:
        if plain == one.removeprefix("v"):
            return one
    if not (wanted := _numbers(plain)):
        return ""
    older = [one for one in releases if (numbers := _numbers(one)) and numbers <= wanted]
    return older[-1] if older else ""


def _numbers(release: str) -> tuple[int, ...]:
    found = re.match(r"v?(\d+(?:\.\d+)+)", release)
    return tuple(map(int, found[1].split("."))) if found else ()


def told(one: Compared) -> Iterator[str]:
    """Yield the result as lines of text."""
    guess = " (the release that differs least)" if one.guessed else ""
    yield f"{one.inventory.name}, compared with {one.release}{guess}: {one.number} log statements"
    for path, _, call in one.new:
        yield f"not in the inventory: {path}:{call.line}: {call.level}: {call.text}"
    for statement in one.missing:
        yield f"not in the tree: {statement.where}: {statement.level}: {statement.text}"
