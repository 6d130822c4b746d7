"""The reason why a strategy does not repeat its results.

Fresh processes call it while one source of nondeterminism after the other is fixed.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from time import perf_counter, sleep
from typing import Protocol

from rebalance_proofs.model.own.asked import Asked
from rebalance_proofs.model.own.held import Held
from rebalance_proofs.model.own.worker import Worker
from rebalance_proofs.spark_enum.allocation.space import Configuration
from rebalance_proofs.spark_enum.own.repeated import outcomes, said
from rebalance_proofs.spark_enum.own.spaces import OwnSpace

__all__ = ["Open", "Why", "sample", "why"]

OTHERS = (1, 2)
"""Numbers of the processes that are compared with the first one."""
MOST = 12
"""The maximum number of groups per process."""
SECONDS = 1.0
"""The approximate time limit in seconds for these groups.

The group concerned is always included, however long it takes.
"""
LATER = 1.1
"""Seconds between two calls that distinguish a clock from random numbers.

They are used if no clock can be fixed.
"""

Answers = list[list[object]]


class Open(Protocol):
    """Opens a new worker of the strategy."""

    def __call__(self, number: int, *held: Held) -> Worker:
        """Return a worker.

        Workers with different numbers differ as processes do, except for the ``held`` sources.
        """


class Why(Enum):
    """The source of different results besides the arguments."""

    HASHES = "hashes"
    ORDER = "order"
    TIME = "time"
    RANDOM = "random"
    SEVERAL = "several"
    """Several of the above."""
    CALLS = "calls"
    """Earlier calls."""
    PROCESS = "process"
    """Some other property of the process."""


def why(space: OwnSpace, configuration: Configuration, open_: Open) -> Why:
    """Return the reason for different results in this group.

    Small groups of the space are used too.
    """
    with open_(0) as worker:
        _asks(space, [configuration], worker)  # The first call of a process takes longer.
        start = perf_counter()
        _asks(space, [configuration], worker)
        per_call = (perf_counter() - start) / max(1, configuration.consumers)
        holds = worker.holds
    one = _Probe(space, [configuration, *sample(space, per_call)], open_, holds)
    first, again = one.twice(0)
    alike = one.once(0) == first and all(one.once(number) == first for number in OTHERS)
    if Held.TIME not in holds:
        return Why.TIME if one.stands() else _of_java(one, first == again, alike)
    if alike:
        moved = any(one.once(0, held) != first for held in (Held.TIME, Held.LATER))
        return Why.TIME if moved or (first != again and one.steady(Held.TIME)) else Why.CALLS
    for held, found in ((Held.TIME, Why.TIME), (Held.HASHES, Why.HASHES), (Held.SEED, Why.ORDER)):
        if one.steady(held):
            return found
    if one.same(Held.RANDOM):
        return Why.RANDOM
    return Why.SEVERAL if one.same(*(held for held in holds if held is not Held.LATER)) else Why.PROCESS


def _of_java(one: "_Probe", again: bool, alike: bool) -> Why:
    """Return the reason if only hashes can be fixed.

    ``again``: one process repeats its results. ``alike``: other processes have the same results.
    """
    if alike:
        return Why.CALLS
    if Held.HASHES in one.holds and one.steady(Held.HASHES):
        return Why.HASHES
    return Why.PROCESS if again else Why.RANDOM


def sample(space: OwnSpace, per_call: float) -> list[Configuration]:
    """Return small groups of the space; fewer, or none, if a call takes long (in seconds)."""
    found: list[Configuration] = []
    left = SECONDS
    few = replace(space, bound=(min(4, space.bound[0]), min(6, space.bound[1])))
    for one in few.space:
        if one.consumers > 1 and len(found) < MOST and (left := left - one.consumers * per_call) > 0:
            found.append(one)
    return found


def _asks(space: OwnSpace, configurations: Sequence[Configuration], worker: Worker, times: int = 1) -> list[Answers]:
    """Return the results of ``times`` rounds of calls."""
    asked = Asked(worker)
    groups = space.groups(asked.strategy, configurations)
    told = []
    for _ in range(times):
        every = outcomes(asked, groups, space.naming.consumer_group)
        told.append([[said(outcome) for outcome in group] for group in every])
    return told


@dataclass(frozen=True)
class _Probe:
    """Some groups that fresh processes compute."""

    space: OwnSpace
    configurations: Sequence[Configuration]
    open: Open
    holds: Sequence[Held]

    def once(self, number: int, *held: Held) -> Answers:
        """Return the results of a fresh process."""
        with self.open(number, *held) as worker:
            return _asks(self.space, self.configurations, worker)[0]

    def twice(self, number: int, *held: Held) -> list[Answers]:
        """Return the results of two rounds of calls in a fresh process."""
        with self.open(number, *held) as worker:
            return _asks(self.space, self.configurations, worker, 2)

    def same(self, *held: Held) -> bool:
        """Return whether fresh processes have the same results with these sources fixed."""
        first = self.once(0, *held)
        return all(self.once(number, *held) == first for number in (0, *OTHERS))

    def steady(self, *held: Held) -> bool:
        """Return whether each of them also repeats these results in a second round."""
        first, again = self.twice(0, *held)
        return first == again and all(self.once(number, *held) == first for number in OTHERS)

    def stands(self) -> bool:
        """Return whether a process repeats its results only if it is called again immediately."""
        with self.open(0) as worker:
            at_once = _asks(self.space, self.configurations, worker, 3)
            sleep(LATER)
            later = _asks(self.space, self.configurations, worker, 3)
        return all(one == at_once[0] for one in at_once) and all(one == later[0] for one in later) and at_once != later
