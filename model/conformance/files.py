"""Vector files: which of them a directory holds, and their lines. Any of them may be gzipped."""

import gzip
import os
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from model.conformance.records import VectorsError

SUFFIXES = (".tsv", ".jsonl")
PIECE = 64 * 1024


@dataclass(frozen=True)
class VectorFile:
    """One file of recorded results."""

    name: str
    """Its path inside the directory, without ``.gz``: what its format goes by."""
    file: str
    """The same as it is on disk, for people."""
    path: Path


class Line(NamedTuple):
    """One line of a vector file."""

    number: int
    """Counts from 1."""
    text: str
    problem: str = ""
    """Why the line cannot be read; ``text`` is then empty."""


def vector_files(directory: Path) -> dict[str, VectorFile]:
    """The vector files in ``directory`` and below, by name; other files (a README) are none.

    Raises ``VectorsError`` when the directory cannot be listed, holds none, or holds one both plain and gzipped.
    """

    def refuse(error: OSError) -> None:
        raise VectorsError(f"cannot read vectors from {error.filename}: {error.strerror}") from error

    found: dict[str, VectorFile] = {}
    for folder, _, file_names in os.walk(directory, onerror=refuse):
        for path in (Path(folder, file_name) for file_name in file_names):
            file = path.relative_to(directory).as_posix()
            name = file.removesuffix(".gz")
            if not name.endswith(SUFFIXES):
                continue
            if name in found:
                raise VectorsError(f"{directory} holds {name} both plain and gzipped; keep one of them")
            found[name] = VectorFile(name, file, path)
    if not found:
        raise VectorsError(f"{directory} holds no vector file (*.tsv or *.jsonl, plain or gzipped)")
    return dict(sorted(found.items()))


def read(path: Path) -> Iterator[Line]:
    """The lines of a vector file, as far as it can be read; a line with a problem stands for what cannot.

    Raises ``OSError`` when the file cannot be opened or read.
    """
    content, damage = _unpack(path) if path.suffix == ".gz" else (path.read_bytes(), "")
    *complete, last = content.split(b"\n")
    if last and not damage:
        complete.append(last)
    for number, raw in enumerate(complete, start=1):
        yield _decode(number, raw)
    if damage:
        yield Line(len(complete) + 1, "", damage)


def _unpack(path: Path) -> tuple[bytes, str]:
    """What a gzip stream holds up to its first damage, and what that is (empty when there is none)."""
    content = bytearray()
    with gzip.open(path) as stream:
        try:
            while piece := stream.read1(PIECE):
                content += piece
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            return bytes(content), f"damaged gzip stream: {error}"
    return bytes(content), ""


def _decode(number: int, raw: bytes) -> Line:
    try:
        return Line(number, raw.decode().removesuffix("\r"))
    except UnicodeDecodeError as error:
        return Line(number, "", f"not UTF-8 at byte {error.start + 1} of the line")
