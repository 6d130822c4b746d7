"""The summary for CI servers."""

from dataclasses import replace

import pytest

from rebalance_proofs.proofs.claim import Verdict
from rebalance_proofs.report.headline import MOST
from rebalance_proofs.report.markdown import escape, summary
from rebalance_proofs.spark_enum.allocation.kinds import SOLVER
from rebalance_proofs.spark_enum.results import Wrong
from tests.report.runs import HOSTILE, LEAST, with_claim, with_finding


def test_tables(green):
    lines = summary(green).splitlines()
    assert lines[0] == "# ✅ All as expected"
    assert "| AVG_BY_CIRCLE | PROVED | REFUTED |" in lines
    assert "| same-cid-all | AVG | REFUTED |" in lines
    assert "| ✅ | avg without-same-cid-all | q ≤ 8, c ≤ 5 | 1,234 | 1,234 | 40,000 | 0 | 1.5 s |" in lines
    assert "| ✅ | avg | q ≤ 8, c ≤ 3 before | 72 | 72 | 0 | 400 ms |" in lines
    assert "| ✅ | avg.tsv | 10 | 9 | 1 | 0 | 0 | no |" in lines
    assert "    rebalance verify --output runs/today" in lines
    assert not any("Failures" in line for line in lines)


def test_failures_come_first(green):
    text = summary(with_claim(green, Verdict.DISAGREE, "z3 says sat, cvc5 says unsat"))
    assert text.startswith("# ❌ NOT AS EXPECTED: 1 failure\n")
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


def test_many_failures_are_cut(green):
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
def test_escape(text, shown):
    assert escape(text) == shown


def test_hostile_text_stays_text(green):
    assert "<script" not in summary(with_claim(green, Verdict.UNKNOWN, HOSTILE))
