"""The page in a browser: filters work, traces play, and no other code runs."""

from dataclasses import replace
from itertools import pairwise

import pytest

from rebalance_proofs.model.worlds.groups import AGREED
from rebalance_proofs.proofs.claim import Verdict, even_if
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.report.concerns import strategies
from rebalance_proofs.report.html import advice, consequence, page, worst
from rebalance_proofs.report.kinds import KINDS, shown
from rebalance_proofs.report.results.headline import headline
from rebalance_proofs.report.subjects import covers
from rebalance_proofs.report.symptoms.asked import Asked
from tests.faults.tree import ROOT
from tests.report.browser import started, themes
from tests.report.groups import AVG
from tests.report.shown_runs import ORDERED, SOME, run_of
from tests.report.test_kinds import CLAIM, SHOWN, STEPS

WIDTHS = (390, 800, 1300)
WINDOWS = [pytest.param(*one, id=f"{one[0]}-{one[1]}") for one in zip(WIDTHS, ("dark", "light", "dark"), strict=True)]
"""Each width, with the theme in which the page is loaded."""
SAMPLE = ROOT / "docs" / "reference" / "sample-report.html"
HOSTILE = """<script>alert('x')</script>"'><img src=x onerror=alert(1)></title>${alert(2)}"""
SEEN = "one => !!one.offsetParent"


@pytest.fixture(scope="module")
def shown_run():
    """A run with claims of every kind."""
    return run_of(*SOME)


@pytest.fixture(scope="module")
def file(shown_run, tmp_path_factory):
    """Its page in a file."""
    found = tmp_path_factory.mktemp("page") / "report.html"
    found.write_text(page(shown_run), encoding="utf-8")
    return found


@pytest.fixture(scope="module")
def browser(file):
    """A browser, started after the page is made, because its driver has an event loop of its own."""
    with started() as found:
        yield found


def seen(tab):
    """The ids of claims that are not chosen away."""
    return tab.eval_on_selector_all("article:not([hidden])", "all => all.map(one => one.id)")


def settled(tab):
    """After what was typed has been looked at: the page waits for 120 ms, and its timers end in order."""
    tab.evaluate("new Promise(done => { setTimeout(done, 200); })")


def test_first_column_stays_in_place_in_a_scrolled_table(browser, file):
    with browser.page(file, 390) as tab:
        tab.locator("#family-ordered > details > summary").click()
        table = tab.locator("#family-ordered .scroll").first
        where = "all => all.map(one => Math.round(one.getBoundingClientRect().left))"
        names, cells = table.locator("tr:not(.first) th:first-child"), table.locator("td:nth-child(3)")
        before = names.evaluate_all(where), cells.evaluate_all(where)
        table.evaluate("one => { one.scrollLeft = 120; }")
        stayed = zip(names.evaluate_all(where), before[0], strict=True)
        assert all(abs(after - left) <= 1 for after, left in stayed)  # a collapsed border is half in the window
        assert cells.evaluate_all(where) == [left - 120 for left in before[1]]


def test_print_uses_the_light_theme(browser, file):
    ground = "getComputedStyle(document.body).backgroundColor"
    with browser.page(file, theme="dark") as tab:
        assert tab.evaluate(ground) == "rgb(13, 17, 23)"
        tab.emulate_media(media="print", color_scheme="dark")
        assert tab.evaluate(ground) == "rgb(255, 255, 255)"


@pytest.mark.parametrize(("width", "theme"), WINDOWS)
def test_no_element_is_wider_than_the_window(browser, file, width, theme):
    with browser.page(file, width, theme) as tab:
        assert tab.evaluate("document.documentElement.scrollWidth") == width
        tab.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
        tab.wait_for_selector(".player .cards")
        for _ in themes(tab, theme):
            assert tab.evaluate("document.documentElement.scrollWidth") == width


def test_first_view_is_short(browser, file):
    with browser.page(file) as tab:
        assert tab.is_visible("#filter")
        assert not tab.is_visible(".claim")
        assert tab.evaluate("document.documentElement.scrollHeight") < 6000


def test_filter_by_client_and_mode_shows_the_matching_claims(browser, file, shown_run):
    claims = [result.claim for result in shown_run.claims]
    with browser.page(file) as tab:
        tab.select_option("[name=client]", label="Java 5.1.4")
        tab.select_option("[name=mode]", label="push orderly")
        settled(tab)  # the choice of a client alone fills the sentence, too
        asked = Asked("5.1.4", "push orderly")
        expected = {claim.id for claim in claims if covers(claim, asked)}
        assert set(seen(tab)) == expected
        assert 0 < len(expected) < len(claims)
        assert tab.inner_text("#found").startswith(f"{len(expected)} of {len(claims)} claims")
        # The tables have no row, and the causes no entry, that leads nowhere.
        links = tab.eval_on_selector_all(".matrix a.verdict:not(.off)", "all => all.map(one => one.hash.slice(1))")
        assert set(links) == expected
        tab.select_option("[name=strategy]", "AVG")
        settled(tab)
        mine = {claim.id for claim in claims if claim.id in expected and strategies(claim) in ((), ("AVG",))}
        assert set(seen(tab)) == mine < expected
        assert tab.locator(".maps:not([hidden]) h3").all_inner_texts() == ["AVG"]
        tab.click("button[type=reset]")
        tab.wait_for_selector("#found:empty", state="attached")
        assert len(seen(tab)) == len(claims)


def test_filter_by_verdict_family_and_words_shows_the_matching_claims(browser, file, shown_run):
    refuted = {result.claim.id for result in shown_run.claims if result.verdict is Verdict.REFUTED}
    with browser.page(file) as tab:
        tab.select_option("[name=verdict]", "refuted")
        settled(tab)
        assert set(seen(tab)) == refuted
        tab.select_option("[name=family]", "ordered")
        settled(tab)
        assert set(seen(tab)) == {name for name in refuted if name.startswith("ordered.")}
        tab.select_option("[name=family]", "")
        tab.select_option("[name=verdict]", "")
        tab.fill("[name=words]", "Checks that its LOCK  is recent")
        settled(tab)
        assert seen(tab) == [ORDERED]
        tab.locator("#hits a").click()
        tab.wait_for_selector(f"[id='{ORDERED}'] .player")
        tab.fill("[name=words]", "nothing has this word")
        settled(tab)
        assert seen(tab) == []


def test_impossible_causes_are_hidden_and_counted(browser, file):
    with browser.page(file) as tab:
        before = tab.locator("#symptom-twice details.cause:not([hidden])").count()
        tab.select_option("[name=client]", label="Go")
        tab.select_option("[name=mode]", label="push")
        settled(tab)
        after = tab.locator("#symptom-twice details.cause:not([hidden])").count()
        away = tab.text_content("#symptom-twice .left-out")
        assert after < before
        assert sum(int(word) for word in away.split() if word.isdigit()) == before - after
        assert tab.inner_text("#symptom-twice .many") == f"{after} of {before} causes"
        assert tab.inner_text(".doors a[href='#symptom-twice'] + span") == f"{after} of {before} causes"


def test_link_opens_its_target(browser, file):
    with browser.page(file) as tab:
        tab.select_option("[name=client]", label="Go")
        settled(tab)
        assert ORDERED not in seen(tab)
        tab.evaluate(f"location.hash = '{ORDERED}'")
        tab.wait_for_selector(f"[id='{ORDERED}'] .player")
        cause = tab.locator(f"[id='{ORDERED}'] .seen a").first
        target = cause.get_attribute("href")[1:]
        cause.click()
        tab.wait_for_selector(f"[id='{target}'][open] ul")


def test_trace_player_plays_a_run(browser, file):
    with browser.page(file) as tab:
        tab.evaluate(f"location.hash = '{ORDERED}'")
        claim = tab.locator(f"[id='{ORDERED}']")
        claim.locator(".player").wait_for()
        rows = claim.locator("table.steps tbody tr")
        last = rows.count() - 1
        claim.locator(".forward").click()
        claim.locator(".player").focus()
        for key, at in (
            ("ArrowRight", 2),
            ("ArrowRight", 3),
            ("ArrowLeft", 2),
            ("End", last),
            ("Home", 0),
            ("ArrowRight", 1),
        ):
            tab.keyboard.press(key)
            cells = rows.nth(at).locator("td").evaluate_all("all => all.map(one => [one.textContent, one.className])")
            time, words, *values = cells
            assert claim.locator(".where").text_content() == f"Step {at} of {last}, {time[0]}"
            assert claim.locator(".now").text_content() == words[0]
            board = claim.locator(".card dd").evaluate_all("all => all.map(one => [one.textContent, one.className])")
            assert board == values
            assert claim.locator(".axis i.here").count() == 1
        assert any("changed" in kind for _, kind in board)
        assert claim.locator("table.steps tr.here th").all_text_contents() == ["1"]
        assert claim.locator(".axis .end").text_content() == rows.nth(last).locator("td").first.text_content()


def test_steps_are_folded_beside_a_player(browser, file):
    for width in (390, 1300):
        with browser.page(file, width) as tab:
            tab.evaluate(f"location.hash = '{ORDERED}'")
            claim = tab.locator(f"[id='{ORDERED}']")
            claim.locator(".player").wait_for()
            assert not claim.locator("table.steps").is_visible()
            claim.locator(".run > summary").click()
            claim.locator("table.steps").wait_for()


def test_page_begins_with_verdict_and_worst_finding(browser, file, shown_run):
    """The first screen of a telephone has all of it."""
    first = worst(shown_run.claims)[0].claim
    for width in WIDTHS:
        with browser.page(file, width) as tab:
            tab.locator("#worst .player").wait_for()
            assert tab.inner_text(".headline") == f"✓ {headline(shown_run)}"
            assert tab.inner_text("#worst .finding") == consequence(first)
            assert tab.inner_text("#worst .fix") == f"Fix: {advice(first)}"
            assert tab.get_attribute("#worst p a", "href") == f"#{first.id}"
            assert not tab.is_visible("#fails")
            assert tab.locator("#worst .player .bar").bounding_box()["y"] < 700
            box = tab.locator("#worst").bounding_box()
            assert box["y"] + box["height"] < tab.locator("#start").bounding_box()["y"]


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_nothing_plays_without_a_click(browser, file, motion):
    with browser.page(file) as tab:
        tab.emulate_media(reduced_motion=motion)
        tab.reload()
        tab.evaluate(f"location.hash = '{ORDERED}'")
        tab.locator(f"[id='{ORDERED}'] .player").wait_for()
        tab.wait_for_timeout(2200)  # longer than a player stays at a step
        assert tab.locator(".player").count() > 1
        assert set(tab.locator(".player .runs").all_text_contents()) == {"▶ Play"}
        assert all(said.startswith("Step 0 of ") for said in tab.locator(".player .where").all_text_contents())
        assert tab.evaluate("document.getAnimations().length") == 0


def test_player_plays_on_a_click_and_stops_where_the_claim_fails(browser, file, shown_run):
    first = worst(shown_run.claims)[0]
    lines = shown(first.claim).lines(first.claim, first.search.counterexample)
    with browser.page(file) as tab:
        player = tab.locator("#worst .player")
        player.locator(".runs").click()
        assert player.locator(".runs").text_content() == "❚❚ Pause"
        player.locator(".where", has_text="Step 1 of").wait_for()
        assert not player.locator(".wrong").is_visible()
        player.locator(".back").click()
        assert player.locator(".runs").text_content() == "▶ Play"
        player.locator(".fails").click()
        assert player.locator(".where").text_content().startswith(f"Step {len(lines) - 2} of {len(lines) - 2}")
        assert player.locator(".wrong").inner_text() == lines[-1]
        assert player.locator(".fails").is_disabled()
        player.locator(".back").click()
        player.locator(".runs").click()
        player.locator(".runs", has_text="▶ Play").wait_for()
        player.locator(".wrong").wait_for()


def test_worst_finding_follows_the_filter(browser, file, shown_run):
    with browser.page(file) as tab:
        before = tab.inner_text("#worst .finding")
        tab.select_option("[name=client]", label="Java 5.2.0")
        tab.select_option("[name=mode]", label="push orderly")
        settled(tab)
        claims = [result for result in shown_run.claims if covers(result.claim, Asked("5.2.0", "push orderly"))]
        failing = [result for result in claims if result.verdict is Verdict.REFUTED]
        told = f"Java 5.2.0, push orderly: {len(failing)} of {len(claims)} claims do"
        assert tab.inner_text("#fails").startswith(told)
        assert "Java 5.2.0, push orderly" in tab.inner_text("#found")
        mine = worst(claims)[0].claim.id
        assert tab.get_attribute("#worst p a", "href") == f"#{mine}"
        assert tab.inner_text("#worst .finding") == consequence(worst(claims)[0].claim)
        tab.fill("[name=words]", "nothing has this word")
        settled(tab)
        assert not tab.locator("#worst").is_visible()
        assert tab.inner_text("#fails").endswith(": 0 of 0 claims do not hold.")
        tab.click("button[type=reset]")
        settled(tab)
        assert tab.inner_text("#worst .finding") == before
        assert not tab.is_visible("#fails")
        assert tab.locator("#worst .player").count() == 1


def test_filter_is_one_line_in_a_small_window(browser, file):
    with browser.page(file, 390) as tab:
        assert tab.locator("#choose").bounding_box()["height"] < 40
        tab.locator("#choose > summary").click()
        tab.wait_for_selector("#filter")


def test_column_head_has_its_explanation(browser, file):
    with browser.page(file) as tab:
        head = tab.locator("#enumeration ~ .scroll .ask").first
        tip = tab.locator("#tip")
        head.hover()
        tip.wait_for()
        assert len(tip.text_content()) > 10
        tab.keyboard.press("Escape")
        tip.wait_for(state="hidden")
        head.focus()
        tip.wait_for()
        assert head.get_attribute("aria-describedby") == "tip"
        tab.locator("#run").click()
        tip.wait_for(state="hidden")
    with browser.page(file, 390) as tab:
        tab.locator("#enumeration ~ .scroll .ask").first.dispatch_event("click")
        tab.locator("#tip").wait_for()


def test_pager_switches_between_allocations(browser, file):
    with browser.page(file) as tab:
        tab.locator(".maps summary").first.click()
        pager = tab.locator(".pager").first
        pager.focus()
        tab.keyboard.press("ArrowDown")
        queues, consumers = 8, 4
        owners = AGREED.group((AVG,), consumers, queues).allocate()
        shown = pager.locator("dd").evaluate_all("all => all.map(one => [...one.children].map(box => box.textContent))")
        assert [[int(one.removeprefix("● ")) for one in own] for own in shown] == [
            [queue.queue_id for queue in own] for own in owners
        ]
        had = {
            queue: place
            for place, own in enumerate(AGREED.group((AVG,), consumers - 1, queues).allocate())
            for queue in own
        }
        moved = [str(queue.queue_id) for place, own in enumerate(owners) for queue in own if had[queue] != place]
        assert [one.removeprefix("● ") for own in shown for one in own if one.startswith("● ")] == moved
        assert f"{len(moved)} of the earlier queues changed owners: {', '.join(moved)}." in pager.inner_text()


def test_page_without_script_is_unfolded(browser, file):
    with browser.page(file, script=False) as tab:
        assert not tab.is_visible("#filter")
        assert tab.is_visible("noscript p")
        tab.locator("#family-ordered > details > summary").click()
        claim = tab.locator(f"[id='{ORDERED}']")
        claim.locator("> details > summary").click()
        claim.locator(".run > summary").click()
        claim.locator("table.steps").wait_for()
        assert not tab.locator(".player").count()


def test_print_unfolds_everything(browser, file):
    with browser.page(file) as tab:
        tab.evaluate("dispatchEvent(new Event('beforeprint'))")
        tab.emulate_media(media="print")
        assert tab.eval_on_selector_all("details", "all => all.every(one => one.open)")
        assert not tab.locator(".player").first.is_visible()
        assert tab.locator("table.steps").first.is_visible()
        tab.evaluate("dispatchEvent(new Event('afterprint'))")
        assert not tab.eval_on_selector_all("details", "all => all.every(one => one.open)")


def test_keyboard_reaches_everything(browser, file):
    """Serious issues of accessibility checkers: controls have names, and the keyboard reaches scroll areas."""
    with browser.page(file, 390) as tab:
        tab.keyboard.press("Tab")
        assert tab.evaluate("document.activeElement.className") == "skip"
        tab.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
        tab.wait_for_selector(".player .cards")
        unreachable = """all => all.filter(one => one.scrollWidth > one.clientWidth && one.tabIndex < 0).length"""
        assert tab.eval_on_selector_all(".scroll", unreachable) == 0
        nameless = """all => all.filter(one => !(one.labels && one.labels.length) && !one.textContent.trim()
                      && !one.getAttribute('aria-label')).length"""
        assert tab.eval_on_selector_all("button, a, input, select, [role=group]", nameless) == 0
        levels = tab.eval_on_selector_all("h1, h2, h3, h4, h5", "all => all.map(one => Number(one.tagName[1]))")
        assert levels[0] == 1
        assert all(after <= before + 1 for before, after in pairwise(levels))


def hostile(monkeypatch, run):
    """A run whose claims, ids, story, values and brokers are called what nobody should call them."""
    kind = replace(
        SHOWN,
        lines=lambda claim, example: (HOSTILE, f"1. {HOSTILE}", HOSTILE),
        types={"action": "Str", HOSTILE: "Str"},
        states=lambda claim, example: [{"action": HOSTILE, HOSTILE: value} for value in (HOSTILE, HOSTILE * 2)],
        column=lambda claim: HOSTILE,
    )
    monkeypatch.setitem(KINDS, "invented", kind)
    group = AGREED.group((AVG,), 2, 2)
    queues = tuple(queue._replace(broker_name=HOSTILE, topic=HOSTILE) for queue in group.queues)
    consumers = tuple(
        replace(
            one, mq_all=queues, client_id=HOSTILE + one.client_id, cid_all=tuple(HOSTILE + each for each in one.cid_all)
        )
        for one in group.consumers
    )
    first = next(result for result in run.claims if result.claim.id.startswith("allocation") and result.search)
    example = replace(
        first.search.counterexample, group=replace(group, queues=queues, consumers=consumers), sentence=HOSTILE
    )
    drawn = replace(
        first,
        search=replace(first.search, counterexample=example),
        claim=replace(first.claim, sentence=f"{HOSTILE}{even_if(first.claim.world)}", source=HOSTILE),
    )
    played = replace(
        first,
        claim=replace(CLAIM, holds=False, variant=HOSTILE, sentence=HOSTILE),
        search=replace(first.search, counterexample=STEPS),
    )
    return replace(
        run, command=HOSTILE, claims=(drawn, played), options={HOSTILE: HOSTILE}
    ), f"invented.eager.owned.{HOSTILE}"


def test_hostile_names_run_no_script(browser, shown_run, monkeypatch, tmp_path):
    run, name = hostile(monkeypatch, shown_run)
    file = tmp_path / "report.html"
    file.write_text(page(run), encoding="utf-8")
    with browser.page(file) as tab:
        tab.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
        tab.wait_for_selector(".player .cards")
        claim = tab.locator("article").last
        assert claim.get_attribute("id") == name
        claim.locator(".forward").click()
        assert claim.locator(".now").text_content() == HOSTILE
        assert claim.locator(".card dd").text_content() == f"● {HOSTILE * 2}"
        claim.locator(".ask").last.hover()
        tab.fill("[name=words]", HOSTILE)
        settled(tab)
        assert len(seen(tab)) == 2
        assert tab.eval_on_selector_all("img, script", "all => all.length") == 2


def test_unescaped_script_is_blocked_by_the_policy(browser, tmp_path):
    """The page's policy blocks text that was not escaped."""
    text = page(run_of("allocation.avg.disjoint"))
    file = tmp_path / "report.html"
    file.write_text(
        text.replace(
            "<main", "<script>document.title = 'run'</script><img src=x onerror=\"document.title = 'run'\"><main", 1
        ),
        encoding="utf-8",
    )
    titles = []

    def look():
        with browser.page(file) as tab:
            settled(tab)
            titles.append(tab.title())

    with pytest.raises(AssertionError, match="Content Security Policy"):
        look()
    assert titles != ["run"]


@pytest.mark.parametrize(("width", "theme"), WINDOWS)
def test_sample_report_fits_and_begins_with_the_worst_finding(browser, width, theme):
    with browser.page(SAMPLE, width, theme) as tab:
        assert tab.evaluate("document.documentElement.scrollWidth") == width
        assert tab.locator("#worst .player .bar").bounding_box()["y"] < 700
        assert tab.inner_text(".headline").startswith("✓ All as expected: ")
        assert tab.inner_text("#worst .fix").startswith("Fix: ")
        tab.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
        tab.wait_for_selector("article .player .cards")
        for _ in themes(tab, theme):
            assert tab.evaluate("document.documentElement.scrollWidth") == width


def test_sample_page_has_the_ledgers_verdicts(browser):
    """``make sample`` writes it."""
    verdicts = "all => all.map(one => [one.id, one.dataset.verdict])"
    with browser.page(SAMPLE) as tab:
        found = dict(tab.eval_on_selector_all("article", verdicts))
    assert len(found) > 20
    assert found == {claim.id: claim.expected.lower() for claim in LEDGER if claim.id in found}
