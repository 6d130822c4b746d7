"""Check whether results depend on the names of client ids, brokers, topics and queues.

Results are compared as positions in the sorted lists.
"""

from collections.abc import Sequence
from dataclasses import replace

from rebalance_proofs.model.own.asked import Asked
from rebalance_proofs.model.own.call import Gave
from rebalance_proofs.model.queues import positions_in
from rebalance_proofs.model.worlds.agreed import AGREED
from rebalance_proofs.spark_enum.allocation.space import Configuration
from rebalance_proofs.spark_enum.own.differs import SECONDS, sample
from rebalance_proofs.spark_enum.own.named import NamedSpace
from rebalance_proofs.spark_enum.own.repeated import outcomes, said
from rebalance_proofs.spark_enum.own.spaces import OwnSpace


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
