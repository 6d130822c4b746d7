"""The HTML page of an exploration: one self-contained file with a diagram of each trace."""

from markupsafe import Markup

from rebalance_proofs.report.drawing import MARGIN, Sheet, written
from rebalance_proofs.report.explorer.told import claims, consumers, heading, needs, often, said, settling, went
from rebalance_proofs.report.palette import DARK, LIGHT, variables
from rebalance_proofs.report.rendering import environment
from rebalance_proofs.report.text.english import count, listing
from rebalance_proofs.spark_enum.explorer.explore import Explored, Found
from rebalance_proofs.spark_enum.explorer.model import RUNS

# Sequence diagram of a group's trace: a row for each step, and a lane for each queue.

STEP, CELL, GAP, NOTE = 30, 34, 18, 8.0
"""Pixels: step height, width of a consumer's box, gap between lanes, letter width of notes."""
LETTER = 6.7


def figure(explored: Explored, found: Found) -> str:
    """Return the diagram of the trace to the bad state ``found``, as SVG.

    A consumer's box is in the lane of each queue that the consumer owns. The box is filled while its listener runs.
    """
    product = explored.product
    many = consumers(product)
    groups = [product.group(step.state) for step in found.steps]
    notes = [[product.model.noted(row) for row in rows] for _, rows in groups]
    lane = CELL * many + GAP + NOTE * max(len(note) for rows in notes for note in rows)
    told = said(product.model, (step.move for step in found.steps))
    sentences = LETTER * max(map(len, told))
    sheet = Sheet(
        sentences + lane * explored.settings.queues,
        found.watch.name,
        found.watch.sentence,
        f"figure-{found.watch.name}",
    )
    lanes = [MARGIN + sentences + GAP + lane * queue for queue in range(explored.settings.queues)]
    for queue, left in enumerate(lanes):
        sheet.text("name", left, sheet.top + 8, f"queue {queue}", middle=False)
    top = sheet.top + 24
    for place, ((_, rows), noted) in enumerate(zip(groups, notes, strict=True)):
        middle = top + place * STEP + STEP / 2
        sheet.text("words", MARGIN, middle, told[place], middle=False)
        for row, note, left in zip(rows, noted, lanes, strict=True):
            seen = [product.model.seen(row, who) for who in range(many)]
            several = " several" if sum(map(bool, seen)) > 1 else ""
            for who, what in enumerate(seen):
                _consumer(sheet, left + who * CELL, middle, who, what, several)
            sheet.text("where", left + CELL * many + 4, middle, note, middle=False)
    sheet.top = top + len(found.steps) * STEP + 6
    sheet.paragraph("outcome several", found.watch.sentence)
    return written(sheet.finished())


def _consumer(sheet: Sheet, left: float, middle: float, who: int, what: str, several: str) -> None:
    if not what:
        return
    runs = what == RUNS
    kind = f"cell takes{several}" if runs else f"chip{' both' if several else ''}"
    sheet.box(kind, left, middle - STEP / 2 + 3, CELL - 4, STEP - 6)
    sheet.text(f"where takes{several}" if runs else "chip", left + (CELL - 4) / 2, middle, f"c{who}")


FIRST = "<!doctype html><!-- written by: rebalance explore -->"
"""First line of the file; ``rebalance explore`` overwrites only files with this line."""


def verdict(explored: Explored) -> str:
    """Return what was found in one sentence: ``Found: twice; Never: lost (120 states explored)``"""
    parts = [f"Found: {listing(one.watch.name for one in explored.found)}"] * bool(explored.found)
    never = listing(watch.name for watch in explored.never)
    parts += [f"{'Never' if explored.whole else 'Not found so far'}: {never}"] * bool(never)
    return f"{'; '.join(parts)} ({count(explored.states, 'state')} explored)"


def page(explored: Explored) -> str:
    """Return the HTML page of the exploration."""
    findings = [
        (
            found,
            Markup(figure(explored, found)),  # the diagram's text is already escaped
            [
                often(explored, found),
                *([needs(explored, found)] if found.needs else []),
                *claims(found.watch, found=True),
            ],
        )
        for found in explored.found
    ]
    templates = environment(escapes=True)
    templates.filters["count"] = count
    return templates.get_template("explored.html").render(
        first=Markup(FIRST),
        title=f"{explored.subject.name}: rebalance explore",
        heading=list(heading(explored)),
        findings=findings,
        never=[(watch, list(claims(watch, others=explored.whole))) for watch in explored.never],
        whole=explored.whole,
        settling=[line for line in settling(explored) if line],
        went=list(went(explored)),
        verdict=verdict(explored),
        light=variables(LIGHT),
        dark=variables(DARK),
    )
