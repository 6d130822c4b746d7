"""Count the queues that change owner in joins, and compute the same number by closed forms.

The queues' owners come from the strategies' compiled formulas. NumPy is used, without Spark.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b

import numpy as np

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.allocation.averagely_by_circle import AVERAGELY_BY_CIRCLE
from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.finite import greatest
from rebalance_proofs.model.terms.kernel import Kernel, compile_kernel
from rebalance_proofs.proofs.movement.lemmas.totals import changed_hands_twice, lean, shares
from rebalance_proofs.proofs.movement.staying import staying
from rebalance_proofs.spark_enum.allocation.compiled import spread

Term = smt.IntTerm


@dataclass(frozen=True)
class Case:
    """A strategy with closed forms for the number of queues that change owner in a join.

    The closed forms are terms for twice that number, to avoid fractions.
    """

    strategy: Strategy
    exactly: Callable[[Term, Term, Term], Term]
    """``exactly(q, c, j)``: twice the exact number of moved queues.

    There are q queues and, before the join, c consumers; j is the joiner's index.
    """
    bound: Callable[[Term, Term], Term]
    """``bound(q, c)``: twice the largest number of moved queues, over all indexes of the joiner."""


def _averagely_bound(q: Term, c: Term) -> Term:
    leaning = lean(shares(q, c))
    return greatest([q + leaning, q - leaning])


CASES = (
    Case(AVERAGELY, lambda q, c, j: changed_hands_twice(shares(q, c), j), _averagely_bound),
    Case(
        AVERAGELY_BY_CIRCLE,
        lambda q, c, j: 2 * (q - staying(q, c, j)),
        lambda q, c: 2 * (q - staying(q, c, smt.IntVal(0))),
    ),
)


@dataclass(frozen=True)
class Counted:
    """The counts for a batch of joins: arrays with one entry for each join."""

    consumers: np.ndarray
    """Number of consumers before the join."""
    queues: np.ndarray
    place: np.ndarray
    """The joiner's index among all consumers after the join."""
    moved: np.ndarray
    """The counted number of queues that change owner."""
    exactly: np.ndarray
    """The number of queues that change owner, by the closed form."""
    bound: np.ndarray
    digest: np.ndarray
    """A digest of the join and of the queues that change owner; signed 64 bits."""


def joins(max_consumers: int, max_queues: int) -> int:
    """Return the number of joins up to the given numbers of consumers and queues.

    For each c up to ``max_consumers`` and each q up to ``max_queues``, the joiner has c + 1 possible indexes.
    """
    return max_queues * max_consumers * (max_consumers + 3) // 2


def joins_of(consumers: int, max_queues: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return all joins to groups of ``consumers`` members, fewest queues first.

    The three arrays are the numbers of consumers, the numbers of queues, and the joiner's indexes.
    """
    places = consumers + 1
    queues = np.repeat(np.arange(1, max_queues + 1), places)
    return np.full_like(queues, consumers), queues, np.tile(np.arange(places), max_queues)


def count(case: Case, consumers: np.ndarray, queues: np.ndarray, place: np.ndarray) -> Counted:
    """Count the queues that change owner in each join."""
    owners, closed = kernels(case)
    row, position = spread(queues)
    before, after = owners(queues[row], consumers[row], position)
    moves = after != before + (before >= place[row])
    starts = np.cumsum(queues) - queues
    moved = np.add.reduceat(moves, starts, dtype=np.int64) if len(queues) else np.zeros(0, dtype=np.int64)
    exactly, bound = (np.broadcast_to(twice, moved.shape) // 2 for twice in closed(queues, consumers, place))
    digests = [
        _digest(join, moves[start : start + join[1]])
        for start, *join in zip(*(column.tolist() for column in (starts, consumers, queues, place)), strict=True)
    ]
    return Counted(consumers, queues, place, moved, exactly, bound, np.array(digests, dtype=np.int64))


@cache
def kernels(case: Case) -> tuple[Kernel, Kernel]:
    """Return two functions on arrays: owners before and after the join; both closed forms.

    The first takes (q, c, p), where p is a queue's position. The second takes (q, c, j), where j is the joiner's index;
    its results are doubled.
    """
    q, c, j, p = smt.Ints("q c j p")
    owner = case.strategy.encoding.owner
    owners = compile_kernel(("q", "c", "p"), owner(q, c, p), owner(q, c + 1, p))
    return owners, compile_kernel(("q", "c", "j"), case.exactly(q, c, j), case.bound(q, c))


def _digest(join: list[int], moves: np.ndarray) -> int:
    text = " ".join(map(str, join)).encode() + moves.tobytes()
    return int.from_bytes(blake2b(text, digest_size=8).digest(), "big", signed=True)
