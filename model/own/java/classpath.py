"""Checks of a classpath as users type it, before a JVM starts, which would silently skip what is not there."""

import os
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from zipfile import BadZipFile, ZipFile, is_zipfile

from rebalance_proofs.model.own.errors import StrategyError


def entries(typed: str) -> tuple[str, ...]:
    """The folders and jars of ``a.jar:classes:lib/*``. Raises ``StrategyError`` for one that is not there."""
    if not typed.strip():
        raise StrategyError("the classpath is empty: name the jars and folders that hold the strategy")
    found = tuple(typed.split(os.pathsep))
    for entry in found:
        _require(entry, typed)
    return found


def _require(entry: str, typed: str) -> None:
    if not entry.strip():
        raise StrategyError(f"the classpath {typed!r} has an empty entry")
    path = Path(entry)
    if path.name == "*":
        if not path.parent.is_dir():
            raise StrategyError(f"there is no folder {str(path.parent)!r}, whose jars {entry!r} on the classpath names")
    elif not path.exists():
        raise StrategyError(f"there is no {entry!r}, which the classpath names")
    elif not path.is_dir() and not is_zipfile(path):
        raise StrategyError(f"{entry!r} on the classpath is neither a folder nor a jar")


def files(classpath: Sequence[str]) -> Iterator[Path]:
    """The folders and jars; an entry ``lib/*`` gives all jars of the folder, one by one."""
    for entry in map(Path, classpath):
        if entry.name == "*":
            yield from sorted(entry.parent.glob("*.[jJ][aA][rR]"))
        else:
            yield entry


def hash_of(classpath: Sequence[str], name: str) -> str:
    """SHA-256 of the class file, to tell its versions apart; empty where it is not found."""
    inside = f"{name.replace('.', '/')}.class"
    for path in files(classpath):
        try:
            if path.is_dir():
                return sha256((path / inside).read_bytes()).hexdigest()
            with ZipFile(path) as jar:
                return sha256(jar.read(inside)).hexdigest()
        except (OSError, KeyError, ValueError, BadZipFile):
            continue
    return ""
