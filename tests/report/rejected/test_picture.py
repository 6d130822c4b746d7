"""Pictures of unexplained events, and the page with them."""

import re
from dataclasses import replace
from functools import cache
from xml.etree import ElementTree

from rebalance_proofs.recorded.cluster.judge import AFTER, BEFORE, judge
from rebalance_proofs.recorded.groups.member import End, EntryNew
from rebalance_proofs.report.rejected import FIRST, Nearly, nearly, page, picture
from tests.recorded.cluster.traces import first, trace, without
from tests.report.browser import started, themes

NAME = "java-4.9.8/l_delayed_unlock"


@cache
def verdict():
    """Of a group with a listener that returned unseen: it is called while it runs."""
    whole = trace(NAME)
    return judge(without(whole, first(whole, "c0", End)), NAME)


def ordered():
    """What the ordered machine says of it."""
    (tally,) = [one for one in verdict().tallies if one.machine == "ordered"]
    return tally.rejected[0]


def texts(svg: str, kind: str) -> list[str]:
    return [one.text or "" for one in ElementTree.fromstring(svg).iter("text") if one.get("class") == kind]


def test_nearby_events_concern_the_same_queue():
    one = ordered()
    place = [(near.who, near.row) for near in one.near].index((one.who, one.row))
    assert place <= BEFORE
    assert len(one.near) == place + 1 + AFTER
    assert [near.at for near in one.near] == sorted(near.at for near in one.near)
    queue = one.about.partition(", ")[2]
    assert all(queue in near.words or "…" in near.words for near in one.near)
    assert {near.other for near in one.near if near.who == "b0" and near.words.startswith("answered")} <= {"c0", "c1"}


def test_only_the_first_rejection_of_a_machine_has_nearby_events():
    for tally in verdict().tallies:
        assert [bool(one.near) for one in tally.rejected[1:]] == [False] * len(tally.rejected[1:])


def test_picture_shows_the_event_the_state_and_the_false_condition():
    one = ordered()
    drawn = picture(one, "here")
    marked = texts(drawn, "outcome several")
    assert f"{one.at:,} ms" in marked
    assert any(words.startswith("begin ") for words in marked), "the event itself"
    assert "Not explained: the listener is called." in marked
    assert "false: (not runs)" in marked
    assert "runs" in texts(drawn, "chip")
    assert [name for name in texts(drawn, "name") if name.startswith("Nearly")] == ["Nearly: starts"]
    boxes = [box for box in ElementTree.fromstring(drawn).iter("rect") if box.get("class") == "cell takes several"]
    assert len(boxes) == 1


def test_nearly_possible_action_is_split_into_conditions():
    (one,) = nearly(replace(ordered(), nearest=("a (It goes): x and (or (not y) z) is false",) * 2))
    assert (one.action, one.sentence, one.false) == ("a", "It goes", ("x", "(or (not y) z)"))
    other = Nearly("nothing: the observed result differs")
    assert (other.action, other.false, other.words) == ("", (), "nothing: the observed result differs")


def test_page_has_each_machine_that_rejects_the_recording():
    text = page([verdict()])
    assert text.startswith(FIRST)
    wrong = [tally for tally in verdict().tallies if tally.rejected]
    assert text.count('<svg class="figure"') == len(wrong) > 1
    assert len(set(re.findall(r'id="(figure-[^"]+)"', text))) == 2 * len(wrong)
    assert '<code class="false">(not runs)</code>' in text


def test_accepted_recording_has_no_picture():
    text = page([judge(trace(NAME), NAME)])
    assert "<svg" not in text
    assert "Accepted: 1 trace" in text


def test_hostile_names_run_no_script():
    whole = trace(NAME)
    event = first(whole, "c0", EntryNew)
    hostile = replace(event, q="<script>alert(1)</script>:b0:0")
    lines = [hostile if one is event else one for one in whole.of["c0"]]
    text = page([judge(replace(whole, of={**whole.of, "c0": lines}), "<b>mine</b>")])
    assert "<script>" not in text
    assert "<b>mine</b>" not in text


def test_page_does_not_scroll_sideways(tmp_path):
    file = tmp_path / "page.html"
    file.write_text(page([verdict()]), encoding="utf-8")
    with started() as browser:
        for width, first in ((390, "light"), (1300, "dark")):
            with browser.page(file, width, first) as shown:
                for _ in themes(shown, first):
                    assert shown.evaluate("document.documentElement.scrollWidth") <= width
                assert shown.locator("svg.figure").count() > 1
