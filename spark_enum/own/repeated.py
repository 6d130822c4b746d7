"""Whether a strategy answers the same when it is asked again: later, after other calls, and in another process.

Each consumer of a group is another process. Python's hash of a string is another one there too, so that code that goes
by it, or by the order of a set, gives consumers different answers although they see the same.
"""

from collections.abc import Callable
from dataclasses import replace
from math import inf
from time import perf_counter

from rebalance_proofs.model.group import Group
from rebalance_proofs.model.own.asked import Asked
from rebalance_proofs.model.own.call import Gave, Outcome
from rebalance_proofs.model.own.worker import Worker
from rebalance_proofs.model.queues import positions_in
from rebalance_proofs.proofs.allocation.names import name_consumer
from rebalance_proofs.spark_enum.allocation.space import Configuration
from rebalance_proofs.spark_enum.own.spaces import FAR, OwnSpace
from rebalance_proofs.spark_enum.own.tried import Tried
from rebalance_proofs.spark_enum.results import Wrong

REPEATS = "repeats"

AT_ONCE = 64
"""Groups between which it is asked about others, at most."""

SMALL, FEW = 16, 8
"""Up to so many queues and consumers it is asked again: with the names with which the largest groups are tried, and
with others."""

Another = Callable[[], Worker]
"""A worker of the same strategy, with a process of its own."""


def small(space: OwnSpace) -> OwnSpace:
    """So much of the space is asked again."""
    most = SMALL if space.naming in FAR else FEW
    return replace(space, bound=(min(most, space.bound[0]), min(most, space.bound[1])))


def repeated(space: OwnSpace, asked: Asked, another: Asked, until: float = inf, most: float = inf) -> Tried:
    """Asks both for all of the space, or for what can be asked for until then, or for about so many groups.

    The second one is asked backwards.
    """
    tried = Tried()
    every, begin, size = list(space.space), 0, 1  # slow code is not asked for many at once
    while begin < len(every):
        if tried.broken or tried.groups >= most or perf_counter() > until or asked.gave_up or another.gave_up:
            break
        tried.merge(differing(space, every[begin : begin + size], asked, another))
        begin, size = begin + size, min(AT_ONCE, 2 * size)
    return tried


def differing(space: OwnSpace, configurations: list[Configuration], asked: Asked, another: Asked) -> Tried:
    """Of these groups, those in which the two differ."""
    return differing_in(space, configurations, space.groups(asked.strategy, configurations), asked, another)


def differing_in(
    space: OwnSpace, configurations: list[Configuration], groups: list[Group], asked: Asked, another: Asked
) -> Tried:
    """The same, of groups that are there already: what was answered in them can be looked up afterwards."""
    first = _outcomes(asked, groups, space.naming.consumer_group)
    backwards = space.groups(another.strategy, configurations[::-1])
    second = _outcomes(another, backwards, space.naming.consumer_group)[::-1]
    both = min(len(first), len(second)) if len(first) == len(second) == len(groups) else 0
    found = Tried(groups=both)
    for configuration, group, one, other in zip(configurations[:both], groups, first, second, strict=False):
        for place, (said, again) in enumerate(zip(one, other, strict=True)):
            if _told(said) != _told(again):
                sentence = (
                    f"{name_consumer(group, place)} {_words(group, said)}, and asked again {_words(group, again)}."
                )
                size = configuration.consumers, configuration.queues
                found.broken[REPEATS] = Wrong(size, configuration.values, sentence)
                return found
    return found


def _outcomes(asked: Asked, groups: list[Group], consumer_group: str) -> list[list[Outcome]]:
    """Of each group's consumers; of fewer groups where the strategy has ended its process too often."""
    told = asked.ask(groups, consumer_group)
    return [[asked.outcome(consumer) for consumer in group.consumers] for group in groups[:told]]


def _told(outcome: Outcome) -> object:
    return outcome.queues if isinstance(outcome, Gave) else outcome.kind


def _words(group: Group, outcome: Outcome) -> str:
    if not isinstance(outcome, Gave):
        return outcome.what
    return f"has {positions_in(group.queues, [queue for queue in outcome.queues if queue])}"


__all__ = ["REPEATS", "Another", "differing", "differing_in", "repeated", "small"]
