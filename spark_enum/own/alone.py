"""Check whether a user-defined strategy repeats its results in a single group.

The check makes repeated calls in several fresh processes.
"""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from time import perf_counter

from rebalance_proofs.model.group import Group
from rebalance_proofs.model.own.asked import Asked
from rebalance_proofs.model.own.call import Gave, Held, Worker
from rebalance_proofs.model.queues import positions_in
from rebalance_proofs.model.worlds.groups import AGREED
from rebalance_proofs.spark_enum.allocation.space import Configuration
from rebalance_proofs.spark_enum.own.named import NamedSpace
from rebalance_proofs.spark_enum.own.properties import kept
from rebalance_proofs.spark_enum.own.repeated import REPEATS, SECONDS, Open, apart, outcomes, said, sample
from rebalance_proofs.spark_enum.own.spaces import OwnSpace
from rebalance_proofs.spark_enum.own.tried import Tried
from rebalance_proofs.spark_enum.results import Wrong

# Check whether results depend on the names of client ids, brokers, topics and queues.
# Results are compared as positions in the sorted lists.


def by_names(spaces: Sequence[OwnSpace], asked: Asked) -> tuple[str, ...] | None:
    """Return the kinds of names with which positions differ from those with plain names.

    None if no kinds were compared. The comparison uses small groups in which all consumers see the same lists, and the
    largest size for which every kind has names.
    """
    agreed = [space for space in spaces if space.world is AGREED and not isinstance(space, NamedSpace)]
    named = [space for space in spaces if space.world is AGREED and isinstance(space, NamedSpace)]
    if len(agreed) < 2 or asked.ended:
        return None
    bound = tuple(min(space.bound[place] for space in agreed) for place in (0, 1))
    first, *others = (replace(space, bound=(bound[0], bound[1])) for space in agreed)
    per_call = asked.clock() / max(1, asked.calls)
    some = sample(first, per_call)
    if not some:
        return None
    if bound[0] * per_call < SECONDS:
        some.append(Configuration(bound[0], bound[1], ()))
    expected = _places(first, some, asked)
    differ = [one.naming.name for one in others if _places(one, some, asked) != expected]
    return (*differ, *(one.naming.name for one in named if _named_differ(one, first, asked, per_call)))


def _named_differ(named: NamedSpace, plain: OwnSpace, asked: Asked, per_call: float) -> bool:
    """Return whether given names lead to other positions than plain names, in groups of the same sizes."""
    some, left = [], SECONDS
    for one in named.smaller(0, 0).space:
        if (left := left - 2 * one.consumers * per_call) > 0:
            some.append(one)
    alike = [Configuration(one.consumers, one.queues, ()) for one in some]
    return _places(named, some, asked) != _places(plain, alike, asked)


def _places(space: OwnSpace, some: Sequence[Configuration], asked: Asked) -> list[object]:
    groups = space.groups(asked.strategy, some)
    every = outcomes(asked, groups, space.naming.consumer_group)
    return [
        positions_in(group.queues, [queue for queue in one.queues if queue]) if isinstance(one, Gave) else said(one)
        for group, told in zip(groups, every, strict=False)
        for one in told
    ]


PROCESSES, TIMES = 3, 4
"""The number of fresh processes, and the number of repetitions in each.

Two more processes have other fixed clocks, which reveal results that depend on the time.
"""
TIMES_OF_DAY = (Held.TIME, Held.LATER)
SECONDS_ALONE = 5.0
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
    until, calls = perf_counter() + SECONDS_ALONE, 0
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
