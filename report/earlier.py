"""Files that an earlier run left in a folder: recognise and remove them, and touch nothing else."""

import json
import os
from collections.abc import Sequence
from contextlib import suppress
from fnmatch import fnmatchcase
from pathlib import Path

from rebalance_proofs.report import files, json_results

_FIELDS = frozenset(json_results.schema()["required"]) - {"self_tests", "required", "left_out", "baseline"}
"""Required fields of results.json since its first version."""

_OWN = (
    (files.RESULTS,),  # first, since without it no leftovers can pass for a complete run
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
    """Whether all four reports are there, and results.json has the form that a run writes.

    This recognises run directories from before there was a marker. results.json alone is not enough: it may be the
    output of ``--json`` that a user kept in any folder. Raises ``OSError`` when a file cannot be read.
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
        and 1 <= document["format"] <= json_results.FORMAT
        and document.keys() >= _FIELDS
        and isinstance(document["versions"], dict)
        and "rebalance-proofs" in document["versions"]
    )


def remove(directory: Path) -> None:
    """Remove every file with the name and place of a run's file, and folders that are empty then.

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
            with suppress(OSError):  # somebody's own file is in it, or something is mounted there
                os.rmdir(entry.path)


def _is_file(path: Path) -> bool:
    return path.is_file() and not path.is_symlink()
