"""Holds still, within the child, what differs from process to process; before the user's code is loaded."""

import builtins
import datetime
import os
import random
import time
from collections.abc import Callable, Collection
from hashlib import blake2b
from typing import Any

from rebalance_proofs.model.own.held import Held

__all__ = ["hold"]

THEN = 1_000_000_000.0
"""The time at which clocks stand, in seconds since 1970."""
LATER = THEN + 24 * 3600 + 3600 + 60 + 1
"""Another one, of which no part is the same: what goes by one of both, or by now, gives two answers at least."""


def hold(what: Collection[Held]) -> None:
    """Changes this process for good; ``Held.SEED`` is its parent's work, since it has to be set before it starts."""
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
    """Whether all that its hash differs by is the seed."""
    if isinstance(value, tuple):
        return all(map(_plain, value))
    return value is None or isinstance(value, (str, bytes, int))


def _random() -> None:
    def none(size: int) -> bytes:
        return bytes(size)

    os.urandom = none
    vars(random)["_urandom"] = none  # by which SystemRandom and secrets draw
    drawn = random.Random.seed

    def seed(self: random.Random, a: Any = None, version: int = 2) -> None:
        drawn(self, 0 if a is None else a, version)

    random.Random.seed = seed  # type: ignore[method-assign]  # this is what holds it
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
        """Whose today is then."""

        @classmethod
        def today(cls) -> "Date":
            return cls.fromtimestamp(then)

    class Datetime(datetime.datetime):
        """Whose now is then."""

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
    """A clock's form that takes seconds, or now."""
    return lambda seconds=None: told(then if seconds is None else seconds)
