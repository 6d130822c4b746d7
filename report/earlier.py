"""Recognise and remove the files of an earlier run in a folder, without touching other files."""

import json
import os
from collections.abc import Sequence
from contextlib import suppress
from fnmatch import fnmatchcase
from pathlib import Path

from rebalance_proofs.report.results import files
from rebalance_proofs.report.schemas import published

_FIELDS = frozenset(published("results")["required"]) - {"self_tests", "required", "left_out", "baseline"}
"""Required fields that results.json has had since its first version."""

_OWN = (
    (files.RESULTS,),  # first: a folder without results.json does not look like a complete run
    (files.JUNIT,),
    (files.SUMMARY,),
    (files.PAGE,),
    (files.LOG,),
    (files.TEXTS, "*", "*.smt2"),
    (files.TRACES, "*.itf.json"),
    (files.TABLES, "*", "part-*.parquet"),
    (files.TABLES, "*", ".part-*.parquet.*"),
    (files.TABLES, "*", "_SUCCESS"),
    (files.TABLES, "*", "._SUCCESS.crc"),
)


def recognised(directory: Path) -> bool:
    """Return whether the folder has all four reports, and results.json is from a run.

    This recognises run directories that are older than marker files. results.json alone is not enough: a user may have
    saved the output of ``--json`` there. Raises ``OSError`` if a file cannot be read.
    """
    if not all(_is_file(directory / name) for name in files.REPORTS):
        return False
    try:
        document = json.loads((directory / files.RESULTS).read_bytes())
    except (ValueError, RecursionError):
        return False
    return (
        isinstance(document, dict)
        and type(document.get("format")) is int
        and 1 <= document["format"] <= files.FORMAT
        and document.keys() >= _FIELDS
        and isinstance(document["versions"], dict)
        and "rebalance-proofs" in document["versions"]
    )


def remove(directory: Path) -> None:
    """Remove every file that has the path of a run's file, and then the run's empty folders.

    Links are neither followed nor removed. Raises ``OSError``.
    """
    for names in _OWN:
        _remove(directory, names)


def remove_reports(directory: Path) -> None:
    """Remove only the four reports, results.json first. Raises ``OSError``."""
    for name in files.REPORTS:
        (directory / name).unlink(missing_ok=True)


def _remove(folder: Path, names: Sequence[str]) -> None:
    first, *rest = names
    with os.scandir(folder) as found:
        entries = [entry for entry in found if fnmatchcase(entry.name, first)]
    for entry in entries:
        if not rest and entry.is_file(follow_symlinks=False):
            os.unlink(entry.path)
        elif rest and entry.is_dir(follow_symlinks=False):
            _remove(Path(entry.path), rest)
            with suppress(OSError):  # the folder has other files, or is a mount point
                os.rmdir(entry.path)


def _is_file(path: Path) -> bool:
    return path.is_file() and not path.is_symlink()
