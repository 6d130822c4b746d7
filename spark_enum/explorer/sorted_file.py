"""Keys in order in a .npy file, and what is known of them elsewhere: how many there are, and their digest."""

import os
from contextlib import suppress
from dataclasses import dataclass
from io import FileIO
from pathlib import Path
from uuid import uuid4

import numpy as np

from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.spark_enum.explorer.keys import Keys, digest
from rebalance_proofs.spark_enum.explorer.level import MODULUS

__all__ = ["ASIDE", "Sorted", "Written"]

HEADER = 128
"""Bytes before the keys."""
BLOCK = 1 << 17
"""Keys that are read at once."""
ASIDE = ".aside"
"""How a file's name ends until it has come to its end."""


@dataclass(frozen=True)
class Sorted:
    """A file of keys in order, by its path within a folder.

    What reads it raises ``UsageError`` where it is not there, or not as long as it was.
    """

    name: str
    states: int
    digest: int
    """Of its keys (``keys.digest``)."""

    @property
    def bytes(self) -> int:
        """How long the file is."""
        return HEADER + 8 * self.states

    def place(self, folder: Path, key: int) -> int:
        """How many of its keys are less than that. A few of them are read, as by ``bisect``."""
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
        """Its keys from one place to another."""
        with self._opened(folder) as file:
            file.seek(HEADER + 8 * begin)
            return np.fromfile(file, dtype=np.int64, count=end - begin)

    def verify(self, folder: Path) -> None:
        """Raises ``UsageError`` where its keys are not those that were written."""
        blocks = range(0, self.states, BLOCK)
        found = sum(digest(self.read(folder, begin, min(begin + BLOCK, self.states))) for begin in blocks)
        if found % MODULUS != self.digest:
            raise UsageError(
                f"{str(folder / self.name)!r} has been changed: its states are not those that were written"
            )

    def _opened(self, folder: Path) -> FileIO:
        path = folder / self.name
        try:
            file = path.open("rb", buffering=0)
        except FileNotFoundError:
            raise UsageError(f"{str(path)!r} is missing, in which states were kept") from None
        size = os.fstat(file.fileno()).st_size
        if size != self.bytes:
            file.close()
            raise UsageError(f"{str(path)!r} has {size:,} bytes where {self.bytes:,} were written")
        return file


class Written:
    """A file that is written one array after the other, and has its name when it has come to its end."""

    def __init__(self, folder: Path, name: str) -> None:
        self._folder, self._name = folder, name
        self._aside = folder / f"{name}.{uuid4().hex}{ASIDE}"
        self._file: FileIO | None = None
        self._states = self._digest = 0

    def add(self, keys: Keys) -> None:
        """Greater than all before, and in order."""
        if not len(keys):
            return
        if self._file is None:
            self._file = self._aside.open("wb", buffering=0)
            self._put(_header(0))
        self._put(np.ascontiguousarray(keys, dtype=np.int64).data.cast("B"))
        self._states += len(keys)
        self._digest = (self._digest + digest(keys)) % MODULUS

    def close(self) -> Sorted | None:
        """None where nothing was added: then there is no file."""
        if self._file is None:
            return None
        self._file.seek(0)
        self._put(_header(self._states))
        self._file.close()
        os.replace(self._aside, self._folder / self._name)
        return Sorted(self._name, self._states, self._digest)

    def discard(self) -> None:
        """Nothing is left of it."""
        if self._file is not None:
            with suppress(OSError):  # what could not be written is not wanted any more
                self._file.close()
            self._aside.unlink(missing_ok=True)

    def _put(self, data: bytes | memoryview) -> None:
        assert self._file is not None
        view = memoryview(data)
        while view:  # a disk that is nearly full takes some of it
            view = view[self._file.write(view) :]


def _header(states: int) -> bytes:
    """NumPy's, version 1.0, as long for any number of states."""
    said = f"{{'descr': '<i8', 'fortran_order': False, 'shape': ({states},), }}".ljust(HEADER - 11) + "\n"
    return b"\x93NUMPY\x01\x00" + len(said).to_bytes(2, "little") + said.encode()
