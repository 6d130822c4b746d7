"""Checks of a user's classpath before a JVM starts.

They are needed because a JVM silently skips missing entries.
"""

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, suppress
from hashlib import sha256
from pathlib import Path
from zipfile import BadZipFile, ZipFile, is_zipfile

from rebalance_proofs.model.own.errors import StrategyError


def entries(typed: str) -> tuple[str, ...]:
    """Return the folders and jars of ``a.jar:classes:lib/*``.

    Raises ``StrategyError`` for a missing one, and if ``lib/*`` is the only entry and has no jar.
    """
    if not typed.strip():
        raise StrategyError("the classpath is empty; name the jars and folders that contain the strategy")
    found = tuple(typed.split(os.pathsep))
    for entry in found:
        _require(entry, typed)
    if not any(files(found)):
        raise StrategyError(f"the classpath {typed!r} names no jar: its folder contains none")
    return found


def _require(entry: str, typed: str) -> None:
    if not entry.strip():
        raise StrategyError(f"the classpath {typed!r} has an empty entry; remove the extra separator")
    path = Path(entry)
    if path.name == "*":
        if not path.parent.is_dir():
            raise StrategyError(
                f"the classpath entry {entry!r} names jars in {str(path.parent)!r}, which is not a folder"
            )
    elif not path.exists():
        raise StrategyError(f"the classpath entry {entry!r} does not exist")
    elif not path.is_dir() and not is_zipfile(path):
        raise StrategyError(f"the classpath entry {entry!r} is neither a folder nor a jar")


def files(classpath: Sequence[str]) -> Iterator[Path]:
    """Yield the folders and jars; an entry ``lib/*`` yields each jar of the folder."""
    for entry in map(Path, classpath):
        if entry.name == "*":
            yield from sorted(entry.parent.glob("*.[jJ][aA][rR]"))
        else:
            yield entry


def places(classpath: Sequence[str], opened: ExitStack) -> Iterator[Path | ZipFile]:
    """Yield the folders, and the jars, which ``opened`` closes; files that are no jars are left out."""
    for path in files(classpath):
        with suppress(OSError, ValueError, BadZipFile):
            yield path if path.is_dir() else opened.enter_context(ZipFile(path))


def read(there: Iterable[Path | ZipFile], inside: str) -> bytes:
    """Return the content of the first file with that name in folders and jars; empty if there is none."""
    for place in there:
        with suppress(OSError, KeyError, ValueError, BadZipFile):
            return (place / inside).read_bytes() if isinstance(place, Path) else place.read(inside)
    return b""


def hash_of(classpath: Sequence[str], name: str) -> str:
    """Return the SHA-256 of the class file, which identifies its version.

    Empty if the file is not found.
    """
    with ExitStack() as opened:
        data = read(places(classpath, opened), f"{name.replace('.', '/')}.class")
    return sha256(data).hexdigest() if data else ""
