"""Draw a figure's columns, one for each queue: heading, cells by consumer, and the queue's readers."""

from rebalance_proofs.model.group import Group
from rebalance_proofs.model.worlds.rooms import Rooms
from rebalance_proofs.report.allocation.assignment import Assignment
from rebalance_proofs.report.allocation.comparison import Comparison
from rebalance_proofs.report.drawing import MARGIN, Sheet
from rebalance_proofs.report.english import shorten, shortened

COLUMN, GAP = 116, 8
"""Pixels: width of a queue's column, space between columns."""
HEADER, DETAIL, CELL, LABEL, STATUS = 26, 16, 36, 48, 44
"""Heights in pixels: queue name, location below it, consumer's cells, lines above them, readers' row."""
FITTING = 17
"""Largest number of letters that fit in a cell."""
NAME = 12
"""Largest number of letters of an id that fit in a cell in bold."""


def kind_of(found: Assignment, queue: int) -> str:
    """Return the queue's CSS class, by its number of readers: ``nobody``, ``one`` or ``several``."""
    return ("nobody", "one", "several")[min(len(found.readers[queue]), 2)]


def _detail(group: Group, queue: int) -> str:
    """Return the queue's location if the group's queues differ in it: ``topic T1``, ``room1@broker-a``, ``room B``."""
    here = group.queues[queue]
    if isinstance(group.setting, Rooms):
        return f"room {group.setting.of_queues[queue]}"
    if len({other.topic for other in group.queues}) > 1:
        return f"topic {here.topic}"
    if any("@" in other.broker_name for other in group.queues) or len({q.broker_name for q in group.queues}) > 1:
        return here.broker_name
    return ""


class Columns:
    """The columns of one group's figure."""

    def __init__(self, group: Group) -> None:
        self._details = [_detail(group, queue) for queue in range(len(group.queues))]
        self.width = len(group.queues) * (COLUMN + GAP) - GAP
        """Width of all columns together."""

    def header(self, sheet: Sheet, found: Assignment) -> None:
        """Draw the queues' names, with their locations below if these differ."""
        height = HEADER + DETAIL * any(self._details)
        for queue, said in enumerate(self._details):
            self._box(sheet, f"queue {kind_of(found, queue)}", queue, sheet.top, height)
            sheet.text("queue", _middle(queue), sheet.top + HEADER / 2, f"queue {queue}")
            if said:
                sheet.text("where", _middle(queue), sheet.top + HEADER + DETAIL * 0.3, shorten(said, FITTING))
        sheet.top += height

    def cell(self, sheet: Sheet, queue: int, kind: str, verb: str, where: str) -> None:
        """Draw the cell of one consumer and one queue.

        ``kind``: CSS class. ``verb``: text in the cell. ``where``: text below.
        """
        self._box(sheet, f"cell {kind}", queue, sheet.top, CELL)
        if verb:
            sheet.text(f"verb {kind}", _middle(queue), sheet.top + CELL * 0.3, verb)
        sheet.text(f"where {kind}", _middle(queue), sheet.top + CELL * (0.72 if verb else 0.5), where)

    def status(self, sheet: Sheet, found: Assignment, title: str, compared: Comparison | None = None) -> None:
        """Draw the readers of each queue.

        With ``compared``, also different readers in the reference.
        """
        sheet.text("name", MARGIN, sheet.top + LABEL * 0.35, title, middle=False)
        sheet.top += LABEL * 0.6
        changed = {change.queue: change.before for change in compared.changes} if compared else {}
        labels = shortened([row.name for row in found.rows], NAME)
        for queue in range(found.queues):
            kind = kind_of(found, queue)
            names = [labels[place] for place in found.readers[queue]]
            self._box(sheet, f"status {kind}", queue, sheet.top, STATUS)
            if kind == "several":
                self._box(sheet, f"status {kind}", queue, sheet.top, STATUS, inset=4)
            said = f"{len(names)} readers" if kind == "several" else "".join(names) or "no reader"
            below = ", ".join(names) if kind == "several" else ""
            if queue in changed:
                others = ", ".join(labels[place] for place in changed[queue]) or "no reader"
                below = f"≠ {others}"
            below = below if len(below) <= FITTING else ""
            middle = sheet.top + STATUS * (0.35 if below else 0.5)
            sheet.text(f"outcome {kind}", _middle(queue), middle, shorten(said, FITTING))
            if below:
                sheet.text(f"where {kind}", _middle(queue), sheet.top + STATUS * 0.68, below)
        sheet.top += STATUS

    def _box(self, sheet: Sheet, kind: str, queue: int, top: float, height: float, inset: float = 0) -> None:
        sheet.box(kind, _left(queue) + inset, top + inset, COLUMN - 2 * inset, height - 2 * inset)


def _left(queue: int) -> float:
    return MARGIN + queue * (COLUMN + GAP)


def _middle(queue: int) -> float:
    return _left(queue) + COLUMN / 2
