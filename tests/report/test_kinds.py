"""Kinds of claims: everything that reports and pages need to know of a kind is in its record."""

import json
from dataclasses import replace
from types import SimpleNamespace

import pytest

from rebalance_proofs.cli.worded import story_lines
from rebalance_proofs.proofs.claim import Verdict
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.proofs.results import ClaimResult, Search
from rebalance_proofs.report.claims.matrix import matrices
from rebalance_proofs.report.claims.played import trace
from rebalance_proofs.report.family import Family
from rebalance_proofs.report.html import page
from rebalance_proofs.report.in_brief import heading, outcome
from rebalance_proofs.report.kinds import KINDS, families, family, in_words, shown, smallest
from rebalance_proofs.report.ledger import listed
from rebalance_proofs.report.results.json_results import to_json
from rebalance_proofs.report.results.markdown import summary, xml
from rebalance_proofs.report.shown import Shown

INVENTED = Family("invented", "An invented kind", "What becomes of a group.", ("Protocol", "When"), spelled_out=True)
STEPS = SimpleNamespace(group=("c0 joins", "c1 joins"), sentence="Nobody has queue 0.")


class World:
    """In which the group is."""

    kind, dropped, assumes, defines = "invented", False, ("no other group",), ()


class Protocol:
    """That the group follows."""

    name, encoding = "eager", Shown


CLAIM = replace(
    LEDGER[0],
    room="invented",
    guarantee=replace(LEDGER[0].guarantee, name="owned"),
    sentence="Every queue is owned.",
    world=World(),
    subjects=(Protocol(),),
    obligations=(),
)
SHOWN = Shown(
    families=(INVENTED,),
    family=lambda claim: INVENTED,
    row=lambda claim: ("eager", "always"),
    column=lambda claim: "owned",
    cells=lambda claims: {(("eager", "always"), "owned"): claims},
    about=lambda claim: "A group and its broker.",
    given=lambda claim: "Given: nothing.",
    listed=lambda claims: ("owned: some consumer has it", ("eager",) * len(claims)),
    label=lambda subject: "Eager",
    code=lambda subject: Family,
    smallest=lambda claim: STEPS,
    size=lambda example: "2 steps",
    lines=lambda claim, example: (*example.group, example.sentence),
    figure=lambda claim, example: "<p>two steps, drawn</p>",
    document=lambda claim, example: {"steps": list(example.group)},
    types={"step": "Str"},
    states=lambda claim, example: [{"step": step} for step in example.group],
    further={"steps": lambda claim: "any"},
)


@pytest.fixture
def result(monkeypatch):
    """Result of a claim of an unregistered kind, which is declared in this file only."""
    monkeypatch.setitem(KINDS, "invented", SHOWN)
    search = Search((), STEPS, True, True, 2)
    return ClaimResult(replace(CLAIM, holds=False), Verdict.REFUTED, "", search=search)


def test_every_kind_in_the_ledger_is_known():
    assert set(KINDS) == {claim.kind for claim in LEDGER}


def test_new_kind_is_in_lists_and_tables(result):
    claim = result.claim
    assert families([claim, LEDGER[0]]) == (family(LEDGER[0]), INVENTED)
    (table,) = matrices([result])
    assert (table.family, table.rows, table.columns) == (INVENTED, (("eager", "always"),), ("owned",))
    ledger = listed("all", [LEDGER[0], claim])
    assert "## An invented kind" in ledger
    assert "\nSteps: " in ledger
    assert '\n- <a id="invented.eager.owned"></a>`invented.eager.owned`' in ledger


def test_new_kind_is_in_every_report(green, result):
    run = replace(green, claims=(*green.claims, result))
    told = summary(run)
    assert "## An invented kind" in told
    assert "**invented.eager.owned** (2 steps)\n\n1. c0 joins\n2. c1 joins\n3. Nobody has queue 0." in told
    text = page(run)
    assert "<p>two steps, drawn</p>" in text
    assert 'About: A group and its broker.</p>\n<p class="small">Given: nothing.</p>' in text
    assert "2 steps:" in text
    (claim,) = (found for found in to_json(run)["claims"] if found["id"] == result.claim.id)
    assert json.loads(json.dumps(claim["counterexample"]))["steps"] == ["c0 joins", "c1 joins"]
    assert (claim["family"], claim["about"]) == ("invented", "A group and its broker.")
    wrong = replace(result, claim=replace(result.claim, holds=True))
    assert "c1 joins\nNobody has queue 0." in xml(replace(run, claims=(wrong,)))


def test_new_kind_is_shown_and_traced(result):
    claim = result.claim
    assert smallest(claim) is STEPS
    assert list(story_lines(result)) == ["      c0 joins", "      c1 joins"]
    told = [*heading(claim), *outcome(result)]
    assert "Smallest counterexample: 2 steps" in told
    assert any(line.startswith("  report/family.py ") and "the code" in line for line in told)
    found = trace(result, STEPS)
    assert (found["vars"], [state["step"] for state in found["states"]]) == (["step"], ["c0 joins", "c1 joins"])


def test_subjects_of_the_ledger_have_names():
    assert in_words("hash+java_v5_2+something") == "CONSISTENT_HASH (Java, Rust) + Java 5.2 to 5.5.0 + something"


def test_unknown_kind_is_refused():
    with pytest.raises(TypeError, match="in a world of type World cannot be shown"):
        shown(CLAIM)
