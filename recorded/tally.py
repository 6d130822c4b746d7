"""Check a file of recorded results row by row; an invalid row does not affect the others."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from rebalance_proofs.model.profiles import Profile
from rebalance_proofs.recorded.files import Disagreement, FileReport, Line, Malformed, VectorFile, read
from rebalance_proofs.recorded.jsonl import Objects
from rebalance_proofs.recorded.rows import RowError, Table, Unmodelled


class Tally:
    """Counts and failures of one file, while its rows are checked."""

    def __init__(self, file: str) -> None:
        self._file = file
        self.rows = 0
        """Number of rows that were checked or skipped so far."""
        self._checks = 0
        self._disagreements: list[Disagreement] = []
        self._malformed: list[Malformed] = []
        self._skipped: Counter[str] = Counter()
        self._of: Counter[tuple[str, str]] = Counter()

    def compare(
        self, line: Line, client: Profile | str, what: str, recorded: str, computed: str, code: Sequence[str] = ()
    ) -> None:
        """Record a comparison; both results are texts in the file's notation.

        Equal results have equal texts. ``client`` is its profile, or a name if a file has results of other versions.
        ``code`` names the parts of the model that computed the result: strategies, or other subjects of claims.
        """
        self._checks += 1
        name = str(client if isinstance(client, str) else client.recorded_as)
        if recorded == computed:
            self._of.update((name, part) for part in code)
        else:
            self._disagreements.append(Disagreement(self._file, line.number, name, what, recorded, computed))

    def malformed(self, what: str, line: int = 0) -> None:
        """Record that a line, or the whole file (line 0), cannot be read."""
        self._malformed.append(Malformed(self._file, line, what))

    def uncomputed(self, line: Line, why: str, client: str = "the model", what: str = "the row") -> None:
        """Record a failure: the model computes nothing for a recorded result."""
        self.compare(line, client, what, line.text, f"nothing: {why}")

    def skip(self, reason: str) -> None:
        """Count a row that is not checked, for this reason."""
        self._skipped[reason] += 1

    def report(self) -> FileReport:
        """Return the counts and failures as a report of the file."""
        return FileReport(
            self._file,
            self.rows,
            self._checks,
            tuple(self._disagreements),
            tuple(self._malformed),
            dict(self._skipped),
            of=dict(sorted(self._of.items())),
        )


def check_rows(
    vectors: VectorFile,
    check_row: Callable[[Tally, Line], None],
    check_header: Callable[[str], None] = lambda text: None,
) -> FileReport:
    """Pass every row of the file to ``check_row``, which reports to the tally.

    It raises ``RowError`` for an invalid row. ``Unmodelled`` and any other exception become a disagreement about the
    row.

    Lines that start with ``#`` are headers, not rows: ``check_header`` receives the text after the ``#``, and raises
    ``RowError`` as for a row.
    """
    tally = Tally(vectors.file)
    try:
        for line in read(vectors.path):
            try:
                if line.text.startswith("#"):
                    check_header(line.text[1:])
                    continue
                tally.rows += 1
                if line.problem:
                    raise RowError(line.problem)
                check_row(tally, line)
            except Unmodelled as error:
                tally.uncomputed(line, str(error))
            except RowError as error:
                tally.malformed(str(error), line.number)
            except RecursionError:
                tally.malformed("nested too deeply", line.number)
            except Exception as error:  # an error in the model is a failure, not the end of the run
                tally.uncomputed(line, f"it raised {type(error).__name__}, {error}")
    except OSError as error:
        tally.malformed(f"cannot be read: {error.strerror}")
    else:
        if not tally.rows:
            tally.malformed("contains no row")
    return tally.report()


def skip_rows(vectors: VectorFile, reason: str) -> FileReport:
    """Count the rows of the file as skipped for ``reason``."""
    return check_rows(vectors, lambda tally, line: tally.skip(reason))


def without(vectors: VectorFile, missing: str) -> FileReport:
    """Return the report of a file that cannot be checked without the file ``missing``.

    It has one failure for the whole file, not one per row.
    """
    report = skip_rows(vectors, f"{missing} missing")
    failure = Malformed(vectors.file, 0, f"cannot be checked without {missing}")
    return replace(report, malformed=(failure, *report.malformed))


# A format of recorded results: its files, readers of their rows, and the check of each row.


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
