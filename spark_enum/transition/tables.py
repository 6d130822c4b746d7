"""Comparison of the compiled formulas for several queues with client code for each queue.

It uses Python and NumPy, without Spark.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from types import SimpleNamespace
from typing import ClassVar

import numpy as np

from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.kernel import Kernel, compile_kernel
from rebalance_proofs.model.transition.client import Client, Mode
from rebalance_proofs.model.transition.variables import name_of
from rebalance_proofs.model.transition.view import table_of
from rebalance_proofs.spark_enum.check import Keep, added, mix
from rebalance_proofs.spark_enum.results import Totals, Wrong
from rebalance_proofs.spark_enum.transition.columns import (
    OTHERS,
    QUIET,
    asks_again,
    became_words,
    columns_of,
    consumer_words,
    effects_words,
    queue_words,
    step_kernel,
    told,
)
from rebalance_proofs.spark_enum.transition.laboratory import (
    Laboratory,
    flags,
    flags_table,
    seen_by_code,
    seen_by_terms,
)
from rebalance_proofs.spark_enum.transition.space import FIXED, LETTER, NAMES, TABLES, Cases, of_mode

# Packing of rows with many columns into few numbers, for fast comparison.
# Two rows are equal exactly if their numbers are, for values that occur in the given rows.

WORD = 2**62
"""Upper limit of a packed number."""


class Packing:
    """Packing for the values that occur in given rows.

    All other values of a column are packed into the same number.
    """

    def __init__(self, known: Sequence[np.ndarray]) -> None:
        self._tables = [_table(column) for column in known]
        self._words: list[list[tuple[int, int]]] = [[]]
        factor = 1
        for place, (_, _, radix) in enumerate(self._tables):
            if factor * radix >= WORD:
                self._words.append([])
                factor = 1
            self._words[-1].append((place, factor))
            factor *= radix

    @property
    def words(self) -> int:
        """Number of packed numbers per row."""
        return len(self._words)

    def pack(self, columns: Sequence[np.ndarray]) -> list[np.ndarray]:
        """Return the packed numbers for columns of any shapes that broadcast.

        Intermediate arrays stay as small as possible.
        """
        return [self._pack(columns, word) for word in self._words]

    def _pack(self, columns: Sequence[np.ndarray], word: list[tuple[int, int]]) -> np.ndarray:
        result: np.ndarray = np.zeros((), dtype=np.int64)
        for place, factor in sorted(word, key=lambda part: np.size(columns[part[0]])):
            lowest, table, _ = self._tables[place]
            digits = np.asarray(columns[place])
            if table is not None:
                digits = table.take(digits - lowest, mode="clip")
            result = result + digits * np.int64(factor)
        return result


def _table(known: np.ndarray) -> tuple[int, np.ndarray | None, int]:
    """Return the table's lowest value, the table from values to digits, and the number of digits.

    Boolean columns have no table.
    """
    if known.dtype == np.bool_:
        return 0, None, 2
    values = np.unique(known)
    lowest = int(values[0]) - 1
    table = np.full(int(values[-1]) - lowest + 2, len(values), dtype=np.int64)
    table[values - lowest] = np.arange(len(values))
    return lowest, table, len(values) + 1


AT_ONCE = 2**15
"""Number of tables that one call of the compiled formulas computes."""

UNKNOWN = -1
"""Placeholder for a result if the formulas and the client code differ for a single queue."""


@dataclass(frozen=True)
class Tables(Cases):
    """All tables of ``queues`` process queues, each in one of the representative cases (letters)."""

    client: Client
    mode: Mode
    letters: tuple[int, ...]
    """The representative cases of a queue, as codes of ``space.of_mode``."""
    queues: int
    """Number of queues in each table: 2 or 3."""

    kind: ClassVar[str] = TABLES

    @property
    def size(self) -> int:
        size: int = len(self.letters) ** self.queues
        return size

    @property
    def step(self) -> int:
        """Number of tables in a piece of work.

        A piece has all tables for one or several letters of the first queue.
        """
        others: int = len(self.letters) ** (self.queues - 1)
        return max(1, min(len(self.letters), AT_ONCE // others)) * others

    def compare(self, begin: int, end: int, keep: Keep | None = None) -> Totals:
        """Compute these tables by the formulas, and compare them with the client code.

        The range consists of whole pieces of work, except the last one.
        """
        letters = self._axes(begin, end)
        gone, found = self._terms(letters)
        totals = Totals(counted=end - begin)
        mixed = np.arange(begin, end, dtype=np.uint64).reshape([np.size(axis) for axis in letters])
        phases = sum(self._alone.phases[axis] * 3**place for place, axis in enumerate(letters))
        *thrown, leaves = (column[phases] for column in flags_table(self.queues).T)
        wrong = np.asarray(gone) != (leaves != QUIET)
        for axis, others, columns in zip(letters, thrown, found, strict=True):
            for said, known in zip(self._alone.packing.pack(columns), self._alone.packed, strict=True):
                expected = known[others, axis]
                wrong = wrong | (said != expected)
                mixed = mix(mixed + expected.astype(np.uint64))
        totals.adds(added(mixed))
        wrong = np.broadcast_to(wrong, mixed.shape)
        differs: dict[int, str] = {}
        for number in np.flatnonzero(wrong)[: None if keep else 1].tolist():
            differs[number] = self._said(np.unravel_index(number, wrong.shape), letters, found, mixed.shape)
        if differs:
            number, sentence = next(iter(differs.items()))
            totals.differing, totals.first = int(wrong.sum()), Wrong((begin + number,), (), sentence)
        if keep:
            used = np.broadcast_arrays(*(np.array(self.letters)[axis] for axis in letters))
            digits = np.stack([column.reshape(-1) for column in used], axis=1)
            self.add(keep, differs, digits=digits, digest=mixed.reshape(-1))
        return totals

    def _axes(self, begin: int, end: int) -> list[np.ndarray]:
        """Return the letters of each queue, as arrays that broadcast to all tables."""
        count = len(self.letters)
        others = count ** (self.queues - 1)
        ranges = [np.arange(begin // others, end // others), *[np.arange(count)] * (self.queues - 1)]
        return list(np.ix_(*ranges))

    def _terms(self, letters: Sequence[np.ndarray]) -> tuple[np.ndarray, list[tuple[np.ndarray, ...]]]:
        """Compute by the formulas whether an exception leaves the method, and every queue's columns."""
        numbers = self._alone.columns
        fixed = [int(numbers[name][0]) for name in FIXED]
        gone, *found = self._kernel(*fixed, *(numbers[name][axis] for axis in letters for name in LETTER))
        width = len(self._alone.layout.columns)
        return gone, [tuple(found[width * place : width * (place + 1)]) for place in range(self.queues)]

    @cached_property
    def _kernel(self) -> Kernel:
        return table_kernel(self.client, self.queues)

    @cached_property
    def _alone(self) -> "_Known":
        return _Known(self.client, self.mode, self.letters)

    def _said(
        self,
        place: Sequence[int],
        letters: Sequence[np.ndarray],
        found: Sequence[Sequence[np.ndarray]],
        shape: Sequence[int],
    ) -> str:
        """Return a sentence about one table: the formulas' result, and the code's effects."""
        alone = [self._alone.letters[int(np.broadcast_to(axis, shape)[tuple(place)])] for axis in letters]
        *thrown, leaves = flags([letter.phase for letter in alone], range(self.queues))
        terms, code = [], []
        for letter, others, columns in zip(alone, thrown, found, strict=True):
            row = [int(np.broadcast_to(column, shape)[tuple(place)]) for column in columns]
            outcome = self._alone.layout.outcome(row, letter.queue)
            terms.append(f"{effects_words(outcome.effects)}; {became_words(outcome.became)}")
            code.append(f"{effects_words(told(letter.effects(others)))}; {became_words(letter.became[others])}")
        queues = " | ".join(queue_words(letter.numbers) for letter in alone)
        said = f"code: {' | '.join(code)}. Terms: {' | '.join(terms)}"
        return f"{consumer_words(alone[0].numbers)}: {queues}: {said}{'' if leaves == QUIET else '; one throws'}"


class _Known:
    """The effect of the client code on a single queue in each letter, as packed rows of columns."""

    def __init__(self, client: Client, mode: Mode, letters: Sequence[int]) -> None:
        self._asks = bool(asks_again(client))
        laboratory = Laboratory(client, mode)
        cases = of_mode(client, mode).cases(letters)
        self.letters = [laboratory.alone(numbers) for numbers in cases]
        self.phases = np.array([letter.phase for letter in self.letters])
        self.columns = {name: np.array([numbers[name] for numbers in cases]) for name in NAMES}
        self.layout, kernel = step_kernel(client)
        arguments = [self.columns[name] for name in NAMES]
        found = [kernel(*arguments, *thrown) for thrown in OTHERS]
        rows = [[np.broadcast_to(column, len(cases)) for column in columns] for columns in found]
        by_column = [np.stack(columns) for columns in zip(*rows, strict=True)]
        self.packing = Packing(by_column)
        same = np.array([[self._same(rows[o], place, o) for place in range(len(cases))] for o in range(len(OTHERS))])
        same[[o for o in range(len(OTHERS)) if o not in laboratory.others]] = False
        self.packed = [np.where(same, word, UNKNOWN) for word in self.packing.pack(by_column)]
        """Packed results: one row per element of ``OTHERS``, one column per letter.

        ``UNKNOWN`` if formulas and code differ, or if such exceptions cannot occur.
        """

    def _same(self, columns: Sequence[np.ndarray], place: int, others: int) -> bool:
        letter = self.letters[place]
        said = self.layout.outcome([int(column[place]) for column in columns], letter.queue)
        return seen_by_terms(said, others, self._asks) == seen_by_code(letter, others, self._asks)


@cache
def table_kernel(client: Client, queues: int) -> Kernel:
    """Return the compiled formulas for a table of ``queues`` queues.

    The arguments are the variables ``FIXED``, and ``LETTER`` for every queue. The results are whether an exception
    leaves the method, and every queue's columns.
    """
    names = [*FIXED, *(name_of(name, queue) for queue in range(queues) for name in LETTER)]
    v = SimpleNamespace(**{name: smt.Int(name) for name in names})
    table = table_of(client.encoding, v, queues, 1)
    terms = [columns_of(view.steps[0], view.before)[1] for view in table.views]
    return compile_kernel(names, table.thrown[0], *(term for columns in terms for term in columns))
