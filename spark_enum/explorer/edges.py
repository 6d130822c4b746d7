"""The transitions between explored states, move by move."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from rebalance_proofs.spark_enum.explorer.model import Changed
from rebalance_proofs.spark_enum.explorer.product import Product, States


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
