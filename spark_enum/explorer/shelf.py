"""What is known of a folder of levels: its files, and how much of them may be in memory."""

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
    """What may be in memory."""

    piece: int
    """States that are expanded at once."""
    found: int
    """Bytes of what follows, until it is written."""
    at_once: int
    """Bytes that are worked on at once."""

    @classmethod
    def of(cls, memory: int, moves: int) -> "Sizes":
        """For so many bytes, and so many moves: a state has at most so many that come next."""
        piece = memory // 4 // (8 * WORK * max(moves, 1))
        return cls(max(1 << 8, min(PIECE, piece)), memory // 8, memory // 3)


WORK = 6
"""Arrays, of as many numbers as there are states afterwards, that there are while they are made."""


@dataclass(frozen=True)
class Run:
    """The keys of levels that follow each other."""

    first: int
    last: int
    files: tuple[Sorted, ...]
    """A single level's are the level's own."""

    @property
    def states(self) -> int:
        return sum(file.states for file in self.files)


@dataclass
class Checked:
    """What was read, to be compared with what was written; and what was written."""

    level: int = 0
    """Digests of keys: of the level that is expanded,"""
    followers: int = 0
    """of what follows from it,"""
    seen: int = 0
    """of all levels that are known."""
    files: list[Sorted] = field(default_factory=list)
    """What is written of the next level, or follows from it."""
    runs: dict[tuple[int, int], list[Sorted]] = field(default_factory=dict)

    def adds(self, other: "Checked") -> None:
        """What else was read and written."""
        self.level = (self.level + other.level) % MODULUS
        self.followers = (self.followers + other.followers) % MODULUS
        self.seen = (self.seen + other.seen) % MODULUS
        self.files += other.files
        for name, files in other.runs.items():
            self.runs.setdefault(name, []).extend(files)


@dataclass(frozen=True)
class Shelf:
    """What is known of a folder's files: all that another process needs to read them."""

    folder: Path
    order: Parted
    sizes: Sizes
    levels: tuple[tuple[Sorted, ...], ...] = ()
    runs: tuple[Run, ...] = ()
    found: tuple[Sorted, ...] = ()
    """What follows from the last level, as far as it is written."""

    def places(self, file: Sorted, part: range) -> tuple[int, int]:
        """Where a file's keys of some parts begin and end."""
        shift = self.order.bits - (self.order.parts.bit_length() - 1)
        begin = file.place(self.folder, part.start << shift) if part.start else 0
        end = file.states if part.stop == self.order.parts else file.place(self.folder, part.stop << shift)
        return begin, end

    def read(self, files: Iterable[Sorted], part: range) -> list[Keys]:
        """The keys of some parts, by file. Raises ``UsageError`` where they are no keys of this order."""
        found = []
        for file in files:
            keys = file.read(self.folder, *self.places(file, part))
            held = keys.astype(self.order.dtype, copy=False)
            if held is not keys and (held != keys).any():  # what is cut off would be missing in digests, too
                raise UsageError(f"{str(self.folder / file.name)!r} has been changed: it has numbers that are no keys")
            if len(held):
                found.append(held)
        return found

    def states(self, files: Iterable[Sorted], part: range) -> int:
        """How many keys there are."""
        return sum(end - begin for begin, end in (self.places(file, part) for file in files))

    def joined(self) -> list[list[Run]]:
        """The runs, as they are to be joined: each becomes more than twice as long as the next."""
        groups: list[list[Run]] = []
        for run in self.runs:
            group = [run]
            while groups and _states(groups[-1]) <= 2 * _states(group):
                group = groups.pop() + group
            groups.append(group)
        return groups

    def with_joined(self, written: dict[tuple[int, int], list[Sorted]]) -> Iterator[Run]:
        """The runs, when these have been written."""
        for group in self.joined():
            ends = group[0].first, group[-1].last
            if len(group) > 1 and ends in written:
                yield Run(*ends, tuple(sorted(written[ends], key=lambda file: file.name)))
            else:
                yield from group


def _states(runs: Iterable[Run]) -> int:
    return sum(run.states for run in runs)
