"""Required content of each file of recorded results, to detect truncated files.

It is in ``pinned.json``.
"""

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from rebalance_proofs.recorded.files import require_file
from rebalance_proofs.recorded.records import FileReport, VectorsError

FILE = "pinned.json"


class Pinned(NamedTuple):
    """Least content that one file must have."""

    rows: int
    checks: int
    of: Mapping[str, Mapping[str, int]] = MappingProxyType({})
    """Client -> part of the model -> least number of compared results.

    A missing entry requires none.
    """

    @property
    def pairs(self) -> Mapping[tuple[str, str], int]:
        """(client, part of the model) -> least number of compared results."""
        return {(client, part): number for client, parts in self.of.items() for part, number in parts.items()}


def pinned(report: FileReport) -> dict[str, Any]:
    """Return the entry of ``pinned.json`` that requires what this file's report contains."""
    of: dict[str, dict[str, int]] = {}
    for (client, part), number in sorted(report.of.items()):
        of.setdefault(client, {})[part] = number
    return {"rows": report.rows, "checks": report.checks, "of": of}


def read_pinned(directory: Path) -> Mapping[str, Pinned]:
    """Return name of a file, without ``.gz`` -> its least content.

    Empty without a ``pinned.json``. Raises ``VectorsError`` for a ``pinned.json`` that cannot be read.
    """
    path = directory / FILE
    if not os.path.lexists(path):
        return {}
    require_file(path)
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise VectorsError(f"cannot read {path}: {error}") from error
    if not isinstance(found, dict) or not all(map(_is_pinned, found.values())):
        raise VectorsError(f"{path} has to be a JSON object of file names, each with its numbers of rows and checks")
    return {name: Pinned(**numbers) for name, numbers in found.items()}


def _is_pinned(found: Any) -> bool:
    return (
        isinstance(found, dict)
        and {"rows", "checks"} <= found.keys() <= {*Pinned._fields}
        and _are_numbers([found["rows"], found["checks"]])
        and isinstance(of := found.get("of", {}), dict)
        and all(isinstance(parts, dict) and _are_numbers(parts.values()) for parts in of.values())
    )


def _are_numbers(found: Iterable[Any]) -> bool:
    return all(type(number) is int and number > 0 for number in found)


def held_to(table: Mapping[str, Pinned], reports: Iterable[FileReport]) -> list[FileReport]:
    """Return the reports, each with the pinned content that its file lacks.

    A pinned file that is missing gets a report, too.
    """
    by_name = {report.file.removesuffix(".gz"): report for report in reports}
    for name, numbers in table.items():
        report = by_name.get(name)
        if report is None:
            missing = f"is missing, and {numbers.rows} rows of it are pinned"
            by_name[name] = FileReport(name, 0, 0, lacking=(missing,))
        elif not report.malformed:  # malformed rows already explain why content is missing
            less = [
                f"holds {getattr(report, what)} {what}, and {number} are pinned"
                for what, number in (("rows", numbers.rows), ("checks", numbers.checks))
                if getattr(report, what) < number
            ]
            less += [
                f"holds {report.of.get(pair, 0)} checks of {' of '.join(pair[::-1])}, and {number} are pinned"
                for pair, number in numbers.pairs.items()
                if report.of.get(pair, 0) < number and not report.disagreements
            ]
            by_name[name] = replace(report, lacking=tuple(less))
    return list(by_name.values())
