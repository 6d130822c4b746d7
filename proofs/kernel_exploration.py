"""Exploration by compiled terms: of states that are the time and one record's fields."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from rebalance_proofs.model.terms.kernel import Kernel
from rebalance_proofs.proofs.guarded import Guarded
from rebalance_proofs.proofs.happens import Happens
from rebalance_proofs.proofs.timed_exploration import Rows, TimedExploration

__all__ = ["KernelExploration"]


class KernelExploration(TimedExploration):
    """A row is the time, and the fields: kernels are given these, and what else their terms speak of."""

    columns: Sequence[str]
    """Of a row, the time first."""
    names: Sequence[str]
    """Of what every kernel is given, in its order."""
    fixed: Mapping[str, int]
    """What is the same in all of it."""

    @abstractmethod
    def waiting(self) -> Kernel:
        """Whether a tick can pass."""

    @abstractmethod
    def wrong(self) -> Kernel:
        """Whether it is what is looked for."""

    def told(self, said: Mapping[str, bool], rows: Rows) -> Mapping[str, Any]:
        """What kernels are given of what an action leaves open."""
        return {name: int(value) for name, value in said.items()}

    def waits(self, rows: Rows) -> Rows:
        return self.flag(self.waiting(), rows)

    def later(self, rows: Rows) -> Rows:
        changed = rows.copy(order="K")
        changed[:, 0] += 1
        return changed

    def turned(self, action: Guarded, rows: Rows, happens: Happens) -> tuple[Rows, Rows]:
        """What an action comes to where it is possible, and the places of the rows that this comes from."""
        said = dict(happens.said)
        changed, after, possible = action.of(rows, lambda rows: self._given(rows, said))
        for place, column in enumerate(after, start=1):
            changed[:, place] = column
        return changed, possible

    def flag(self, kernel: Kernel, rows: Rows, said: Mapping[str, bool] | None = None) -> Rows:
        """By row, whether it is so."""
        return np.broadcast_to(self._computed(kernel, rows, said or {})[0], len(rows)).astype(bool)

    def first_wrong(self, rows: Rows) -> int | None:
        """The first row that is what is looked for; None where none is."""
        wrong = np.flatnonzero(self.flag(self.wrong(), rows))
        return int(wrong[0]) if len(wrong) else None

    def _computed(self, kernel: Kernel, rows: Rows, said: Mapping[str, bool]) -> list[Rows]:
        return list(kernel(*self._given(rows, said)))

    def _given(self, rows: Rows, said: Mapping[str, bool]) -> list[Any]:
        given = {**dict(zip(self.columns, rows.T, strict=True)), **self.fixed, **self.told(said, rows)}
        return [given[name] for name in self.names]
