"""Figures and tables from the Markdown rows that the explorer's benchmarks print."""

from collections.abc import Sequence

from benchmarks.history import Measured, Table


def cells(line: str) -> list[str]:
    """The cells of a row of a Markdown table."""
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def figure(line: str) -> Measured:
    """The figure of a row with subject, goal and measurement; ": met" or ": not met" follows a goal that was judged."""
    what, target, said = cells(line)
    goal, _, judged = target.partition(": ")
    measured, _, detail = said.partition("; ")
    return Measured(what, measured, goal, judged.startswith("met") if judged else None, detail)


def table(title: str, note: str, lines: Sequence[str]) -> Table:
    """The table of Markdown lines; other lines are added to the note."""
    rows = [cells(line) for line in lines if line.startswith("|")]
    more = [line for line in lines if line and not line.startswith("|")]
    return Table(title, " ".join([note, *more]), rows[0], rows[2:])
