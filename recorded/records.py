"""The results of comparing the model with recorded results."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import chain, islice

from rebalance_proofs.recorded.text import around_difference, printable

SENTENCES_PER_FILE = 10
"""The most failures of one file that are listed one by one; the others are only counted."""


class VectorsError(Exception):
    """The directory of vectors is missing or unfit. The text is one clear sentence for the user."""


@dataclass(frozen=True)
class Disagreement:
    """A recorded result that the model does not compute."""

    file: str
    line: int
    client: str
    """The client's name in the vectors: ``java``, or ``java 4.9.8`` where several versions were recorded."""
    what: str
    """The row and the result in question."""
    recorded: str
    """The real client's result, as the file writes it."""
    computed: str
    """The model's result, written in the same way."""

    @property
    def sentence(self) -> str:
        """A sentence with the row and both results; long results are cut to where they differ."""
        recorded, computed = around_difference(self.recorded, self.computed)
        return printable(
            f"{self.file}:{self.line}: {self.client}, {self.what}: recorded {recorded}, computed {computed}"
        )


@dataclass(frozen=True)
class Malformed:
    """A row, or a whole file, that cannot be read."""

    file: str
    line: int
    """The line's number, from 1; 0 for the whole file."""
    what: str
    """What is wrong with it."""

    @property
    def sentence(self) -> str:
        """A sentence with the place and what is wrong."""
        place = f"{self.file}:{self.line}" if self.line else self.file
        return printable(f"{place}: {self.what}")


@dataclass(frozen=True)
class FileReport:
    """The result of checking one vector file."""

    file: str
    """Its path inside the directory of vectors."""
    rows: int
    """The number of rows, malformed and skipped ones too, without headers."""
    checks: int
    """The number of recorded results that were compared with computed ones."""
    disagreements: tuple[Disagreement, ...] = ()
    malformed: tuple[Malformed, ...] = ()
    skipped: Mapping[str, int] = field(default_factory=dict)
    """Reason -> number of rows, or of clients' results in a row, that were left unchecked for it."""
    of: Mapping[tuple[str, str], int] = field(default_factory=dict)
    """(Client, part of the model) -> number of the client's recorded results that this part computed alike."""
    lacking: tuple[str, ...] = ()
    """What the file has to hold by ``pinned.json`` and does not: how much is there, and how much is pinned."""

    @property
    def failures(self) -> tuple[str, ...]:
        """One sentence for each thing that is lacking, malformed or different; of many the first, and how many more."""
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
    """The results of checking all files of one directory."""

    files: tuple[FileReport, ...]
    absent: tuple[str, ...] = ()
    """Files of known names that are not there, and are not pinned either."""

    @property
    def rows(self) -> int:
        """The number of rows in all files."""
        return sum(report.rows for report in self.files)

    @property
    def checks(self) -> int:
        """The number of recorded results that were compared with computed ones in all files."""
        return sum(report.checks for report in self.files)

    @property
    def of(self) -> Mapping[tuple[str, str], int]:
        """``FileReport.of`` of all files together."""
        return sum((Counter(report.of) for report in self.files), Counter())

    @property
    def failures(self) -> tuple[str, ...]:
        """Everything that is wrong, one sentence each, at most ``SENTENCES_PER_FILE`` and a count for each file.

        It is a failure, too, if nothing was compared.
        """
        found = tuple(sentence for report in self.files for sentence in report.failures)
        return found if self.checks else (*found, "no recorded result was compared with the model")

    @property
    def contradicted(self) -> bool:
        """Whether some recorded result differs from the computed one."""
        return any(report.disagreements for report in self.files)

    @property
    def lacking(self) -> bool:
        """Whether less is there than is pinned."""
        return any(report.lacking for report in self.files)

    @property
    def green(self) -> bool:
        """Whether something was checked, all of it agrees, every row could be read, and all that is pinned is there."""
        return not self.failures
