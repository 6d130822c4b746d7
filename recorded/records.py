"""Results of comparing the model with recorded results of clients."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import chain, islice

from rebalance_proofs.recorded.text import around_difference, printable

SENTENCES_PER_FILE = 10
"""Number of a file's failures that are listed individually; the rest is only counted."""


class VectorsError(Exception):
    """The directory of vectors is missing or invalid; the text is one sentence for the user."""


@dataclass(frozen=True)
class Disagreement:
    """A recorded result that the model does not reproduce."""

    file: str
    line: int
    client: str
    """The client's name: ``java``, or ``java 4.9.8`` if several versions were recorded."""
    what: str
    """Description of the row and of the compared result."""
    recorded: str
    """The real client's result, as the file writes it."""
    computed: str
    """The model's result, in the same notation."""

    @property
    def sentence(self) -> str:
        """Return a sentence about the row and both results.

        Long results are cut to the place where they differ.
        """
        recorded, computed = around_difference(self.recorded, self.computed)
        return printable(
            f"{self.file}:{self.line}: {self.client}, {self.what}: recorded {recorded}, computed {computed}"
        )


@dataclass(frozen=True)
class Malformed:
    """A row, or a whole file, that cannot be read."""

    file: str
    line: int
    """Line number of the row, from 1; 0 if the whole file cannot be read."""
    what: str
    """Description of what is wrong with the row or file."""

    @property
    def sentence(self) -> str:
        """Return one sentence: where the row is, and what is wrong with it."""
        place = f"{self.file}:{self.line}" if self.line else self.file
        return printable(f"{place}: {self.what}")


@dataclass(frozen=True)
class FileReport:
    """Result of checking one vector file."""

    file: str
    """Path of the file inside the directory of recorded results."""
    rows: int
    """Number of rows, including malformed and skipped ones, without headers."""
    checks: int
    """Number of recorded results that were compared with computed ones."""
    disagreements: tuple[Disagreement, ...] = ()
    malformed: tuple[Malformed, ...] = ()
    skipped: Mapping[str, int] = field(default_factory=dict)
    """Reason -> number of rows, or of clients' results in a row, that were not checked."""
    of: Mapping[tuple[str, str], int] = field(default_factory=dict)
    """(client, part of the model) -> number of recorded results that this part reproduced."""
    lacking: tuple[str, ...] = ()
    """Missing content that ``pinned.json`` requires, as text with actual and pinned numbers."""

    @property
    def failures(self) -> tuple[str, ...]:
        """Return one sentence for each missing, malformed or different result.

        If there are many, return the first ones and a count.
        """
        lacking = (printable(f"{self.file}: {what}") for what in self.lacking)
        unfit = chain((one.sentence for one in self.malformed), (one.sentence for one in self.disagreements))
        told = list(islice(chain(lacking, unfit), SENTENCES_PER_FILE))
        more = len(self.lacking) + len(self.malformed) + len(self.disagreements) - len(told)
        if more:
            told.append(
                printable(
                    f"{self.file}: {more} more failures "
                    f"(malformed: {len(self.malformed)}, disagreements: {len(self.disagreements)})"
                )
            )
        return tuple(told)


@dataclass(frozen=True)
class Conformance:
    """Results of checking all files of one directory."""

    files: tuple[FileReport, ...]
    absent: tuple[str, ...] = ()
    """Names of files of known formats that do not exist and are not pinned."""

    @property
    def rows(self) -> int:
        """Number of rows in all files of the directory."""
        return sum(report.rows for report in self.files)

    @property
    def checks(self) -> int:
        """Number of recorded results that were compared with computed ones in all files."""
        return sum(report.checks for report in self.files)

    @property
    def of(self) -> Mapping[tuple[str, str], int]:
        """(client, part of the model) -> number of reproduced results in all files."""
        return sum((Counter(report.of) for report in self.files), Counter())

    @property
    def failures(self) -> tuple[str, ...]:
        """Return all failures as sentences, at most ``SENTENCES_PER_FILE`` and a count per file.

        It is also a failure if nothing was compared.
        """
        found = tuple(sentence for report in self.files for sentence in report.failures)
        return found if self.checks else (*found, "no recorded result was compared with the model")

    @property
    def contradicted(self) -> bool:
        """True if a recorded result differs from the computed one."""
        return any(report.disagreements for report in self.files)

    @property
    def lacking(self) -> bool:
        """True if a file has less content than ``pinned.json`` requires."""
        return any(report.lacking for report in self.files)

    @property
    def green(self) -> bool:
        """True if the comparison has succeeded.

        Something was compared, all of it agrees, every row is readable, and no pinned content is missing.
        """
        return not self.failures
