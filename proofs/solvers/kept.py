"""Answers of the solvers, kept in a folder from one run to the next.

One file an answer, named by a key: the digest of all that decides it. That is the text and the seed, or the text and
its flags; what is asked, by which solver, in which version; and the source of all that asks and reads what is said. A
file is one JSON object, of which the first field is the checksum of all that follows it. What is damaged, truncated or
somebody else's is not believed: the solver is asked again, and the file replaced.

Only what was decided is kept: sat with its model, unsat. How long a solver may take decides whether there is an answer,
so that one that took longer than it now may is not given.
"""

import json
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.proofs.smt import text as reader
from rebalance_proofs.proofs.solvers import SOLVERS, Answer, Outcome
from rebalance_proofs.proofs.solvers.dialogue import Covered

MARKER = ".rebalance-answers"
"""The file that says whose the folder is."""
SAYS = "Answers of solvers that rebalance-proofs keeps from run to run; whoever removes the folder loses only time."
"""Its first line."""

Found = Answer | Covered

_DECIDED = (Outcome.SAT, Outcome.UNSAT)
_HEAD = re.compile(rb'\{"sha256": "([0-9a-f]{64})",\n')
_NOBODYS = "lost+found"
"""What a file system itself puts into an empty folder at which it is mounted."""


class Kept:
    """The answers in a folder. ``timeout`` in seconds is what a solver now may take for one.

    Several runs may use the folder at once: files are written aside and moved to their place, and the same answer
    twice is the same file.
    """

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder = folder
        self.seed = seed
        """By which the first run that used the folder drew its numbers. With others, other questions are asked."""
        self.given = self.asked = 0
        """How many answers were there, of how many that were wanted."""
        self.trouble = ""
        """Why an answer could not be kept: what the system says; empty when all could."""

    def find(self, work: Callable[..., Any], solver: str, asked: tuple[Any, ...], timeout: float) -> Found | None:
        """The answer, marked as kept; None when it is not there, or cannot be believed."""
        self.asked += 1
        key = _key(work, solver, asked)
        # everything that can be wrong with a file comes to the same
        with suppress(OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
            found = _read(self._path(key), key)
            if _answer(found).seconds <= timeout:
                self.given += 1
                return found
        return None

    def keep(self, work: Callable[..., Any], solver: str, asked: tuple[Any, ...], found: Found) -> None:
        """Writes down what was decided; an answer that cannot be written is ``trouble``, and nothing worse."""
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
        except OSError as error:
            self.trouble = error.strerror or str(error)

    def _path(self, key: str) -> Path:
        return self.folder / key[:2] / f"{key}.json"


def opened(folder: Path, seed: int) -> Kept:
    """The answers in a folder that is new, or empty, or one of answers; ``seed`` is a new folder's.

    Raises ``UsageError`` for any other folder, and for one that cannot be written; what is refused is left as it was.
    """
    with _reporting(folder):
        if not os.path.lexists(folder):
            folder.mkdir(parents=True, exist_ok=True)
        # in this order: another run may be making the same folder
        others = {name for name in os.listdir(folder) if not name.startswith(MARKER) and name != _NOBODYS}
        said = _said(folder / MARKER)
        if said is None and others:
            raise UsageError(
                f"{str(folder)!r} is not empty and holds no answers of earlier runs: name a new or empty folder with "
                "--answers"
            )
        known = said and re.fullmatch(r"Seed (\d{1,10})", said)
        if known and int(known[1]) < 2**32:
            seed = int(known[1])
        _put(folder / MARKER, f"{SAYS}\nSeed {seed}\n".encode())  # also where it stands: whether a run can write here
    return Kept(folder, seed)


def _said(marker: Path) -> str | None:
    """The line after the first; None where the marker is none."""
    if marker.is_symlink() or not marker.is_file():
        return None
    first, _, rest = marker.read_text(encoding="utf-8", errors="replace").partition("\n")
    return rest.strip() if first == SAYS else None


@contextmanager
def _reporting(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise UsageError(f"cannot keep answers in {str(folder)!r}: {error.strerror or error}") from error


def _key(work: Callable[..., Any], solver: str, asked: tuple[Any, ...]) -> str:
    what = (_how(), work.__module__, work.__qualname__, solver, SOLVERS[solver].version(), asked)
    return sha256(json.dumps(what).encode()).hexdigest()


@cache
def _how() -> str:
    """The digest of the source that asks solvers, and reads and keeps what they say."""
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
    """Raises what comes of a file that is none of ours, or none any more."""
    with open(
        os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0)), "rb"
    ) as file:  # a named pipe must not keep the run waiting
        data = file.read()
    head = _HEAD.match(data)
    if not head or sha256(data[head.end() :]).hexdigest().encode() != head[1]:
        raise ValueError("damaged")
    told = json.loads(data)
    answer = Answer(told["solver"], Outcome(told["outcome"]), told["seconds"], told["model"], kept=True)
    if told["key"] != key or answer.outcome not in _DECIDED:
        raise ValueError("the answer to another question")
    if "models" not in told:
        return answer
    return Covered(tuple(told["models"]), tuple(told["left"]), answer)


def _put(path: Path, data: bytes) -> None:
    """Whoever reads meanwhile finds all of it or nothing."""
    path.parent.mkdir(exist_ok=True)
    partial = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        partial.write_bytes(data)
        os.replace(partial, path)
    except BaseException:
        with suppress(OSError):
            partial.unlink()
        raise
