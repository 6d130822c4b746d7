"""An action's terms compiled to NumPy: its guard is evaluated in every state, its effect only where the guard holds."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rebalance_proofs.model.terms.kernel import Kernel
from rebalance_proofs.proofs.rows import Rows, picked

__all__ = ["Guarded"]


@dataclass(frozen=True)
class Guarded:
    """The guard and the effect of one action: two kernels of the same unknowns."""

    guard: Kernel
    """The guard: whether the action is possible."""
    after: Kernel
    """The successor state, one column a term."""

    def __call__(self, *given: Any) -> tuple[np.ndarray, ...]:
        """Evaluate both kernels in every state, so that the pair can be used as one kernel."""
        return (*self.guard(*given), *self.after(*given))

    def of(self, rows: Rows, given: Callable[[Rows], Sequence[Any]]) -> tuple[Rows, list[np.ndarray], np.ndarray]:
        """Apply the action where it is possible: those rows (a copy), their successors' columns, and their indexes.

        ``given(rows)`` gives the arguments of the kernels for some rows.
        """
        (can,) = self.guard(*given(rows))
        possible = np.flatnonzero(np.broadcast_to(can, len(rows)))
        before = picked(rows, possible)
        after = self.after(*given(before))
        return before.copy(order="F"), [np.broadcast_to(column, len(possible)) for column in after], possible
