"""Align the cells of a text table in columns, for a terminal."""

from collections.abc import Iterator, Sequence

__all__ = ["aligned"]


def aligned(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield one line of text for each row; all rows have the same number of cells."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
