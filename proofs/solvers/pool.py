"""Pool of worker processes for solvers.

A worker that exceeds its time limit is killed and replaced. The limit counts the worker's CPU time, so that a busy
machine changes no answer.
"""

import asyncio
import ctypes
import signal
from collections.abc import Callable, Coroutine, Hashable, Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing import resource_tracker
from multiprocessing.context import SpawnContext
from multiprocessing.synchronize import RLock
from time import process_time
from types import TracebackType
from typing import Any, TypeVar

from pebble import ProcessExpired, ProcessPool

from rebalance_proofs.proofs.solvers import SOLVERS, Answer, Outcome
from rebalance_proofs.proofs.solvers.answer import Covered, cover
from rebalance_proofs.proofs.solvers.kept import Kept

Result = TypeVar("Result")
M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3
"""Options of glibc's ``mallopt``, from ``malloc.h``."""
LARGE = 1 << 30
CLOCK = 30.0
"""Wall time allowed for one query, as a multiple of its CPU-time limit.

After that time, a worker that only waits is killed.
"""


def work(solver: str, text: str, seed: int) -> Answer:
    """Run one query in a worker process; exceptions of a solver become its answer."""
    start = process_time()
    try:
        outcome, model, reason = SOLVERS[solver].solve(text, seed)
    except Exception as error:
        return _crash(solver, error)
    return Answer(solver, outcome, process_time() - start, model, reason)


def work_cover(solver: str, text: str, flags: Sequence[Sequence[str]]) -> Covered:
    """Search for models of the text that make each flag true, in a worker process."""
    try:
        return cover(solver, SOLVERS[solver].listener(), text, flags)
    except Exception as error:
        return _uncovered(flags, _crash(solver, error))


def _computing(seconds: float, work: Callable[..., Result], *asked: Hashable) -> Result:
    """Run ``work`` with the arguments ``asked``, and return its result.

    The worker process is killed after ``seconds`` of its CPU time.
    """
    signal.signal(signal.SIGPROF, signal.SIG_DFL)  # this ends the process even inside a solver's native code
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        return work(*asked)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def _uncovered(flags: Sequence[Sequence[str]], answer: Answer) -> Covered:
    return Covered((), tuple(flag for group in flags for flag in group), answer)


def _crash(solver: str, error: Exception) -> Answer:
    return Answer(solver, Outcome.CRASH, 0.0, reason=f"{solver}: {' '.join(str(error).split())[:300]}")


class Spawning(SpawnContext):
    """Context of a pool whose processes are started afresh, and whose locks exist as long as the pool.

    Pebble drops its locks before it stops the workers. A worker that is still starting would look for them in vain and
    print a traceback.
    """

    def __init__(self) -> None:
        self._locks: list[RLock] = []

    def RLock(self) -> RLock:
        lock = super().RLock()
        self._locks.append(lock)
        return lock


class Pool:
    """A pool of ``jobs`` worker processes for solvers; an asynchronous context manager.

    Equal queries (solver, text, seed) run once; later callers get the same answer. ``timeout`` is the CPU-time limit
    of one query in seconds; its wall-time limit is ``clock`` times as long. ``work`` is the function that a worker
    process runs. An answer in the cache ``kept`` is used without running a solver; all other answers are added to
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
        self._pool = ProcessPool(max_workers=jobs, context=Spawning(), initializer=_warm_up)
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
        """Return one solver's answer. A failure of the solver is an answer, not an exception."""
        return await self._once(self._work, solver, text, seed)

    async def ask_all(self, text: str, seed: int = 0) -> tuple[Answer, ...]:
        """Return the answers of all solvers."""
        return tuple(await asyncio.gather(*(self.ask(solver, text, seed) for solver in self.solvers)))

    async def cover(self, text: str, flags: Sequence[Sequence[str]]) -> Covered:
        """Find the flags (Boolean constants) of the text that can be true, with the first solver.

        A solver's failure is no exception: it is the result's last answer.
        """
        found = await self._once(work_cover, self.solvers[0], text, tuple(map(tuple, flags)))
        return found if isinstance(found, Covered) else _uncovered(flags, found)

    async def shared(self, key: Hashable, make: Callable[[], Coroutine[Any, Any, Result]]) -> Result:
        """Return the result of ``make``, computed once for all callers with the same key."""
        if key not in self._asked:
            self._asked[key] = asyncio.ensure_future(make())
        made: Result = await asyncio.shield(self._asked[key])
        return made

    async def run(self, work: Callable[..., Result], solver: str, *asked: Hashable) -> Result | Answer:
        """Return ``work(solver, *asked)`` from a worker process, which is not stored; an ``Answer`` if that fails."""
        return await self._ask(work, solver, *asked)

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
        with undisturbed():  # the first query starts the workers and the pool's threads
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
    """Block Ctrl-C and hangup in all processes started within the context.

    Only the parent process ends its workers.
    """
    to_parent = (signal.SIGINT, signal.SIGHUP)
    before = signal.pthread_sigmask(signal.SIG_BLOCK, to_parent)
    try:
        resource_tracker.ensure_running()  # otherwise the resource tracker would start later, and unblock SIGINT
        signal.pthread_sigmask(signal.SIG_BLOCK, to_parent)
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _warm_up() -> None:
    """Load the solvers' libraries before the first text, and make the process retain memory.

    Otherwise a solver process spends a third of its time on memory pages that it returns and fetches again.
    """
    with suppress(OSError, AttributeError, ValueError):  # a C library other than glibc has no mallopt
        ctypes.CDLL(None).mallopt(M_MMAP_THRESHOLD, LARGE)
        ctypes.CDLL(None).mallopt(M_TRIM_THRESHOLD, LARGE)
    for solver in SOLVERS.values():
        solver.version()
