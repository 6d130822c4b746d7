"""Figure of a counterexample group: queues in columns, a row for each consumer, and each queue's readers below.

Nothing important is shown by colour alone. A queue with two readers has a double frame, one without a reader a dashed
frame, and both have a text. Cells that differ between the two sides of a comparison also have a text. Colours come
from a style sheet, so that the figure adapts to light, dark and print.
"""

from xml.etree.ElementTree import Element

from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.report.allocation import rings
from rebalance_proofs.report.allocation.assignment import Assignment, Row
from rebalance_proofs.report.allocation.caption import at_first, caption, notes, told
from rebalance_proofs.report.allocation.columns import CELL, FITTING, LABEL, Columns, kind_of
from rebalance_proofs.report.allocation.comparison import Comparison, assigned
from rebalance_proofs.report.drawing import LETTER, MARGIN, Sheet, written
from rebalance_proofs.report.english import bracketed, listing
from rebalance_proofs.report.names import label, short_label

NARROW, WIDE = 400, 620
"""Pixels: a figure with running text is at least ``NARROW`` wide.

A ring widens it to at most ``WIDE``.
"""


def figure(example: Counterexample, identity: str) -> str:
    """Return the figure as an SVG element for a page.

    ``identity`` makes element ids unique on the page.
    """
    return written(drawn(example, identity))


def drawn(example: Counterexample, identity: str, *, headline: bool = False) -> Element:
    """Draw the figure as an SVG element. ``headline`` puts the broken guarantee above it."""
    found, compared = assigned(example.group)
    lines = [_view(place, row, found, compared) for place, row in enumerate(found.rows)]
    strips = rings.strips(example.group.setting)
    said = (*(() if strips else notes(example)), *at_first(compared))
    columns = Columns(example.group)
    widths = [columns.width, *(LETTER * len(line) for line in lines), *(min(WIDE, strip.width) for strip in strips)]
    sheet = Sheet(
        max(widths + [NARROW] * bool(said or headline or strips)),
        example.sentence,
        " ".join(caption(example)),
        identity,
    )
    if headline:
        sheet.paragraph("name", told(example))
        if found.one_strategy and not (compared and compared.kind == "clients"):
            sheet.paragraph("view", f"Strategy: {label(found.rows[0].consumer.strategy)}.")
    for note in said:
        sheet.paragraph("view", note)
    for strip in strips:
        rings.draw(sheet, strip)
    if headline or said:
        sheet.top += 6
    columns.header(sheet, found)
    for place, (row, line) in enumerate(zip(found.rows, lines, strict=True)):
        sheet.text("name", MARGIN, sheet.top + LABEL * 0.42, _name(place, row, compared), middle=False)
        sheet.text("view", MARGIN, sheet.top + LABEL * 0.77, line, middle=False)
        sheet.top += LABEL
        _cells(sheet, columns, place, row, found, compared)
        sheet.top += CELL
    if compared:
        columns.status(sheet, compared.before, f"readers {compared.titles[0]}")
        columns.status(sheet, compared.after, f"readers {compared.titles[1]}", compared)
    else:
        columns.status(sheet, found, "readers")
    return sheet.finished()


def _name(place: int, row: Row, compared: Comparison | None) -> str:
    return f"{row.name} (joins)" if compared and compared.places[place] is None else row.name


def _view(place: int, row: Row, found: Assignment, compared: Comparison | None) -> str:
    """Return the consumer's cidAll, index and special inputs, in one line.

    ``place``: its index in the group.
    """
    parts = [f"cidAll {bracketed(row.consumer.cid_all)}", _index(row)]
    there = compared.places[place] if compared and compared.kind == "join" else None
    if compared and there is not None:
        before = compared.before.rows[there]
        parts = [f"{parts[0]}, before {bracketed(before.consumer.cid_all)}", f"{parts[1]}, before {before.index}"]
    if not found.one_strategy:
        parts.insert(0, short_label(row.consumer.strategy))
    if row.elsewhere:
        parts.append(f"takes {listing(row.elsewhere)}, which the topic does not have")
    if not (row.takes or row.elsewhere or row.throws or compared):
        parts.append("takes nothing")
    if row.throws:
        parts.append(row.instead)
    return " · ".join(parts)


def _index(row: Row) -> str:
    if row.index is None:
        return "its own id is missing"
    return f"own index {row.index}" if row.consumer.subscribes else f"own index {row.index} · does not subscribe"


def _cells(
    sheet: Sheet, columns: Columns, place: int, row: Row, found: Assignment, compared: Comparison | None
) -> None:
    """Draw one consumer's row: for each queue, whether the consumer sees and takes the queue.

    With ``compared``, cells also show whether it takes the queue in the reference.
    """
    for queue in range(found.queues):
        takes, sees = queue in row.takes, queue in row.sees
        where = f"mqAll[{row.sees.index(queue)}]" if sees else "not in mqAll"
        if compared:
            takes_there = queue in compared.had(place)
            kind, verb, where = _compared(compared, place, takes_there, takes, kind_of(found, queue), where)
        else:
            kind = f"takes {kind_of(found, queue)}" if takes else "sees" if sees else "blind"
            verb = "takes" if takes else ""
        columns.cell(sheet, queue, kind, verb, where[:FITTING])


def _compared(
    compared: Comparison, place: int, there: bool, here: bool, readers: str, where: str
) -> tuple[str, str, str]:
    """Return (CSS class, verb, text below) of one cell of a comparison.

    ``there`` and ``here``: whether the consumer takes the queue in the reference, and in the group.
    """
    in_time = compared.in_time
    first, second = compared.short
    if there and here:
        return f"takes {readers}", "takes", "as before" if in_time else "in both"
    if here:
        said = "new" if not in_time or compared.places[place] is None else "gained"
        return f"takes {readers} only", "+ takes", said if in_time else f"only {second}"
    if there:
        return "lost", "− had it" if in_time else "− takes", "given away" if in_time else f"only {first}"
    return "sees", "", where
