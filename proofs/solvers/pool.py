"""A pool of worker processes for solvers; a worker is killed and replaced at a hard time limit.

The limit is of the worker's processor time, so that a busy machine changes no answer.
"""

import asyncio
import ctypes
import signal
from collections.abc import Callable, Coroutine, Hashable, Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing import get_context, resource_tracker
from time import process_time
from types import TracebackType
from typing import Any, TypeVar

from pebble import ProcessExpired, ProcessPool

from rebalance_proofs.proofs.solvers import SOLVERS, Answer, Outcome
from rebalance_proofs.proofs.solvers.dialogue import Covered, cover
from rebalance_proofs.proofs.solvers.kept import Kept

Result = TypeVar("Result")
M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3
"""Options of glibc's ``mallopt``, from ``malloc.h``."""
LARGE = 1 << 30
CLOCK = 30.0
"""Clock time allowed for one question, as a multiple of its limit: after it, a worker that only waits is killed."""


def work(solver: str, text: str, seed: int) -> Answer:
    """Ask one question; runs in a worker process. Exceptions of a solver become its answer."""
    start = process_time()
    try:
        outcome, model, reason = SOLVERS[solver].solve(text, seed)
    except Exception as error:
        return _crash(solver, error)
    return Answer(solver, outcome, process_time() - start, model, reason)


def work_cover(solver: str, text: str, flags: Sequence[Sequence[str]]) -> Covered:
    """Search for models that make each flag true; runs in a worker process."""
    try:
        return cover(solver, SOLVERS[solver].listener(), text, flags)
    except Exception as error:
        return _uncovered(flags, _crash(solver, error))


def _computing(seconds: float, work: Callable[..., Result], *asked: Hashable) -> Result:
    """The result of the work; the worker process is killed after ``seconds`` of its processor time."""
    signal.signal(signal.SIGPROF, signal.SIG_DFL)  # which ends the process also inside a solver's own code
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        return work(*asked)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def _uncovered(flags: Sequence[Sequence[str]], answer: Answer) -> Covered:
    return Covered((), tuple(flag for group in flags for flag in group), answer)


def _crash(solver: str, error: Exception) -> Answer:
    return Answer(solver, Outcome.CRASH, 0.0, reason=f"{solver}: {' '.join(str(error).split())[:300]}")


class Pool:
    """``jobs`` worker processes; an asynchronous context manager.

    The same question (solver, text, seed) is asked once; later callers get the same answer. ``timeout`` is in seconds
    of the processor, for one question; by the clock ``clock`` times as many may pass. ``work`` is the function that a
    worker process runs. A question with an answer in ``kept`` is put to no solver; all other answers are added to
    ``kept``.
    """

    def __init__(
        self,
        solvers: Sequence[str],
        jobs: int = 2,
        timeout: float = 20.0,
        work: Callable[[str, str, int], Answer] = work,
        kept: Kept | None = None,
        clock: float = CLOCK,
    ) -> None:
        self.solvers = tuple(solvers)
        self.timeout = timeout
        self._work = work
        self._kept, self._clock = kept, clock
        self._pool = ProcessPool(max_workers=jobs, context=get_context("spawn"), initializer=_warm_up)
        self._asked: dict[Hashable, asyncio.Future[Any]] = {}

    async def __aenter__(self) -> "Pool":
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self._pool.close()
        else:
            self._pool.stop()
        self._pool.join()

    async def ask(self, solver: str, text: str, seed: int = 0) -> Answer:
        """One solver's answer; failures of the solver are answers, not exceptions."""
        return await self._once(self._work, solver, text, seed)

    async def ask_all(self, text: str, seed: int = 0) -> tuple[Answer, ...]:
        """The answers of all solvers."""
        return tuple(await asyncio.gather(*(self.ask(solver, text, seed) for solver in self.solvers)))

    async def cover(self, text: str, flags: Sequence[Sequence[str]]) -> Covered:
        """The flags of the text that can be true, by the first solver; failures of the solver are no exceptions."""
        found = await self._once(work_cover, self.solvers[0], text, tuple(map(tuple, flags)))
        return found if isinstance(found, Covered) else _uncovered(flags, found)

    async def shared(self, key: Hashable, make: Callable[[], Coroutine[Any, Any, Result]]) -> Result:
        """The result of ``make``, computed once for all callers with the same key."""
        if key not in self._asked:
            self._asked[key] = asyncio.ensure_future(make())
        made: Result = await asyncio.shield(self._asked[key])
        return made

    async def _once(self, work: Callable[..., Result], solver: str, *asked: Hashable) -> Result | Answer:
        return await self.shared((work, solver, *asked), lambda: self._answer(work, solver, *asked))

    async def _answer(self, work: Callable[..., Result], solver: str, *asked: Hashable) -> Result | Answer:
        if self._kept is None:
            return await self._ask(work, solver, *asked)
        found: Any = self._kept.find(work, solver, asked, self.timeout)
        if found is None:
            found = await self._ask(work, solver, *asked)
            self._kept.keep(work, solver, asked, found)
        told: Result | Answer = found
        return told

    async def _ask(self, work: Callable[..., Result], solver: str, *asked: Hashable) -> Result | Answer:
        with undisturbed():  # the first question starts the workers and the pool's threads
            limited = (self.timeout, work, solver, *asked)
            task = self._pool.schedule(_computing, args=limited, timeout=self.timeout * self._clock)
        try:
            answer: Result = await asyncio.wrap_future(task)
            return answer
        except TimeoutError:
            return self._ended(solver, f"{self.timeout * self._clock:g} s of the clock")
        except ProcessExpired as error:
            if error.exitcode == -signal.SIGPROF:
                return self._ended(solver, f"{self.timeout:g} s of computing")
            return Answer(solver, Outcome.CRASH, 0.0, reason=f"{solver} crashed with exit code {error.exitcode}")
        except Exception as error:  # another ``work`` may raise
            return _crash(solver, error)

    def _ended(self, solver: str, when: str) -> Answer:
        return Answer(solver, Outcome.TIMEOUT, self.timeout, reason=f"{solver} was ended after {when}")


@contextmanager
def undisturbed() -> Iterator[None]:
    """Block Ctrl-C and hangup in all processes started inside, from their beginning on: the parent ends its workers."""
    to_parent = (signal.SIGINT, signal.SIGHUP)
    before = signal.pthread_sigmask(signal.SIG_BLOCK, to_parent)
    try:
        resource_tracker.ensure_running()  # otherwise it would be started later, and unblock SIGINT
        signal.pthread_sigmask(signal.SIG_BLOCK, to_parent)
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _warm_up() -> None:
    """Load the solvers' libraries before the first text, and keep the memory that they take again for each text.

    Otherwise a third of a solver process's time goes into pages that are given back and fetched again.
    """
    with suppress(OSError, AttributeError, ValueError):  # another C library than glibc has no mallopt
        ctypes.CDLL(None).mallopt(M_MMAP_THRESHOLD, LARGE)
        ctypes.CDLL(None).mallopt(M_TRIM_THRESHOLD, LARGE)
    for solver in SOLVERS.values():
        solver.version()
