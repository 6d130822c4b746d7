"""Files of recorded results ("vector files") in a directory, and their lines.

Each may be gzipped.
"""

import gzip
import json
import os
import stat
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from rebalance_proofs.errors import UsageError
from rebalance_proofs.recorded.rows import around_difference, printable

# Results of comparing the model with recorded results of clients.

SENTENCES_PER_FILE = 10
"""Number of a file's failures that are listed individually; the rest is only counted."""


class VectorsError(UsageError):
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


SUFFIXES = (".tsv", ".jsonl")
PIECE = 64 * 1024
KINDS = {stat.S_ISDIR: "a directory", stat.S_ISFIFO: "a named pipe", stat.S_ISSOCK: "a socket"}
"""Test of a path's mode -> what the path is, if it is not a regular file."""


@dataclass(frozen=True)
class VectorFile:
    """One file of recorded results."""

    name: str
    """Path inside the directory, without ``.gz``; it determines the format."""
    file: str
    """Path inside the directory, with any ``.gz``, for messages."""
    path: Path


class Line(NamedTuple):
    """One line of a file of recorded results."""

    number: int
    """Number of the line in its file, from 1."""
    text: str
    problem: str = ""
    """Reason why the line cannot be read, or ""; then ``text`` is empty."""


def vector_files(directory: Path) -> dict[str, VectorFile]:
    """Return name -> file, for all vector files in ``directory`` and below.

    Other files, such as a README, are ignored. Raises ``VectorsError`` if the directory cannot be listed, contains
    none, or contains one both plain and gzipped, or if one of them is not a readable file.
    """

    def refuse(error: OSError) -> None:
        raise VectorsError(f"cannot read vectors from {error.filename}: {error.strerror}") from error

    found: dict[str, VectorFile] = {}
    for folder, folder_names, file_names in os.walk(directory, onerror=refuse):
        # A folder with a vector file's name is refused below.
        for path in (Path(folder, name) for name in (*folder_names, *file_names)):
            file = path.relative_to(directory).as_posix()
            name = file.removesuffix(".gz")
            if not name.endswith(SUFFIXES):
                continue
            if name in found:
                raise VectorsError(f"{directory} contains {name} both plain and gzipped; keep one of them")
            require_file(path)
            found[name] = VectorFile(name, file, path)
    if not found:
        raise VectorsError(f"{directory} contains no vector file (*.tsv or *.jsonl, plain or gzipped)")
    return dict(sorted(found.items()))


def require_file(path: Path) -> None:
    """Raise ``VectorsError`` unless the path is a readable file.

    Opening a named pipe would block for ever.
    """
    try:
        mode = path.stat().st_mode
        if stat.S_ISREG(mode):
            path.open("rb").close()
            return
    except OSError as error:
        raise VectorsError(f"cannot read vectors from {path}: {error.strerror}") from error
    kind = next((said for is_kind, said in KINDS.items() if is_kind(mode)), "a device")
    raise VectorsError(f"cannot read vectors from {path}: it is {kind}, not a file")


def read(path: Path) -> Iterator[Line]:
    """Yield the lines of a vector file; an unreadable part is one line with a ``problem``.

    The first line that is not text represents all such lines. Raises ``OSError`` if the file cannot be opened or read.
    """
    content, damage = _unpack(path) if path.suffix == ".gz" else (path.read_bytes(), "")
    *complete, last = content.split(b"\n")
    if last and not damage:
        complete.append(last)
    lines = [_decode(number, raw) for number, raw in enumerate(complete, start=1)]
    no_text = [line for line in lines if line.problem]
    for line in lines:
        if not line.problem:
            yield line
        elif line is no_text[0]:
            others = len(no_text) - 1
            more = f", nor {'are' if others > 1 else 'is'} {others} more of its lines" if others else ""
            yield line._replace(problem=line.problem + more)
    if damage:
        yield Line(len(complete) + 1, "", damage)


def _unpack(path: Path) -> tuple[bytes, str]:
    """Return the content of a gzip stream up to its first damage, and the damage, or ""."""
    content = bytearray()
    with gzip.open(path) as stream:
        try:
            while piece := stream.read1(PIECE):
                content += piece
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            return bytes(content), f"damaged gzip stream: {error}"
    return bytes(content), ""


def _decode(number: int, raw: bytes) -> Line:
    if b"\0" in raw:  # UTF-8 would allow it, but a line with a zero byte is UTF-16 or not text
        return Line(number, "", f"not text in UTF-8: byte {raw.index(0) + 1} of the line is 0")
    try:
        return Line(number, raw.decode().removesuffix("\r"))
    except UnicodeDecodeError as error:
        return Line(number, "", f"not UTF-8 at byte {error.start + 1} of the line")


# Required content of each file of recorded results, to detect truncated files.
# It is in ``pinned.json``.

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


# The recorded results that are part of this package.

OWN = Path(__file__).resolve().parent / "vectors"
"""Directory of the recorded results in this package.

Its ``pinned.json`` defines the required content of each file.
"""


def is_own(directory: Path) -> bool:
    """Return True if the path leads to the directory ``OWN``, however it is written."""
    return directory.resolve() == OWN
