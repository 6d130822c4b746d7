"""The page of an audit in a browser: it fits, can be zoomed, and names what went wrong."""

import re
from dataclasses import replace
from itertools import pairwise

import pytest

from rebalance_proofs.recorded.audit.finding import Finding, Interval, Level, What
from rebalance_proofs.recorded.audit.outcome import Audited, GroupTold
from rebalance_proofs.recorded.audit.told import Span
from rebalance_proofs.report.audit.answer import NEVER, Answer
from rebalance_proofs.report.audit.chart import library
from rebalance_proofs.report.audit.page import MOST_CHARTS, cited, page
from rebalance_proofs.report.audit.timeline import BAR, ROW, STRIP
from rebalance_proofs.report.symptoms.asked import Asked
from tests.report.audit.years import DAY, years
from tests.report.browser import THEMES, started, themes

WIDTHS = (390, 1300)
WINDOWS = [pytest.param(width, theme, id=f"{width}-{theme}") for width, theme in zip(WIDTHS, THEMES[::-1], strict=True)]
"""The narrow window loads the page in dark colours, the wide one in light colours; then both change them."""
BEGIN = 1_790_000_000_000
OWNERS = (("10.1.2.3@c0", "c0.log"), ("10.1.2.4@c1", "c1.log"))
MOST_BYTES = 3_000_000
"""Most bytes of a page apart from the chart library."""


def overlap():
    """Two consumers own four queues at once for 34 s, in a group with a hostile name."""
    spans = []
    for queue in range(8):
        owner, other = OWNERS if queue < 4 else OWNERS[::-1]
        where = (owner[1], 3)
        spans.append(Span(owner, ("T1", "b0", queue), BEGIN, BEGIN + 240_000, True, True, where, where, BEGIN, BEGIN))
        if queue >= 4:
            begin, end = BEGIN + 120_000, BEGIN + 154_000
            spans.append(Span(other, ("T1", "b0", queue), begin, end, True, True, where, where, begin, begin))
    intervals = tuple(Interval(("T1", "b0", queue), BEGIN + 120_000, BEGIN + 154_000) for queue in range(4, 8))
    both = tuple(client for client, _ in OWNERS)
    findings = [
        Finding(What.TWO, Level.SEEN, "G", "T1", both, intervals, "both had it", ("late-commit",), (("c0.log", 7),)),
        Finding(What.BACK, Level.POSSIBLE, "G", "T1", both, intervals[:1], "80 after 424", (), (("c1.log", 9),)),
    ]
    group = GroupTold("</script><b>G", spans, [(both[0], BEGIN + 9)], [(both[1], BEGIN + 99)], [], [], findings, 2, 9)
    answer = Answer(Audited([group], [], 0), [], Asked(""), dict.fromkeys(NEVER, 0), "digest")
    answer.lines = {("c0.log", 7): "doRebalance, G, add a new mq"}
    return answer


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """The pages of a small audit and of one of years."""
    folder = tmp_path_factory.mktemp("pages")
    for name, answer in (("overlap", overlap()), ("years", years())):
        (folder / f"{name}.html").write_text(page(answer), encoding="utf-8")
    return {name: folder / f"{name}.html" for name in ("overlap", "years")}


@pytest.fixture(scope="module")
def browser(files):
    with started() as found:
        yield found


def ready(tab):
    tab.wait_for_selector("html[data-ready=yes]")
    return tab


def shown(tab):
    """Begin and end of the visible time in ms."""
    tab.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    return [int(one) for one in tab.get_attribute(".timeline", "data-shown").split()]


def texts(tab):
    """All words in the chart."""
    return tab.evaluate("document.querySelector('.timeline').timeline.source('texts').data.text")


def bars(tab, column="tip"):
    return list(tab.evaluate(f"[...document.querySelector('.timeline').timeline.source('bars').data.{column}]"))


@pytest.mark.parametrize(("width", "theme"), WINDOWS)
@pytest.mark.parametrize("name", ["overlap", "years"])
def test_page_fits_the_window(browser, files, name, width, theme):
    with browser.page(files[name], width, theme) as tab:
        ready(tab)
        for _ in themes(tab, theme):
            assert tab.evaluate("document.documentElement.scrollWidth") == width
            tab.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
            assert tab.evaluate("document.documentElement.scrollWidth") == width
            chart = tab.locator(".chart").bounding_box()
            assert chart["width"] >= min(width, 1600) - 40
            assert tab.locator("svg.still").count() == 0
            tab.evaluate("document.querySelectorAll('details').forEach(one => { one.open = false; })")


@pytest.mark.parametrize(("width", "theme"), WINDOWS)
def test_names_and_both_owners_are_visible_without_hovering(browser, files, width, theme):
    with browser.page(files["overlap"], width, theme) as tab:
        ready(tab)
        for _ in themes(tab, theme):
            words = texts(tab)
            assert "T1  b0 0-3" in words
            assert "T1  b0 4-7" in words
            assert "Two consumers owned a queue at once (1)" in words
            whole = {word for word in words if "@c" in word}
            assert {word[-2:] for word in whole} == {"c0", "c1"}
            at_once = [tip for tip in bars(tab) if "b0 4-7: 10" in tip and "34.0 s" in tip]
            assert {re.search(r"@(c\d)", tip)[1] for tip in at_once} == {"c0", "c1"}
            assert tab.locator(".key").all_inner_texts()[:2] == ["10.1.2.3@c0", "10.1.2.4@c1"]


def test_chart_follows_the_theme(browser, files):
    ground = "document.querySelector('.timeline').timeline.plot.background_fill_color"
    with browser.page(files["overlap"], theme="light") as tab:
        assert ready(tab).evaluate(ground) == "#ffffff"
        tab.emulate_media(color_scheme="dark")
        shown(tab)  # after the next frame
        assert tab.evaluate(ground) == "#0d1117"


def test_axis_shows_date_and_inner_times(browser, files):
    with browser.page(files["overlap"]) as tab:
        labels = ready(tab).evaluate("""
            const {plot} = document.querySelector('.timeline').timeline;
            const axis = plot.below[0];
            const view = Bokeh.index.find_one(axis);
            [view.compute_labels(view.tick_coords.major[0]).items.length, view.tick_coords.minor[0].length]
        """)
        assert labels[0] >= 4
        assert labels[1] > labels[0]


def test_buttons_zoom_and_move(browser, files):
    with browser.page(files["overlap"]) as tab:
        begin, end = shown(ready(tab))
        tab.click("button[data-zoom=in]")
        half = shown(tab)
        assert half[1] - half[0] == pytest.approx((end - begin) / 2, abs=2)
        tab.click("button[data-zoom=later]")
        later = shown(tab)
        assert later[0] > half[0]
        assert later[1] - later[0] == pytest.approx(half[1] - half[0], abs=2)
        for _ in range(9):
            tab.click("button[data-zoom=earlier]")
        assert shown(tab)[0] == begin
        tab.click("button[data-zoom=all]")
        assert shown(tab) == [begin, end]


def test_wheel_zooms_with_ctrl_only_and_dragging_moves(browser, files):
    with browser.page(files["overlap"]) as tab:
        ready(tab)
        tab.locator(".chart").scroll_into_view_if_needed()
        box = tab.locator(".chart").bounding_box()
        tab.mouse.move(box["x"] + 500, box["y"] + 60)
        before = shown(tab)
        tab.mouse.wheel(0, -50)
        assert shown(tab) == before
        box = tab.locator(".chart").bounding_box()
        tab.mouse.move(box["x"] + 500, box["y"] + 60)
        tab.keyboard.down("Control")
        tab.mouse.wheel(0, -400)
        tab.keyboard.up("Control")
        zoomed = shown(tab)
        assert zoomed[1] - zoomed[0] < before[1] - before[0]
        tab.mouse.down()
        tab.mouse.move(box["x"] + 400, box["y"] + 60, steps=5)
        tab.mouse.up()
        moved = shown(tab)
        assert moved[0] > zoomed[0]
        assert moved[1] - moved[0] == pytest.approx(zoomed[1] - zoomed[0], abs=2)


def test_finding_is_shown_in_the_timeline(browser, files):
    with browser.page(files["overlap"]) as tab:
        ready(tab)
        tab.locator("article button.jump").first.click()
        begin, end = shown(tab)
        assert begin <= BEGIN + 120_000 < BEGIN + 154_000 <= end
        assert end - begin < 100_000


@pytest.mark.parametrize("name", ["overlap", "years"])
def test_index_leads_to_each_kind_with_its_counts(browser, files, name):
    with browser.page(files[name], 390) as tab:
        ready(tab)
        rows = tab.locator("table.index tbody tr")
        counts = {"overlap": [["1", "–"], ["–", "1"]], "years": [["480", "120"], ["480", "120"]]}
        assert [rows.nth(row).locator("td.number").all_inner_texts()[:2] for row in range(rows.count())] == counts[name]
        for link in tab.locator("table.index a").all():
            link.click()
            assert tab.evaluate("document.querySelector(':target').tagName") == "H3"


def test_evidence_is_beside_its_finding(browser, files):
    with browser.page(files["overlap"]) as tab:
        article = ready(tab).locator("article.finding").first
        assert article.locator(".evidence li").all_inner_texts() == ["c0.log:7 doRebalance, G, add a new mq"]
        words, evidence = (article.locator(one).bounding_box() for one in (".words", ".evidence"))
        assert evidence["x"] >= words["x"] + words["width"]
        assert abs(evidence["y"] - words["y"]) < 2


def test_page_of_years_is_small_and_shows_single_findings_when_zoomed(browser, files):
    size = files["years"].stat().st_size - len(library().text.encode())
    assert size < MOST_BYTES
    with browser.page(files["years"]) as tab:
        assert len(bars(ready(tab))) < 5_000
        assert any(re.match(r"\d\d+ times: Two consumers", tip) for tip in bars(tab))
        assert {int(text) for text in texts(tab) if text.isdigit()} != {1}
        begin = tab.evaluate("document.querySelector('.timeline').timeline.data.begin")
        tab.evaluate(f"document.querySelector('.timeline').timeline.set({begin + 700 * DAY}, {begin + 703 * DAY})")
        shown(tab)
        tips = [tip for tip in bars(tab) if tip.startswith(("Two consumers", "No consumer"))]
        assert len(tips) == 3
        assert all("20.0 s" in tip for tip in tips)


def test_long_findings_of_one_bin_are_shown_to_their_end(browser, tmp_path):
    answer = overlap()
    two, back = answer.audited.groups[0].findings
    later = tuple(replace(one, at=one.at + 500, until=one.until + 20_000) for one in two.intervals)
    answer.audited.groups[0].findings = [two, replace(two, intervals=later), back]
    (tmp_path / "audit.html").write_text(page(answer), encoding="utf-8")
    with browser.page(tmp_path / "audit.html") as tab:
        tips = bars(ready(tab))
        place = next(number for number, tip in enumerate(tips) if tip.startswith("2 times"))
        assert bars(tab, "right")[place] == BEGIN + 174_000


def test_repeats_are_folded(browser, files):
    with browser.page(files["years"]) as tab:
        assert ready(tab).locator("article.finding").count() == 4
        assert tab.locator(".repeats summary").first.inner_text().startswith("480 times, 2023-11-")
        assert tab.locator(".repeats").first.locator("tbody tr").count() == 480


@pytest.mark.parametrize(("width", "theme"), WINDOWS)
@pytest.mark.parametrize("name", ["overlap", "years"])
def test_page_without_scripts_has_a_static_picture(browser, files, name, width, theme):
    with browser.page(files[name], width, theme, script=False) as tab:
        box = tab.locator("svg.still").bounding_box()
        assert box["width"] == pytest.approx(width - 32, abs=2)
        assert box["height"] > 100
        words = tab.locator("svg.still text").all_text_contents()
        assert any("Two consumers owned a queue at once" in word for word in words)
        assert any(re.fullmatch(r"\d{4}-\d\d-\d\d", word) for word in words)
        if name == "overlap":
            assert {"T1  b0 0-3", "T1  b0 4-7", "10.1.2.3@c0", "10.1.2.4@c1"} <= set(words)
            assert tab.locator("svg.still rect.two").count() == 2  # in the row of findings, and in the lane
        assert not tab.locator(".zoom").is_visible()
        assert not tab.locator("button.jump").first.is_visible()


def test_static_labels_do_not_overlap(browser, files):
    with browser.page(files["years"], 390, script=False) as tab:
        boxes = [one.bounding_box() for one in tab.locator("svg.still text.tick").all()]
        boxes.sort(key=lambda one: (one["y"], one["x"]))
        for left, right in pairwise(boxes):
            assert left["y"] != right["y"] or left["x"] + left["width"] <= right["x"]


def test_page_of_the_same_audit_is_the_same():
    assert page(overlap()) == page(overlap())


def test_many_groups_have_static_pictures_after_the_first_charts():
    answer = overlap()
    answer.audited.groups *= MOST_CHARTS + 2
    text = page(answer)
    assert text.count("data-timeline=") == MOST_CHARTS
    assert text.count('<svg class="still"') == MOST_CHARTS + 2


def test_only_repeats_longest_lines_are_quoted():
    assert list(cited(overlap())) == [("c0.log", 7), ("c1.log", 9)]
    assert len(list(cited(years()))) == 16


def test_hostile_names_stay_text(files):
    text = files["overlap"].read_text("utf-8")
    assert "<b>G" not in text
    assert text.count("</script") == 3


def test_page_without_findings_says_so():
    answer = overlap()
    answer.audited.groups[0].findings.clear()
    assert '<p class="headline">Nothing found.</p>' in page(answer)


def test_page_loads_no_library_without_a_timeline():
    answer = overlap()
    answer.audited.groups.clear()
    text = page(answer)
    assert "<script" not in text
    assert "No evidence" in text


def test_hovering_shows_names_as_text(browser, tmp_path):
    answer = overlap()
    group = answer.audited.groups[0]
    group.names = {OWNERS[0]: "<img src=x onerror=alert(1)>@c0", OWNERS[1]: "$name{safe} @tip @{tip}{safe}@c1"}
    (tmp_path / "audit.html").write_text(page(answer), encoding="utf-8")
    with browser.page(tmp_path / "audit.html") as tab:
        ready(tab).locator(".chart").scroll_into_view_if_needed()
        box = tab.locator(".chart").bounding_box()
        found = []
        for lane in (0, ROW + BAR):  # below two kinds of findings
            tab.mouse.move(box["x"] + 40, box["y"] + 2 * STRIP + lane + 32, steps=3)
            shown(tab)
            found.append(tab.locator(".bk-tooltip-content").inner_text())
        assert "b0 0-3: <img src=x onerror=alert(1)>@c0, 2026-09-21 14:13:20.000 .. 2026" in found[0]
        assert "b0 4-7: $name{safe} @tip @{tip}{safe}@c1, " in found[1]
