"""Self-tests of comparing terms for a whole table with the code on each queue alone.

Each test has one wrong number in a table.
"""

from collections.abc import Sequence
from functools import partial

import numpy as np

from rebalance_proofs.evidence.self_tests.calls import LETTERS
from rebalance_proofs.evidence.self_tests.compared import said_of
from rebalance_proofs.evidence.self_tests.trial import Trial
from rebalance_proofs.model.terms.kernel import Kernel
from rebalance_proofs.model.transition.client import PUSH
from rebalance_proofs.model.transition.clients import NODE
from rebalance_proofs.spark_enum.transition.columns import alphabet, step_kernel
from rebalance_proofs.spark_enum.transition.tables import Tables


class _Flipped(Tables):
    """Tables of states and effects, in which one column of the last table is wrong."""

    column: int

    @property
    def _kernel(self) -> Kernel:
        right, column = super()._kernel, self.column

        def kernel(*arguments: np.ndarray) -> tuple[np.ndarray, ...]:
            shape = np.broadcast_shapes(*(np.shape(argument) for argument in arguments))
            found = list(right(*arguments))
            wrong = np.array(np.broadcast_to(found[column], shape))
            last = wrong.reshape(-1)[-1:]
            last[:] = ~last  # changed as a Boolean and as a number
            found[column] = wrong
            return tuple(found)

        return kernel


def _flipped(letters: Sequence[int], column: int) -> Tables:
    tables = _Flipped(NODE, PUSH, tuple(letters), 2)
    tables.__dict__["column"] = column
    return tables


def trials() -> list[Trial]:
    """Return a self-test for each type of compared value.

    These are whether an exception is thrown, and a Boolean and a number of each queue.
    """
    letters = alphabet(NODE, PUSH).at_most(LETTERS)
    layout, _ = step_kernel(NODE)
    width = len(layout.columns)
    columns = {
        "an exception is wrong": 0,
        "an effect of the first queue is wrong": 1,
        "the last column of the first queue is wrong": width,
        "an effect of the second queue is wrong": 1 + width,
        "the second queue's offset in memory is wrong": 1 + width + layout.rest,
    }
    right = partial(said_of, Tables(NODE, PUSH, letters, 2).check())
    return [
        Trial(f"tables: {name}", right, partial(said_of, _flipped(letters, column).check()))
        for name, column in columns.items()
    ]
