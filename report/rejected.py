"""The HTML page on recorded groups, with a picture of each event that the model cannot explain."""

import re
from collections.abc import Sequence
from importlib.resources import files
from xml.etree.ElementTree import SubElement

from markupsafe import Markup

from rebalance_proofs.recorded.cluster.judge import Verdict
from rebalance_proofs.recorded.cluster.tally import Near, Rejection, Tally
from rebalance_proofs.report import cluster
from rebalance_proofs.report.drawing import BOLD, LETTER, MARGIN, Sheet, written
from rebalance_proofs.report.palette import DARK, LIGHT, variables
from rebalance_proofs.report.rendering import environment

# Draw an event of a recording that the model cannot explain.
# The picture has nearby events, the state of the machine (the model of client and broker code), and those actions of
# the machine that come closest to explaining the event.

STEP, DOT, LANE, TIME, GAP = 26, 14, 70, 92, 14
"""Sizes in px: row height, dot of an event, lane width, column of times, space beside it."""
CHIP = 22
"""Height in px of the box of one state variable."""
WIDEST = 620
"""Least width of the picture's text in px, so that sentences below it need few lines."""
NEAREST = re.compile(r"(?P<action>[^ (]+) \((?P<sentence>.*)\): (?P<false>.*?)(?: is false)?", re.DOTALL)
SHOWN = 4
"""Largest number of actions in the picture; the text beside it has all."""


class Nearly:
    """An action of the machine whose guard (its condition) nearly holds."""

    def __init__(self, words: str) -> None:
        found = NEAREST.fullmatch(words)
        self.action = found["action"] if found else ""
        self.sentence = found["sentence"] if found else ""
        self.false = tuple(found["false"].split(" and ")) if found else ()
        """Parts of the action's guard that do not hold."""
        self.words = words
        """The whole text about the action, from which the other attributes are parsed."""


def nearly(one: Rejection) -> tuple[Nearly, ...]:
    """Return the machine's actions that come closest to explaining the event, without duplicates."""
    return tuple(map(Nearly, dict.fromkeys(one.nearest)))


def picture(one: Rejection, identity: str) -> str:
    """Return the picture as SVG.

    ``identity``: prefix for element ids that is unique on the page.
    """
    lanes = list(dict.fromkeys(name for near in one.near for name in (near.who, near.other) if name))
    words = max([WIDEST, *(round(LETTER * len(near.words)) for near in one.near)])
    lane = max(LANE, *(round(BOLD * len(name)) + 8 for name in lanes))
    title = f"{one.about} at {one.at:,} ms"
    sheet = Sheet(TIME + lane * len(lanes) + GAP + words, title, f"Not explained: {one.why}.", f"figure-{identity}")
    middles = {name: MARGIN + TIME + place * lane + lane / 2 for place, name in enumerate(lanes)}
    for name, middle in middles.items():
        sheet.text("name", middle, sheet.top + 8, name)
    sheet.top += 24
    height = STEP * len(one.near)
    for middle in middles.values():
        _line(sheet, middle, sheet.top, middle, sheet.top + height)
    beside = MARGIN + TIME + lane * len(lanes) + GAP
    for place, near in enumerate(one.near):
        bad = (near.who, near.row) == (one.who, one.row)
        _event(sheet, near, middles, sheet.top + place * STEP + STEP / 2, beside, bad=bad)
    sheet.top += height + 6
    sheet.paragraph("outcome several", f"Not explained: {one.why}.")
    if one.states:
        sheet.top += 8
        sheet.paragraph("name", "The machine's state before the event")
        for state in one.states[:1]:
            _chips(sheet, state.split(", "))
    for action in [each for each in nearly(one) if each.action][:SHOWN]:
        _action(sheet, action)
    return written(sheet.finished())


def _line(sheet: Sheet, x1: float, y1: float, x2: float, y2: float, kind: str = "lane") -> None:
    ends = {"x1": x1, "y1": y1, "x2": x2, "y2": y2}
    SubElement(sheet.svg, "line", {"class": kind} | {name: f"{value:g}" for name, value in ends.items()})


def _event(sheet: Sheet, near: Near, middles: dict[str, float], middle: float, beside: float, *, bad: bool) -> None:
    """Draw one event. ``beside``: left edge of its text in px."""
    here = middles[near.who]
    if bad:
        sheet.box("several", MARGIN - 6, middle - STEP / 2, sheet.width + 12, STEP)
    if near.other in middles:
        _line(sheet, here, middle, middles[near.other], middle, "says")
    sheet.text("outcome several" if bad else "view", MARGIN, middle, f"{near.at:,} ms", middle=False)
    sheet.box("cell takes several" if bad else "cell takes", here - DOT / 2, middle - DOT / 2, DOT, DOT, round_=3)
    sheet.text("outcome several" if bad else "words", beside, middle, near.words, middle=False)


def _chips(sheet: Sheet, parts: list[str]) -> None:
    """Draw the boxes of state variables side by side, on as many lines as needed."""
    left = float(MARGIN)
    for part in parts:
        width = LETTER * len(part) + 14
        if left + width > MARGIN + sheet.width and left > MARGIN:
            left, sheet.top = float(MARGIN), sheet.top + CHIP + 5
        sheet.box("chip", left, sheet.top, width, CHIP)
        sheet.text("chip", left + width / 2, sheet.top + CHIP / 2, part)
        left += width + 6
    sheet.top += CHIP + 8


def _action(sheet: Sheet, action: Nearly) -> None:
    """Draw an action and the parts of its guard that do not hold."""
    sheet.top += 4
    sheet.paragraph("name", f"Nearly: {action.action}")
    sheet.paragraph("view", f"{action.sentence}.")
    for part in action.false:
        sheet.paragraph("outcome several", f"false: {part}")


FIRST = "<!doctype html><!-- written by: rebalance conform --cluster -->"
"""First line of the file; it marks the file as one that this command wrote."""


def page(of: Sequence[Verdict]) -> str:
    """Return the HTML page."""
    return (
        environment(escapes=True)
        .get_template("conform_cluster.html")
        .render(
            first=Markup(FIRST),
            accepted=all(one.accepted for one in of),
            said=cluster.verdict(of),
            traces=[_trace(one, place) for place, one in enumerate(of)],
            light=variables(LIGHT),
            dark=variables(DARK),
            figure=Markup(
                files("rebalance_proofs.report").joinpath("templates/figure.css").read_text(encoding="utf-8")
            ),
        )
    )


def _trace(of: Verdict, place: int) -> dict[str, object]:
    return {
        "name": of.name,
        "release": of.release,
        "accepted": of.accepted,
        "events": of.lines,
        "machines": [(one.machine, one.how, one.events, len(one.rejected)) for one in of.tallies],
        "left_out": [f"{what} ({times:,})" for what, times in of.unknown.items()],
        "rejections": [_machine(of, one, f"{place}-{one.machine}") for one in of.tallies if one.rejected],
    }


def _machine(of: Verdict, tally: Tally, identity: str) -> dict[str, object]:
    first, *others = sorted(tally.rejected)
    return {
        "machine": tally.machine,
        "how": cluster.HOW[tally.how],
        "about": first.about,
        "where": cluster.where(of, first),
        "at": first.at,
        "why": first.why,
        "picture": Markup(picture(first, identity)) if first.near else None,
        "states": first.states,
        "nearest": nearly(first),
        "others": [(one.about, cluster.where(of, one), one.at, one.why) for one in others],
    }
