"""Find the reason why a user-defined strategy does not repeat its results.

Fresh processes call the strategy while one source of nondeterminism after the other is fixed: clocks, hashes, random
numbers.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from time import perf_counter, sleep
from typing import Protocol

from rebalance_proofs.model.own.asked import Asked
from rebalance_proofs.model.own.held import Held
from rebalance_proofs.model.own.worker import Worker
from rebalance_proofs.spark_enum.allocation.space import Configuration
from rebalance_proofs.spark_enum.own.repeated import outcomes, said
from rebalance_proofs.spark_enum.own.spaces import OwnSpace

OTHERS = (1, 2)
"""Numbers of the fresh processes that are compared with process 0."""
MOST = 12
"""The maximum number of groups that each process computes."""
SECONDS = 1.0
"""The approximate time limit in seconds for the additional small groups.

The group whose results differ is always computed, however long it takes.
"""
LATER = 1.1
"""Seconds between two calls that distinguish a clock from random numbers.

The pause is used if no clock can be fixed, which is so for Java.
"""

Answers = list[list[object]]


class Open(Protocol):
    """A function that starts a worker: a process that runs the strategy."""

    def __call__(self, number: int, *held: Held) -> Worker:
        """Return the worker with this number, with the sources ``held`` fixed.

        Workers with different numbers differ in all sources of nondeterminism that are not fixed.
        """


class Why(Enum):
    """The reason for different results with the same arguments."""

    HASHES = "hashes"
    ORDER = "order"
    TIME = "time"
    RANDOM = "random"
    SEVERAL = "several"
    """Several of the reasons above."""
    CALLS = "calls"
    """The results depend on earlier calls."""
    PROCESS = "process"
    """Some other property of the process."""


def why(space: OwnSpace, configuration: Configuration, open_: Open) -> Why:
    """Return the reason why the strategy has different results in this group.

    Small groups of the space are computed too, because the reason may be clearer there.
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
    """Return the reason for a Java strategy, for which only hashes can be fixed.

    ``again``: one process repeats its results. ``alike``: other processes have the same results.
    """
    if alike:
        return Why.CALLS
    if Held.HASHES in one.holds and one.steady(Held.HASHES):
        return Why.HASHES
    return Why.PROCESS if again else Why.RANDOM


def sample(space: OwnSpace, per_call: float) -> list[Configuration]:
    """Return some small groups of the space; fewer, or none, if a call takes long.

    ``per_call`` is the duration of a call in seconds.
    """
    found: list[Configuration] = []
    left = SECONDS
    for one in space.smaller(4, 6).space:
        if one.consumers > 1 and len(found) < MOST and (left := left - one.consumers * per_call) > 0:
            found.append(one)
    return found


def _asks(space: OwnSpace, configurations: Sequence[Configuration], worker: Worker, times: int = 1) -> list[Answers]:
    """Call the strategy for these groups ``times`` times, and return the results of each round."""
    asked = Asked(worker)
    groups = space.groups(asked.strategy, configurations)
    told = []
    for _ in range(times):
        every = outcomes(asked, groups, space.naming.consumer_group)
        told.append([[said(outcome) for outcome in group] for group in every])
    return told


@dataclass(frozen=True)
class _Probe:
    """Groups that fresh processes compute, to find the source of different results."""

    space: OwnSpace
    configurations: Sequence[Configuration]
    open: Open
    holds: Sequence[Held]

    def once(self, number: int, *held: Held) -> Answers:
        """Return the results of a fresh process with this number, with the sources ``held`` fixed."""
        with self.open(number, *held) as worker:
            return _asks(self.space, self.configurations, worker)[0]

    def twice(self, number: int, *held: Held) -> list[Answers]:
        """Return the results of two rounds of calls in one fresh process."""
        with self.open(number, *held) as worker:
            return _asks(self.space, self.configurations, worker, 2)

    def same(self, *held: Held) -> bool:
        """True if all fresh processes have the same results while these sources are fixed."""
        first = self.once(0, *held)
        return all(self.once(number, *held) == first for number in (0, *OTHERS))

    def steady(self, *held: Held) -> bool:
        """True if fresh processes agree and repeat their results, while these sources are fixed."""
        first, again = self.twice(0, *held)
        return first == again and all(self.once(number, *held) == first for number in OTHERS)

    def stands(self) -> bool:
        """True if a process repeats its results at once, but not after a pause."""
        with self.open(0) as worker:
            at_once = _asks(self.space, self.configurations, worker, 3)
            sleep(LATER)
            later = _asks(self.space, self.configurations, worker, 3)
        return all(one == at_once[0] for one in at_once) and all(one == later[0] for one in later) and at_once != later
