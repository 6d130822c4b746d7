"""The page of the whole ledger, at its full size (slow: it searches every counterexample)."""

import re
from html import unescape

import pytest

from rebalance_proofs.proofs.claim import Verdict
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.report.html import page
from rebalance_proofs.report.results.heads import HEAD
from tests.report import long
from tests.report.browser import started
from tests.report.shown_runs import run_of
from tests.report.test_every_counterexample import FAR

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def run():
    """A run in which all claims come out as expected."""
    with long.not_sought():
        return run_of(*(claim.id for claim in LEDGER if claim.id not in FAR))


@pytest.fixture(scope="module")
def text(run):
    """Its page."""
    return page(run)


def test_every_refuted_claim_has_a_picture_or_steps(run, text):
    for result in run.claims:
        begins = text.index(f'<article id="{result.claim.id}"')
        article = text[begins : text.index("</article>", begins)]
        shown = "<figure>" in article or '<table class="steps">' in article
        assert shown == (result.verdict is Verdict.REFUTED), result.claim.id


def test_every_head_is_explained_and_every_link_resolves(text):
    explained = {unescape(name) for name in re.findall(r"<dt>([^<]*)</dt><dd>", text[text.index('id="heads"') :])}
    assert {unescape(head) for head in HEAD.findall(text)} <= explained
    ids = re.findall(r' id="([^"]*)"', text)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r' href="#([^"]*)"', text)) <= set(ids)


@pytest.mark.parametrize("width", [390, 1300])
def test_page_fits_and_opens(text, tmp_path, width):
    file = tmp_path / "report.html"
    file.write_text(text, encoding="utf-8")
    with started() as browser, browser.page(file, width) as tab:
        assert tab.evaluate("document.documentElement.scrollHeight") < 12 * 900
        tab.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
        tab.wait_for_timeout(3000)
        assert tab.evaluate("document.documentElement.scrollWidth") == width
        assert tab.locator(".player").count() == tab.locator("table.steps").count() + 1 > 100
