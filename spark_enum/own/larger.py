"""A second example with several queues, because the smallest group may be too small to recognise the mistake."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from rebalance_proofs.model.own.asked import Asked
from rebalance_proofs.model.worlds.agreed import AGREED
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.spark_enum.allocation.space import Configuration
from rebalance_proofs.spark_enum.own.differs import Open
from rebalance_proofs.spark_enum.own.example import kept
from rebalance_proofs.spark_enum.own.named import NamedSpace
from rebalance_proofs.spark_enum.own.properties import PREFIX
from rebalance_proofs.spark_enum.own.rows import NEEDED, Row, Smallest
from rebalance_proofs.spark_enum.own.spaces import OwnSpace
from rebalance_proofs.spark_enum.own.tried import try_groups

QUEUES = 4
"""The least number of queues of the second example."""
TRIED, MORE, MOST = 60, 2, 16
"""Limits of the search: number of groups, additional consumers, and queues."""
Larger = Mapping[str, tuple[Smallest, Counterexample]]


def larger(rows: Sequence[Row], open_: Open) -> Larger:
    """Return a group with at least ``QUEUES`` queues for each broken guarantee whose smallest group has fewer."""
    wanted = [row for row in rows if row.smallest and _degenerate(row)]
    found: dict[str, tuple[Smallest, Counterexample]] = {}
    if wanted:
        with open_(0) as worker:
            for row in wanted:
                if one := _next(row, Asked(worker)):
                    found[row.name] = one
    return found


def _degenerate(row: Row) -> bool:
    needed = row.name in NEEDED or row.name.startswith(PREFIX)
    return row.world is AGREED and needed and row.smallest is not None and row.smallest.wrong.size[1] < QUEUES


def _next(row: Row, asked: Asked) -> tuple[Smallest, Counterexample] | None:
    assert row.smallest
    space = row.smallest.space
    for one in islice(_configurations(space, row.smallest.wrong.size[0]), TRIED):
        (group,) = space.groups(asked.strategy, [one])
        wrong = try_groups(space, asked, [one], [group]).broken.get(row.name)
        if asked.ended:
            return None
        if wrong:
            example = Counterexample(one.consumers, one.queues, one.values, kept(group, [asked]), wrong.sentence)
            return Smallest(space, wrong), example
    return None


def _configurations(space: OwnSpace, consumers: int) -> Iterator[Configuration]:
    if isinstance(space, NamedSpace):
        yield from (one for one in space.space if one.queues >= QUEUES and one.consumers >= consumers)
        return
    for n in range(consumers, min(space.bound[0], consumers + MORE) + 1):
        yield from (Configuration(n, q, ()) for q in range(QUEUES, min(space.bound[1], MOST) + 1))
