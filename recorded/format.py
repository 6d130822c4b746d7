"""What a file format is to this package: its files, how their rows are read, and what is computed for each."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from rebalance_proofs.recorded.files import VectorFile
from rebalance_proofs.recorded.readers import Row
from rebalance_proofs.recorded.records import FileReport
from rebalance_proofs.recorded.tally import check_rows, without


class Rows(Protocol):
    """What rows look like; both methods raise ``RowError``."""

    def check_header(self, text: str) -> None:
        """``text`` stands behind the ``#`` of a line."""

    def read(self, text: str) -> Row:
        """The row that a line holds."""


@dataclass(frozen=True)
class Part:
    """One file of a format."""

    file: str
    """Its name, without ``.gz``."""
    rows: Rows
    check_row: Callable[..., None]
    """``check_row(tally, line, row, *known)`` compares one row, as ``check_rows`` has it done."""
    uses: tuple[str, ...] = ()
    """Files of the format of which ``check_row`` gets what is known: a dictionary each, which one of them fills.

    A file's own dictionary is one that it can use. Where another file is missing, this one cannot be checked.
    """
    check_header: Callable[..., None] | None = None
    """``check_header(text, *known)`` in the place of that of ``rows``."""

    def check(self, vectors: VectorFile, *known: dict[Any, Any]) -> FileReport:
        """Every row of the file."""
        return check_rows(
            vectors,
            lambda tally, line: self.check_row(tally, line, self.rows.read(line.text), *known),
            lambda text: self.check_header(text, *known) if self.check_header else self.rows.check_header(text),
        )


@dataclass(frozen=True)
class Format:
    """One kind of recorded result, in one file or in several that belong together."""

    parts: tuple[Part, ...]
    """What others refer to comes first."""

    @property
    def files(self) -> tuple[str, ...]:
        """Names of the files, without ``.gz``."""
        return tuple(part.file for part in self.parts)

    def check(self, found: Mapping[str, VectorFile]) -> tuple[FileReport, ...]:
        """A report for each of the format's files that is ``found``."""
        known: dict[str, dict[Any, Any]] = {name: {} for name in self.files}
        reports: list[FileReport] = []
        for part in self.parts:
            if part.file in found:
                missing = [name for name in part.uses if name not in found]
                if missing:
                    reports.append(without(found[part.file], " and ".join(missing)))
                else:
                    reports.append(part.check(found[part.file], *(known[name] for name in part.uses)))
        return tuple(reports)
