"""A queue's pull requests as rows of small numbers; what can happen is the terms, compiled."""

from functools import cache

import numpy as np

from rebalance_proofs.model.pulls.actions import Act, PullsEncoding
from rebalance_proofs.model.terms.kernel import Kernel, compile_kernel
from rebalance_proofs.proofs.happens import Happens
from rebalance_proofs.proofs.pulls.compiled import compiled
from rebalance_proofs.proofs.pulls.guarantees import Bad
from rebalance_proofs.proofs.pulls.troubles import Troubles
from rebalance_proofs.proofs.pulls.variables import FLAGS, NAMES, OWN, SAID, state_of, unknowns
from rebalance_proofs.proofs.rows import numbered

__all__ = ["Reach", "packed"]

MOST = 2
"""More of a kind are counted as so many; and a pull is too long ago when it is so long ago."""
Rows = np.ndarray
"""One state a row."""


@cache
def _kernel(act: Act, name: str, encoding: PullsEncoding, world: Troubles) -> Kernel:
    return compiled(act, lambda state, said: world.allows(encoding, name, state, said))


@cache
def _bad(bad: Bad) -> Kernel:
    return compile_kernel(NAMES, bad(state_of(unknowns())))


class Reach:
    """What a consumer can come to."""

    fixed = dict.fromkeys(SAID, 0) | {"limit": MOST - 1, "span": MOST}

    def __init__(self, encoding: PullsEncoding, world: Troubles) -> None:
        self._encoding, self._world = encoding, world

    def start(self) -> Rows:
        """It has nothing to do with the queue: one row."""
        return np.zeros((1, len(OWN)), dtype=np.int8)

    def after(self, rows: Rows, happens: Happens) -> tuple[Rows, Rows]:
        """The states afterwards, where that is possible, and the places of the rows that they come from."""
        columns = self._columns(rows) | {name: int(value) for name, value in happens.said}
        kernel = _kernel(getattr(self._encoding, happens.action), happens.action, self._encoding, self._world)
        can, *after = kernel(*(columns[name] for name in NAMES))
        possible = np.flatnonzero(np.broadcast_to(can, len(rows)))
        found = [np.clip(np.broadcast_to(column, len(rows))[possible], 0, MOST) for column in after]
        return np.column_stack(found).astype(np.int8), possible

    def bad(self, rows: Rows, bad: Bad) -> Rows:
        """By row, whether it is so."""
        columns = self._columns(rows)
        return np.broadcast_to(_bad(bad)(*(columns[name] for name in NAMES))[0], len(rows)).astype(bool)

    def _columns(self, rows: Rows) -> dict[str, Rows | int]:
        return dict(zip(OWN, rows.T, strict=True)) | self.fixed


def _weights() -> Rows:
    """What each column counts in a row's number."""
    sizes = [2 if name in FLAGS else MOST + 1 for name in OWN]
    return np.cumprod([1, *sizes[:-1]], dtype=np.int64)


WEIGHTS = _weights()


def packed(rows: Rows) -> Rows:
    """Each row as one number."""
    return numbered(rows, WEIGHTS)
