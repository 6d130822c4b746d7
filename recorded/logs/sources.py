"""Find the log files that paths, folders and globs name, and inspect their beginnings.

Each file is used once. Rotated files of one log are joined.
"""

import glob
import hashlib
import os
import re
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rebalance_proofs.recorded.logs.lines import plain
from rebalance_proofs.recorded.logs.pieces import GZIP, LARGEST, descends, head, labels, part, pieces, wide
from rebalance_proofs.recorded.logs.search import telling
from rebalance_proofs.recorded.logs.times import DAY, date_of, orders, stamp
from rebalance_proofs.recorded.pipes import PIECE, content

# Refuse paths that are no files of lines, and copy pipes within limits of disk and time.

KINDS = {
    stat.S_ISCHR: "a device",
    stat.S_ISBLK: "a device",
    stat.S_ISSOCK: "a socket",
    stat.S_ISFIFO: "a named pipe",
}
"""Test of a path's mode -> what the path is, if it is no regular file."""
FREE = 1 << 30
"""Number of bytes that a copy of a pipe leaves free on the disk."""
ZEROS = 256 << 20
"""Number of zero bytes at the beginning of a pipe after which it is refused."""
WITHOUT = 1 << 30
"""Number of bytes of a pipe that are read without any of ``WORDS``; then it is refused."""
WORDS = (b"ueue", b"roup", b"ebalance", b"ffset", b"lient", b"onsume")
"""Parts of words, at least one of which is in nearly every line about a consumer group."""
CONTROLS = bytes({*range(1, 32)} - {*b"\b\t\n\v\f\r\x1b"})
"""Control characters that text does not contain."""
LOOKED_AT = 64 * 1024


def kind_of(mode: int) -> str:
    """Return what a path is that is no regular file and no folder, such as "a device"; else ""."""
    return next((kind for test, kind in KINDS.items() if test(mode)), "")


def is_binary(first: bytes) -> bool:
    """Return True if a file that begins with these bytes is not text."""
    if not first or wide(first):
        return False
    controls = len(first) - len(first.translate(None, CONTROLS))
    return controls * 20 > len(first) or first.count(b"\0") * 20 > len(first)


def kernel_file(path: Path) -> bool:
    """Return True for a file of size 0 that has content, as files in /proc have. It can be endless, or block."""
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        return bool(os.read(handle, 1))
    except OSError:  # it blocks, or has to be read otherwise
        return True
    finally:
        os.close(handle)


def copied(name: str, found: Iterable[bytes], spool: Path) -> Path:
    """Copy a pipe to a file in the folder ``spool``, and return the file.

    Raises ``NotThere`` if the pipe is not text, has no line about a consumer group in its first GiB, or does not fit on
    the disk.
    """
    handle, made = tempfile.mkstemp(dir=spool)
    total, zeros, looked, worded = 0, 0, False, False
    with os.fdopen(handle, "wb") as copy:
        for piece in found:
            if not looked and not piece.strip(b"\0"):
                zeros += len(piece)
                if zeros > ZEROS:
                    raise NotThere(f"cannot read {name!r}: it is not text")
            elif not looked:
                looked = True
                if is_binary(piece.lstrip(b"\0")[:LOOKED_AT]):
                    raise NotThere(f"cannot read {name!r}: it is not text")
            worded = worded or any(word in piece for word in WORDS)
            total += len(piece)
            if not worded and total > WITHOUT:
                raise NotThere(f"cannot read {name!r}: its first GiB has no line about a consumer group")
            if shutil.disk_usage(spool).free < FREE:
                raise NotThere(f"cannot read {name!r}: its copy in {spool.parent} leaves less than 1 GiB of disk free")
            copy.write(piece)
    return Path(made)


GMT8 = 8 * 3_600_000
"""Offset in ms of GMT+8, the zone of brokers' logs, and of clients' logs from 5.1 on.

They use this zone wherever they run.
"""
FIRST = 64 * 1024
"""Number of bytes at the beginning of a file that are inspected."""
NATIVE_CLIENT = re.compile(
    rb"^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} +(?:TRACE|DEBUG|INFO|WARN|ERROR) +\[\d+\] \[.*?\] \[.*?#.*?:.*?\] - ",
    re.M,
)
NATIVE_BROKER = re.compile(rb"^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d (?:TRACE|DEBUG|INFO|WARN|ERROR) \S+ - ", re.M)
MQADMIN = re.compile(
    rb"^(?:>|&gt;|[ \t|])*(?:\\?#Topic .*#Broker Offset|#Index[ |]+#ClientId|#Consumer Properties#"
    rb"|#(?:Group|ClientId)[ |]+#|001 +\S+ +(?:\S+:\d+ +[A-Z_]+ +)?V\d"
    rb"|(?i:Broker\s*[|\t]\s*Queue\s*[|\t]\s*consumer ?Client\b))",
    re.M,
)
RUNNING_INFO = re.compile(rb'"mqTable" ?: ?\{')
PACKED = {b"PK\x03\x04": "zip", b"BZh": "bzip2", b"\xfd7zXZ": "xz", b"\x28\xb5\x2f\xfd": "zstd"}
ROTATED = re.compile(
    r"(?P<base>.+?\.(?:log|out|txt))(?:\.\d{1,4}|[.-]\d{4}-?\d\d-?\d\d(?:[._-]\d{1,6})?)$"
    r"|(?P<stem>.+?)[._-]\d{4}-\d\d-\d\d(?:[._-]\d{1,6})?(?P<ext>\.(?:log|out|txt))$"
)
WITHOUT_GROUP = {
    "topicRoute": re.compile(rb'^\s*\{\s*"brokerDatas" ?: ?\[|^#ClusterName +#BrokerName +#BrokerAddrs', re.M),
    "topicStatus": re.compile(rb"^#Broker Name +#QID +#Min Offset", re.M),
    "brokerStatus": re.compile(rb"^(?:\S+:\d+ +)?(?:bootTimestamp|brokerVersionDesc|getTotalTps) +: ", re.M),
    "clusterList": re.compile(rb"^#Cluster Name +#Broker Name +#B?ID", re.M),
}
"""mqadmin command whose output names no group -> pattern of this output."""
OTHER_DAYS = re.compile(r"(?P<stem>.+?)[-.]\d{1,4}(?P<ext>\.log)$")
DAYS = ("other_days", "otherdays")
"""Names of folders into which clients from 5.1 on, and brokers, move full log files."""


@dataclass(frozen=True)
class Source:
    """One file of an audit, with what its beginning shows."""

    name: str
    """Path of the file as the user gave it; ``-`` for standard input."""
    path: Path
    size: int
    """Number of bytes to read; the file can grow meanwhile."""
    packed: bool
    series: str
    """Name of the log; all rotated files of one log have the same."""
    zone: int | None
    """Offset of the log's time zone from UTC in ms, if its format or lines show it; else None."""
    mqadmin: bool
    """True if the file contains output of mqadmin."""
    first: int | None
    """Time in ms of the first line with a date, by the log's own clock; None without one."""
    year: int
    """Year of the file's last modification."""
    day: int
    """Day of the file's last modification, as its start in ms."""
    order: str = ""
    """Order of year, month and day in dates that do not begin with four digits, such as ``mdy``; "" if unknown."""
    descends: bool = False
    """True if the newest line comes first."""
    log: bool = True
    """True if the file contains log lines, possibly beside output of mqadmin."""

    whole: str = ""
    """Name of the file, if this is one of several logs in it; else ""."""
    label: bytes = b""
    """Label of this log's lines in the file."""
    labels: tuple[bytes, ...] = ()
    """Labels of all logs in the file."""

    @property
    def sliced(self) -> bool:
        """True if parts of the file can be parsed separately, as Spark does."""
        return not self.packed and self.first is not None and not self.descends and not self.whole


@dataclass(frozen=True)
class Left:
    """A file that is not read, or not to its end, with the reason."""

    name: str
    why: str
    damaged: bool = False
    """True if the file is a log, perhaps, that is cut off before its first line."""


def sources(paths: Sequence[str], spool: Path) -> tuple[list[Source], list[Left]]:
    """Return all files that the paths name, and the files that are skipped.

    Rotated files of one log are next to each other in order. ``spool``: a folder for piped input. Raises ``NotThere``
    if a path names nothing.
    """
    found: list[Source] = []
    left: list[Left] = []
    seen: dict[tuple[int, int], str] = {}
    content: dict[tuple[int, bytes], str] = {}
    for name, path in _named(paths, spool):
        try:
            told = path.stat()
            before = seen.setdefault((told.st_dev, told.st_ino), name)
            if before != name or any(one.name == name for one in found):
                left.append(Left(name, f"it is the same file as {before}"))
                continue
            one = _source(name, path, told)
            if isinstance(one, Left):
                left.append(one)
                continue
            same = content.setdefault((one.size, _digest(path, one.size)), name)
        except OSError as error:
            left.append(Left(name, (error.strerror or "the file cannot be read").lower()))
            continue
        if same != name:
            left.append(Left(name, f"it has the same content as {same}"))
        else:
            found.extend(_taken_apart(one))
    return _in_series(found), left


def _named(paths: Sequence[str], spool: Path) -> Iterator[tuple[str, Path]]:
    for text in paths:
        if text == "-":
            if sys.stdin is None:  # Python's for one that was closed before it began
                raise NotThere("cannot read '-': standard input is closed")
            yield "-", copied("-", iter(lambda: sys.stdin.buffer.read(PIECE), b""), spool)
            continue
        if "\0" in text or not text:
            raise NotThere(f"{text!r} is not a file name; name a file, a folder or a glob")
        path = Path(text)
        if not os.path.lexists(path) and glob.has_magic(text):
            matches = sorted(glob.glob(text, recursive=True))
            if not matches:
                raise NotThere(f"{text!r} matches no file")
            for match in matches:
                yield from _within(Path(match))
        elif not os.path.lexists(path):
            raise NotThere(f"{text!r} does not exist")
        elif path.exists() and not path.is_file() and not path.is_dir():
            try:
                if (kind := kind_of(path.stat().st_mode)) == "a named pipe":
                    yield text, copied(text, content(path), spool)
                elif path.samefile(os.devnull):
                    yield text, path
                else:
                    raise NotThere(f"cannot read {text!r}: it is {kind}, not a file")
            except OSError as error:
                raise NotThere(f"cannot read {text!r}: {error.strerror}") from None
        else:
            yield from _within(path)


def _within(path: Path) -> Iterator[tuple[str, Path]]:
    if not path.is_dir():
        yield str(path), path
        return
    for folder, folders, names in os.walk(path):
        folders.sort()
        for name in sorted(names):
            inner = Path(folder, name)
            yield str(inner), inner


def _source(name: str, path: Path, told: os.stat_result) -> Source | Left:
    if kind := kind_of(told.st_mode):
        empty = path.samefile(os.devnull)
        return Left(name, "it is empty" if empty else f"it is {kind}, not a file")
    if not told.st_size:
        return Left(name, "it is a file of the kernel, not a log" if kernel_file(path) else "it is empty")
    with path.open("rb") as opened:
        raw = opened.read(8)
    for magic, form in PACKED.items():
        if raw.startswith(magic):
            return Left(name, f"it is compressed with {form}: unpack it, or use gzip")
    first, damage = head(path, FIRST, after_zeros=True)
    if damage and not first:
        return Left(name, damage, damaged=True)
    if encoding := wide(first):
        first = first.decode(encoding, "replace").encode()
    if is_binary(first) and not telling(first):
        return Left(name, "it is not a text file")
    if not first:
        return Left(name, "it is empty")
    when = int(told.st_mtime)
    year = date_of(when * 1000).year
    zone, order, start, times = _times(first, year)
    falls = told.st_size <= LARGEST and descends(times)
    shown = b"\n".join(map(plain, first.split(b"\n")))
    mqadmin = bool(MQADMIN.search(shown) or (RUNNING_INFO.search(first) and start is None))
    day = when * 1000 // DAY * DAY
    packed = raw.startswith(GZIP) or bool(encoding)
    log = not mqadmin or telling(first)
    if not mqadmin and told.st_size <= FIRST and not telling(first):
        command = next((name for name, form in WITHOUT_GROUP.items() if form.search(first)), "")
        if command:
            return Left(name, f"it is the output of mqadmin {command}, which names no group")
    series = _series(name)
    return Source(name, path, told.st_size, packed, series, zone, mqadmin, start, year, day, order, falls, log)


def _taken_apart(one: Source) -> list[Source]:
    """Return the logs in a combined file, or the file itself if it is one log."""
    if one.mqadmin or one.size > LARGEST or len(labels([head(one.path, FIRST)[0]])) < 1:
        return [one]
    every = tuple(labels(pieces(one.path)))
    if not every:
        return [one]
    found = []
    for label in every:
        first = part(pieces(one.path), label, every)[0][:FIRST]
        name = f"{one.name}/{label.decode('utf-8', 'replace')}"
        zone, order, start, _ = _times(first, one.year)
        found.append(
            replace(
                one, name=name, series=_series(name), zone=zone, order=order, first=start, descends=False,
                whole=one.name, label=label, labels=every,
            )
        )  # fmt: skip
    return found


def _times(first: bytes, year: int) -> tuple[int | None, str, int | None, list[int]]:
    """Return the zone, the order of dates, the first time, and all times of a log's beginning."""
    zone = GMT8 if NATIVE_CLIENT.search(first) or NATIVE_BROKER.search(first) else None
    order = orders(first)
    dated = [one for line in first.split(b"\n")[:200] if (one := stamp(line, year, order)) and one.dated]
    begins = dated[0] if dated else None
    start = begins.at + begins.offset if begins else None
    if begins and begins.zoned:
        zone = begins.offset
    return zone, order, start, [one.at for one in dated]


def _digest(path: Path, size: int) -> bytes:
    """Return a hash of the file's content; of a large file, of its beginning, middle and end."""
    made = hashlib.blake2b(digest_size=16)
    part = 1024 * 1024
    with path.open("rb") as opened:
        for place in sorted({0, max(0, size // 2), max(0, size - part)}) if size > 3 * part else (0,):
            opened.seek(place)
            made.update(opened.read(part if size > 3 * part else -1))
    return made.digest()


def _series(name: str) -> str:
    path = Path(name)
    plain = path.name.removesuffix(".gz")
    folder = path.parent
    if folder.name in DAYS and (found := OTHER_DAYS.match(plain)):
        return str(folder.parent / f"{found['stem']}{found['ext']}")
    if found := ROTATED.match(plain):
        plain = found["base"] or f"{found['stem']}{found['ext']}"
    return str(folder / plain)


def _in_series(found: Iterable[Source]) -> list[Source]:
    """Return the files with those of each rotated log next to each other.

    They are sorted, the oldest first, if their times are known. Other files keep their order.
    """
    every = list(found)
    many: dict[str, list[Source]] = {}
    for one in every:
        many.setdefault(one.series, []).append(one)
    result = []
    for own in many.values():
        dated = all(one.first is not None for one in own)
        if len(own) > 1 and not dated:
            own = [replace(one, series=one.name) for one in own]
        result.extend(sorted(own, key=lambda one: one.first or 0) if dated else own)
    return result


# Error about paths that cannot be read.


class NotThere(ValueError):
    """No readable file has this path; the message contains the path."""
