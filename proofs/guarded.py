"""An action's terms as NumPy functions: whether it is possible is asked of every state, and what comes of it only where
it is."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import z3

from rebalance_proofs.model.terms.kernel import Kernel, compile_kernel
from rebalance_proofs.proofs.rows import Rows, picked

__all__ = ["Guarded", "compile_guarded"]


@dataclass(frozen=True)
class Guarded:
    """Two kernels of the same unknowns."""

    can: Kernel
    """Whether it is possible."""
    after: Kernel
    """What is so then."""

    def __call__(self, *given: Any) -> tuple[np.ndarray, ...]:
        """Both, of every state: it is a kernel itself."""
        return (*self.can(*given), *self.after(*given))

    def of(self, rows: Rows, given: Callable[[Rows], Sequence[Any]]) -> tuple[Rows, list[np.ndarray], np.ndarray]:
        """A copy of the rows in which it is possible; by column what is so then; and the places of these rows.

        ``given`` has what kernels take, of some rows.
        """
        (can,) = self.can(*given(rows))
        possible = np.flatnonzero(np.broadcast_to(can, len(rows)))
        before = picked(rows, possible)
        after = self.after(*given(before))
        return before.copy(order="F"), [np.broadcast_to(column, len(possible)) for column in after], possible


def compile_guarded(names: Sequence[str], can: z3.BoolRef, *after: z3.ExprRef) -> Guarded:
    """Compiles them over the integer unknowns ``names``. Raises as ``compile_kernel`` does."""
    return Guarded(compile_kernel(names, can), compile_kernel(names, *after))
