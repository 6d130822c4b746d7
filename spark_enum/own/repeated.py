"""Check that a strategy repeats its results after other calls, and in another process.

In reality, each consumer of a group is a separate process. Python's hash of a string differs between processes. So code
that depends on it, or on the order of a set, gives consumers different results for the same arguments.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from math import inf
from time import perf_counter, sleep
from typing import Protocol

from rebalance_proofs.model.group import Group
from rebalance_proofs.model.own.asked import Asked
from rebalance_proofs.model.own.call import Gave, Held, Outcome, Worker
from rebalance_proofs.model.queues import positions_in
from rebalance_proofs.proofs.allocation.stated import name_consumer
from rebalance_proofs.spark_enum.allocation.space import Configuration
from rebalance_proofs.spark_enum.own.spaces import FAR, OwnSpace
from rebalance_proofs.spark_enum.own.tried import Tried
from rebalance_proofs.spark_enum.results import Wrong

REPEATS = "repeats"

AT_ONCE = 64
"""The maximum number of groups that are computed before the second process computes them too."""

SMALL, FEW = 16, 8
"""The largest numbers of queues and consumers for which calls are repeated.

``SMALL`` applies to the kinds of names that are used for the largest groups, ``FEW`` to other names.
"""


def small(space: OwnSpace) -> OwnSpace:
    """Return the small groups of the space, for which calls are repeated."""
    most = SMALL if space.naming in FAR else FEW
    return space.smaller(most, most)


def repeated(space: OwnSpace, asked: Asked, another: Asked, until: float = inf, most: float = inf) -> Tried:
    """Call the strategy in two processes for all groups of the space, and compare the results.

    Stop at the time ``until``, or after about ``most`` groups. The second process is called in reverse order.
    """
    tried = Tried()
    every, begin, size = list(space.space), 0, 1  # Slow code is not called for many groups at once.
    while begin < len(every):
        if tried.broken or tried.groups >= most or perf_counter() > until or asked.gave_up or another.gave_up:
            break
        tried.merge(differing(space, every[begin : begin + size], asked, another))
        begin, size = begin + size, min(AT_ONCE, 2 * size)
    return tried


def differing(space: OwnSpace, configurations: list[Configuration], asked: Asked, another: Asked) -> Tried:
    """Call both processes for these groups, and compare the results.

    At most one group with a difference is recorded.
    """
    return differing_in(space, configurations, space.groups(asked.strategy, configurations), asked, another)


def differing_in(
    space: OwnSpace, configurations: list[Configuration], groups: list[Group], asked: Asked, another: Asked
) -> Tried:
    """Like ``differing``, for groups that the caller built from the ``configurations``.

    The caller can look up the consumers' outcomes in ``asked`` afterwards.
    """
    first = outcomes(asked, groups, space.naming.consumer_group)
    backwards = space.groups(another.strategy, configurations[::-1])
    second = outcomes(another, backwards, space.naming.consumer_group)[::-1]
    both = min(len(first), len(second)) if len(first) == len(second) == len(groups) else 0
    found = Tried(groups=both)
    for configuration, group, one, other in zip(configurations[:both], groups, first, second, strict=False):
        if differs := apart(group, one, other):
            size = configuration.consumers, configuration.queues
            found.broken[REPEATS] = Wrong(size, configuration.values, differs[1])
            return found
    return found


def apart(group: Group, one: Sequence[Outcome], other: Sequence[Outcome]) -> tuple[int, str] | None:
    """Return the index of the first consumer with two results, and a sentence about them.

    ``one`` and ``other`` are the outcomes of the group's consumers in two processes. None if all are equal.
    """
    for place, (before, again) in enumerate(zip(one, other, strict=True)):
        if said(before) != said(again):
            words = f"{_words(group, before)}, and in a repeated call {_words(group, again)}"
            return place, f"{name_consumer(group, place)} {words}."
    return None


def outcomes(asked: Asked, groups: list[Group], consumer_group: str) -> list[list[Outcome]]:
    """Call the strategy for each consumer of the groups, and return the outcomes by group.

    The last groups are missing if the strategy ended its process too often.
    """
    told = asked.ask(groups, consumer_group)
    return [[asked.outcome(consumer) for consumer in group.consumers] for group in groups[:told]]


def said(outcome: Outcome) -> object:
    """Return the part of an outcome that is compared: the list, or the kind of error."""
    return outcome.queues if isinstance(outcome, Gave) else outcome.kind


def _words(group: Group, outcome: Outcome) -> str:
    if not isinstance(outcome, Gave):
        return outcome.what
    return f"has {positions_in(group.queues, [queue for queue in outcome.queues if queue])}"


# Find the reason why a user-defined strategy does not repeat its results.
# Fresh processes call the strategy while one source of nondeterminism after the other is fixed: clocks, hashes,
# random numbers.

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
