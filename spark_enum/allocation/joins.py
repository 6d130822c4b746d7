"""The cost of joins: how many queues change owner when a consumer joins.

The number is counted for all small numbers of queues and consumers, and all indexes of the joiner.
"""

from collections.abc import Collection, Mapping
from functools import partial

import numpy as np

from rebalance_proofs.spark_enum.allocation.join_counts import CASES, Case, count, joins, joins_of
from rebalance_proofs.spark_enum.allocation.kinds import BEYOND, JOINS, QUEUES, UNATTAINED
from rebalance_proofs.spark_enum.check import Check, Told
from rebalance_proofs.spark_enum.rows import Keep
from rebalance_proofs.spark_enum.totals import Totals

SHOWN = ((1, 8), (2, 3), (2, 8), (3, 4), (3, 8), (3, 16), (4, 8), (4, 16), (7, 8), (7, 16), (7, 64), (15, 64), (63, 64))
"""(consumers before the join, queues) of the costs that are printed."""


def joined(case: Case, bound: tuple[int, int]) -> Check:
    """Return the check that counts the moved queues in every join, for one strategy.

    ``bound`` is the largest (consumers before the join, queues). All joins with the same number of consumers are one
    piece of work.
    """
    consumers, queues = bound
    return Check(
        kind=JOINS,
        name=f"joins of {case.strategy.name}",
        pieces=consumers,
        expected=joins(consumers, queues),
        do=partial(_counted, case, queues),
        subject=case.strategy.name,
        bounds={"queues": queues, "consumers": consumers},
        record=_costs,
    )


def _counted(case: Case, max_queues: int, piece: int, keep: Keep | None = None) -> Totals:
    consumers = piece + 1
    found = count(case, *joins_of(consumers, max_queues))
    starts = np.arange(0, len(found.moved), consumers + 1)
    worst = np.maximum.reduceat(found.moved, starts)
    totals = Totals(counted=len(found.moved), differing=int((found.moved != found.exactly).sum()))
    totals.adds(sum(found.digest.tolist()))
    totals.broken.update(
        {BEYOND: int((found.moved > found.bound).sum()), UNATTAINED: int((worst < found.bound[starts]).sum())}
    )
    totals.numbers[QUEUES] = int(found.queues.sum())
    for size, moved in enumerate(np.split(found.moved, starts[1:]), 1):
        if (consumers, size) in SHOWN:
            cost = moved.max(), moved.argmax(), moved.min(), moved.argmin()
            totals.kept[_size(consumers, size)] = tuple(map(int, cost))
    if keep:
        numbers = {name: getattr(found, name) for name in ("place", "moved", "exactly", "bound")}
        keep(consumers=found.consumers, queues=found.queues, numbers=numbers, digest=found.digest)
    return totals


def _costs(totals: Totals) -> Told:
    return {"details": tuple(_cost(*size, *totals.kept[_size(*size)]) for size in SHOWN if _size(*size) in totals.kept)}


def all_joins(bound: tuple[int, int], strategies: Collection[str] | None = None) -> list[Check]:
    """Return the checks of joins for the strategies whose movement is claimed in closed form.

    ``strategies`` selects some of them by name. ``bound`` is the largest (consumers before the join, queues).
    """
    return [joined(case, bound) for case in CASES if strategies is None or case.strategy.name in strategies]


def _size(consumers: int, queues: int) -> str:
    return f"{consumers} {queues}"


def _cost(consumers: int, queues: int, most: int, most_at: int, least: int, least_at: int) -> Mapping[str, int]:
    """Return a table row about the joins of one size: the most, fewest and necessary moved queues.

    ``most_at`` and ``least_at`` are the first joiner's indexes with these numbers. The necessary number is the smaller
    share after the join, if shares differ by at most one.
    """
    return {
        "consumers": consumers,
        "queues": queues,
        "most": most,
        "most_at": most_at,
        "least": least,
        "least_at": least_at,
        "needed": queues // (consumers + 1),
    }
