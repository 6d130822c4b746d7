"""Store of an exploration's levels in a folder, for more states than fit into memory."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.spark_enum.explorer.files import FOLLOW, LEVELS, SEEN, Files
from rebalance_proofs.spark_enum.explorer.keys import Keys
from rebalance_proofs.spark_enum.explorer.level import MODULUS, Level
from rebalance_proofs.spark_enum.explorer.manifest import Kept
from rebalance_proofs.spark_enum.explorer.shelf import Checked, Run, Shelf
from rebalance_proofs.spark_enum.explorer.sorted_file import ASIDE, Sorted


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
