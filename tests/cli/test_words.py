"""Amount of output: one line per family, or per claim if claims are named; each failure is printed once."""

from dataclasses import replace

import pytest

from rebalance_proofs.cli import worded
from rebalance_proofs.cli.progress import Reporter
from rebalance_proofs.cli.work import Work
from rebalance_proofs.proofs.ledger import select
from rebalance_proofs.proofs.prove import Options
from rebalance_proofs.report.failures import failures, words_of
from rebalance_proofs.report.results.run import Run
from rebalance_proofs.spark_enum.allocation.space import GROUPS
from tests.report.runs import ENUMERATED, SWEEP

CHOSEN = select(["allocation.avg.disjoint", "allocation.avg.contiguous", "allocation.circle.contiguous"])
DIFFERING = replace(SWEEP, differing=3, first="queue 0 differs")
OPTIONS = Options(teeth=False, width=False)


def said(capsys, verbose: bool) -> tuple[Work, list[str]]:
    with Reporter() as reporter:
        work = Work(reporter, verbose)
        work.prove(CHOSEN, OPTIONS)
    return work, capsys.readouterr().out.splitlines()


def test_one_line_is_printed_per_family(capsys):
    _, lines = said(capsys, verbose=False)
    assert lines == [
        "proving 3 claims ...",
        "ok  One topic, all assumptions hold: 3 claims: 2 PROVED, 1 REFUTED",
    ]


def test_verbose_prints_one_line_per_claim(capsys):
    _, lines = said(capsys, verbose=True)
    assert sorted(line.split()[2].strip(":") for line in lines[1:]) == sorted(claim.id for claim in CHOSEN)


def test_unexpected_claim_is_printed_once_immediately(capsys, monkeypatch):
    wrong = tuple(replace(claim, holds=False) if "disjoint" in claim.id else claim for claim in CHOSEN)
    monkeypatch.setattr("tests.cli.test_words.CHOSEN", wrong)
    work, lines = said(capsys, verbose=False)
    assert lines[1].startswith("BAD allocation.avg.disjoint: expected REFUTED, is PROVED.")
    assert lines[2] == "BAD One topic, all assumptions hold: 3 claims: 2 PROVED, 1 REFUTED; 1 not as expected"
    (result,) = (result for result in work.claims if not result.green)
    assert work.told == set(failures(result)) != set()


@pytest.mark.parametrize("told", [False, True])
def test_untold_failures_are_printed_first_at_the_end(told):
    run = Run("rebalance verify", "", 1.0, {}, {}, claims=(), enumerated=replace(ENUMERATED, findings=(DIFFERING,)))
    assert run.failures
    lines = list(worded.closing_lines(run, run.failures if told else ()))
    first = [] if told else [f"BAD {failure}" for failure in run.failures]
    assert [line for line in lines if line.startswith("BAD")] == lines[: len(first)] == first
    assert lines[-1].startswith("NOT AS EXPECTED")


def test_several_enumerations_share_a_line():
    circle = replace(SWEEP, subject="circle")
    assert list(worded.enumerated_lines([SWEEP, circle], verbose=False)) == ["swept 2 spaces: 2,468 groups"]
    (line,) = worded.enumerated_lines([SWEEP, DIFFERING], verbose=False)
    assert line.endswith("; BAD: 1")
    assert words_of(GROUPS).told(DIFFERING).endswith("; BAD")
