"""A counterexample drawn: the topic's queues in columns, a row for each consumer, and below who reads each queue.

What matters is never said by colour alone: a queue read twice has a double frame, a queue read by nobody a dashed one,
and both say so. Colours come from the page's style sheet, so that the figure follows light, dark and print.
"""

from xml.etree.ElementTree import Element, SubElement, tostring

from proofs.results import Counterexample
from report.assignment import Assignment, Row, assignment
from report.caption import caption
from report.words import bracketed, shorten

COLUMN, GAP, MARGIN = 104, 8, 12
"""Width of a queue's column, space between columns, space around everything; in pixels, as all lengths here."""
HEADER, CELL, LABEL, STATUS = 26, 36, 48, 44
"""Heights: the queues' names, a consumer's cells, the two lines above them, the last row."""
LETTER = 7.0
"""Width to reserve for a letter of a consumer's line."""
FITTING = 15
"""How many letters a cell holds."""


def figure(example: Counterexample, identity: str) -> str:
    """The SVG element. ``identity`` keeps its ids apart from those of other figures on the page."""
    found = assignment(example.group)
    lines = [_view(row, found) for row in found.rows]
    columns = found.queues * (COLUMN + GAP) - GAP
    width = 2 * MARGIN + max(columns, round(LETTER * max(map(len, lines), default=0)))
    last = MARGIN + HEADER + len(found.rows) * (LABEL + CELL)
    height = last + LABEL * 0.6 + STATUS + MARGIN

    svg = Element("svg", _size(width, height) | {"class": "figure", "role": "img"})
    svg.set("aria-labelledby", f"{identity}-title {identity}-words")
    SubElement(svg, "title", id=f"{identity}-title").text = example.sentence
    SubElement(svg, "desc", id=f"{identity}-words").text = " ".join(caption(example))
    for queue in range(found.queues):
        _box(svg, f"queue {_kind(found, queue)}", queue, MARGIN, HEADER)
        _text(svg, "queue", _middle(queue), MARGIN + HEADER / 2, f"queue {queue}")
    for place, (row, line) in enumerate(zip(found.rows, lines, strict=True)):
        _consumer(svg, found, row, line, MARGIN + HEADER + place * (LABEL + CELL))
    _text(svg, "name", MARGIN, last + LABEL * 0.35, "read by", middle=False)
    for queue in range(found.queues):
        _status(svg, found, queue, last + LABEL * 0.6)
    return tostring(svg, encoding="unicode")


def _view(row: Row, found: Assignment) -> str:
    """What the consumer goes by, in one line."""
    index = "its own id is missing" if row.index is None else f"own index {row.index}"
    parts = [f"cidAll {bracketed(row.consumer.cid_all)}", index]
    if not found.agreed("strategy"):
        parts.insert(0, row.consumer.strategy.rocketmq_name)
    if row.throws:
        parts.append(f"throws: {row.throws}")
    return " · ".join(parts)


def _kind(found: Assignment, queue: int) -> str:
    """How a queue is marked: ``nobody``, ``one`` or ``several``."""
    return ("nobody", "one", "several")[min(len(found.readers[queue]), 2)]


def _consumer(svg: Element, found: Assignment, row: Row, line: str, top: float) -> None:
    _text(svg, "name", MARGIN, top + LABEL * 0.42, row.name, middle=False)
    _text(svg, "view", MARGIN, top + LABEL * 0.77, line, middle=False)
    cells = top + LABEL
    for queue in range(found.queues):
        takes, sees = queue in row.takes, queue in row.sees
        kind = f"takes {_kind(found, queue)}" if takes else "sees" if sees else "blind"
        _box(svg, f"cell {kind}", queue, cells, CELL)
        where = f"mqAll[{row.sees.index(queue)}]" if sees else "not in mqAll"
        if takes:
            _text(svg, "verb", _middle(queue), cells + CELL * 0.3, "takes")
        _text(svg, f"where {kind}", _middle(queue), cells + CELL * (0.72 if takes else 0.5), where)


def _status(svg: Element, found: Assignment, queue: int, top: float) -> None:
    kind = _kind(found, queue)
    names = [found.rows[place].name for place in found.readers[queue]]
    _box(svg, f"status {kind}", queue, top, STATUS)
    if kind == "several":
        _box(svg, f"status {kind}", queue, top, STATUS, inset=4)
    said = f"{len(names)} readers" if kind == "several" else shorten("".join(names) or "nobody", FITTING)
    who = ", ".join(names) if kind == "several" else ""
    named = 0 < len(who) <= FITTING
    _text(svg, f"outcome {kind}", _middle(queue), top + STATUS * (0.35 if named else 0.5), said)
    if named:
        _text(svg, f"where {kind}", _middle(queue), top + STATUS * 0.68, who)


def _left(queue: int) -> float:
    return MARGIN + queue * (COLUMN + GAP)


def _middle(queue: int) -> float:
    return _left(queue) + COLUMN / 2


def _size(width: float, height: float) -> dict[str, str]:
    return {"viewBox": f"0 0 {width:g} {height:g}", "width": f"{width:g}", "height": f"{height:g}"}


def _box(svg: Element, kind: str, queue: int, top: float, height: float, inset: float = 0) -> None:
    """A box in a queue's column."""
    place = {"x": _left(queue) + inset, "y": top + inset, "width": COLUMN - 2 * inset, "height": height - 2 * inset}
    SubElement(svg, "rect", {"class": kind, "rx": "4"} | {name: f"{value:g}" for name, value in place.items()})


def _text(svg: Element, kind: str, x: float, y: float, words: str, *, middle: bool = True) -> None:
    """One line whose middle is at height ``y``."""
    place = {"class": kind, "x": f"{x:g}", "y": f"{y:g}", "dominant-baseline": "central"}
    SubElement(svg, "text", place | ({"text-anchor": "middle"} if middle else {})).text = words
