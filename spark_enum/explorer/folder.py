"""Store of an exploration's levels in a folder, for more states than fit into memory."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

import numpy as np

from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.spark_enum.explorer.sorted_file import ASIDE, Checked, Kept, Run, Shelf, Sorted, Written
from rebalance_proofs.spark_enum.explorer.store import MODULUS, Keys, Level, digest, distinct, missing

# Files with parts of an exploration's levels, which one process or Spark task works on.

LEVELS, SEEN, FOLLOW = "levels", "seen", "follow"
"""Subfolders of an exploration's folder: levels, visited states, successors (see ``folder``)."""
AT_ONCE = 1 << 20
"""Largest number of keys that are deduplicated in one step; a larger one would be slower."""


class Files:
    """A ``Store`` of levels in files, for some parts; other processes work on the other parts."""

    def __init__(self, shelf: Shelf, part: range | None = None) -> None:
        self.shelf = shelf
        self.checked = Checked()
        self.order, self.piece = shelf.order, shelf.sizes.piece
        self._part = range(shelf.order.parts) if part is None else part
        # file names contain the parts: files of the same parts have the same keys, from any process
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
        """Yield ranges of parts to deduplicate successors.

        The data of a range, with some copies, fit into ``at_once`` bytes.
        """
        shelf = self.shelf

        def fits(part: range) -> bool:
            found = shelf.states(shelf.found, part) + sum(end - begin for begin, end in self._places(part))
            seen = sum(shelf.states(run.files, part) for run in shelf.runs)
            return found <= AT_ONCE and 8 * (4 * found + 3 * seen) <= shelf.sizes.at_once

        return _halved(self._part, fits)

    def level(self, level: int, part: range) -> Keys:
        keys = self._together(self.shelf.read(self.shelf.levels[level], part))
        self.checked.level = (self.checked.level + digest(keys)) % MODULUS
        return keys

    def keep(self, level: int, part: range, keys: Keys) -> None:
        self._write(f"{LEVELS}/{level:04}", keys)
        for (first, last), joined in self._joined.items():
            self._write(f"{SEEN}/{first:04}-{last:04}", joined)
        self._joined = {}

    def follow(self, level: int, part: range, states: np.ndarray) -> None:
        self._found.append(distinct(self.order.keys(states)))
        if sum(keys.nbytes for keys in self._found) > self.shelf.sizes.found:
            self.spill()

    def spill(self) -> None:
        """Write the successors that are still in memory to files."""
        if not self._found:
            return
        keys = np.concatenate(self._found)
        self._found = []
        keys = distinct(keys)
        name = f"{FOLLOW}/{len(self.shelf.levels) - 1:04}.{self._own}.{len(self.checked.files):05}.npy"
        self._written[name] = Written(self.shelf.folder, name)
        self._written[name].add(keys)
        file = self._written.pop(name).close()
        if file is not None:
            self.checked.files.append(file)

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
        """Do nothing: the level is complete only when all processes have finished."""

    def close(self) -> Checked:
        """Finish all files. Return digests of data read, and files written, since the last call."""
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
        """Remove all unfinished files of this process."""
        for written in self._written.values():
            written.discard()
        self._written, self._found, self._joined = {}, [], {}

    def _together(self, arrays: list[Keys]) -> Keys:
        if len(arrays) == 1:
            return arrays[0]
        return np.concatenate(arrays) if arrays else np.zeros(0, dtype=self.order.dtype)

    def _places(self, part: range) -> list[tuple[int, int]]:
        shift = self.order.bits - (self.order.parts.bit_length() - 1)
        # minus one: the ends themselves could exceed the keys' type
        ends = np.array([(end << shift) - 1 for end in (part.start, part.stop)], dtype=self.order.dtype)
        places = (np.searchsorted(keys, ends, side="right").tolist() for keys in self._found)
        return [(begin, end) for begin, end in places]

    def _write(self, stem: str, keys: Keys) -> None:
        if stem not in self._written:
            self._written[stem] = Written(self.shelf.folder, f"{stem}.{self._own}.npy")
        self._written[stem].add(keys)


def _halved(part: range, fits: Callable[[range], bool]) -> Iterator[range]:
    if len(part) == 1 or fits(part):
        yield part
        return
    middle = (part.start + part.stop) // 2
    yield from _halved(range(part.start, middle), fits)
    yield from _halved(range(middle, part.stop), fits)


class Folder(Files):
    """The store of an exploration in a folder: all levels, with a record of each complete level."""

    def __init__(self, shelf: Shelf) -> None:
        super().__init__(shelf)
        self.kept: list[Kept] = []
        """The complete levels, with their files."""
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
                    f"{error}; remove {LEVELS}/{number:04}.json and all later levels to continue from the levels before"
                ) from error
            self.kept.append(kept)
        levels = tuple(kept.files for kept in self.kept)
        runs = tuple(Run(number, number, files) for number, files in enumerate(levels))
        self.shelf = replace(shelf, levels=levels, runs=runs)
        self._tidy()

    def _written_down(self) -> int:
        """Return the number of complete levels in the folder.

        Raises ``UsageError`` if a level between others is missing.
        """
        numbers = sorted(int(path.stem) for path in (self.shelf.folder / LEVELS).glob("????.json"))
        for place, number in enumerate(numbers):
            if place != number:
                raise UsageError(f"{str(self.shelf.folder / LEVELS / f'{place:04}.json')!r} is missing")
        return len(numbers)

    def _tidy(self) -> None:
        """Remove files that an interrupted run left unfinished."""
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
        """Add files with the last level's successors, which some process has written.

        ``checked`` has the digests of the data that the process read. Raises ``UsageError`` if one of these digests is
        wrong.
        """
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
        """Record the next level as complete, with files that some process has written.

        ``checked`` has the digests of the data that the process read. Raises ``UsageError`` if one of these digests is
        wrong.
        """
        shelf = self.shelf
        if checked.seen != sum(map(_digest, shelf.levels)) % MODULUS:
            self._verify([file for run in shelf.runs for file in run.files])
        if checked.followers != _digest(shelf.found):
            self._verify(shelf.found)
        self._keep(level, checked)

    def takes_over(self, level: Level, keys: Keys) -> None:
        """Add a level that another store has computed; ``keys`` are its states."""
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
        raise UsageError(
            f"the files in {str(self.shelf.folder)!r} are damaged: their digest differs from the written one"
        )


def _digest(files: Iterable[Sorted]) -> int:
    return sum(file.digest for file in files) % MODULUS
