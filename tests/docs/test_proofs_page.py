"""Texts, mutants and invariants on the pages about proofs agree with the code."""

import inspect
import re
from pathlib import Path

import pytest

from rebalance_proofs.model.machines.settling import actions as machine
from rebalance_proofs.proofs import texts
from rebalance_proofs.proofs.claim import Verdict
from rebalance_proofs.proofs.ledger import LEDGER, select
from rebalance_proofs.proofs.structural import STRUCTURAL
from tests.unshipped import UNSHIPPED

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "explanation" / "how-a-proof-is-built.md").read_text(encoding="utf-8")
MACHINE = (ROOT / "docs" / "explanation" / "how-a-machine-is-proved.md").read_text(encoding="utf-8")
WITHOUT = PAGE.split("## Proved claims that no mutant tests")[1].split("\n## ")[0]
ROWS = [
    (re.findall(r"`([^`]+)`", patterns), reason)
    for patterns, reason in re.findall(r"^\| (`.*) \| (.*) \|$", WITHOUT, re.MULTILINE)
]
CLAIMS = [claim for claim in LEDGER if not any(strategy in UNSHIPPED for strategy in claim.subjects)]
PROVED = [claim for claim in CLAIMS if claim.expected is Verdict.PROVED]
AVG = next(claim for claim in CLAIMS if claim.id == "allocation.avg.disjoint")


def matched(rows) -> set[str]:
    """Ids of the proved claims that the patterns of some rows match."""
    return {claim.id for patterns, _ in rows for claim in select(patterns, PROVED)}


def test_patterns_match_exactly_the_proved_claims_without_a_mutant():
    assert matched(ROWS) == {claim.id for claim in PROVED if not claim.mutants}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0][0])
def test_every_pattern_matches_a_claim_of_no_other_row(row):
    others = matched(other for other in ROWS if other is not row)
    for pattern in row[0]:
        assert {claim.id for claim in select([pattern], PROVED)} - others


def test_structural_claims_hold_by_construction():
    assert matched(row for row in ROWS if row[1].startswith("holds by construction")) == {*STRUCTURAL}


def test_excerpt_lines_are_in_the_text_in_order():
    (obligation,) = AVG.obligations
    text = texts.proof(AVG.subjects[0].rocketmq_name, obligation, AVG.subjects[0].encoding)
    excerpt = re.search(r"^    \(set-logic QF_LIA\)\n(?:    .*\n)+", PAGE, re.MULTILINE)[0]
    begins = [line[4:].split("...")[0] for line in excerpt.splitlines() if line != "    ..."]
    places = [text.find(f"\n{line}") for line in begins]
    assert len(begins) > 10
    assert -1 not in places
    assert places == sorted(places)


def test_example_parts_are_those_of_the_claim():
    (obligation,) = AVG.obligations
    assert f"> {AVG.sentence}\n" in PAGE
    assert f"    {obligation.name}: {obligation.sentence}\n" in PAGE
    assert "mod-left-out" in {mutant.name for mutant in AVG.mutants}
    assert "le-for-lt" in {mutant.name for mutant in AVG.mutants}


def test_machine_conjuncts_are_those_of_the_claim():
    (claim,) = select(["settling.java_v5_2_to_v5_3.settles"], CLAIMS)
    conjuncts = [one.name for one in claim.guarantee.induction(claim.world).invariant]
    table = MACHINE.split("| conjunct | meaning |")[1].split("\n\n")[0]
    assert re.findall(r"^\| `(\w+)`", table, re.MULTILINE) == conjuncts
    assert f"has {['no', 'one', 'two', 'three', 'four', 'five', 'six'][len(conjuncts)]} conjuncts" in MACHINE


def test_machine_action_is_that_of_the_code():
    shown = re.search(r"^    @action.*\n    def (\w+)\(.*\n((?:    .*\n)+)", MACHINE, re.MULTILINE)
    written = inspect.getsource(getattr(machine, shown[1]))
    assert re.sub(r"^    ", "", shown[2], flags=re.MULTILINE) in written
