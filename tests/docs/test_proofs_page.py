"""Statements of docs/explanation/how-a-proof-is-built.md about mutants agree with the code."""

import re
from pathlib import Path

from rebalance_proofs.proofs.claim import Verdict
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.proofs.structural import STRUCTURAL
from tests.unshipped import UNSHIPPED

PAGE = (Path(__file__).parents[2] / "docs" / "explanation" / "how-a-proof-is-built.md").read_text(encoding="utf-8")
LISTED = re.findall(r"`([^`]+)`", re.search(r"have no mutant:\n(.*?)\n\n[^-\n]", PAGE, re.DOTALL)[1])
CLAIMS = [claim for claim in LEDGER if not any(strategy in UNSHIPPED for strategy in claim.subjects)]
IDS = {claim.id for claim in CLAIMS}


def test_it_lists_the_proved_claims_without_a_mutant():
    without = {claim.id for claim in CLAIMS if claim.expected is Verdict.PROVED and not claim.mutants}
    assert {name for name in LISTED if name in IDS} == without
    assert [name for name in LISTED if "." in name and name not in IDS] == []


def test_the_first_of_them_hold_by_construction():
    ids = [name for name in LISTED if name in IDS]
    assert {*ids[: len(STRUCTURAL)]} == {*STRUCTURAL}
    numbers = {13: "thirteen", 12: "twelve", 11: "eleven", 10: "ten"}
    assert f"The first {numbers[len(STRUCTURAL)]} hold by construction" in PAGE
