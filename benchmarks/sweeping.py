"""The cost of enumeration by the bound N: every q, c <= N and every index, by each of three ways."""

from collections.abc import Callable

import numpy as np

from rebalance_proofs.model.allocation import STRATEGIES, Strategy
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.kernel import compile_kernel
from rebalance_proofs.model.worlds.groups import AGREED
from rebalance_proofs.proofs.allocation import search
from rebalance_proofs.proofs.allocation.disjoint import DISJOINT
from rebalance_proofs.proofs.solvers import SOLVERS
from rebalance_proofs.spark_enum.allocation.group_check import spread
from rebalance_proofs.spark_enum.allocation.space import Space

AVG = STRATEGIES[0]


def results(bound: int) -> int:
    """The number of results up to the bound, in closed form."""
    return bound * bound * (bound + 1) // 2


def compiled(bound: int, strategy: Strategy = AVG) -> Callable[[], np.ndarray]:
    """All results by the compiled kernel; its arguments are prepared outside the measured function."""
    q, c, i, k = smt.Ints("q c i k")
    count = compile_kernel(("q", "c", "i"), strategy.encoding.count(q, c, i))
    element = compile_kernel(("q", "c", "i", "k"), strategy.encoding.element(q, c, i, k))
    per_queue = np.arange(1, bound + 1, dtype=np.int32)
    _, index = spread(per_queue)
    consumers = np.tile(np.repeat(per_queue, per_queue), bound)
    indexes = np.tile(index.astype(np.int32), bound)
    queues = np.repeat(per_queue, len(index))

    def run() -> np.ndarray:
        (sizes,) = count(queues, consumers, indexes)
        row, place = spread(sizes)
        (positions,) = element(queues[row], consumers[row], indexes[row], place.astype(np.int32))
        return positions

    if len(queues) != results(bound):
        raise RuntimeError("the arguments do not match the closed form")
    return run


def concrete(bound: int, strategy: Strategy = AVG) -> Callable[[], None]:
    """All results by the concrete implementation, on one core."""
    groups = [AGREED.group((strategy,), found.consumers, found.queues, ()) for found in Space(AGREED, bound, bound)]

    def run() -> None:
        for group in groups:
            group.allocate()

    return run


def solver(bound: int, strategy: Strategy = AVG) -> Callable[[], None]:
    """Z3's answers about disjointness at every size, on one core."""

    def run() -> None:
        for n in range(1, bound + 1):
            group = AGREED.symbolic((strategy.encoding,), n)
            text = search.violation_at("benchmark", DISJOINT, AGREED, group)
            for q in range(1, bound + 1):
                SOLVERS["z3"].solve(search.at(text, q))

    return run
