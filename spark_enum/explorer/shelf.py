"""The visited set on disk: the files of an exploration's folder, and limits of memory for them."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.spark_enum.explorer.keys import Keys, Parted
from rebalance_proofs.spark_enum.explorer.level import MODULUS
from rebalance_proofs.spark_enum.explorer.sorted_file import Sorted
from rebalance_proofs.spark_enum.explorer.store import PIECE

__all__ = ["Checked", "Run", "Shelf", "Sizes"]


@dataclass(frozen=True)
class Sizes:
    """Limits of memory use."""

    piece: int
    """Number of states that are expanded at once."""
    found: int
    """Bytes of successors in memory before they are written."""
    at_once: int
    """Bytes of data that are processed at once."""

    @classmethod
    def of(cls, memory: int, moves: int) -> "Sizes":
        """Return the limits for ``memory`` bytes; a state has at most ``moves`` successors."""
        piece = memory // 4 // (8 * WORK * max(moves, 1))
        return cls(max(1 << 8, min(PIECE, piece)), memory // 8, memory // 3)


WORK = 6
"""Number of arrays, each as long as the successors, during their computation."""


@dataclass(frozen=True)
class Run:
    """The sorted keys of consecutive levels."""

    first: int
    last: int
    files: tuple[Sorted, ...]
    """The files; for a single level, those of the level itself."""

    @property
    def states(self) -> int:
        return sum(file.states for file in self.files)


@dataclass
class Checked:
    """Digests of data read, to be compared with data written; and the written files."""

    level: int = 0
    """Digest of the keys that were read of the expanded level."""
    followers: int = 0
    """Digest of the keys that were read of its successors."""
    seen: int = 0
    """Digest of the keys that were read of all known levels."""
    files: list[Sorted] = field(default_factory=list)
    """Files that were written for the next level, or with successors."""
    runs: dict[tuple[int, int], list[Sorted]] = field(default_factory=dict)

    def adds(self, other: "Checked") -> None:
        """Add the data of another process."""
        self.level = (self.level + other.level) % MODULUS
        self.followers = (self.followers + other.followers) % MODULUS
        self.seen = (self.seen + other.seen) % MODULUS
        self.files += other.files
        for name, files in other.runs.items():
            self.runs.setdefault(name, []).extend(files)


@dataclass(frozen=True)
class Shelf:
    """Files of an exploration's folder: all that another process needs to read them."""

    folder: Path
    order: Parted
    sizes: Sizes
    levels: tuple[tuple[Sorted, ...], ...] = ()
    runs: tuple[Run, ...] = ()
    found: tuple[Sorted, ...] = ()
    """Files with successors of the last level, as far as they are written."""

    def places(self, file: Sorted, part: range) -> tuple[int, int]:
        """Return the begin and end of some parts' keys in a file."""
        shift = self.order.bits - (self.order.parts.bit_length() - 1)
        begin = file.place(self.folder, part.start << shift) if part.start else 0
        end = file.states if part.stop == self.order.parts else file.place(self.folder, part.stop << shift)
        return begin, end

    def read(self, files: Iterable[Sorted], part: range) -> list[Keys]:
        """Return the keys of some parts, by file.

        Raises ``UsageError`` if they do not fit the type of keys.
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
        """Return the number of keys of some parts in these files."""
        return sum(end - begin for begin, end in (self.places(file, part) for file in files))

    def joined(self) -> list[list[Run]]:
        """Return the runs in groups to be joined: each joined run is then more than twice as long as the next."""
        groups: list[list[Run]] = []
        for run in self.runs:
            group = [run]
            while groups and _states(groups[-1]) <= 2 * _states(group):
                group = groups.pop() + group
            groups.append(group)
        return groups

    def with_joined(self, written: dict[tuple[int, int], list[Sorted]]) -> Iterator[Run]:
        """Yield the runs, with joined runs instead of those whose joined files have been written."""
        for group in self.joined():
            ends = group[0].first, group[-1].last
            if len(group) > 1 and ends in written:
                yield Run(*ends, tuple(sorted(written[ends], key=lambda file: file.name)))
            else:
                yield from group


def _states(runs: Iterable[Run]) -> int:
    return sum(run.states for run in runs)
