"""Levels of keys in a folder, more of them than fit into memory.

    explored.json       what is explored: the model, its settings, a digest of its tables
    levels/0007.json    a level that is whole, and what is known of its files
    levels/0007.*.npy   its keys, in order
    seen/0000-0006.*.npy  the keys of several levels that follow each other, in order: made of them, and made anew of
                        them where it is not as it was
    follow/*.npy        what follows from the last level; needed until the next one is whole

Each reading of keys is added up to a digest, and that of a whole level's work has to be what was written down.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.spark_enum.explorer.keys import Keys, Parted, digest, distinct, missing
from rebalance_proofs.spark_enum.explorer.level import MODULUS, Level
from rebalance_proofs.spark_enum.explorer.manifest import Kept
from rebalance_proofs.spark_enum.explorer.sorted_file import ASIDE, Sorted, Written
from rebalance_proofs.spark_enum.explorer.store import PIECE

__all__ = ["Checked", "Files", "Folder", "Run", "Shelf", "Sizes"]

LEVELS, SEEN, FOLLOW = "levels", "seen", "follow"
AT_ONCE = 1 << 20
"""Keys that are settled at once, where memory does not say less: sorting more of them together is slower."""


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

    @property
    def digest(self) -> int:
        """Of the keys."""
        return sum(file.digest for file in self.files) % MODULUS


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
        """The keys of some parts, by file."""
        found = (file.read(self.folder, *self.places(file, part)) for file in files)
        return [keys.astype(self.order.dtype, copy=False) for keys in found if len(keys)]

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


class Files:
    """A ``Store``. It works on the parts that it is told, and the rest is the work of others."""

    def __init__(self, shelf: Shelf, part: range | None = None) -> None:
        self.shelf = shelf
        self.checked = Checked()
        self.order, self.piece = shelf.order, shelf.sizes.piece
        self._part = range(shelf.order.parts) if part is None else part
        # in the names of files: those of the same parts are of the same keys, whoever writes them
        self._own = f"{self._part.start:05}-{self._part.stop:05}"
        self._found: list[Keys] = []
        self._written: dict[str, Written] = {}
        self._joined: dict[tuple[int, int], Keys] = {}

    def cut(self, keys: Keys) -> Iterator[tuple[range, Keys]]:
        yield range(self.order.parts), keys

    def expanding(self, level: int) -> Iterator[range]:
        self.checked = Checked()
        most = min(8 * self.piece, self.shelf.sizes.at_once // 32)
        return _halved(self._part, lambda part: self.shelf.states(self.shelf.levels[level], part) <= most)

    def settling(self, level: int) -> Iterator[range]:
        """Cut so that what is needed of a part, and some copies, are at most so many bytes."""
        shelf = self.shelf

        def fits(part: range) -> bool:
            found = shelf.states(shelf.found, part) + sum(end - begin for begin, end in self._places(part))
            seen = sum(shelf.states(run.files, part) for run in shelf.runs)
            return found <= AT_ONCE and 8 * (4 * found + 3 * seen) <= shelf.sizes.at_once

        return _halved(self._part, fits)

    def level(self, level: int, part: int | range) -> Keys:
        part = range(part, part + 1) if isinstance(part, int) else part
        keys = self._together(self.shelf.read(self.shelf.levels[level], part))
        self.checked.level = (self.checked.level + digest(keys)) % MODULUS
        return keys

    def keep(self, level: int, part: range, keys: Keys) -> None:
        self._write(f"{LEVELS}/{level:04}", keys)
        for (first, last), joined in self._joined.items():
            self._write(f"{SEEN}/{first:04}-{last:04}", joined)
        self._joined = {}

    def follow(self, level: int, part: range, number: int, states: np.ndarray) -> None:
        self._found.append(distinct(self.order.keys(states)))
        if sum(keys.nbytes for keys in self._found) > self.shelf.sizes.found:
            self.spill()

    def spill(self) -> None:
        """Writes what follows."""
        if not self._found:
            return
        keys = np.concatenate(self._found)
        self._found = []
        keys = distinct(keys)
        name = f"{FOLLOW}/{len(self.shelf.levels) - 1:04}.{self._own}.{len(self.checked.files):05}.npy"
        self._written[name] = Written(self.shelf.folder, name)
        self._written[name].add(keys)
        self.checked.files.append(self._written.pop(name).close())

    def followers(self, level: int, part: range) -> list[Keys]:
        found = self.shelf.read(self.shelf.found, part)
        self.checked.followers = (self.checked.followers + sum(map(digest, found))) % MODULUS
        return found + [keys[begin:end] for keys, (begin, end) in zip(self._found, self._places(part), strict=True)]

    def unseen(self, part: range, keys: Keys) -> Keys:
        for group in self.shelf.joined():
            seen = self._together([one for run in group for one in self.shelf.read(run.files, part)])
            self.checked.seen = (self.checked.seen + digest(seen)) % MODULUS
            if len(group) > 1:
                seen.sort()
                self._joined[group[0].first, group[-1].last] = seen
            if len(seen):
                keys = keys[missing(keys, seen)]
        return keys

    def done(self, level: Level) -> None:
        """Nothing, where others have a part in it."""

    def close(self) -> Checked:
        """What was read and written since it was last asked; all of it has its place now."""
        for name, written in list(self._written.items()):
            file = written.close()
            del self._written[name]
            if file is None:
                continue
            folder, _, stem = name.partition("/")
            if folder == SEEN:
                first, _, last = stem.partition("-")
                self.checked.runs.setdefault((int(first), int(last)), []).append(file)
            else:
                self.checked.files.append(file)
        checked, self.checked = self.checked, Checked()
        return checked

    def discard(self) -> None:
        """Nothing is left of what is not done."""
        for written in self._written.values():
            written.discard()
        self._written, self._found, self._joined = {}, [], {}

    def _together(self, arrays: list[Keys]) -> Keys:
        if len(arrays) == 1:
            return arrays[0]
        return np.concatenate(arrays) if arrays else np.zeros(0, dtype=self.order.dtype)

    def _places(self, part: range) -> list[tuple[int, int]]:
        shift = self.order.bits - (self.order.parts.bit_length() - 1)
        # each end would be too much by one for what keys are held in
        ends = np.array([(end << shift) - 1 for end in (part.start, part.stop)], dtype=self.order.dtype)
        return [tuple(np.searchsorted(keys, ends, side="right").tolist()) for keys in self._found]

    def _write(self, stem: str, keys: Keys) -> None:
        if stem not in self._written:
            self._written[stem] = Written(self.shelf.folder, f"{stem}.{self._own}.npy")
        self._written[stem].add(keys)


class Folder(Files):
    """All parts, and what is written down of a level when it is whole."""

    def __init__(self, shelf: Shelf) -> None:
        super().__init__(shelf)
        self.kept: list[Kept] = []
        """The levels that are there."""
        self._before = ""
        for name in (LEVELS, SEEN, FOLLOW):
            (shelf.folder / name).mkdir(exist_ok=True)
        for number in range(self._written_down()):
            try:
                kept, self._before = Kept.read(shelf.folder / LEVELS / f"{number:04}.json", number, self._before)
                for file in kept.files:
                    file.verify(shelf.folder)
            except UsageError as error:
                raise UsageError(
                    f"{error}; when {LEVELS}/{number:04}.json and those after it are removed, the same exploration "
                    "goes on from the levels before"
                ) from error
            self.kept.append(kept)
        levels = tuple(kept.files for kept in self.kept)
        runs = tuple(Run(number, number, files) for number, files in enumerate(levels))
        self.shelf = replace(shelf, levels=levels, runs=runs)
        self._tidy()

    def _written_down(self) -> int:
        """How many levels there are. Raises ``UsageError`` where one is missing between others."""
        numbers = sorted(int(path.stem) for path in (self.shelf.folder / LEVELS).glob("????.json"))
        for place, number in enumerate(numbers):
            if place != number:
                raise UsageError(f"{str(self.shelf.folder / LEVELS / f'{place:04}.json')!r} is missing")
        return len(numbers)

    def _tidy(self) -> None:
        """Removes what a run has left that was cut short."""
        known = {file.name for files in (*self.shelf.levels, self.shelf.found) for file in files}
        known |= {file.name for run in self.shelf.runs for file in run.files}
        for pattern in (f"{LEVELS}/????.?????-?????.npy", f"{SEEN}/*.npy", f"{FOLLOW}/*.npy", f"*/*{ASIDE}"):
            for path in self.shelf.folder.glob(pattern):
                if path.relative_to(self.shelf.folder).as_posix() not in known:
                    path.unlink(missing_ok=True)

    def discard(self) -> None:
        super().discard()
        self.shelf = replace(self.shelf, found=())
        self._tidy()

    def expanded(self, checked: Checked) -> None:
        """The last level was expanded, by whomever. Raises ``UsageError``."""
        if checked.level != _digest(self.shelf.levels[-1]):
            self._verify(self.shelf.levels[-1])
        self.shelf = replace(self.shelf, found=tuple(checked.files))

    def settling(self, level: int) -> Iterator[range]:
        if level:
            self.expanded(self.close())
        return super().settling(level)

    def done(self, level: Level) -> None:
        self.settled(level, self.close())

    def settled(self, level: Level, checked: Checked) -> None:
        """The level is whole, by whomever it was made. Raises ``UsageError``."""
        shelf = self.shelf
        if checked.seen != sum(map(_digest, shelf.levels)) % MODULUS:
            self._verify([file for run in shelf.runs for file in run.files])
        if checked.followers != _digest(shelf.found):
            self._verify(shelf.found)
        self._keep(level, checked)

    def takes_over(self, level: Level, keys: Keys) -> None:
        """A level that was made elsewhere."""
        self.keep(level.number, self._part, keys)
        self._keep(level, self.close())

    def _keep(self, level: Level, checked: Checked) -> None:
        shelf = self.shelf
        kept = Kept(level, tuple(sorted(checked.files, key=lambda file: file.name)))
        self._before = kept.write(shelf.folder / LEVELS / f"{level.number:04}.json", self._before)
        self.kept.append(kept)
        self.shelf = replace(
            shelf,
            levels=(*shelf.levels, kept.files),
            runs=(*shelf.with_joined(checked.runs), Run(level.number, level.number, kept.files)),
            found=(),
        )
        self._found = []
        needed = {file.name for run in self.shelf.runs for file in run.files}
        for file in (*shelf.found, *(file for run in shelf.runs if run.first < run.last for file in run.files)):
            if file.name not in needed:
                (shelf.folder / file.name).unlink(missing_ok=True)

    def _verify(self, files: Iterable[Sorted]) -> None:
        for file in files:
            file.verify(self.shelf.folder)
        raise UsageError(f"what was read in {str(self.shelf.folder)!r} is not what was written there")


def _halved(part: range, fits) -> Iterator[range]:
    if len(part) == 1 or fits(part):
        yield part
        return
    middle = (part.start + part.stop) // 2
    yield from _halved(range(part.start, middle), fits)
    yield from _halved(range(middle, part.stop), fits)


def _states(runs: Iterable[Run]) -> int:
    return sum(run.states for run in runs)


def _digest(files: Iterable[Sorted]) -> int:
    return sum(file.digest for file in files) % MODULUS
