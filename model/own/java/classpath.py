"""A classpath as users type it, looked at before a JVM is: a JVM leaves out what is not there, and says nothing."""

import os
from pathlib import Path
from zipfile import is_zipfile

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
