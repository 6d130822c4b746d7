"""Try a user-defined strategy in all groups of several spaces on Spark.

Each executor process calls the strategy in its own child process.
"""

import atexit
from collections.abc import Sequence
from dataclasses import dataclass, field

from pyspark.sql import SparkSession

from rebalance_proofs.model.own.asked import Asked
from rebalance_proofs.model.own.call import Worker
from rebalance_proofs.spark_enum.check import Check, Keep
from rebalance_proofs.spark_enum.jobs import run
from rebalance_proofs.spark_enum.own.checked import Open
from rebalance_proofs.spark_enum.own.here import Told
from rebalance_proofs.spark_enum.own.rows import Found
from rebalance_proofs.spark_enum.own.spaces import OwnSpace
from rebalance_proofs.spark_enum.own.tried import Movement, Tried, try_out
from rebalance_proofs.spark_enum.results import Totals

KIND = "own"
PIECE = 64
"""The number of groups in one piece of work; small, because slow code takes long for each."""
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
    """The strategy's child process in an executor; it starts at the first use."""

    open: Open
    _worker: Worker | None = field(default=None, repr=False)

    def asked(self) -> Asked:
        """Return a new record of calls to the child process.

        Each piece of work has its own record, which counts the calls that end the child process.
        """
        if self._worker is None:
            self._worker = self.open(0)
            atexit.register(self._worker.__exit__, None, None, None)
        return Asked(self._worker)


@dataclass(frozen=True)
class Pieces:
    """A function that tries the strategy in the groups of one piece of a space."""

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
    """Return one check for each space. All checks in an executor share its child process."""
    executor = Executor(open_)
    return [
        Check(KIND, space.name, -(-space.space.groups // PIECE), space.space.groups, Pieces(space, executor))
        for space in spaces
    ]


def on_spark(
    session: SparkSession, open_: Open, spaces: Sequence[OwnSpace], asked: Asked, told: Told = lambda found: None
) -> list[Found]:
    """Try the strategy in the groups of each space on Spark, in one job, and return the results.

    The number of calls is added to ``asked``. ``told`` is called with the results of each space.
    """
    every = checks(spaces, open_)
    found = []
    for space, check, totals in zip(spaces, every, run(session, every), strict=True):
        asked.calls += totals.numbers[CALLS]
        found.append(Found(space, tried_of(totals), check.expected))
        told(found[-1])
    return found


def tried_of(totals: Totals) -> Tried:
    """Return the results of a space from the totals that executors counted."""
    numbers = totals.numbers
    movement = Movement(numbers[QUEUES], numbers[CHANGED], numbers[NEEDED], numbers[BY_AVG])
    return Tried(totals.counted, numbers[REFUSED], numbers[UNJUDGED], dict(totals.smallest), movement)
