"""Solvers at work: each text in a worker process that is killed and replaced at a hard time limit.

The limit is of the worker's processor time, so that a busy machine changes no answer.
"""

import asyncio
import signal
from collections.abc import Callable, Coroutine, Hashable, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing import get_context, resource_tracker
from time import process_time
from types import TracebackType
from typing import Any, TypeVar

from pebble import ProcessExpired, ProcessPool

from rebalance_proofs.proofs.solvers import SOLVERS, Answer, Outcome
from rebalance_proofs.proofs.solvers.dialogue import Covered, cover
from rebalance_proofs.proofs.solvers.kept import Kept

Result = TypeVar("Result")
CLOCK = 30.0
"""So many times the limit may pass by the clock: then a worker that computes little or nothing is ended, too."""


def work(solver: str, text: str, seed: int) -> Answer:
    """Puts one question; runs in a worker process. Whatever a solver raises is its answer, not ours to fail on."""
    start = process_time()
    try:
        outcome, model, reason = SOLVERS[solver].solve(text, seed)
    except Exception as error:
        return _crash(solver, error)
    return Answer(solver, outcome, process_time() - start, model, reason)


def work_cover(solver: str, text: str, flags: Sequence[Sequence[str]]) -> Covered:
    """Looks for models that make each flag true; runs in a worker process."""
    try:
        return cover(solver, SOLVERS[solver].listener(), text, flags)
    except Exception as error:
        return _uncovered(flags, _crash(solver, error))


def _computing(seconds: float, work: Callable[..., Result], *asked: Hashable) -> Result:
    """What the work comes to; its worker process is ended when it has computed for so long."""
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

    The same question (solver, text, seed) is put once; whoever asks again gets the same answer. ``timeout`` is in
    seconds of the processor, for one question; by the clock ``clock`` times as many may pass. ``work`` is what a worker
    process runs for it. A question to which ``kept`` has an answer is put to no solver; the answers to all others are
    kept there.
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
        """One solver's answer; never raises for what a solver does."""
        return await self._once(self._work, solver, text, seed)

    async def ask_all(self, text: str, seed: int = 0) -> tuple[Answer, ...]:
        """The answers of all solvers."""
        return tuple(await asyncio.gather(*(self.ask(solver, text, seed) for solver in self.solvers)))

    async def cover(self, text: str, flags: Sequence[Sequence[str]]) -> Covered:
        """Which flags of the text can be true, by the first solver; never raises for what a solver does."""
        found = await self._once(work_cover, self.solvers[0], text, tuple(map(tuple, flags)))
        return found if isinstance(found, Covered) else _uncovered(flags, found)

    async def shared(self, key: Hashable, make: Callable[[], Coroutine[Any, Any, Result]]) -> Result:
        """What ``make`` gives, for all who ask with the same key; it is made once."""
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
        with _undisturbed():  # the first question starts the workers, and the threads that replace them
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
        except Exception as error:  # other work than ``work`` may raise
            return _crash(solver, error)

    def _ended(self, solver: str, when: str) -> Answer:
        return Answer(solver, Outcome.TIMEOUT, self.timeout, reason=f"{solver} was ended after {when}")


@contextmanager
def _undisturbed() -> Iterator[None]:
    """What is started in here never gets Ctrl-C or a hangup, from its first moment on: the parent ends its workers."""
    to_parent = (signal.SIGINT, signal.SIGHUP)
    before = signal.pthread_sigmask(signal.SIG_BLOCK, to_parent)
    try:
        resource_tracker.ensure_running()  # which would otherwise be started later on, and unblock SIGINT
        signal.pthread_sigmask(signal.SIG_BLOCK, to_parent)
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _warm_up() -> None:
    """Loads the solvers' libraries before the first text."""
    for solver in SOLVERS.values():
        solver.version()
