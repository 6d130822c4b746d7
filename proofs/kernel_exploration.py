"""Exploration with compiled terms, of states made of the time and the fields of one record."""

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
    """An exploration whose rows hold the time and the record's fields.

    Kernels are called with these columns, with constants, and with the choices of the action.
    """

    columns: Sequence[str]
    """Names of the columns of a row; the first is the time."""
    names: Sequence[str]
    """Names of the arguments that every kernel takes, in this order."""
    fixed: Mapping[str, int]
    """Constants of the whole exploration, by name."""

    @abstractmethod
    def waiting(self) -> Kernel:
        """Kernel that tells whether one tick of time can pass."""

    @abstractmethod
    def wrong(self) -> Kernel:
        """Kernel that tells whether a state is a target state."""

    def told(self, said: Mapping[str, bool], rows: Rows) -> Mapping[str, Any]:
        """Kernel arguments for the action's nondeterministic choices, by name."""
        return {name: int(value) for name, value in said.items()}

    def waits(self, rows: Rows) -> Rows:
        return self.flag(self.waiting(), rows)

    def later(self, rows: Rows) -> Rows:
        changed = rows.copy(order="K")
        changed[:, 0] += 1
        return changed

    def turned(self, action: Guarded, rows: Rows, happens: Happens) -> tuple[Rows, Rows]:
        """The successors where the action is possible, and the indexes of the rows that they come from."""
        said = dict(happens.said)
        changed, after, possible = action.of(rows, lambda rows: self._given(rows, said))
        for place, column in enumerate(after, start=1):
            changed[:, place] = column
        return changed, possible

    def flag(self, kernel: Kernel, rows: Rows, said: Mapping[str, bool] | None = None) -> Rows:
        """One truth value a row: the result of the kernel."""
        return np.broadcast_to(self._computed(kernel, rows, said or {})[0], len(rows)).astype(bool)

    def first_wrong(self, rows: Rows) -> int | None:
        """The index of the first target state among the rows; None if there is none."""
        wrong = np.flatnonzero(self.flag(self.wrong(), rows))
        return int(wrong[0]) if len(wrong) else None

    def _computed(self, kernel: Kernel, rows: Rows, said: Mapping[str, bool]) -> list[Rows]:
        return list(kernel(*self._given(rows, said)))

    def _given(self, rows: Rows, said: Mapping[str, bool]) -> list[Any]:
        given = {**dict(zip(self.columns, rows.T, strict=True)), **self.fixed, **self.told(said, rows)}
        return [given[name] for name in self.names]
