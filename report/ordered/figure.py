"""A run of two consumers as a sequence: a lane for each and one for the broker, its lock's holder as a colour."""

from xml.etree.ElementTree import SubElement

from rebalance_proofs.model.ordered.state import NOBODY
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.ordered.run import Run, Seen
from rebalance_proofs.proofs.ordered.schedule import RESTARTS
from rebalance_proofs.proofs.ordered.situation import NAMES
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.report.drawing import MARGIN, Sheet, written
from rebalance_proofs.report.ordered.story import clock, deed, holder

__all__ = ["drawn"]

CLOCK, LANE, GAP, STEP, BAR = 74, 86, 16, 30, 22
WORDS = 470
"""Pixels: the column of times, a lane, between lanes, one action, a bar's width, the column of words."""
SERVED = ("renews", "locks", "returned")
"""Actions between a consumer and the broker."""


def drawn(claim: Claim, example: Counterexample) -> str:
    """As SVG."""
    run: Run = example.group
    identity = f"figure-{claim.id.replace('.', '-')}"
    sheet = Sheet(CLOCK + 3 * LANE + 2 * GAP + WORDS, "Two listeners on one queue", example.sentence, identity)
    middles = [MARGIN + CLOCK + place * (LANE + GAP) + LANE / 2 for place in range(3)]
    for middle, name in zip(middles, (NAMES[0], "broker's lock", NAMES[1]), strict=True):
        sheet.text("name", middle, sheet.top + 8, name)
    top = sheet.top + 24
    for place, seen in enumerate(run.seen):
        _row(sheet, run, seen, top + place * STEP, middles, last=place == len(run.seen) - 1)
    sheet.top = top + len(run.seen) * STEP + 6
    sheet.paragraph("outcome several", example.sentence[0].upper() + example.sentence[1:])
    return written(sheet.finished())


def _row(sheet: Sheet, run: Run, seen: Seen, top: float, middles: list[float], *, last: bool) -> None:
    """After one action: bars say what is the case, a line between lanes who spoke with whom."""
    middle = top + STEP / 2
    sheet.text("view", MARGIN, middle, clock(seen.at), middle=False)
    both = all(seen.runs)
    for who, lane in ((0, middles[0]), (1, middles[2])):
        if seen.runs[who]:
            kind = "cell takes several" if both else "cell takes"
            sheet.box(kind, lane - BAR / 2, top, BAR, STEP, round_=0)
        elif seen.present[who]:
            sheet.box("chip", lane - BAR / 4, top, BAR / 2, STEP, round_=0)
    whose = holder(run, seen)
    sheet.box("nobody" if seen.holder == NOBODY else "queue", middles[1] - LANE / 2, top, LANE, STEP, round_=0)
    sheet.text("where", middles[1], middle, whose)
    if seen.happens.action in SERVED:
        lane = middles[2 * seen.happens.who]
        side = -1 if seen.happens.who == 0 else 1
        ends = {"x1": lane, "x2": middles[1] + side * LANE / 2, "y1": middle, "y2": middle}
        SubElement(
            sheet.svg,
            "line",
            {"class": "says", "style": "stroke: var(--ink); stroke-width: 1.5"}
            | {name: f"{value:g}" for name, value in ends.items()},
        )
    words = deed(seen) if seen.happens.action != RESTARTS else "The broker restarts"
    left = middles[2] + LANE / 2 + GAP
    sheet.text("outcome several" if last else "words", left, middle, words, middle=False)
