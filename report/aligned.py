"""Align the cells of a text table in columns, for a terminal."""

from collections.abc import Iterator, Sequence

from rebalance_proofs.report.cells import padded, width


def aligned(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield one line of text for each row; all rows have the same number of cells."""
    widths = [max(map(width, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  ".join(padded(cell, cells) for cell, cells in zip(row, widths, strict=True)).rstrip()
