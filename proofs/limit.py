"""A limit of computing time for work in this process. Solvers have their own in the pool; a user's own code has none.

The limit counts processor seconds, not wall-clock time, so that it does not depend on what else the machine does. It is
there for code that never ends and for spaces too large to walk through, and decides nothing else: the longest piece of
the project's own work takes a few seconds.
"""

import signal
import threading
from collections.abc import Coroutine, Generator, Iterator
from contextlib import contextmanager
from types import coroutine
from typing import Any, TypeVar

SECONDS = 120.0

Result = TypeVar("Result")


class OutOfTime(Exception):
    """Something exceeded the limit; the message says what."""


class _Alarm(BaseException):
    """Raised by the timer; a ``BaseException``, so that the interrupted code does not catch it by accident."""


@contextmanager
def within(what: str) -> Iterator[None]:
    """Raise ``OutOfTime`` if the body computes for more than ``SECONDS``; ``what`` begins the error's sentence.

    Time in which the body waits does not count. Outside the main thread, which alone gets signals, there is no limit. A
    nested ``within`` has the full limit for itself, and so has the rest of the outer one after it. The body must not
    contain an ``await``; see ``stepwise``.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    seconds, inside = SECONDS, signal.getsignal(signal.SIGPROF) is _ring
    before = signal.signal(signal.SIGPROF, _ring)
    # repeated every second: an alarm that rings while an object is deleted is lost
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
    """Await ``work``; each piece of it, from one ``await`` to the next, runs ``within(what)``."""
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
