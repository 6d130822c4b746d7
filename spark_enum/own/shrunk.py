"""Reduce the groups of given names that break a guarantee: leave out ids as long as it stays broken.

A group with all queues of a topic is preferred to one with a part of them, or with the retry topic.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain, combinations, islice

from rebalance_proofs.model.own.asked import Asked
from rebalance_proofs.spark_enum.allocation.space import Configuration
from rebalance_proofs.spark_enum.own.named import NamedSpace
from rebalance_proofs.spark_enum.own.rows import Found
from rebalance_proofs.spark_enum.own.tried import try_out
from rebalance_proofs.spark_enum.results import Wrong

MOST = 300
"""The maximum number of groups that are tried for one guarantee."""
SECONDS = 2.0
"""Time limit in seconds for the search of a group with all queues."""


def shrunk(found: Sequence[Found], asked: Asked) -> list[Found]:
    """Return the results with smaller groups of given names, from which no id can be left out."""
    return [_shrunk(one, asked) if isinstance(one.space, NamedSpace) else one for one in found]


def _shrunk(found: Found, asked: Asked) -> Found:
    assert isinstance(found.space, NamedSpace)
    broken = {
        name: _whole(found.space, name, _smaller(found.space, name, wrong, asked), asked)
        for name, wrong in found.tried.broken.items()
    }
    return replace(found, tried=replace(found.tried, broken=broken))


def _smaller(space: NamedSpace, name: str, wrong: Wrong, asked: Asked) -> Wrong:
    left, again = MOST, True
    while again and left > 0:
        again = False
        part, *ids = wrong.digits
        for one in ids if len(ids) > 1 else ():
            rest = [other for other in ids if other != one]
            left -= 1
            if asked.ended or left < 0:
                break
            fewer = Configuration(len(rest), wrong.size[1], (part, *rest))
            less = try_out(space, asked, [fewer]).broken.get(name)
            if less:
                wrong, again = less, True
                break
    return wrong


def _whole(space: NamedSpace, name: str, wrong: Wrong, asked: Asked) -> Wrong:
    """Return the smallest group with all queues of a topic that breaks the guarantee; the same group without one."""
    if wrong.digits[0] >= space.names.whole:
        until = asked.clock() + SECONDS
        for one in islice(_with_whole_topics(space, wrong), MOST):
            if asked.ended or asked.clock() > until:
                break
            if found := try_out(space, asked, [one]).broken.get(name):
                return found
    return wrong


def _with_whole_topics(space: NamedSpace, wrong: Wrong) -> Iterator[Configuration]:
    """Yield groups with all queues of a topic, and as many ids or more; those with the same ids come first."""
    ids, every = wrong.digits[1:], range(len(space.names.ids))
    larger = (chosen for size in range(len(ids), len(every) + 1) for chosen in combinations(every, size))
    for chosen in chain((ids,), larger):
        yield from space.space.of_ids(chosen)[: space.names.whole]
