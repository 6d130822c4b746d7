"""Why a strategy does not repeat itself: it is asked in fresh processes, in which one thing after the other is held."""

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
"""Numbers of processes that are compared with the first one."""
MOST = 12
"""The most groups that each process is asked about."""
SECONDS = 1.0
"""What these may take, about; the group that is asked about anyway is one of them, however long it takes."""
LATER = 1.1
"""Seconds between two asks that tell a clock from random numbers, where no clock can be held."""

Answers = list[list[object]]


class Open(Protocol):
    """Opens a new worker of the strategy."""

    def __call__(self, number: int, *held: Held) -> Worker:
        """Workers with different numbers differ in what processes can differ in, except for what is ``held``."""


class Why(Enum):
    """What the answer depends on besides the arguments."""

    HASHES = "hashes"
    ORDER = "order"
    TIME = "time"
    RANDOM = "random"
    SEVERAL = "several"
    """Several of those above."""
    CALLS = "calls"
    """Earlier calls."""
    PROCESS = "process"
    """Something else of the process."""


def why(space: OwnSpace, configuration: Configuration, open_: Open) -> Why:
    """What the answers in this group depend on, which are known to differ; decided in small groups of the space too."""
    with open_(0) as worker:
        _asks(space, [configuration], worker)  # the first call of a process takes longer
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
    """The same where only hashes can be held; ``again``: one process repeats itself, ``alike``: others answer alike."""
    if alike:
        return Why.CALLS
    if Held.HASHES in one.holds and one.steady(Held.HASHES):
        return Why.HASHES
    return Why.PROCESS if again else Why.RANDOM


def sample(space: OwnSpace, per_call: float) -> list[Configuration]:
    """Small groups of the space; fewer of them, or none, if a call takes long (in seconds)."""
    found: list[Configuration] = []
    left = SECONDS
    few = replace(space, bound=(min(4, space.bound[0]), min(6, space.bound[1])))
    for one in few.space:
        if one.consumers > 1 and len(found) < MOST and (left := left - one.consumers * per_call) > 0:
            found.append(one)
    return found


def _asks(space: OwnSpace, configurations: Sequence[Configuration], worker: Worker, times: int = 1) -> list[Answers]:
    """The answers, asked for so many times."""
    asked = Asked(worker)
    groups = space.groups(asked.strategy, configurations)
    told = []
    for _ in range(times):
        every = outcomes(asked, groups, space.naming.consumer_group)
        told.append([[said(outcome) for outcome in group] for group in every])
    return told


@dataclass(frozen=True)
class _Probe:
    """Some groups that fresh processes are asked about."""

    space: OwnSpace
    configurations: Sequence[Configuration]
    open: Open
    holds: Sequence[Held]

    def once(self, number: int, *held: Held) -> Answers:
        """The answers of a fresh process."""
        with self.open(number, *held) as worker:
            return _asks(self.space, self.configurations, worker)[0]

    def twice(self, number: int, *held: Held) -> list[Answers]:
        """The answers of a fresh process, asked twice."""
        with self.open(number, *held) as worker:
            return _asks(self.space, self.configurations, worker, 2)

    def same(self, *held: Held) -> bool:
        """Whether fresh processes give the same answers if this is held."""
        first = self.once(0, *held)
        return all(self.once(number, *held) == first for number in (0, *OTHERS))

    def steady(self, *held: Held) -> bool:
        """Whether each of them gives these the second time, too."""
        first, again = self.twice(0, *held)
        return first == again and all(self.once(number, *held) == first for number in OTHERS)

    def stands(self) -> bool:
        """Whether one process gives the same answers as long as it is asked at once, and others a while later."""
        with self.open(0) as worker:
            at_once = _asks(self.space, self.configurations, worker, 3)
            sleep(LATER)
            later = _asks(self.space, self.configurations, worker, 3)
        return all(one == at_once[0] for one in at_once) and all(one == later[0] for one in later) and at_once != later
