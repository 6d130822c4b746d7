"""A .npy file of sorted keys; their number and digest are recorded in another file."""

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
