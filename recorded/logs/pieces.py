"""Read a file in pieces of whole lines, plain or gzipped, in any Unicode encoding."""

import codecs
import re
import zlib
from collections.abc import Iterable, Iterator, Sequence
from io import RawIOBase
from itertools import pairwise
from pathlib import Path
from typing import IO, cast

from rebalance_proofs.recorded.logs.search import LONGEST
from rebalance_proofs.recorded.logs.times import stamp
from rebalance_proofs.recorded.logs.waiting import LISTED

# Take apart a file that contains lines of several logs, as ``grep``, ``tail`` and ``kubectl`` write it.

LARGEST_SHARE = 0.8
"""Part of a file's lines that have a label if the file is combined."""
MOST = 50
"""Most logs in one file that are taken apart."""
FILE = rb"(?P<file>[^\s:\"'{}\[\]|<>]{1,300}\.(?:log|out|txt)(?:\.\d{1,4})?)[:-](?:\d{1,9}[:-](?!\d\d[-/.]))?"
LABEL = re.compile(
    rb"(?:\[(?P<pod>pod/[^\]\s]{1,300})\] |"
    + FILE
    + rb"|(?P<service>[A-Za-z][\w.-]{0,100}?)(?: {1,40})?\| )(?=\W?\d{4}[-/.]\d\d[-/.]\d\d[ T])"
)
"""Pattern of a label before a dated line: a path by ``grep``, a pod by ``kubectl``, a service by ``docker compose``."""
AGAIN = re.compile(
    rb"(?:\[(?P<pod>pod/[^\]\s]{1,300})\] ?|" + FILE + rb"|(?P<service>[A-Za-z][\w.-]{0,100}?)(?: {1,40})?\| ?)"
)
"""Pattern of a label before any line."""
HEADER = re.compile(rb"==> (.{1,300}) <==\s*$")
"""Pattern of the line that ``tail`` writes before the lines of a file."""


def _label(line: bytes, form: re.Pattern[bytes]) -> tuple[bytes, int]:
    found = form.match(line)
    return (next(one for one in found.groups() if one), found.end()) if found else (b"", 0)


def labels(content: Iterable[bytes]) -> list[bytes]:
    """Return the labels of the logs in a file; fewer than two if the file is one log.

    Nearly all dated lines of a combined file have a label, or it has headers.
    """
    found: dict[bytes, None] = {}
    headed: dict[bytes, None] = {}
    dated = labelled = 0
    for piece in content:
        for line in piece.split(b"\n"):
            if line.startswith(b"==> ") and (header := HEADER.match(line)):
                headed[header[1]] = None
                continue
            name, _ = _label(line, LABEL)
            dated += bool(name) or line[:2] == b"20"
            if name:
                labelled += 1
                found[name] = None
        if not headed and labelled < LARGEST_SHARE * dated:
            return []
    every = list(headed) or list(found)
    return every if 2 <= len(every) <= MOST else []


def part(content: Iterable[bytes], label: bytes, known: Iterable[bytes]) -> tuple[bytes, list[int]]:
    """Return the lines of one log in a combined file, without their labels, and their numbers in the file.

    ``known``: all labels of the file. A line without a label belongs to the log of the line before.
    """
    lines = b"".join(content).splitlines()
    every = set(known)
    kept, numbers = [], []
    now = b""
    for number, line in enumerate(lines, 1):
        if line.startswith(b"==> ") and (header := HEADER.match(line)):
            now = header[1]
            continue
        name, end = _label(line, AGAIN)
        if name in every:
            now, line = name, line[end:]
        if now == label:
            kept.append(line + b"\n")
            numbers.append(number)
    return b"".join(kept), numbers


# Read logs whose newest line comes first, as search pages export them.

FEWEST = 3
"""Fewest different times that show the order of a log's lines, if they are close together."""
FEW = 4
"""Most lines of a log whose order two different times show; in a longer one, the clock can step back."""
STEP = 1_000
"""Two times alone show the order if they are further apart than this, in ms; threads write out of order by less."""
LARGEST = 64 << 20
"""Number of bytes up to which a log is turned round; a larger one is read as it is."""


def descends(times: Sequence[int]) -> bool:
    """Return True if the times of a log's lines fall from line to line, with none that rises."""
    short = 1 < len(times) <= FEW and max(times) - min(times) > STEP
    return (short or len(set(times)) >= FEWEST) and all(one >= other for one, other in pairwise(times))


def turned(pieces: Iterable[bytes]) -> tuple[bytes, list[int]]:
    """Return a log's content with its newest line last, and the original number of each line.

    Lines without a time stay behind the line that they follow.
    """
    lines = b"".join(pieces).splitlines()
    records: list[list[int]] = []
    for number, line in enumerate(lines, 1):
        if not records or stamp(line, 1970) is not None:
            records.append([])
        records[-1].append(number)
    numbers = [number for record in reversed(records) for number in record]
    return b"".join(lines[number - 1] + b"\n" for number in numbers), numbers


PIECE = 2 * 1024 * 1024
"""Number of bytes in a piece of a file."""
CHUNK = 256 * 1024
"""Number of bytes of a compressed file that are read at once."""
GZIP = b"\x1f\x8b"
SEARCHED = 10_000
"""Number of lines that are searched for a line with a time."""
BOMS = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
SHOWS = 4096
"""Number of bytes at the beginning of a file that show its encoding."""
DENSE = 150
"""Largest ratio of a file's unpacked size to its packed size; gzip packs logs 10 to 60 times."""
ENOUGH = 64 << 20
"""Number of unpacked bytes up to which any ratio is accepted."""
UNREADABLE = (EOFError, zlib.error)
"""Exceptions at damage in a compressed file."""


class _Dense(EOFError):
    """A compressed file unpacks to more than ``DENSE`` times its size."""


def damage(error: Exception) -> str:
    """Return a sentence about an error in a compressed file, without its full stop."""
    return str(error) if isinstance(error, _Dense) else f"the compressed file is damaged ({error})"


def head(path: Path, many: int, *, after_zeros: bool = False) -> tuple[bytes, str]:
    """Return a file's first ``many`` bytes, unpacked, and the error that ended them, or "".

    ``after_zeros``: skip the zeros at the beginning of a file that was truncated while it was written.
    """
    found = b""
    try:
        with _open(path) as opened:
            while len(found) < many and (more := opened.read(many - len(found))):
                found += more
                if after_zeros and len(found) == many and not found.strip(b"\0"):
                    after_zeros, found = False, _after_zeros(opened) or found
    except UNREADABLE as error:
        return found, damage(error)
    return found, ""


def wide(first: bytes) -> str:
    """Return the encoding of a file if it uses two bytes per character, else "".

    ``first`` are the file's first bytes. Without a byte order mark, the zeros in them show it.
    """
    if encoding := BOMS.get(first[:2]):
        return encoding
    even, odd = first[:SHOWS:2], first[1:SHOWS:2]
    for encoding, text, zeros in (("utf-16-le", even, odd), ("utf-16-be", odd, even)):
        if len(zeros) > 8 and zeros.count(0) * 2 > len(zeros) and text.count(0) * 20 < len(text):
            return encoding
    return ""


def _after_zeros(opened: IO[bytes]) -> bytes:
    """Return the next data after leading zeros, up to the end of the chunk in which it begins."""
    while chunk := opened.read(CHUNK):
        if chunk := chunk.lstrip(b"\0"):
            return chunk
    return b""


class _Unpacked(RawIOBase):
    """Content of a gzip file up to any damage.

    ``gzip.GzipFile`` would lose data before the damage.
    """

    def __init__(self, packed: IO[bytes]) -> None:
        self._packed = packed
        self._unpacker = zlib.decompressobj(wbits=31)
        self._rest = b""
        self._packed_bytes = self._unpacked_bytes = 0

    def read(self, many: int = -1) -> bytes:
        """Return up to ``many`` bytes of unpacked content; none at the end.

        Raises ``EOFError`` and ``zlib.error`` at damage.
        """
        while True:
            chunk = self._rest or self._packed.read(CHUNK)
            if not self._rest:
                self._packed_bytes += len(chunk)
            if not chunk:
                if not self._unpacker.eof:
                    raise EOFError("the file is truncated")
                return b""
            if self._unpacker.eof:  # gzip files can be concatenated, and zeros can follow
                if not chunk.strip(b"\0"):
                    self._rest = b""
                    continue
                self._unpacker = zlib.decompressobj(wbits=31)
            made = self._unpacker.decompress(chunk, max(many, 0))
            self._rest = self._unpacker.unconsumed_tail or self._unpacker.unused_data
            if made:
                self._unpacked_bytes += len(made)
                if self._unpacked_bytes > max(ENOUGH, DENSE * self._packed_bytes):
                    raise _Dense(f"it unpacks to more than {DENSE} times its size, as no log does: unpack it yourself")
                return made

    def close(self) -> None:
        """Close the gzip file."""
        self._packed.close()
        super().close()


def _open(path: Path) -> IO[bytes]:
    opened = path.open("rb")
    packed = opened.read(2) == GZIP
    opened.seek(0)
    return cast("IO[bytes]", _Unpacked(opened)) if packed else opened


def pieces(path: Path, begin: int = 0, end: int | None = None) -> Iterator[bytes]:
    """Yield pieces of the file between the bytes ``begin`` and ``end``.

    Both positions are moved to the next line with a time. Compressed files are read whole. Raises ``OSError``, and
    ``EOFError`` or ``zlib.error`` at damage, after the readable pieces.
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
        encoding = wide(head(path, SHOWS)[0]) if not begin else ""
        decoder = codecs.getincrementaldecoder(encoding)("replace") if encoding else None
        while end is None or at < end:
            chunk = opened.read(PIECE if end is None else min(PIECE, end - at))
            if not chunk:
                break
            at += len(chunk)
            if not rest and chunk.startswith(b"\0") and not decoder:
                chunk = chunk.lstrip(b"\0")  # the file was truncated while it was written
            if decoder:
                chunk = decoder.decode(chunk).encode()
            cut = chunk.rfind(b"\n") + 1
            if cut:
                yield b"".join((rest, memoryview(chunk)[:cut]))
                rest = chunk[cut:]
            elif len(rest) <= LONGEST:  # an endless line is stored only up to the limit
                rest += chunk
        if rest:
            yield rest


def _boundary(opened: IO[bytes], at: int) -> int:
    """Return the position of the first line with a date at or after the byte ``at``.

    Lines without a date, and those of a list, belong to the line before. The result is the file's size if no dated line
    follows, and the position of the first searched line if too many lines have no date.
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
