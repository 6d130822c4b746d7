"""The report page: self-contained, with working links, and safe against hostile text."""

from dataclasses import replace
from html.parser import HTMLParser

import pytest

from rebalance_proofs.proofs.claim import Verdict
from rebalance_proofs.report.html import page, script
from tests.report.runs import BROKEN, DEPENDENT, HOSTILE, SWEEP, with_claim, with_finding

VOID = {"meta", "br", "link", "img", "input", "hr"}


class Page(HTMLParser):
    """Collects tags, and checks that they are balanced."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.open = [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def all(self, tag):
        return [attributes for name, attributes in self.tags if name == tag]


@pytest.fixture(scope="module")
def shown(green):
    return Page(page(green))


def test_tags_are_balanced(shown):
    assert shown.open == []


def test_page_loads_nothing(green, shown):
    for tag, attributes in shown.tags:
        assert tag not in ("link", "img", "iframe", "object", "embed", "base")
        assert "src" not in attributes
        if "href" in attributes:
            assert tag == "a"
        assert not [name for name in attributes if name.startswith("on")]
    assert "@import" not in page(green)
    assert "url(" not in page(green)


def test_page_has_no_relative_links(shown):
    assert [link["href"] for link in shown.all("a") if not link["href"].startswith(("#", "https://"))] == []


def test_files_of_the_run_are_named(green):
    text = page(green)
    for name in ("results.json", "summary.md", "junit.xml", "smt2/", f"counterexamples/{DEPENDENT}.itf.json"):
        assert f"<code>{name}</code>" in text
    assert f"<code>smt2/{DEPENDENT}/</code>" in text


def test_a_counterexample_has_its_replay_command(green):
    """Of a claim that was to hold there is nothing to be had by its name: the trace is named."""
    text = " ".join(page(green).split())
    trace = f"Trace (ITF): <code>counterexamples/{DEPENDENT}.itf.json</code> in the run directory."
    assert trace in text
    assert f"Replay it in a terminal: <code>rebalance replay {DEPENDENT}</code>" in text
    assert text.count("<code>rebalance replay ") == text.count("Trace (ITF): <code>")
    (result,) = (one for one in green.claims if one.claim.id == DEPENDENT)
    others = [one for one in green.claims if one is not result]
    unexpected = replace(green, claims=(*others, replace(result, claim=replace(result.claim, holds=True))))
    text = " ".join(page(unexpected).split())
    assert trace in text
    assert f"<code>rebalance replay counterexamples/{DEPENDENT}.itf.json</code>" in text


def test_only_the_pages_own_script_runs(green, shown):
    (policy,) = [meta["content"] for meta in shown.all("meta") if "http-equiv" in meta]
    assert f"script-src '{script().fingerprint}'" in policy
    assert policy.startswith("default-src 'none'")
    assert "unsafe-inline" not in policy.partition("script-src")[2]
    assert [one.get("type") for one in shown.all("script")] == ["application/json", None]
    assert f"<script>{script().text}</script>" in page(green)


def test_first_link_skips_the_head_of_the_page(shown):
    first = shown.all("a")[0]
    assert (first["class"], first["href"]) == ("skip", "#content")
    assert [main["id"] for main in shown.all("main")] == ["content"]


def test_ids_are_unique_and_links_resolve(shown):
    ids = [attributes["id"] for _, attributes in shown.tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    within = [link["href"][1:] for link in shown.all("a") if link["href"].startswith("#")]
    assert DEPENDENT in within
    assert set(within) <= set(ids)


def test_tables_and_figures_are_accessible(shown):
    assert len(shown.all("table")) == len(shown.all("caption"))
    assert len(shown.all("svg")) == len([tag for tag, _ in shown.tags if tag == "desc"]) == 2
    assert all("scope" in cell for cell in shown.all("th"))
    assert shown.all("html") == [{"lang": "en"}]


def test_scope_of_each_claim_is_printed(green):
    text = page(green)
    assert text.count("Scope: ") == len(green.claims)
    assert "for all numbers of queues and consumers" in text


@pytest.mark.parametrize("name", BROKEN)
def test_broken_pages_are_balanced(green, name):
    assert Page(page(BROKEN[name](green))).open == []


def test_failing_claim_is_linked_from_the_banner(green):
    text = page(with_claim(green, Verdict.UNKNOWN, "gave up"))
    banner = text[text.index('class="banner alarm"') : text.index("</header>")]
    assert '<a href="#allocation.circle.disjoint">' in banner
    assert '<article id="allocation.circle.disjoint" class="alarm" ' in text
    family = text[text.index('id="family-promises"') :]
    assert family.startswith('id="family-promises">\n<details open>')
    assert '<details class="claim" open>' in family
    assert "The claim states this scope; the run did not confirm it." in text


def test_hostile_text_is_escaped(green):
    text = page(with_claim(green, Verdict.UNKNOWN, HOSTILE))
    assert text.count("<script") == 2
    assert "&lt;script&gt;alert(&#39;x&#39;)" in text


def test_source_is_a_link_only_if_it_is_a_web_address(green):
    first = green.claims[0]
    claim = replace(first.claim, source="javascript:alert(1)")
    text = page(replace(green, claims=(replace(first, claim=claim),)))
    assert 'href="javascript' not in text
    assert "<code>javascript:alert(1)</code>" in text


def test_every_claim_has_a_cell_that_links_to_it(green, shown):
    cells = [link["href"] for link in shown.all("a") if link.get("class", "").startswith("verdict")]
    assert sorted(cells) == sorted(f"#{result.claim.id}" for result in green.claims)


def test_claims_are_below_their_family(green):
    text = page(green)
    order = ["family-promises", "allocation.circle.disjoint", "family-premises", DEPENDENT]
    places = [text.index(f' id="{part}"') for part in order]
    assert places == sorted(places)


def test_claim_says_what_it_concerns(green):
    text = page(green)
    assert text.count("About: One group and one topic, at one moment.") == len(green.claims)
    assert ". Does not assume: the same cidAll for all consumers.</p>" in text


def test_sweeps_name_strategies_by_their_user_facing_names(green):
    text = page(with_finding(green, SWEEP, subject="room+room-go", setting="kinds-of-two-clients"))
    assert "MACHINE_ROOM (Java) + MACHINE_ROOM (Go)</th>" in text
    assert "<td>kinds-of-two-clients</td>" in text
    assert "<td>without same-cid-all</td>" in page(green)
