"""Packing of rows with many columns into few numbers, for fast comparison.

Two rows are equal exactly if their numbers are, for values that occur in the given rows.
"""

from collections.abc import Sequence

import numpy as np

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
