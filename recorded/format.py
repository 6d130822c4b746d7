"""A format of recorded results: its files, readers of their rows, and the check of each row."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from rebalance_proofs.recorded.files import FileReport, Line, VectorFile
from rebalance_proofs.recorded.jsonl import Objects
from rebalance_proofs.recorded.rows import Table
from rebalance_proofs.recorded.tally import Tally, check_rows, without


@dataclass(frozen=True)
class Part:
    """One file of a format, with the reader of its rows and the check of a row."""

    file: str
    """The file's name, without ``.gz``."""
    rows: Table | Objects
    check_row: Callable[..., None]
    """Function ``check_row(row, *known)`` that reads and compares one row.

    It raises ``RowError`` for a bad one.
    """
    uses: tuple[str, ...] = ()
    """Names of files whose dictionaries ``check_row`` receives, in this order.

    ``check_row`` can fill the dictionary of its own file, for others. If one of these files is missing, this one cannot
    be checked.
    """

    def check(self, vectors: VectorFile, *known: dict[Any, Any]) -> FileReport:
        """Check every row of the file."""

        def check_row(tally: Tally, line: Line) -> None:
            row = self.rows.read(line.text)
            compare, uncomputed = partial(tally.compare, line), partial(tally.uncomputed, line)
            self.check_row(replace(row, compare=compare, uncomputed=uncomputed), *known)

        return check_rows(vectors, check_row, lambda text: self.rows.check_header(text, *known))


@dataclass(frozen=True)
class Format:
    """One kind of recorded results, in one file or in several files that refer to each other."""

    parts: tuple[Part, ...]
    """The files; a file to which others refer comes first."""

    @property
    def files(self) -> tuple[str, ...]:
        """Names of the format's files, without ``.gz``."""
        return tuple(part.file for part in self.parts)

    def check(self, found: Mapping[str, VectorFile]) -> tuple[FileReport, ...]:
        """Return a report for each of the format's files that is in ``found``."""
        known: dict[str, dict[Any, Any]] = {name: {} for name in self.files}
        reports: list[FileReport] = []
        for part in self.parts:
            if part.file in found:
                missing = " and ".join(name for name in part.uses if name not in found)
                vectors, used = found[part.file], (known[name] for name in part.uses)
                reports.append(without(vectors, missing) if missing else part.check(vectors, *used))
        return tuple(reports)
