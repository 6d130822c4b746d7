"""Check that a strategy repeats its results after other calls, and in another process.

In reality, each consumer of a group is a separate process. Python's hash of a string differs between processes. So code
that depends on it, or on the order of a set, gives consumers different results for the same arguments.
"""

from collections.abc import Sequence
from math import inf
from time import perf_counter

from rebalance_proofs.model.group import Group
from rebalance_proofs.model.own.asked import Asked
from rebalance_proofs.model.own.call import Gave, Outcome
from rebalance_proofs.model.queues import positions_in
from rebalance_proofs.proofs.allocation.names import name_consumer
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
