"""Cache of solver answers in a folder, reused by later runs.

Each answer has one file. Its name is a digest of everything that determines the answer: the text with its seed or
flags, the query, the solver with its version, and the source code of the query and its parser. A file is one JSON
object whose first field is the checksum of the rest. A damaged, truncated or foreign file is ignored: the solver runs
again, and the file is replaced. Only decisions are stored: sat with its model, and unsat. An answer that took longer
than the present time limit is not used, because the limit decides whether there is an answer at all.
"""

import json
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from copy import copy
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.proofs.smt import text as reader
from rebalance_proofs.proofs.solvers import SOLVERS, Answer, Outcome
from rebalance_proofs.proofs.solvers.answer import Covered

MARKER = ".rebalance-answers"
"""The file that marks a folder as a cache of solver answers."""
SAYS = "Solver answers that rebalance-proofs reuses in later runs. Removing this folder costs only time."
"""First line of the marker file; the seed of the first run follows."""

Found = Answer | Covered

_DECIDED = (Outcome.SAT, Outcome.UNSAT)
_HEAD = re.compile(rb'\{"sha256": "([0-9a-f]{64})",\n')
_NOBODYS = "lost+found"
"""Name of a folder that some file systems create in the root of an empty volume."""


class Kept:
    """Cache of solver answers in a folder.

    Several runs may use the folder at once: files are written under a temporary name and renamed, and the same answer
    always gives the same file.
    """

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder = folder
        self._there = {file.name for file in folder.glob("*/*.json")}
        self.seed = seed
        """The seed of the first run that used the folder.

        Another seed gives other random numbers, and so other queries.
        """
        self._given: set[str] = set()
        self._asked: set[str] = set()
        self.trouble = ""
        """The system's message if an answer could not be stored; empty if all were stored."""

    def another(self) -> "Kept":
        """Return the same cache with its counters at 0, for another process of the same run.

        An answer that one process adds while another runs does not count as an answer of an earlier run.
        """
        other = copy(self)
        other._given, other._asked = set(), set()
        return other

    @property
    def given(self) -> int:
        """Return the number of requested answers that the cache had.

        An answer that several processes found counts once.
        """
        return len(self._given)

    @property
    def asked(self) -> int:
        """Return the number of answers that were requested from the cache."""
        return len(self._asked)

    def count(self, other: "Kept") -> None:
        """Add the counters of another process, and its error message if this cache has none."""
        self._given |= other._given
        self._asked |= other._asked
        self.trouble = self.trouble or other.trouble

    def find(self, work: Callable[..., Any], solver: str, asked: tuple[Any, ...], timeout: float) -> Found | None:
        """Return the stored answer to a query, marked as stored.

        ``work`` is the function that queries the solver, ``asked`` has its arguments. None if the answer is missing,
        invalid, or took longer than ``timeout`` seconds.
        """
        key = _key(work, solver, asked)
        self._asked.add(key)
        if self._path(key).name not in self._there:
            return None
        # every possible defect of a file has the same effect
        with suppress(OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
            found = _read(self._path(key), key)
            if _answer(found).seconds <= timeout:
                self._given.add(key)
                return found
        return None

    def keep(self, work: Callable[..., Any], solver: str, asked: tuple[Any, ...], found: Found) -> None:
        """Store an answer if it is a decision (sat or unsat).

        If it cannot be stored, only ``trouble`` records that.
        """
        if _answer(found).outcome not in _DECIDED:
            return
        key = _key(work, solver, asked)
        about = {
            "key": key,
            "solver": solver,
            "version": SOLVERS[solver].version(),
            "question": asked[0].partition("\n")[0],
        }
        body = json.dumps(about | _written(found), indent=0)[2:].encode()
        try:
            _put(self._path(key), b'{"sha256": "%s",\n%s' % (sha256(body).hexdigest().encode(), body))
            self._there.add(self._path(key).name)
        except OSError as error:
            self.trouble = error.strerror or str(error)

    def _path(self, key: str) -> Path:
        return self.folder / key[:2] / f"{key}.json"


def opened(folder: Path, seed: int) -> Kept:
    """Open a folder as a cache: it must be new, empty, or already a cache of answers.

    ``seed`` is used for a new folder. Raises ``UsageError`` for any other folder, and for a folder that cannot be
    written. A refused folder stays unchanged.
    """
    with _reporting(folder):
        if not os.path.lexists(folder):
            folder.mkdir(parents=True, exist_ok=True)
        # this order matters: another run may be creating the same folder
        others = {name for name in os.listdir(folder) if not name.startswith(MARKER) and name != _NOBODYS}
        said = _said(folder / MARKER)
        if said is None and others:
            raise UsageError(
                f"{str(folder)!r} is not empty and contains no answers of earlier runs; name a new or empty folder "
                "with --answers"
            )
        known = said and re.fullmatch(r"Seed (\d{1,10})", said)
        if known and int(known[1]) < 2**32:
            seed = int(known[1])
        _put(folder / MARKER, f"{SAYS}\nSeed {seed}\n".encode())  # also tests whether this run can write here
    return Kept(folder, seed)


def _said(marker: Path) -> str | None:
    """Return the marker's text after its first line; None if the file is no marker."""
    if marker.is_symlink() or not marker.is_file():
        return None
    first, _, rest = marker.read_text(encoding="utf-8", errors="replace").partition("\n")
    return rest.strip() if first == SAYS else None


@contextmanager
def _reporting(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise UsageError(f"cannot store answers in {str(folder)!r}: {error.strerror or error}") from error


def _key(work: Callable[..., Any], solver: str, asked: tuple[Any, ...]) -> str:
    what = (_how(), work.__module__, work.__qualname__, solver, SOLVERS[solver].version(), asked)
    return sha256(json.dumps(what).encode()).hexdigest()


@cache
def _how() -> str:
    """Return the digest of the source code that queries solvers, and reads and stores answers."""
    files = [*sorted(Path(__file__).parent.glob("*.py")), Path(reader.__file__)]
    return sha256(b"".join(sha256(file.read_bytes()).digest() for file in files)).hexdigest()


def _answer(found: Found) -> Answer:
    return found.last if isinstance(found, Covered) else found


def _written(found: Found) -> dict[str, Any]:
    answer = _answer(found)
    told = {"outcome": str(answer.outcome), "seconds": answer.seconds, "model": dict(answer.model)}
    if isinstance(found, Covered):
        told |= {"models": [dict(model) for model in found.models], "left": list(found.left)}
    return told


def _read(path: Path, key: str) -> Found:
    """Read an answer. Raises various exceptions for a file that is damaged or foreign."""
    with open(
        os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0)), "rb"
    ) as file:  # a named pipe must not block the run
        data = file.read()
    head = _HEAD.match(data)
    if not head or sha256(data[head.end() :]).hexdigest().encode() != head[1]:
        raise ValueError("damaged")
    told = json.loads(data)
    answer = Answer(told["solver"], Outcome(told["outcome"]), told["seconds"], told["model"], kept=True)
    if told["key"] != key or answer.outcome not in _DECIDED:
        raise ValueError("the answer belongs to another query")
    if "models" not in told:
        return answer
    return Covered(tuple(told["models"]), tuple(told["left"]), answer)


def _put(path: Path, data: bytes) -> None:
    """Write a file atomically, so that other readers find all of it or nothing."""
    path.parent.mkdir(exist_ok=True)
    partial = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        partial.write_bytes(data)
        os.replace(partial, path)
    except BaseException:
        with suppress(OSError):
            partial.unlink()
        raise
