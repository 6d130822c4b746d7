"""Visited states on disk: the files in an exploration's folder, and memory limits for them."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.spark_enum.explorer.keys import Keys, Parted
from rebalance_proofs.spark_enum.explorer.level import MODULUS
from rebalance_proofs.spark_enum.explorer.sorted_file import Sorted
from rebalance_proofs.spark_enum.explorer.store import PIECE


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
