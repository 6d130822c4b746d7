"""The bytes of a file in pieces of whole lines: plain or packed, of a part of it, in any encoding of Unicode."""

import codecs
import zlib
from collections.abc import Iterator
from io import RawIOBase
from pathlib import Path
from typing import IO, cast

from rebalance_proofs.recorded.logs.search import LONGEST
from rebalance_proofs.recorded.logs.times import stamp
from rebalance_proofs.recorded.logs.waiting import LISTED

__all__ = ["GZIP", "PIECE", "head", "pieces", "wide"]

PIECE = 2 * 1024 * 1024
"""Bytes of a piece."""
CHUNK = 256 * 1024
"""Bytes of a packed file that are read at once."""
GZIP = b"\x1f\x8b"
SEARCHED = 10_000
"""Lines among which one with a time is looked for."""
BOMS = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}


def head(path: Path, many: int, *, after_zeros: bool = False) -> tuple[bytes, str]:
    """The first bytes, unpacked, and what ended it early: "" for nothing.

    ``after_zeros``: those after the zeros with which a file begins that was cut while it was written.
    """
    found = b""
    try:
        with _open(path) as opened:
            while len(found) < many and (more := opened.read(many - len(found))):
                found += more
                if after_zeros and len(found) == many and not found.strip(b"\0"):
                    after_zeros, found = False, _after_zeros(opened) or found
    except (EOFError, zlib.error) as error:
        return found, f"it is packed, and damaged ({error})"
    return found, ""


def wide(first: bytes) -> str:
    """The encoding, if a file that begins so has two bytes for a letter; else ""."""
    return BOMS.get(first[:2], "")


def _after_zeros(opened: IO[bytes]) -> bytes:
    """The chunk with the first byte that is none, from there on."""
    while chunk := opened.read(CHUNK):
        if chunk := chunk.lstrip(b"\0"):
            return chunk
    return b""


class _Unpacked(RawIOBase):
    """What a gzip file holds, as far as it goes: unlike ``gzip.GzipFile``, with all that comes before the damage."""

    def __init__(self, packed: IO[bytes]) -> None:
        self._packed = packed
        self._unpacker = zlib.decompressobj(wbits=31)
        self._rest = b""

    def read(self, many: int = -1) -> bytes:
        """At most so many bytes more; none at the end. Raises ``EOFError`` and ``zlib.error`` where damage begins."""
        while True:
            chunk = self._rest or self._packed.read(CHUNK)
            if not chunk:
                if not self._unpacker.eof:
                    raise EOFError("it ends early")
                return b""
            if self._unpacker.eof:  # files can be put one behind the other; zeros can follow
                if not chunk.strip(b"\0"):
                    self._rest = b""
                    continue
                self._unpacker = zlib.decompressobj(wbits=31)
            made = self._unpacker.decompress(chunk, max(many, 0))
            self._rest = self._unpacker.unconsumed_tail or self._unpacker.unused_data
            if made:
                return made

    def close(self) -> None:
        """Close the file."""
        self._packed.close()
        super().close()


def _open(path: Path) -> IO[bytes]:
    opened = path.open("rb")
    packed = opened.read(2) == GZIP
    opened.seek(0)
    return cast("IO[bytes]", _Unpacked(opened)) if packed else opened


def pieces(path: Path, begin: int = 0, end: int | None = None) -> Iterator[bytes]:
    """Pieces of this part of a file, which begins and ends where a line with a time does; packed ones are read whole.

    Raises ``OSError``, and where a packed file is damaged ``EOFError`` or ``zlib.error``, after
    the pieces that could be read.
    """
    with _open(path) as opened:
        at = _boundary(opened, begin) if begin else 0
        if end is not None:
            end = _boundary(opened, end)
        if at:
            opened.seek(at)
        elif end is not None:
            opened.seek(0)
        rest = b""
        encoding = wide(_first(path)) if not begin else ""
        decoder = codecs.getincrementaldecoder(encoding)("replace") if encoding else None
        while end is None or at < end:
            chunk = opened.read(PIECE if end is None else min(PIECE, end - at))
            if not chunk:
                break
            at += len(chunk)
            if not rest and chunk.startswith(b"\0") and not decoder:
                chunk = chunk.lstrip(b"\0")  # a file that was cut while it was written
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
    """Where the first line with a date begins, at that byte or after: lines without one belong to what is before, and
    so do those of a list.

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
        if not line or (LISTED not in line and (made := stamp(line, 1970)) and made.dated):
            return place
        while line and not line.endswith(b"\n"):
            line = opened.readline(PIECE)
    return first


def _first(path: Path) -> bytes:
    with path.open("rb") as opened:
        return opened.read(2)
