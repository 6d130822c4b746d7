"""A limit for what a process computes itself. Solvers have theirs in the pool; a user's own code has none.

The limit is in seconds of the processor, not of the clock, so that it does not depend on what else the machine does.
It is there for code that never ends and for spaces that nobody can walk through, and decides nothing else: the longest
piece of the project's own work takes a few seconds.
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
    """Something took longer than it may; the message says what."""


class _Alarm(BaseException):
    """Goes through whatever the code that is ended catches."""


@contextmanager
def within(what: str) -> Iterator[None]:
    """Raises ``OutOfTime`` when what is done inside takes more than ``SECONDS``; ``what`` begins its sentence.

    Does not count the time in which the code inside waits, and knows no limit outside the main thread, which alone gets
    signals. One inside another has all of that time for itself, and what comes after it has, too. May not reach over an
    ``await``; see ``stepwise``.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    seconds, inside = SECONDS, signal.getsignal(signal.SIGPROF) is _ring
    before = signal.signal(signal.SIGPROF, _ring)
    # again and again: one that comes while an object is deleted is lost
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
    """What ``work`` returns; each piece of it, from one ``await`` to the next, is done ``within(what)``."""
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
