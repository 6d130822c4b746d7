"""A limit for what this process computes itself. The solvers have theirs in the pool; a user's own code has none.

The limit is in seconds of the processor, not of the clock, so that it does not depend on what else the machine does.
It is there for code that never ends and for spaces that nobody can walk through, and decides nothing else: the longest
step of the project's own claims takes three seconds.
"""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

SECONDS = 120.0


class OutOfTime(Exception):
    """Something took longer than it may; the message says what."""


class _Alarm(BaseException):
    """Goes through whatever the code that is ended catches."""


@contextmanager
def within(what: str) -> Iterator[None]:
    """Raises ``OutOfTime`` when what is done inside takes more than ``SECONDS``; ``what`` begins its sentence.

    Does not count the time in which the code inside waits, and knows no limit outside the main thread, which alone gets
    signals. May not be nested, nor reach over an ``await``.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    seconds = SECONDS
    before = signal.signal(signal.SIGPROF, _ring)
    # again and again: one that comes while an object is deleted is lost
    signal.setitimer(signal.ITIMER_PROF, seconds, 1.0)
    try:
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
    except _Alarm:
        raise OutOfTime(f"{what} took more than {seconds:g} s of computing") from None
    finally:
        signal.signal(signal.SIGPROF, before)


def _ring(*_: object) -> None:
    raise _Alarm
