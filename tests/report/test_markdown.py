"""The summary for CI servers."""

from dataclasses import replace

import pytest

from rebalance_proofs.proofs.claim import Claim, Verdict
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.proofs.results import ClaimResult
from rebalance_proofs.report.kinds import KINDS
from rebalance_proofs.report.results.headline import MOST, headline
from rebalance_proofs.report.results.markdown import DIAGRAMS, LARGEST, escape, summary
from rebalance_proofs.spark_enum.allocation.space import SOLVER
from rebalance_proofs.spark_enum.results import Wrong
from tests.report.runs import HOSTILE, LEAST, with_claim, with_finding
from tests.report.shown_runs import ORDERED, SOME, run_of

HOSTILES = "<img src=x> | ``` [a](javascript:b) $$c$$ </details> end; #35;"
"""What a name might be, at its worst."""
HEADS = ("✅ All as expected: 1 claim checked, 1 does not hold", "`mermaid")


def test_summary_has_its_tables(green):
    lines = summary(green).splitlines()
    assert lines[0] == f"# ✅ {headline(green)}"
    assert "| AVG_BY_CIRCLE | PROVED | REFUTED |" in lines
    assert "| same-cid-all | AVG | REFUTED |" in lines
    assert "| ✅ | avg without-same-cid-all | q ≤ 8, c ≤ 5 | 1,234 | 1,234 | 40,000 | 0 | 1.5 s |" in lines
    assert "| ✅ | avg | q ≤ 8, c ≤ 3 before | 72 | 72 | 0 | 400 ms |" in lines
    assert "| ✅ | avg.tsv | 10 | 9 | 1 | 0 | 0 | no |" in lines
    assert "    rebalance verify --output runs/today" in lines
    assert not any("Failures" in line for line in lines)


def test_failures_come_first(green):
    text = summary(with_claim(green, Verdict.DISAGREE, "z3 says sat, cvc5 says unsat"))
    assert text.startswith("# ❌ NOT AS EXPECTED: 1 failure; 3 claims checked, ")
    assert text.index("z3 says sat, cvc5 says unsat") < text.index("| Strategy |")
    assert "| AVG_BY_CIRCLE | ❌ DISAGREE | REFUTED |" in text


def test_comparisons_are_counted_and_only_differences_listed(green):
    row = "| allocation.avg.disjoint.without-same-cid-all | 2 consumers, 1 queue | none found |"
    agreeing = summary(green)
    assert "Solver and enumerator agree for 1 of 1 claim, asked at 12 sizes." in agreeing
    assert "smallest counterexamples of the same size for 1 of 1 claim." in agreeing
    differing = summary(with_finding(green, LEAST, differing=1, smallest={SOLVER: Wrong((2, 1), (), "")}))
    assert "smallest counterexamples of the same size for 0 of 1 claim." in differing
    assert row in differing
    assert row not in agreeing


def test_long_list_of_failures_is_cut(green):
    text = summary(replace(green, enumerated=replace(green.enumerated, unexpected=tuple(map(str, range(MOST + 5))))))
    assert f"- {MOST - 1}\n" in text
    assert f"- {MOST}\n" not in text
    assert "- and 5 more" in text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a | b", r"a \| b"),
        ("two\nlines", "two lines"),
        ("<b>", "&lt;b>"),
        ("*bold* [link](x) `code`", r"\*bold\* \[link\](x) \`code\`"),
        ("AVG_BY_CIRCLE", "AVG_BY_CIRCLE"),
        ("_italic_", r"\_italic\_"),
    ],
)
def test_markdown_characters_are_escaped(text, shown):
    assert escape(text) == shown


def test_hostile_text_is_escaped(green):
    assert "<script" not in summary(with_claim(green, Verdict.UNKNOWN, HOSTILE))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("# heading", "&#35; heading"),
        ("## two", "#&#35; two"),
        ("> quoted", "&#62; quoted"),
        ("- item", "&#45; item"),
        ("---", "--&#45;"),
        ("1. item", "&#49;. item"),
        ("1.5 s", "1.5 s"),
        ("#12", "#12"),
        ("$x$ and $$y$$", "&#36;x&#36; and &#36;&#36;y&#36;&#36;"),
        ("https://example.org www.example.org", "https:&#47;/example.org www&#46;example.org"),
    ],
)
def test_line_starts_and_github_references_are_escaped(text, shown):
    assert escape(text) == shown


def test_hostile_names_in_counterexamples_are_escaped(monkeypatch):
    """In the text and in the diagram of a client's run."""
    run = run_of(ORDERED)
    kind = replace(KINDS["ordered"], lines=lambda claim, example: (HOSTILES, "```\n# b", HOSTILES))
    monkeypatch.setitem(KINDS, "ordered", kind)
    text = summary(run)
    assert "<img" not in text
    assert not [line for line in text.splitlines() if line.startswith(("# ", "```")) and line[2:] not in HEADS]
    assert text.count("1. &lt;img") == 1


def renamed(claim: Claim, variant: str) -> Claim:
    """The claim with another last part of its id."""
    last = f"{variant}.without-{claim.world.name}" if claim.world.dropped else variant
    return replace(claim, variant=last)


def test_summary_is_within_the_limit_with_all_claims_failing():
    """Every claim of the ledger, repeated with a story until the text is too long."""
    run = run_of(*SOME)
    stories = [result for result in run.claims if result.search]
    many = tuple(
        replace(one, claim=renamed(one.claim, f"{HOSTILES} {number}"), verdict=Verdict.DISAGREE, reason="no")
        for number in range(4_000)
        for one in stories[number % len(stories) :][:1]
    )
    failing = tuple(ClaimResult(claim, Verdict.DISAGREE, HOSTILES) for claim in LEDGER)
    text = summary(replace(run, claims=(*failing, *many)))
    assert len(text.encode()) <= LARGEST < 2**20
    headline, left, *_ = [line for line in text.splitlines() if line]
    assert headline.startswith("# ❌ NOT AS EXPECTED: ")
    assert left.startswith("Left out, because a job summary holds no more than 1 MiB: ")
    assert "counterexamples in words" in left
    assert left.endswith("report.html and results.json in the run directory have everything.")
    assert text.count("```mermaid") == DIAGRAMS == text.count("sequenceDiagram")
    assert text.count("\n```\n") == DIAGRAMS
    assert text.count("<details>") == text.count("</details>") == 1
    assert text.count("❌ DISAGREE") > 300
    assert "<img" not in text


def test_full_ledger_of_failures_fits_completely():
    """With the counterexample of claims for which it is found quickly."""
    run = run_of(*SOME)
    found = {result.claim.id: result for result in run.claims}
    all_ = tuple(
        replace(found.get(claim.id, ClaimResult(claim, claim.expected, "")), verdict=Verdict.UNKNOWN, reason="gave up")
        for claim in LEDGER
    )
    text = summary(replace(run, claims=all_))
    assert "Left out" not in text
    assert f"- and {len(LEDGER) - MOST} more, see results.json" in text


def test_diagrams_show_unexpected_claims_first():
    run = run_of("ordered.java_v5_2.**", "settling.**")
    assert "## Counterexamples, step by step" in summary(run)
    last = [result for result in run.claims if result.search][-1]
    wrong = tuple(replace(one, verdict=Verdict.UNKNOWN) if one is last else one for one in run.claims)
    drawn = [line for line in summary(replace(run, claims=wrong)).splitlines() if line.startswith("**")]
    assert drawn[0] == f"**{last.claim.id}**: UNKNOWN"
    assert all(line.endswith("as expected") for line in drawn[1:2])
