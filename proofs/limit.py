"""Time limit for computations in this process.

Solvers have their own limit; user-defined code has none. The limit counts CPU seconds, not wall-clock time, so that
other load on the machine does not matter. It exists only for code that never ends and for searches that are too
large: the project's longest computation takes a few seconds.
"""

import signal
import threading
from collections.abc import Coroutine, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from types import coroutine
from typing import Any, TypeVar

from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.solver import Optimize, sat
from rebalance_proofs.proofs.named import number

# Earliest times at which the actions of a schedule are possible.


def earliest(times: Sequence[smt.IntTerm], constraints: Iterable[smt.BoolTerm]) -> list[int] | None:
    """Return the smallest values of the unknown times that satisfy the constraints.

    The last time is minimized first, then each time in order. None if the constraints have no solution.
    """
    solver = Optimize()
    solver.add(*constraints)
    for time in (times[-1], *times):
        solver.minimize(time)
    if solver.check() != sat:
        return None
    model = solver.model()
    return [number(model.eval(time, model_completion=True)) for time in times]


SECONDS = 120.0

Result = TypeVar("Result")


class OutOfTime(Exception):
    """A computation exceeded its limit; the message names the computation."""


class _Alarm(BaseException):
    """Raised by the timer in the interrupted code.

    A ``BaseException``, so that the interrupted code does not catch it by accident.
    """


@contextmanager
def within(what: str) -> Iterator[None]:
    """Raise ``OutOfTime`` if the body computes for more than ``SECONDS``.

    The error message begins with ``what``. Time that the body spends waiting does not count. There is no limit outside
    the main thread, because only the main thread receives signals. A nested ``within`` has the full limit for itself;
    afterwards the outer limit continues. The body must not contain an ``await``; see ``stepwise``.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    seconds, inside = SECONDS, signal.getsignal(signal.SIGPROF) is _ring
    before = signal.signal(signal.SIGPROF, _ring)
    # repeated every second: an alarm during the deletion of an object is lost
    signal.setitimer(signal.ITIMER_PROF, seconds, 1.0)
    try:
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_PROF, *((seconds, 1.0) if inside else (0,)))
    except _Alarm:
        raise OutOfTime(f"{what} took more than {seconds:g} s of computing") from None
    finally:
        signal.signal(signal.SIGPROF, before)


async def stepwise(what: str, work: Coroutine[Any, Any, Result]) -> Result:
    """Await ``work``. Each part of it, from one ``await`` to the next, runs ``within(what)``."""
    return await _steps(what, work)


@coroutine
def _steps(what: str, work: Coroutine[Any, Any, Result]) -> Generator[Any, Any, Result]:
    sent = error = None
    while True:
        try:
            with within(what):
                awaited = work.throw(error) if error else work.send(sent)
        except StopIteration as ended:
            returned: Result = ended.value
            return returned
        sent = error = None
        try:
            sent = yield awaited
        except BaseException as raised:
            error = raised


def _ring(*_: object) -> None:
    raise _Alarm
