"""Files of recorded results ("vector files") in a directory, and their lines.

Each may be gzipped.
"""

import gzip
import os
import stat
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from rebalance_proofs.recorded.records import VectorsError

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
