"""Find a shortest trace to a state, backwards from level to level."""

from dataclasses import dataclass

import numpy as np

from rebalance_proofs.spark_enum.explorer.model import Move
from rebalance_proofs.spark_enum.explorer.product import Product
from rebalance_proofs.spark_enum.explorer.store import Store


@dataclass(frozen=True)
class Step:
    """One step of a trace: a state of the group, and the move that led to it."""

    move: Move | None
    """The move; None for the first state."""
    state: int


def trace(product: Product, store: Store, level: int, state: int) -> list[Step]:
    """Return the steps from the initial state to ``state``, which is in level ``level``.

    Among equally short traces, return the one with the smallest states, chosen from the end on. Raises ``LookupError``
    if the stored levels do not lead to the state.
    """
    steps: list[Step] = []
    while level:
        level -= 1
        before = _before(product, store, level, state)
        move = next(move for move, after in product.following(before) if after == state)
        steps.append(Step(move, state))
        state = before
    return [Step(None, state), *reversed(steps)]


def _before(product: Product, store: Store, level: int, state: int) -> int:
    found = []
    for part in store.expanding(level):
        states = store.order.states(store.level(level, part))
        for begin in range(0, len(states), store.piece):
            found += _leading(product, states[begin : begin + store.piece], state)
    if not found:
        raise LookupError(f"no state in level {level} leads to the state {state}")
    return min(found)


def _leading(product: Product, states: np.ndarray, state: int) -> list[int]:
    """Return those of the ``states`` that have ``state`` as a successor.

    The states are halved until few are left, which are then tested one by one.
    """
    if len(states) <= FEW:
        return [one for one in states.tolist() if any(after == state for _, after in product.following(one))]
    if not any((after == state).any() for after in product.successors(states)):
        return []
    half = len(states) // 2
    return _leading(product, states[:half], state) + _leading(product, states[half:], state)


FEW = 4
