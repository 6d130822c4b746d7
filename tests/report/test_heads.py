"""Every column of the page's tables is explained."""

import re
from html import unescape

import pytest

from rebalance_proofs.report.claims.steps import TraceVariable
from rebalance_proofs.report.html import page
from rebalance_proofs.report.rendering import environment
from rebalance_proofs.report.results.heads import FIXED, HEAD, heads
from tests.report.runs import BROKEN, with_cases
from tests.report.shown_runs import SOME, run_of


def _unexplained(text):
    explained = {unescape(name) for name in re.findall(r"<dt>([^<]*)</dt><dd>", text[text.index('id="heads"') :])}
    return {unescape(head) for head in HEAD.findall(text)} - explained


@pytest.mark.parametrize("name", BROKEN)
def test_every_column_of_any_run_is_explained(green, name):
    assert _unexplained(page(BROKEN[name](green))) == set()


def test_columns_of_transitions_are_explained(green, transitions):
    assert _unexplained(page(transitions)) == set()
    assert _unexplained(page(with_cases(green))) == set()


def test_only_present_columns_are_explained(green):
    assert "<dt>Rewordings proved</dt>" in page(green)
    assert "<dt>In the second rebalance</dt>" not in page(green)


def test_every_explained_column_is_in_a_template():
    loader = environment(escapes=True).loader
    written = "".join(loader.get_source(None, name)[0] for name in loader.list_templates() if name.endswith(".html"))
    of_families = {"Claim", "Guarantee", "Used as", "Versions", "When", "Strategy"}
    of_rounds = {"Actions of the client", "In the first rebalance", "In the second rebalance"}
    dead = [head for head in FIXED if f">{head}<" not in written and f'"{head}"' not in written]
    assert set(dead) <= of_families | of_rounds


def test_heads_that_differ_in_case_only_have_a_fixed_order():
    """For any iteration order of a set in this process."""
    table = "".join(f'<th scope="col">{head}</th>' for head in ("queue", "Size", "Queue", "After"))
    things = [TraceVariable("queue", "queue")]
    assert [*heads(table, [], things)] == ["After", "Queue", "queue", "Size"]


def test_heads_of_a_page_are_sorted():
    text = page(run_of(*SOME))
    told = [unescape(name) for name in re.findall(r"<dt>([^<]*)</dt><dd>", text[text.index('id="heads"') :])]
    assert told == sorted(told, key=lambda head: (head.casefold(), head))
