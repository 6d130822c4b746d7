"""Ticks of the static timeline are round times of the shown zone, few enough for a phone."""

import re

from hypothesis import given
from hypothesis.strategies import integers, sampled_from

from rebalance_proofs.recorded.audit.finding import What
from rebalance_proofs.recorded.logs.times import date_of
from rebalance_proofs.report.audit.timeline import Bar, Lane, Mark, Timeline, still

DAY = 86_400_000
ZONES = (0, 28_800_000, -12_600_000, 20_700_000)


def picture(begin, long, zone=0, bars=(), marks=()):
    lanes = [Lane("T  b0 0", bars or [Bar(0, begin, begin + long)], marks)]
    kinds = [(What.TWO, marks)] if marks else []
    return str(still(Timeline(begin, begin + long, ["<1@a>"], lanes, 0, kinds, [], []), zone))


def labels(svg):
    return re.findall(r'<text class="tick" x="([\d.]+)%" y="(\d+)"[^>]*>([^<]+)<', svg)


@given(integers(1_600_000_000_000, 1_800_000_000_000), integers(1, 1_500 * DAY), sampled_from(ZONES))
def test_ticks_are_round_times_at_their_place(begin, long, zone):
    told = labels(picture(begin, long, zone))
    top = min((int(y) for _, y, _ in told), default=0)
    first = [(float(x), text) for x, y, text in told if int(y) == top]
    assert len(first) <= 5
    for x, text in first:
        at = begin + x / 100 * long
        near = [date_of(round(at + zone + side * (long * 6e-5 + 1))) for side in (-1, 1)]
        form = "%Y-%m-%d" if "-" in text else "%H:%M:%S" if "." not in text else "%H:%M:%S.%f"
        marks = [moment.strftime(form) for moment in near]
        assert marks[0] <= text <= marks[1] or marks[1] < marks[0]  # between them a day ended
    if long >= 5 * DAY:
        assert all(re.fullmatch(r"\d{4}-\d\d-\d\d", text) for _, text in first)


def test_day_is_written_once():
    told = [text for _, _, text in labels(picture(1_790_000_000_000, 240_000))]
    assert told == ["14:14:00", "2026-09-21", "14:15:00", "14:16:00", "14:17:00"]


def test_day_ticks_are_at_midnight_of_the_zone():
    (x, _, text), *_ = labels(picture(1_790_000_000_000, 8 * DAY, 28_800_000))
    assert text == "2026-09-22"
    assert abs(float(x) - 100 * (1_790_006_400_000 - 1_790_000_000_000) / (8 * DAY)) < 0.01


def test_names_are_escaped():
    svg = picture(0, 1_000)
    assert "&lt;1@a&gt;" in svg
    assert "<1@a>" not in svg


def test_owners_at_once_are_below_one_another():
    svg = picture(0, 100, bars=[Bar(0, 0, 50), Bar(0, 50, 100, 0, 2), Bar(0, 50, 100, 1, 2)])
    bars = re.findall(r'<rect class="owner0" x="([\d.]+)%" y="([\d.]+)" width="([\d.]+)%" height="([\d.]+)"', svg)
    assert bars == [
        ("0.00", "22.0", "50.00", "30.0"),
        ("50.00", "22.0", "50.00", "14.5"),
        ("50.00", "37.0", "50.00", "14.5"),
    ]


def test_short_finding_is_visible():
    svg = picture(0, 1_000 * DAY, marks=[Mark(What.TWO, DAY, DAY + 1, 0)])
    assert re.findall(r'<rect class="(?:found )?two[^"]*"[^>]* width="([\d.]+)%"', svg) == ["0.40", "0.40"]
