"""Worker processes that judge claims in parallel, on every core.

They are forks of this process, because claims contain functions, which cannot be sent to another process. Each worker
takes the claims of one subject after another; claims of one subject share most of their texts.
"""

import asyncio
import gc
import io
import os
import pickle
import signal
import sys
import traceback
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any

import cloudpickle

from rebalance_proofs.proofs.claim import Claim, Verdict
from rebalance_proofs.proofs.kinds import KINDS
from rebalance_proofs.proofs.results import ClaimResult
from rebalance_proofs.proofs.solvers.pool import undisturbed

PATIENCE = 10.0
"""Seconds that a worker has to end its solver after a termination signal."""
AGAIN = 0.01
"""Seconds after which a worker repeats an exit that was ignored."""

SHARE = 40
"""Largest number of claims that a worker takes at once."""
SHARES = 3
"""Smallest number of portions of claims for each worker.

With many portions, no worker waits long for another at the end.
"""

Judging = Callable[[Callable[[], Sequence[Claim]], Callable[[ClaimResult], None]], Coroutine[Any, Any, Any]]
"""``judging(more, told)``: judge the claims that ``more()`` returns, until it returns none.

``told(result)`` is called with each result. The return value goes to the parent process.
"""


def can_fork() -> bool:
    """Return whether this platform can fork processes."""
    return hasattr(os, "fork")


async def judged_by(
    judging: Judging,
    claims: Sequence[Claim],
    jobs: int,
    on_result: Callable[[ClaimResult], None],
    on_spare: Callable[[], None] = lambda: None,
) -> list[Any]:
    """Judge the claims in ``jobs`` worker processes.

    Return the values that ``judging`` returned in each process. ``on_result`` receives each result immediately.
    ``on_spare`` is called whenever a worker has ended and no claims are left; no further worker is forked after that.
    If a worker is killed, its current claim is UNKNOWN, and another worker continues. Raises the exceptions of
    ``judging``.
    """
    work = _Work(judging, claims, jobs, on_result, on_spare)
    try:
        for _ in range(min(jobs, len(work.left))):
            work.start()
        return await work.done()
    finally:
        work.end()


def _shares(claims: Sequence[Claim], jobs: int) -> list[list[int]]:
    """Split the claims into portions, each as a list of indexes in ``claims``.

    All claims of a portion have the same kind and subject. No portion is a large part of the whole.
    """
    found: dict[tuple[str, int], list[int]] = {}
    for place, claim in enumerate(claims):
        found.setdefault((claim.kind, id(claim.subjects[0])), []).append(place)
    most = min(SHARE, -(-len(claims) // (SHARES * jobs)))
    return [places[begin : begin + most] for places in found.values() for begin in range(0, len(places), most)]


def _parts(claim: Claim) -> Iterator[Any]:
    yield from (claim, claim.guarantee, claim.world)
    for subject in claim.subjects:
        yield from (subject, subject.encoding)
        yield from (part for part in vars(subject).values() if not isinstance(part, str | int))


class _Pickler(cloudpickle.Pickler):
    """Pickler that sends objects belonging to any claim by number.

    The receiver has the same objects, because they existed before the fork.
    """

    def __init__(self, file: io.BytesIO, places: Mapping[int, int]) -> None:
        super().__init__(file)
        self._places = places

    def persistent_id(self, part: Any) -> int | None:
        return self._places.get(id(part))


class _Unpickler(pickle.Unpickler):
    def __init__(self, file: io.BytesIO, parts: Sequence[Any]) -> None:
        super().__init__(file)
        self._parts = parts

    def persistent_load(self, place: Any) -> Any:
        return self._parts[place]


class _Sent:
    """Messages between a worker process and its parent, in encoded form."""

    def __init__(self, claims: Sequence[Claim]) -> None:
        known = (claim for kind in {claim.kind for claim in claims} for claim in KINDS[kind].claims())
        self._parts = [part for claim in (*claims, *known) for part in _parts(claim)]
        self._places = {id(part): place for place, part in enumerate(self._parts)}

    def written(self, message: Any) -> bytes:
        file = io.BytesIO()
        _Pickler(file, self._places).dump(message)
        return file.getvalue()

    def read(self, sent: bytes) -> Any:
        return _Unpickler(io.BytesIO(sent), self._parts).load()


@dataclass(eq=False)
class _Judge:
    process: Any
    connection: Connection
    open: set[int] = field(default_factory=set)
    """Indexes of the claims that the worker has taken, but whose results it has not sent yet."""
    gave: list[Any] = field(default_factory=list)
    """The value that ``judging`` returned in the worker; set when the worker has ended."""
    ended: bool = False


class _Work:
    def __init__(
        self,
        judging: Judging,
        claims: Sequence[Claim],
        jobs: int,
        on_result: Callable[[ClaimResult], None],
        on_spare: Callable[[], None],
    ) -> None:
        self.left = _shares(claims, jobs)
        """Indexes of claims that no worker has taken yet, grouped by subject."""
        self._judging, self._claims, self._on_result, self._on_spare = judging, claims, on_result, on_spare
        self._sent = _Sent(claims)
        self._judges: list[_Judge] = []
        self._heard: asyncio.Queue[tuple[_Judge, bytes | None]] = asyncio.Queue()

    def start(self) -> None:
        """Fork one more worker."""
        context = get_context("fork")
        ours, theirs = context.Pipe()
        others = [ours, *(judge.connection for judge in self._judges)]
        with undisturbed():
            process = context.Process(target=_judge, args=(self._judging, self._claims, self._sent, theirs, others))
            process.start()
        theirs.close()
        judge = _Judge(process, ours)
        self._judges.append(judge)
        asyncio.get_running_loop().add_reader(ours.fileno(), self._hear, judge)

    def _hear(self, judge: _Judge) -> None:
        try:
            self._heard.put_nowait((judge, judge.connection.recv_bytes()))
        except (EOFError, OSError):
            self._deaf(judge)
            self._heard.put_nowait((judge, None))

    def _deaf(self, judge: _Judge) -> None:
        asyncio.get_running_loop().remove_reader(judge.connection.fileno())
        judge.connection.close()

    async def done(self) -> list[Any]:
        """Assign claims to workers, and pass on results, until all workers have ended.

        Return the values that ``judging`` returned in each of them.
        """
        while not all(judge.ended for judge in self._judges):
            judge, sent = await self._heard.get()
            if sent is None:
                self._ended(judge)
                continue
            what, *told = self._sent.read(sent)
            match what:
                case "more":
                    places = self.left.pop(0) if self.left else []
                    judge.open.update(places)
                    with suppress(OSError):  # the process was killed meanwhile; the next message reports it
                        judge.connection.send(places)
                case "result":
                    place, result = told
                    judge.open.discard(place)
                    self._on_result(result)
                case "gave":
                    judge.gave = told
                case "raised":
                    raise told[0]
        return [given for judge in self._judges for given in judge.gave]

    def _ended(self, judge: _Judge) -> None:
        judge.process.join()
        judge.ended = True
        if not judge.gave:
            reason = f"the process that judged it ended with exit code {judge.process.exitcode}"
            for place in sorted(judge.open):
                self._on_result(ClaimResult(self._claims[place], Verdict.UNKNOWN, reason))
            if self.left:
                self.start()
        if not self.left:
            self._on_spare()

    def end(self) -> None:
        """End all running workers, with their solvers."""
        for judge in self._judges:
            if not judge.connection.closed:
                self._deaf(judge)
            if judge.process.is_alive():
                judge.process.terminate()
        for judge in self._judges:
            judge.process.join(PATIENCE)
            if judge.process.is_alive():
                judge.process.kill()
                judge.process.join()


def _judge(
    judging: Judging, claims: Sequence[Claim], sent: _Sent, connection: Connection, others: Sequence[Connection]
) -> None:
    """Main function of a worker process."""
    for other in others:
        other.close()
    gc.freeze()  # inherited objects stay for the life of this process: the collector need not visit or copy them
    places = {id(claim): place for place, claim in enumerate(claims)}

    def say(*message: Any) -> None:
        connection.send_bytes(sent.written(message))

    def more() -> Sequence[Claim]:
        say("more")
        return [claims[place] for place in connection.recv()]

    with _ending():
        try:
            given = asyncio.run(judging(more, lambda result: say("result", places[id(result.claim)], result)))
            say("gave", given)
        except Exception as error:
            error.add_note("".join(traceback.format_exception(error)))
            say("raised", error)


@contextmanager
def _ending() -> Iterator[None]:
    """End the process on a termination signal, or when its parent no longer listens.

    Its solvers are ended, too.
    """
    shown = sys.unraisablehook

    def ends(*_: object) -> None:
        sys.exit(1)

    def ignored(lost: Any) -> None:
        """Repeat an exit that was ignored; show any other exception as before."""
        if issubclass(lost.exc_type, SystemExit):
            signal.setitimer(signal.ITIMER_REAL, AGAIN)
        else:
            shown(lost)

    # A signal can arrive in a finalizer or in a callback of a weak reference. Python prints and ignores the exceptions
    # that these raise, and the process would go on. An end without an exception (`os._exit`) would leave semaphores of
    # the solvers' pool behind, which Python's resource tracker then reports.
    sys.unraisablehook = ignored
    signal.signal(signal.SIGALRM, ends)
    signal.signal(signal.SIGTERM, ends)
    try:
        yield
    except (BrokenPipeError, EOFError, ConnectionResetError):
        sys.exit(1)
