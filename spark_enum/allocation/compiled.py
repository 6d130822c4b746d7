"""Comparison of concrete results with the compiled terms of their encoding."""

from functools import cache

import numpy as np

from rebalance_proofs.model.allocation import Strategy
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.kernel import Kernel, compile_kernel


class Rows:
    """Results of single consumers, collected so that one call of the kernels compares them all."""

    def __init__(self) -> None:
        self._views: list[tuple[int, int, int, int]] = []
        self._listed: list[list[int]] = []

    def add(self, place: int, q: int, c: int, index: int, listed: list[int]) -> None:
        """Add a result: a consumer in group number ``place`` got the positions ``listed``.

        ``q``, ``c`` and ``index`` are the consumer's view.
        """
        self._views.append((place, q, c, index))
        self._listed.append(listed)

    def compare(self, strategy: Strategy, compared: np.ndarray, mismatches: dict[int, str]) -> None:
        """Add the numbers of compared positions to ``compared``, and differences to ``mismatches``.

        Both are indexed by group number.
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
    """Return for each item of concatenated runs its run's number and its index in the run.

    ``lengths`` are the lengths of the runs.
    """
    row = np.repeat(np.arange(len(lengths)), lengths)
    ends = np.cumsum(lengths)
    return row, np.arange(len(row)) - np.repeat(ends - lengths, lengths)


@cache
def encoding_kernels(strategy: Strategy) -> tuple[Kernel, Kernel]:
    """Return kernels of ``owns``, and of ``count`` and ``element``.

    The first is over (q, c, i, p), the second over (q, c, i, k).
    """
    q, c, i, p, k = smt.Ints("q c i p k")
    encoding = strategy.encoding
    owns = compile_kernel(("q", "c", "i", "p"), encoding.owns(q, c, i, p))
    return owns, compile_kernel(("q", "c", "i", "k"), encoding.count(q, c, i), encoding.element(q, c, i, k))
