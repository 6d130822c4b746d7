"""What an earlier run left in a folder: recognised, and removed, without touching anything else."""

import json
import os
from collections.abc import Sequence
from contextlib import suppress
from fnmatch import fnmatchcase
from pathlib import Path

from rebalance_proofs.report import files, json_results

_FIELDS = frozenset(json_results.schema()["required"]) - {"self_tests", "required", "left_out", "baseline"}
"""What results.json has had from the first version on."""

_OWN = (
    (files.RESULTS,),  # goes first: without it nothing that is left can pass for a whole run
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

    So a run directory is known that was written before there was a marker. results.json alone would not do: it may
    be what a user kept of ``--json``, in any folder. Raises ``OSError`` when it cannot be read.
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
    """Removes every file that has a name and a place that a run gives, and folders that are empty then.

    Links are neither followed nor removed. Raises ``OSError``.
    """
    for names in _OWN:
        _remove(directory, names)


def remove_reports(directory: Path) -> None:
    """Removes the four reports alone, results.json first. Raises ``OSError``."""
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
            with suppress(OSError):  # somebody has put something else into it, or mounted something there
                os.rmdir(entry.path)


def _is_file(path: Path) -> bool:
    return path.is_file() and not path.is_symlink()
