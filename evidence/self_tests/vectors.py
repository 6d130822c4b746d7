"""Self-tests of the comparison with recorded client results.

Each uses a copy of a file with one wrong digit in the last line.
"""

import gzip
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from rebalance_proofs.evidence.self_tests.trial import Trial
from rebalance_proofs.recorded.conform import FORMATS
from rebalance_proofs.recorded.files import Conformance, FileReport, Line, VectorFile, read, vector_files
from rebalance_proofs.recorded.rows import Unmodelled
from rebalance_proofs.recorded.tally import Format, Tally, check_rows

ATTEMPTS = 40
"""The largest number of digits of a line that are tried.

Not every digit changes the client's result.
"""


@dataclass(frozen=True)
class _Altered:
    """A file of recorded results, with the other files of its format in the same folder."""

    format: Format
    files: Mapping[str, VectorFile]
    name: str

    def said(self) -> Sequence[str]:
        """Return the disagreements that appear when one digit of the file is wrong.

        Empty if no wrong digit causes any.
        """
        known = set(self._disagreements(self.files))
        lines = [line.text for line in read(self.files[self.name].path)]
        for row in _wrong_rows(lines[-1]):
            with TemporaryDirectory() as folder:
                copy = replace(self.files[self.name], path=Path(folder) / "copy.tsv")
                copy.path.write_text("\n".join([*lines[:-1], row]), encoding="utf-8")
                said = [told for told in self._disagreements({**self.files, self.name: copy}) if told not in known]
            if said:
                return said
        return ()

    def _disagreements(self, files: Mapping[str, VectorFile]) -> list[str]:
        return [found.sentence for report in self.format.check(files) for found in report.disagreements]


def _wrong_rows(row: str) -> Iterator[str]:
    """Yield copies of a line, each with another digit changed, beginning with the last digit."""
    digits = [place for place, letter in enumerate(row) if letter.isdigit()]
    for place in digits[: -ATTEMPTS - 1 : -1]:
        yield f"{row[:place]}{(int(row[place]) + 1) % 10}{row[place + 1 :]}"


def _differs(tally: Tally, line: Line) -> None:
    tally.compare(line, "java", "the row", line.text, f"{line.text} and more")


def _raises(tally: Tally, line: Line) -> None:
    raise ZeroDivisionError("division by zero")


def _unknown(tally: Tally, line: Line) -> None:
    raise Unmodelled("this is not modelled")


def _agrees(tally: Tally, line: Line) -> None:
    tally.compare(line, "java", "the row", line.text, line.text)


ROWS: Mapping[str, Callable[[Tally, Line], None]] = {
    "the model computes another result": _differs,
    "the model raises an exception": _raises,
    "the model does not support the row": _unknown,
}
"""Name of a fault in a line -> the check that must report it, for any format."""


def _said(check_row: Callable[[Tally, Line], None]) -> tuple[str, ...]:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "row.tsv.gz"
        path.write_bytes(gzip.compress(b"a row\n"))
        report: FileReport = check_rows(VectorFile("row.tsv", "row.tsv", path), check_row)
    return Conformance((report,)).failures if report.disagreements else ()


def trials(directory: Path, found: Conformance) -> list[Trial]:
    """Return self-tests with wrong lines of any format, and one for each file of a known format.

    ``found`` has the results for the directory's files. A format with a file that has disagreements is skipped,
    because the run fails for these already.
    """
    trials = [
        Trial(f"vectors: {name}", partial(_said, _agrees), partial(_said, check_row))
        for name, check_row in ROWS.items()
    ]
    there = vector_files(directory)
    fit = {report.file for report in found.files if report.checks and not report.failures}
    for format_ in FORMATS:
        files = {name: there[name] for name in format_.files if name in there}
        for name in files if all(file.file in fit for file in files.values()) else ():
            trials.append(Trial(f"vectors: the last row of {name}", tuple, _Altered(format_, files, name).said))
    return trials
