"""Bars and marks at the width of a picture: what is narrower than a cell is merged into cells."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from rebalance_proofs.report.audit.timeline import Bar, Mark

IN_TURN = -1
"""Owner of a cell in which several consumers own the queue in turn, none for most of the time."""


def coarse(bars: Iterable[Bar], begin: int, step: float) -> Iterator[Bar]:
    """Yield wide bars as they are, and narrow ones as cells of ``step`` ms with the main owner of each cell."""
    cells: dict[int, dict[int, int]] = {}
    for bar in bars:
        if bar.end - bar.begin >= step:
            yield bar
        else:
            cell = cells.setdefault(int((bar.begin - begin) // step), {})
            cell[bar.owner] = cell.get(bar.owner, 0) + max(1, bar.end - bar.begin)
    run: Bar | None = None
    for place in sorted(cells):
        shares = cells[place]
        owner = max(shares, key=lambda one: (shares[one], -one))
        if 2 * shares[owner] <= sum(shares.values()):
            owner = IN_TURN
        at, until = int(begin + place * step), int(begin + (place + 1) * step)
        if run and run.owner == owner and run.end == at:
            run = replace(run, end=until)
            continue
        if run:
            yield run
        run = Bar(owner, at, until)
    if run:
        yield run


def merged(marks: Iterable[Mark], step: float) -> Iterator[tuple[Mark, int]]:
    """Yield (mark, number of marks in it) of marks in order; marks closer than ``step`` ms are one."""
    run: Mark | None = None
    number = 0
    for mark in marks:
        if run and mark.what is run.what and mark.begin - run.end < step:
            run, number = replace(run, end=max(run.end, mark.end)), number + 1
            continue
        if run:
            yield run, number
        run, number = mark, 1
    if run:
        yield run, number


def binned(marks: Sequence[Mark], begin: int, step: float) -> Iterator[tuple[int, int, int]]:
    """Yield (begin, end, number of findings): one finding with its own times, several in one bin with the bin's."""
    bins: dict[int, list[Mark]] = {}
    for mark in marks:
        bins.setdefault(int((mark.begin - begin) // step), []).append(mark)
    for place, own in bins.items():
        if len(own) == 1:
            yield own[0].begin, own[0].end, 1
        else:
            yield int(begin + place * step), max(int(begin + (place + 1) * step), *(one.end for one in own)), len(own)
