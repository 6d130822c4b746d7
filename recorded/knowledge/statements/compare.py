"""Compare an inventory with the log statements of a source tree."""

import re
import tarfile
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from rebalance_proofs.recorded.knowledge.statements.calls import Call
from rebalance_proofs.recorded.knowledge.statements.inventory import Inventory, Statement, inventories

# Read source files from a folder, or from a jar, zip or tar file.

LEFT_OUT = {"test", "tests", "example", "examples", "benchmark", "docs", "node_modules", ".git"}
"""Folders whose files are no part of a client or broker."""
NUMBER = r"v?(\d+\.\d+\.\d+(?:[-.][\w.-]*?)??)"
IN_NAME = re.compile(rf"[-@]{NUMBER}(?:-sources)?(?:\.jar|\.zip|\.tgz|\.tar\.gz)?$")
POM = re.compile(rf"<artifactId>rocketmq-(?:all|client|broker)</artifactId>\s*<version>{NUMBER}</version>")
PACKAGE = re.compile(rf'"version"\s*:\s*"{NUMBER}"')


class BadTree(Exception):
    """A tree that cannot be read; the message says why."""


def files(tree: Path) -> Iterator[tuple[str, str]]:
    """Yield path and text of each source file in the tree, without tests and examples; sorted.

    Raises ``BadTree`` if the tree cannot be read.
    """
    for name, content in sorted(_contents(tree, (".java", ".go", ".cpp", ".h", ".js", ".ts"))):
        if not LEFT_OUT.intersection(name.split("/")) and not name.endswith(("_test.go", ".test.js")):
            yield name, content.decode("utf-8", "replace")


def version(tree: Path) -> str:
    """Return the version that the tree's name, pom.xml or package.json has; empty if none has."""
    if found := IN_NAME.search(tree.name):
        return found[1]
    for pattern, ends in ((POM, ("pom.xml",)), (PACKAGE, ("package.json",))):
        for _, content in sorted(_contents(tree, ends, deep=False)):
            if found := pattern.search(content.decode("utf-8", "replace")):
                return found[1]
    return ""


def _contents(tree: Path, ends: tuple[str, ...], deep: bool = True) -> Iterator[tuple[str, bytes]]:
    """Yield path and content of each file whose name ends like this; without ``deep``, only at the top."""
    try:
        if tree.is_dir():
            for path in tree.rglob("*") if deep else tree.glob("*"):
                if path.name.endswith(ends) and path.is_file():
                    yield path.relative_to(tree).as_posix(), path.read_bytes()
        elif zipfile.is_zipfile(tree):
            with zipfile.ZipFile(tree) as archive:
                for name in archive.namelist():
                    if name.endswith(ends):
                        yield name, archive.read(name)
        elif tree.is_file() and tarfile.is_tarfile(tree):
            with tarfile.open(tree) as archive:
                for member in archive:
                    if member.name.endswith(ends) and (opened := archive.extractfile(member)):
                        yield member.name, opened.read()
        else:
            raise BadTree("there is no such file" if not tree.exists() else "it is no folder, jar, zip or tar file")
    except (OSError, zipfile.BadZipFile, tarfile.TarError) as error:
        raise BadTree(getattr(error, "strerror", None) or str(error)) from error


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
