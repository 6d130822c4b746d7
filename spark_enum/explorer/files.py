"""Files with parts of an exploration's levels, which one process or Spark task works on."""

from collections.abc import Callable, Iterator

import numpy as np

from rebalance_proofs.spark_enum.explorer.keys import Keys, digest, distinct, missing
from rebalance_proofs.spark_enum.explorer.level import MODULUS, Level
from rebalance_proofs.spark_enum.explorer.shelf import Checked, Shelf
from rebalance_proofs.spark_enum.explorer.sorted_file import Written

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
