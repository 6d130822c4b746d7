"""Trying a strategy in all spaces on Spark.

Each executor process calls it in its own child process.
"""

import atexit
from collections.abc import Sequence
from dataclasses import dataclass, field

from pyspark.sql import SparkSession

from rebalance_proofs.model.own.asked import Asked
from rebalance_proofs.model.own.worker import Worker
from rebalance_proofs.spark_enum.check import Check
from rebalance_proofs.spark_enum.jobs import run
from rebalance_proofs.spark_enum.own.checked import Open
from rebalance_proofs.spark_enum.own.here import Told
from rebalance_proofs.spark_enum.own.rows import Found
from rebalance_proofs.spark_enum.own.spaces import OwnSpace
from rebalance_proofs.spark_enum.own.tried import Movement, Tried, try_out
from rebalance_proofs.spark_enum.rows import Keep
from rebalance_proofs.spark_enum.totals import Totals

KIND = "own"
PIECE = 64
"""The number of groups of one piece; small, because slow code takes a while."""
REFUSED, UNJUDGED, CALLS, QUEUES, CHANGED, NEEDED, BY_AVG = (
    "refused",
    "unjudged",
    "calls",
    "queues",
    "changed",
    "needed",
    "by_avg",
)


@dataclass
class Executor:
    """The worker of an executor's process; it is opened there, and ends with the process."""

    open: Open
    _worker: Worker | None = field(default=None, repr=False)

    def asked(self) -> Asked:
        """Return a new record of calls to the same worker.

        Calls that end the worker are counted for each piece.
        """
        if self._worker is None:
            self._worker = self.open(0)
            atexit.register(self._worker.__exit__, None, None, None)
        return Asked(self._worker)


@dataclass(frozen=True)
class Pieces:
    """The work on each piece of a space."""

    space: OwnSpace
    executor: Executor

    def __call__(self, piece: int, keep: Keep | None = None) -> Totals:
        groups, asked = self.space.space, self.executor.asked()
        numbers = range(piece * PIECE, min((piece + 1) * PIECE, groups.groups))
        tried = try_out(self.space, asked, [*map(groups.decode, numbers)])
        totals = Totals(counted=tried.groups)
        totals.smallest.update(tried.broken)
        moved = tried.movement
        totals.numbers.update(
            {
                REFUSED: tried.refused,
                UNJUDGED: tried.unjudged,
                CALLS: asked.calls,
                QUEUES: moved.queues,
                CHANGED: moved.changed,
                NEEDED: moved.needed,
                BY_AVG: moved.by_avg,
            }
        )
        return totals


def checks(spaces: Sequence[OwnSpace], open_: Open) -> list[Check]:
    """Build one check for each space; all share an executor's worker."""
    executor = Executor(open_)
    return [
        Check(KIND, space.name, -(-space.space.groups // PIECE), space.space.groups, Pieces(space, executor))
        for space in spaces
    ]


def on_spark(
    session: SparkSession, open_: Open, spaces: Sequence[OwnSpace], asked: Asked, told: Told = lambda found: None
) -> list[Found]:
    """Compute the results of each space in one job, and add the number of calls to ``asked``."""
    every = checks(spaces, open_)
    found = []
    for space, check, totals in zip(spaces, every, run(session, every), strict=True):
        asked.calls += totals.numbers[CALLS]
        found.append(Found(space, tried_of(totals), check.expected))
        told(found[-1])
    return found


def tried_of(totals: Totals) -> Tried:
    """Return the results from the executors' totals."""
    numbers = totals.numbers
    movement = Movement(numbers[QUEUES], numbers[CHANGED], numbers[NEEDED], numbers[BY_AVG])
    return Tried(totals.counted, numbers[REFUSED], numbers[UNJUDGED], dict(totals.smallest), movement)
