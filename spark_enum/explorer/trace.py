"""Find a shortest trace to a state, backwards from level to level."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from rebalance_proofs.spark_enum.explorer.model import Changed, Move
from rebalance_proofs.spark_enum.explorer.product import Product, States
from rebalance_proofs.spark_enum.explorer.store import Store

# The transitions between explored states, move by move.


@dataclass(frozen=True)
class _Move:
    """One move: by state of the members, their successor (or -1), and each queue's table."""

    members: np.ndarray
    letters: np.ndarray
    tables: np.ndarray
    """``tables[t][state of a queue]``: the successor's number, or -1. Table 0 changes nothing."""


class Edges:
    """All transitions of a group, computed for each move separately."""

    def __init__(self, product: Product) -> None:
        self._product = product
        self._moves = [self._move(turns) for turns in product.members.after]

    def of(self, states: States) -> Iterator[tuple[int, np.ndarray, States]]:
        """Yield each move's number, the indexes of states in which it is possible, and successors."""
        product = self._product
        members, queues = product.parts(states)
        for number, move in enumerate(self._moves):
            then = move.members[members]
            can = np.flatnonzero(then >= 0)
            after, possible = then[can], np.ones(len(can), dtype=bool)
            for letters, numbers, stride in zip(move.letters, queues, product.numbering.strides, strict=True):
                one = move.tables[letters[members[can]], numbers[can]]
                possible &= one >= 0
                after += one * stride
            yield number, can[possible], after[possible]

    def _move(self, turns: Sequence[tuple[int, Changed] | None]) -> _Move:
        after = self._product.queue.after
        names = sorted({letter for turn in turns if turn for letter in turn[1].letters if letter})
        place = {None: 0} | {name: number for number, name in enumerate(names, 1)}
        same = np.arange(len(self._product.queue.rows))
        return _Move(
            np.array([turn[0] if turn else -1 for turn in turns], dtype=np.int64),
            np.array(
                [
                    [place[turn[1].letters[queue]] if turn else 0 for turn in turns]
                    for queue in range(self._product.model.queues)
                ]
            ),
            np.stack([same, *(after[name] for name in names)]).astype(np.int64),
        )


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
