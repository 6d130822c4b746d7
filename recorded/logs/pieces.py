"""The bytes of a file in pieces of whole lines: plain or packed, of a part of it, in any encoding of Unicode."""

import codecs
import gzip
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, cast

from rebalance_proofs.recorded.logs.readings import LONGEST

__all__ = ["GZIP", "PIECE", "head", "pieces", "wide"]

PIECE = 2 * 1024 * 1024
"""Bytes of a piece."""
GZIP = b"\x1f\x8b"
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
    """Pieces of the lines that begin in this part of the file; a packed file is read whole.

    Raises ``OSError``, and where a packed file is damaged ``EOFError``, ``zlib.error`` or ``gzip.BadGzipFile``, after
    the pieces that could be read.
    """
    with _open(path) as opened:
        if begin:
            opened.seek(begin - 1)
            before = opened.read(1)
            while before and not before.endswith(b"\n"):
                before = opened.readline(PIECE)
            if not before:
                return
        at = opened.tell() if begin or end is not None else 0
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
            if end is not None and at >= end:
                rest += opened.readline(LONGEST)
            yield rest


def _first(path: Path) -> bytes:
    with path.open("rb") as opened:
        return opened.read(2)
