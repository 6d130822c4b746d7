"""A .npy file of sorted keys; their number and digest are recorded in another file."""

import json
import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from io import FileIO
from pathlib import Path
from typing import Any
from uuid import uuid4

import numpy as np

from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.spark_enum.explorer.store import MODULUS, PIECE, Keys, Level, Parted, digest

HEADER = 128
"""Number of bytes before the first key."""
BLOCK = 1 << 17
"""Number of keys that are read in one step."""
ASIDE = ".aside"
"""Suffix of a file's name until the file is complete."""


@dataclass(frozen=True)
class Sorted:
    """A file of sorted keys, named by its path within a folder.

    Reading it raises ``UsageError`` if it is missing or its length has changed.
    """

    name: str
    states: int
    digest: int
    """Digest of all keys (``keys.digest``)."""

    @property
    def bytes(self) -> int:
        """The length of the file in bytes."""
        return HEADER + 8 * self.states

    def place(self, folder: Path, key: int) -> int:
        """Return the number of keys below ``key``, found by bisection in the file."""
        low, high = 0, self.states
        with self._opened(folder) as file:
            while low < high:
                middle = (low + high) // 2
                if int.from_bytes(os.pread(file.fileno(), 8, HEADER + 8 * middle), "little") < key:
                    low = middle + 1
                else:
                    high = middle
        return low

    def read(self, folder: Path, begin: int, end: int) -> Keys:
        """Return the keys from index ``begin`` up to index ``end``."""
        with self._opened(folder) as file:
            file.seek(HEADER + 8 * begin)
            return np.fromfile(file, dtype=np.int64, count=end - begin)

    def verify(self, folder: Path) -> None:
        """Raise ``UsageError`` if the keys have changed since they were written."""
        blocks = range(0, self.states, BLOCK)
        found = sum(digest(self.read(folder, begin, min(begin + BLOCK, self.states))) for begin in blocks)
        if found % MODULUS != self.digest:
            raise UsageError(f"{str(folder / self.name)!r} has been changed: its digest differs from the written one")

    def _opened(self, folder: Path) -> FileIO:
        path = folder / self.name
        try:
            file = path.open("rb", buffering=0)
        except FileNotFoundError:
            raise UsageError(f"the file of states {str(path)!r} is missing") from None
        size = os.fstat(file.fileno()).st_size
        if size != self.bytes:
            file.close()
            raise UsageError(f"{str(path)!r} has {size:,} bytes, but {self.bytes:,} were written")
        return file


class Written:
    """A file of keys under construction; it gets its final name when it is complete."""

    def __init__(self, folder: Path, name: str) -> None:
        self._folder, self._name = folder, name
        self._aside = folder / f"{name}.{uuid4().hex}{ASIDE}"
        self._file: FileIO | None = None
        self._states = self._digest = 0

    def add(self, keys: Keys) -> None:
        """Append sorted keys, all greater than the keys before."""
        if not len(keys):
            return
        if self._file is None:
            self._file = self._aside.open("wb", buffering=0)
            self._put(_header(0))
        self._put(np.ascontiguousarray(keys, dtype=np.int64).data.cast("B"))
        self._states += len(keys)
        self._digest = (self._digest + digest(keys)) % MODULUS

    def close(self) -> Sorted | None:
        """Complete the file; return None, without a file, if nothing was added."""
        if self._file is None:
            return None
        self._file.seek(0)
        self._put(_header(self._states))
        self._file.close()
        os.replace(self._aside, self._folder / self._name)
        return Sorted(self._name, self._states, self._digest)

    def discard(self) -> None:
        """Remove the incomplete file."""
        if self._file is not None:
            with suppress(OSError):  # data that could not be written is not needed any more
                self._file.close()
            self._aside.unlink(missing_ok=True)

    def _put(self, data: bytes | memoryview) -> None:
        assert self._file is not None
        view = memoryview(data)
        while view:  # a disk that is nearly full may accept only a part
            view = view[self._file.write(view) :]


def _header(states: int) -> bytes:
    """Return a NumPy 1.0 header, of the same length for any number of keys (``states``)."""
    said = f"{{'descr': '<i8', 'fortran_order': False, 'shape': ({states},), }}".ljust(HEADER - 11) + "\n"
    return b"\x93NUMPY\x01\x00" + len(said).to_bytes(2, "little") + said.encode()


# Record of a complete level in a folder.
# Files of a level without such a record are left from an interrupted run.


@dataclass(frozen=True)
class Kept:
    """A complete level, with its files; each file has the sorted keys of consecutive parts."""

    level: Level
    files: tuple[Sorted, ...]

    def write(self, path: Path, before: str) -> str:
        """Write the record of this level, and return its digest.

        ``before`` is the digest of the previous level's record, so that the records form a chain.
        """
        level = self.level
        return write_json(
            path,
            {
                "level": level.number,
                "states": level.states,
                "digest": f"{level.digest:016x}",
                "moves": None if level.counts is None else level.counts.tolist(),
                "wrong": level.wrong,
                "often": level.often,
                "files": [asdict(file) | {"digest": f"{file.digest:016x}"} for file in self.files],
                "bytes": sum(file.bytes for file in self.files),
                "before": before,
            },
        )

    @classmethod
    def read(cls, path: Path, number: int, before: str) -> tuple["Kept", str]:
        """Read the record of a level; return the level, and the record's digest.

        Raises ``UsageError`` if the record is damaged or does not follow the previous level's record (``before``).
        """
        said, own = read_json(path)
        try:
            if (said["level"], said["before"]) != (number, before):
                raise UsageError(f"{str(path)!r} does not fit the levels before it")
            counts = None if said["moves"] is None else np.array(said["moves"], dtype=np.int64)
            level = Level(number, said["states"], int(said["digest"], 16), said["wrong"], said["often"], counts)
            files = (Sorted(**file | {"digest": int(file["digest"], 16)}) for file in said["files"])
            return cls(level, tuple(files)), own
        except (KeyError, TypeError, ValueError):
            raise UsageError(f"{str(path)!r} is damaged, or no run wrote it") from None


def write_json(path: Path, document: dict[str, Any]) -> str:
    """Write a JSON document with a digest of its content, and return the digest.

    The file is written atomically.
    """
    own = _digest(document)
    aside = path.with_name(f"{path.name}{ASIDE}")
    aside.write_text(json.dumps(document | {"sha256": own}, indent=1) + "\n", encoding="utf-8")
    os.replace(aside, path)
    return own


def read_json(path: Path) -> tuple[dict[str, Any], str]:
    """Read a JSON document with its digest; return both. Raises ``UsageError`` if it was changed."""
    try:
        said = json.loads(path.read_text(encoding="utf-8"))
        own = said.pop("sha256")
    except FileNotFoundError:
        raise UsageError(f"{str(path)!r} is missing") from None
    except (ValueError, KeyError, AttributeError, TypeError):
        raise UsageError(f"{str(path)!r} is damaged, or no run wrote it") from None
    if own != _digest(said):
        raise UsageError(f"{str(path)!r} has been changed since it was written")
    return said, own


def _digest(document: dict[str, Any]) -> str:
    return sha256(json.dumps(document, sort_keys=True).encode()).hexdigest()


# Visited states on disk: the files in an exploration's folder, and memory limits for them.


@dataclass(frozen=True)
class Sizes:
    """Limits for the memory use of an exploration on disk."""

    piece: int
    """Number of states that are expanded in one step."""
    found: int
    """Bytes of successors that are collected in memory before they are written."""
    at_once: int
    """Bytes of data that are processed in one step."""

    @classmethod
    def of(cls, memory: int, moves: int) -> "Sizes":
        """Return limits for ``memory`` bytes in total; a state has at most ``moves`` successors."""
        piece = memory // 4 // (8 * WORK * max(moves, 1))
        return cls(max(1 << 8, min(PIECE, piece)), memory // 8, memory // 3)


WORK = 6
"""Number of arrays during the computation of successors, each as long as the successors."""


@dataclass(frozen=True)
class Run:
    """Files with the sorted keys of consecutive levels."""

    first: int
    last: int
    files: tuple[Sorted, ...]
    """The files; for a single level, the files of the level itself."""

    @property
    def states(self) -> int:
        return sum(file.states for file in self.files)


@dataclass
class Checked:
    """Digests of data that a process read, to compare with data written; and its new files."""

    level: int = 0
    """Digest of the keys that were read from the level to expand."""
    followers: int = 0
    """Digest of the keys that were read from the level's successors."""
    seen: int = 0
    """Digest of the keys that were read from all known levels."""
    files: list[Sorted] = field(default_factory=list)
    """Files that the process wrote: of the next level, or with successors."""
    runs: dict[tuple[int, int], list[Sorted]] = field(default_factory=dict)

    def adds(self, other: "Checked") -> None:
        """Add the digests and files of another process."""
        self.level = (self.level + other.level) % MODULUS
        self.followers = (self.followers + other.followers) % MODULUS
        self.seen = (self.seen + other.seen) % MODULUS
        self.files += other.files
        for name, files in other.runs.items():
            self.runs.setdefault(name, []).extend(files)


@dataclass(frozen=True)
class Shelf:
    """The files of an exploration: everything that another process needs to read them."""

    folder: Path
    order: Parted
    sizes: Sizes
    levels: tuple[tuple[Sorted, ...], ...] = ()
    runs: tuple[Run, ...] = ()
    found: tuple[Sorted, ...] = ()
    """Files with successors of the last level, as far as they are already written."""

    def places(self, file: Sorted, part: range) -> tuple[int, int]:
        """Return the index of the first key of some parts in a file, and the index after the last."""
        shift = self.order.bits - (self.order.parts.bit_length() - 1)
        begin = file.place(self.folder, part.start << shift) if part.start else 0
        end = file.states if part.stop == self.order.parts else file.place(self.folder, part.stop << shift)
        return begin, end

    def read(self, files: Iterable[Sorted], part: range) -> list[Keys]:
        """Return the keys of some parts, one array per file.

        Raises ``UsageError`` if a key does not fit the type of keys.
        """
        found = []
        for file in files:
            keys = file.read(self.folder, *self.places(file, part))
            held = keys.astype(self.order.dtype, copy=False)
            if held is not keys and (held != keys).any():  # digests would not notice bits that are cut off
                raise UsageError(f"{str(self.folder / file.name)!r} has been changed: it contains invalid keys")
            if len(held):
                found.append(held)
        return found

    def states(self, files: Iterable[Sorted], part: range) -> int:
        """Return how many keys of some parts (the range ``part``) the files contain."""
        return sum(end - begin for begin, end in (self.places(file, part) for file in files))

    def joined(self) -> list[list[Run]]:
        """Return which files of consecutive levels to merge, as groups.

        After the merges, each group's files are more than twice as long as those of the next group.
        """
        groups: list[list[Run]] = []
        for run in self.runs:
            group = [run]
            while groups and _states(groups[-1]) <= 2 * _states(group):
                group = groups.pop() + group
            groups.append(group)
        return groups

    def with_joined(self, written: dict[tuple[int, int], list[Sorted]]) -> Iterator[Run]:
        """Yield the files of all levels, with ``written`` merged files instead of those they replace."""
        for group in self.joined():
            ends = group[0].first, group[-1].last
            if len(group) > 1 and ends in written:
                yield Run(*ends, tuple(sorted(written[ends], key=lambda file: file.name)))
            else:
                yield from group


def _states(runs: Iterable[Run]) -> int:
    return sum(run.states for run in runs)
