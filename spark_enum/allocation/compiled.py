"""Comparison of the concrete results of strategies with their compiled formulas."""

from functools import cache

import numpy as np

from rebalance_proofs.model.allocation import Strategy
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.kernel import Kernel, compile_kernel


class Rows:
    """Concrete results of single consumers, which are compared with the formulas in one call."""

    def __init__(self) -> None:
        self._views: list[tuple[int, int, int, int]] = []
        self._listed: list[list[int]] = []

    def add(self, place: int, q: int, c: int, index: int, listed: list[int]) -> None:
        """Add the result of one consumer: it got the queue positions ``listed``.

        ``place`` is the number of its group. The consumer sees ``q`` queues and ``c`` consumers, and has the position
        ``index`` among them.
        """
        self._views.append((place, q, c, index))
        self._listed.append(listed)

    def compare(self, strategy: Strategy, compared: np.ndarray, mismatches: dict[int, str]) -> None:
        """Compare the collected results with the strategy's formulas.

        For each group, the number of compared positions is added to ``compared``, and a sentence about the first
        difference is added to ``mismatches``. Both are indexed by the group's number.
        """
        if not self._views:
            return
        owns, list_ = encoding_kernels(strategy)
        place, q, c, index = np.array(self._views, dtype=np.int64).T
        row, position = spread(q + 2)
        position -= 1
        expected = np.zeros(len(row), dtype=bool)
        lengths = np.array([len(listed) for listed in self._listed])
        flat = np.array([position for listed in self._listed for position in listed], dtype=np.int64)
        owner_row, k = spread(lengths)
        starts = np.cumsum(q + 2) - (q + 2)
        expected[starts[owner_row] + flat + 1] = True
        (owned,) = owns(q[row], c[row], index[row], position)
        _, element = list_(q[owner_row], c[owner_row], index[owner_row], k)
        wrong = set(row[owned != expected]) | set(owner_row[element != flat])
        counts, _ = list_(q, c, index, np.zeros_like(q))
        wrong |= set(np.flatnonzero(counts != lengths))
        np.add.at(compared, place, q + 2)
        for number in sorted(wrong):
            said = f"{strategy.name} at q = {q[number]}, c = {c[number]}, index {index[number]}"
            mismatches.setdefault(int(place[number]), f"{said}: concrete result {self._listed[number]}")


def spread(lengths: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """For consecutive runs of these lengths, return each item's run number and index in the run."""
    row = np.repeat(np.arange(len(lengths)), lengths)
    ends = np.cumsum(lengths)
    return row, np.arange(len(row)) - np.repeat(ends - lengths, lengths)


@cache
def encoding_kernels(strategy: Strategy) -> tuple[Kernel, Kernel]:
    """Return two functions on arrays, compiled from the strategy's formulas.

    The first computes from (q, c, i, p) whether consumer ``i`` of ``c`` owns position ``p`` of ``q`` queues. The second
    computes from (q, c, i, k) the number of its queues, and its k-th queue.
    """
    q, c, i, p, k = smt.Ints("q c i p k")
    encoding = strategy.encoding
    owns = compile_kernel(("q", "c", "i", "p"), encoding.owns(q, c, i, p))
    return owns, compile_kernel(("q", "c", "i", "k"), encoding.count(q, c, i), encoding.element(q, c, i, k))
