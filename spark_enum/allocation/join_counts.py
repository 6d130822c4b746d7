"""The number of queues that change owner in each of many joins, counted queue by queue.

Plain NumPy, no Spark. The owners are the strategies' compiled terms; so are the closed forms with which the counts are
compared.
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
    """A strategy with its claims' closed forms of movement.

    They are terms for twice the number of queues that change owner.
    """

    strategy: Strategy
    exactly: Callable[[Term, Term, Term], Term]
    """The exact number, over q, the number of consumers before the join, and the joiner's index."""
    bound: Callable[[Term, Term], Term]
    """The largest number at any index, over q and the number of consumers before the join."""


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
    """The counts for a batch of joins; one array entry for each."""

    consumers: np.ndarray
    """Consumers before the join."""
    queues: np.ndarray
    place: np.ndarray
    """The joiner's index among all consumers after the join."""
    moved: np.ndarray
    """The counted number of queues that change owner."""
    exactly: np.ndarray
    """The number by the closed form."""
    bound: np.ndarray
    digest: np.ndarray
    """A digest of the join and of the queues that change owner; signed 64 bits."""


def joins(max_consumers: int, max_queues: int) -> int:
    """Return the number of joins up to the given numbers of consumers and queues.

    There are c + 1 indexes for each c up to ``max_consumers`` and each q up to ``max_queues``.
    """
    return max_queues * max_consumers * (max_consumers + 3) // 2


def joins_of(consumers: int, max_queues: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return consumers, queues and index of every join with ``consumers`` before it.

    Fewest queues first.
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
    """Return kernels of the owners before and after the join, and of the closed forms.

    The closed form and the bound are both doubled. The first are over (q, c, p), the others over (q, c, j).
    """
    q, c, j, p = smt.Ints("q c j p")
    owner = case.strategy.encoding.owner
    owners = compile_kernel(("q", "c", "p"), owner(q, c, p), owner(q, c + 1, p))
    return owners, compile_kernel(("q", "c", "j"), case.exactly(q, c, j), case.bound(q, c))


def _digest(join: list[int], moves: np.ndarray) -> int:
    text = " ".join(map(str, join)).encode() + moves.tobytes()
    return int.from_bytes(blake2b(text, digest_size=8).digest(), "big", signed=True)
