"""The bytes of a file in pieces of whole lines: plain or packed, of a part of it, in any encoding of Unicode."""

import codecs
import gzip
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, cast

from rebalance_proofs.recorded.logs.readings import LONGEST
from rebalance_proofs.recorded.logs.times import stamp

__all__ = ["GZIP", "PIECE", "head", "pieces", "wide"]

PIECE = 2 * 1024 * 1024
"""Bytes of a piece."""
GZIP = b"\x1f\x8b"
SEARCHED = 10_000
"""Lines among which one with a time is looked for."""
BOMS = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}


def head(path: Path, many: int) -> tuple[bytes, str]:
    """The first bytes, unpacked, and what ended it early: "" for nothing."""
    found = b""
    try:
        with _open(path) as opened:
            while len(found) < many and (more := opened.read(many - len(found))):
                found += more
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        return found, f"it is packed, and damaged ({error})"
    return found, ""


def wide(first: bytes) -> str:
    """The encoding, if a file that begins so has two bytes for a letter; else ""."""
    return BOMS.get(first[:2], "")


def _open(path: Path) -> IO[bytes]:
    with path.open("rb") as opened:
        packed = opened.read(2) == GZIP
    return cast("IO[bytes]", gzip.open(path, "rb") if packed else path.open("rb"))


def pieces(path: Path, begin: int = 0, end: int | None = None) -> Iterator[bytes]:
    """Pieces of this part of a file, which begins and ends where a line with a time does; packed ones are read whole.

    Raises ``OSError``, and where a packed file is damaged ``EOFError``, ``zlib.error`` or ``gzip.BadGzipFile``, after
    the pieces that could be read.
    """
    with _open(path) as opened:
        at = _boundary(opened, begin) if begin else 0
        if end is not None:
            end = _boundary(opened, end)
        opened.seek(at)
        rest = b""
        encoding = wide(_first(path)) if not begin else ""
        decoder = codecs.getincrementaldecoder(encoding)("replace") if encoding else None
        while end is None or at < end:
            chunk = opened.read(PIECE if end is None else min(PIECE, end - at))
            if not chunk:
                break
            at += len(chunk)
            if decoder:
                chunk = decoder.decode(chunk).encode()
            cut = chunk.rfind(b"\n") + 1
            if cut:
                yield rest + chunk[:cut]
                rest = chunk[cut:]
            elif len(rest) <= LONGEST:  # a line without an end: of what is longer than is read, nothing is kept
                rest += chunk
        if rest:
            yield rest


def _boundary(opened: IO[bytes], at: int) -> int:
    """Where the first line with a time begins, at that byte or after: lines without one belong to what is before.

    The size of the file if none follows; the first line of those that are looked at if there are too many.
    """
    opened.seek(at - 1)
    before = opened.read(1)
    while before and not before.endswith(b"\n"):
        before = opened.readline(PIECE)
    first = opened.tell()
    for _ in range(SEARCHED):
        place = opened.tell()
        line = opened.readline(PIECE)
        if not line or stamp(line, 1970) is not None:
            return place
        while line and not line.endswith(b"\n"):
            line = opened.readline(PIECE)
    return first


def _first(path: Path) -> bytes:
    with path.open("rb") as opened:
        return opened.read(2)
