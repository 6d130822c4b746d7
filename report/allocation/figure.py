"""Figure of a counterexample group: queues in columns, a row for each consumer, and each queue's readers below.

Nothing important is shown by colour alone. A queue with two readers has a double frame, one without a reader a dashed
frame, and both have a text. Cells that differ between the two sides of a comparison also have a text. Colours come
from a style sheet, so that the figure adapts to light, dark and print.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import singledispatch
from importlib.resources import files
from xml.etree.ElementTree import Element

from rebalance_proofs.model.allocation.consistent_hash import CONSISTENT_HASH_GO
from rebalance_proofs.model.group import Group
from rebalance_proofs.model.worlds import two_rings
from rebalance_proofs.model.worlds.rings import Ring
from rebalance_proofs.model.worlds.rooms import Rooms
from rebalance_proofs.model.worlds.two_rings import TwoRings
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.report.allocation.caption import (
    Assignment,
    Comparison,
    Row,
    assigned,
    at_first,
    caption,
    notes,
    told,
)
from rebalance_proofs.report.drawing import LETTER, MARGIN, Sheet, written
from rebalance_proofs.report.names import label, readable, short_label
from rebalance_proofs.report.palette import DARK, LIGHT, resolved
from rebalance_proofs.report.text.english import bracketed, listing, shorten, shortened

# Draw hash rings of consistent hashing as strips: virtual nodes and queues, sorted by hash value.

CHIP, RING_GAP = 26, 20
"""Pixels: height of a chip (the box of one ring position), and space between chips for an arrow."""
AGAIN = "↻"


@dataclass(frozen=True)
class Strip:
    """One hash ring, drawn as a strip of boxes (chips)."""

    title: str
    blocks: tuple[tuple[str, ...], ...]
    """Names of virtual nodes and queues at each position of the ring.

    Several names if hash values collide.
    """

    @property
    def width(self) -> float:
        """Width of the strip on one line, in pixels."""
        return sum(_width(block) + RING_GAP for block in self.blocks) + RING_GAP


@singledispatch
def ring_strips(setting: object) -> tuple[Strip, ...]:
    """Return the hash rings for the strategy's inputs in a group.

    Empty if the strategy does not hash.
    """
    return ()


@ring_strips.register
def _one(ring: Ring) -> tuple[Strip, ...]:
    if not ring.nodes:
        return ()
    hashes = {key: ring.hashes[key] for key, _ in ring.nodes}
    hashes |= {f"queue {place}": ring.hashes[key] for place, key in enumerate(ring.queues)}
    blocks = two_rings.blocks(hashes)
    return (Strip(f"Hash ring: {_rule(ring.strategy, blocks)}.{_collision(blocks)}", blocks),)


@ring_strips.register
def _two(rings: TwoRings) -> tuple[Strip, ...]:
    found = []
    for client, order in zip(rings.clients, rings.orders, strict=True):
        blocks = tuple(tuple(names.split(" = ")) for names in order)
        whose = readable(f"Hash ring in {client},")[:-1]
        found.append(Strip(f"{whose}: {_rule(client, blocks)}.{_collision(blocks)}", blocks))
    return tuple(found)


def _rule(name: str, blocks: Sequence[tuple[str, ...]]) -> str:
    """Return a sentence on how the strategy assigns queues to virtual nodes, with collisions if any."""
    rule = "a queue goes to the next node on the right"
    if all(len({name.startswith("queue") for name in block}) == 1 for block in blocks):
        return rule
    return f"{rule}, {'never' if name == CONSISTENT_HASH_GO.name else 'or'} to one at its own hash"


def _collision(blocks: Sequence[tuple[str, ...]]) -> str:
    """Return a sentence on virtual nodes with equal hash values; empty if there are none."""
    nodes = ([name for name in block if not name.startswith("queue")] for block in blocks)
    return " If nodes collide, the node of the later id in cidAll is used." if any(len(b) > 1 for b in nodes) else ""


def _width(block: tuple[str, ...]) -> float:
    return LETTER * len(" = ".join(block)) + 18


def draw(sheet: Sheet, strip: Strip) -> None:
    """Draw the ring's title, and its boxes with arrows between them and back to the first."""
    sheet.paragraph("view", strip.title)
    sheet.top += 2
    x = float(MARGIN)
    for place, block in enumerate(strip.blocks):
        width = _width(block)
        if place and x + width + RING_GAP > MARGIN + sheet.width:
            x, sheet.top = float(MARGIN), sheet.top + CHIP + 6
        queues = all(name.startswith("queue") for name in block)
        kind = "chip queue" if queues else "chip node" if len(block) == 1 else "chip both"
        sheet.box(kind, x, sheet.top, width, CHIP, round_=4 if queues else CHIP // 2)
        sheet.text("chip", x + width / 2, sheet.top + CHIP / 2, " = ".join(block))
        last = place == len(strip.blocks) - 1
        sheet.text("view", x + width + RING_GAP / 2, sheet.top + CHIP / 2, AGAIN if last else "→")
        x += width + RING_GAP
    sheet.top += CHIP + 10


# Draw a figure's columns, one for each queue: heading, cells by consumer, and the queue's readers.

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
    strips = ring_strips(example.group.setting)
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
        draw(sheet, strip)
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


# A counterexample's figure as a standalone SVG file, with colours and the broken guarantee.


def picture(example: Counterexample) -> str:
    """Return the text of the SVG file, which follows the reader's light or dark mode."""
    svg = drawn(example, "picture", headline=True)
    svg.set("xmlns", "http://www.w3.org/2000/svg")
    ground = Element("rect", {"class": "ground", "width": "100%", "height": "100%", "rx": "6"})
    style = Element("style")
    style.text = f"\n{_style(LIGHT)}@media (prefers-color-scheme: dark) {{\n{_style(DARK)}}}\n"
    svg.insert(2, style)
    svg.insert(3, ground)
    return written(svg) + "\n"


def _style(palette: dict[str, str]) -> str:
    rules = files("rebalance_proofs.report").joinpath("templates", "figure.css").read_text(encoding="utf-8")
    return resolved(f"{rules}.figure rect.ground {{ fill: var(--ground); stroke: var(--line); }}\n", palette)
