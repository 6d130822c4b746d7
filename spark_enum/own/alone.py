"""Check whether a user-defined strategy repeats its results in a single group.

The check makes repeated calls in several fresh processes.
"""

from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from time import perf_counter

from rebalance_proofs.model.group import Group
from rebalance_proofs.model.own.asked import Asked
from rebalance_proofs.model.own.held import Held
from rebalance_proofs.model.own.worker import Worker
from rebalance_proofs.spark_enum.allocation.space import Configuration
from rebalance_proofs.spark_enum.own.differs import Open
from rebalance_proofs.spark_enum.own.example import kept
from rebalance_proofs.spark_enum.own.repeated import REPEATS, apart, outcomes
from rebalance_proofs.spark_enum.own.spaces import OwnSpace
from rebalance_proofs.spark_enum.own.tried import Tried
from rebalance_proofs.spark_enum.results import Wrong

PROCESSES, TIMES = 3, 4
"""The number of fresh processes, and the number of repetitions in each.

Two more processes have other fixed clocks, which reveal results that depend on the time.
"""
TIMES_OF_DAY = (Held.TIME, Held.LATER)
SECONDS = 5.0
"""Seconds after which no further process is started."""
TELLS = ("disjoint", "covers")
"""Guarantees that a result breaks if it is not repeated, for the error message.

One consumer's result then differs from the result that the other consumers assume.
"""


@dataclass(frozen=True)
class Alone:
    """The result of comparing repeated calls in one group."""

    tried: Tried
    calls: int
    """The number of calls in all processes except the first process."""
    group: Group | None = None
    """If results differ: a group with the results of the first process, except for one consumer.

    That consumer has the result of the other process.
    """


def alone(space: OwnSpace, configuration: Configuration, asked: Asked, open_: Open) -> Alone:
    """Call the strategy for one group in other processes, and compare the results.

    The calls stop at the first result that differs from that of ``asked``. ``open_`` starts a process with the
    strategy.
    """
    until, calls = perf_counter() + SECONDS, 0
    whole = 0
    for other in _others(asked, open_):
        with other as worker:
            another = Asked(worker)
            for _ in range(TIMES):
                found = _asked_again(space, configuration, asked, another)
                if isinstance(found, Alone):
                    return replace(found, calls=calls + another.calls)
                whole += found
                if asked.ended or another.ended:
                    break
            calls += another.calls
        if perf_counter() > until or asked.ended or another.ended:
            break
    return Alone(Tried(groups=min(1, whole)), calls)


def _others(asked: Asked, open_: Open) -> Iterator[AbstractContextManager[Worker]]:
    yield from (open_(number) for number in range(1, 1 + PROCESSES))
    yield from (open_(0, held) for held in TIMES_OF_DAY if held in asked.holds)


def _asked_again(space: OwnSpace, configuration: Configuration, asked: Asked, another: Asked) -> Alone | int:
    """Call the strategy for one group in two processes, and return the difference.

    Without a difference, return 1, or 0 if a process did not return all results.
    """
    (group,), (again,) = (space.groups(one.strategy, [configuration]) for one in (asked, another))
    every = [outcomes(asked, [group], space.naming.consumer_group)]
    every.append(outcomes(another, [again], space.naming.consumer_group))
    if not all(every):
        return 0
    (first,), (second,) = every
    differs = apart(group, first, second)
    if not differs:
        return 1
    place, sentence = differs
    before, after = kept(group, [asked]), kept(again, [another])
    consumers = (*before.consumers[:place], after.consumers[place], *before.consumers[place + 1 :])
    mixed = replace(before, consumers=consumers)
    wrong = Wrong((configuration.consumers, configuration.queues), configuration.values, _read(space, mixed, sentence))
    return Alone(Tried(groups=1, broken={REPEATS: wrong}), 0, mixed)


def _read(space: OwnSpace, group: Group, sentence: str) -> str:
    """Return the sentence about a difference, followed by its consequence.

    The consequence is that for consumers in separate processes.
    """
    results = group.results()
    broken = (one.violation(group, results) for one in space.guarantees if one.name in TELLS)
    said = next(filter(None, broken), "")
    return f"{sentence} If a separate process computes the second result: {said}" if said else sentence
