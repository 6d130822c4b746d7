"""The cost of joins: how many queues change hands, for all small numbers of queues and consumers and all places."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from rebalance_proofs.spark_enum.allocation.join_counts import CASES, Case, count, joins, joins_of
from rebalance_proofs.spark_enum.allocation.kinds import BEYOND, JOINS, QUEUES, UNATTAINED
from rebalance_proofs.spark_enum.check import Check
from rebalance_proofs.spark_enum.results import Finding
from rebalance_proofs.spark_enum.rows import Rows
from rebalance_proofs.spark_enum.totals import Totals

SHOWN = ((1, 8), (2, 3), (2, 8), (3, 4), (3, 8), (3, 16), (4, 8), (4, 16), (7, 8), (7, 16), (7, 64), (15, 64), (63, 64))
"""(consumers before the join, queues) of the costs that are shown."""


@dataclass(frozen=True)
class Joins(Check):
    """Every join of up to so many queues and consumers, of one strategy."""

    counts: Case
    max_consumers: int
    """Before the join."""
    max_queues: int

    kind: ClassVar[str] = JOINS

    @property
    def name(self) -> str:
        return f"joins of {self.subject}"

    @property
    def subject(self) -> str:
        return self.counts.strategy.name

    @property
    def bounds(self) -> Mapping[str, int]:
        return {"queues": self.max_queues, "consumers": self.max_consumers}

    @property
    def pieces(self) -> int:
        """One for each number of consumers, so that all joins of a size are in the same."""
        return self.max_consumers

    @property
    def expected(self) -> int:
        return joins(self.max_consumers, self.max_queues)

    def __call__(self, piece: int, rows: Rows | None = None) -> Totals:
        consumers = piece + 1
        found = count(self.counts, *joins_of(consumers, self.max_queues))
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
        if rows:
            numbers = {name: getattr(found, name) for name in ("place", "moved", "exactly", "bound")}
            rows.add(self.label, consumers=found.consumers, queues=found.queues, numbers=numbers, digest=found.digest)
        return totals

    def finding(self, totals: Totals, **changes) -> Finding:
        costs = tuple(_cost(*size, *totals.kept[_size(*size)]) for size in SHOWN if _size(*size) in totals.kept)
        return super().finding(totals, details=costs, **changes)


def all_joins(bound: tuple[int, int], strategies: Collection[str] | None = None) -> list[Joins]:
    """For every strategy whose movement is claimed in closed form, or those of them that are named.

    ``bound`` is (consumers before the join, queues).
    """
    return [Joins(case, *bound) for case in CASES if strategies is None or case.strategy.name in strategies]


def _size(consumers: int, queues: int) -> str:
    return f"{consumers} {queues}"


def _cost(consumers: int, queues: int, most: int, most_at: int, least: int, least_at: int) -> Mapping[str, int]:
    """How many queues change hands at most and at least, at which first places of the joiner; and how many would have
    to, for sizes that differ by at most one: the smaller size after the join.
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
