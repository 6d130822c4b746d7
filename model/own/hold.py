"""Fix sources of nondeterminism in the child process, before the user's code is loaded."""

import builtins
import datetime
import os
import random
import time
from collections.abc import Callable, Collection
from hashlib import blake2b
from typing import Any

from rebalance_proofs.model.own.call import Held

THEN = 1_000_000_000.0
"""The fixed time of all clocks, in seconds since 1970."""
LATER = THEN + 24 * 3600 + 3600 + 60 + 1
"""Another fixed time, with another second, minute, hour and day.

A strategy that depends on the clock gives at least two different results among these two times and the real one.
"""


def hold(what: Collection[Held]) -> None:
    """Fix these sources of nondeterminism in this process permanently.

    ``Held.SEED`` is fixed by the parent, because it must be set before the process starts.
    """
    if Held.HASHES in what:
        _hashes()
    if Held.RANDOM in what:
        _random()
    for held, then in ((Held.TIME, THEN), (Held.LATER, LATER)):
        if held in what:
            _time(then)


def _hashes() -> None:
    real = hash

    def still(value: object) -> int:
        if not _plain(value) or value is None or isinstance(value, int):
            return real(value)
        return int.from_bytes(blake2b(repr(value).encode(errors="backslashreplace"), digest_size=8).digest()) >> 4

    builtins.hash = still


def _plain(value: object) -> bool:
    """Return whether the value's hash depends only on the seed of Python's hashes."""
    if isinstance(value, tuple):
        return all(map(_plain, value))
    return value is None or isinstance(value, (str, bytes, int))


def _random() -> None:
    def none(size: int) -> bytes:
        return bytes(size)

    os.urandom = none
    vars(random)["_urandom"] = none  # used by SystemRandom and secrets
    drawn = random.Random.seed

    def seed(self: random.Random, a: Any = None, version: int = 2) -> None:
        drawn(self, 0 if a is None else a, version)

    random.Random.seed = seed  # type: ignore[method-assign]  # fixes generators without a given seed
    random.seed(0)


def _time(then: float) -> None:
    for name in ("time", "monotonic", "perf_counter", "process_time", "thread_time"):
        vars(time)[name] = _always(then)
        vars(time)[f"{name}_ns"] = _always(int(then) * 10**9)
    for name in ("localtime", "gmtime", "ctime"):
        vars(time)[name] = _at(getattr(time, name), then)
    text, local = time.strftime, time.localtime
    vars(time)["strftime"] = lambda form, *given: text(form, *(given or (local(),)))

    class Date(datetime.date):
        """A date whose ``today`` is the fixed time."""

        @classmethod
        def today(cls) -> "Date":
            return cls.fromtimestamp(then)

    class Datetime(datetime.datetime):
        """A datetime whose ``now`` is the fixed time."""

        @classmethod
        def now(cls, tz: datetime.tzinfo | None = None) -> "Datetime":
            return cls.fromtimestamp(then, tz)

        @classmethod
        def utcnow(cls) -> "Datetime":
            return cls.fromtimestamp(then, datetime.UTC).replace(tzinfo=None)

        @classmethod
        def today(cls) -> "Datetime":
            return cls.fromtimestamp(then)

    vars(datetime).update(date=Date, datetime=Datetime)


def _always(value: float) -> Callable[[], float]:
    return lambda: value


def _at(told: Callable[[float], Any], then: float) -> Callable[..., Any]:
    """Return a clock function that uses the fixed time ``then`` if it gets no time.

    ``told``: the clock function, which takes a time in seconds.
    """
    return lambda seconds=None: told(then if seconds is None else seconds)
