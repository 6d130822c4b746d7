"""Commands that the pages of findings and bugs name for a failure reproduce that failure."""

import re
from pathlib import Path

import pytest

from rebalance_proofs.proofs.claim import Verdict
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.report.explorer.enumeration import EXAMPLES
from rebalance_proofs.report.symptoms.bugs import BUGS

DOCS = Path(__file__).parents[2] / "docs" / "reference"
PAGES = ("symptoms.md", "findings.md")
EXPECTED = {claim.id: claim for claim in LEDGER}
TRIED = (
    "allocation.avg.disjoint.without-distinct-ids",
    "transition.java_v5_2.kept.push",
    "ordered.java_v5_2.exclusive.without-time",
    "offsets.java_v5.once",
    "pulls.java_v4_9_to_5_1.hits-own-entry",
    "settling.java_v4_9_to_v5_1.woken.without-timely",
    "subscriptions.java_v4_9_to_v5_3.own-tags.without-same-tags",
    "registry.java_v4_9_to_v5_3.agree.without-heartbeats",
)
"""One of each kind."""


def commands(begin):
    """What stands on the pages behind these words, by page."""
    return {page: re.findall(rf"`{begin} ([^`]+)`", (DOCS / page).read_text(encoding="utf-8")) for page in PAGES}


def test_every_replayed_claim_is_refuted():
    for page, claims in commands("rebalance replay").items():
        assert len(claims) > 30, page
        assert all(EXPECTED[claim].expected is Verdict.REFUTED for claim in claims)


@pytest.mark.parametrize("claim", TRIED)
def test_claim_of_each_kind_is_replayed(call, claim):
    assert any(claim in claims for claims in commands("rebalance replay").values())
    called = call("replay", claim)
    assert (called.status, called.err) == (0, "")
    assert called.out.startswith(f"{claim} does not hold.\n  ")


def test_every_bug_with_a_claim_has_a_command():
    entries = (DOCS / "symptoms.md").read_text(encoding="utf-8").split("\n- ")
    for bug in BUGS:
        (entry,) = (entry for entry in entries if f"</a>**{bug.sentence}** " in entry)
        assert (bug.address in entry) if bug.issue else ("No issue is known." in entry)
        last = entry.partition("\n\n")[0].splitlines()[-1]
        assert last.startswith("  - Reproduce: ") is bool(bug.present)
        assert not bug.present or f"`rebalance replay {bug.present[0].claim}`" in last


def test_every_explore_command_is_tested():
    """Another test checks what is found in them."""
    known = {f"rebalance {example.name}" for example in EXAMPLES}
    for page, found in commands("rebalance explore").items():
        assert len(set(found)) > 2, page
        assert {f"rebalance explore {words}" for words in found} <= known


@pytest.mark.parametrize("example", [EXAMPLES[0], EXAMPLES[-1]], ids=lambda example: example.name)
def test_explore_command_explores_its_group(call, example):
    called = call(*example.name.split(), "--levels", "2", "--no-settle")
    assert called.status == 0
    settings = example.subject.document(example.settings)
    assert f" {settings['consumers']} consumers, {settings['queues']} queue" in called.out
    for fault in settings["faults"]:
        assert example.subject.faults[fault] in called.out
    for one in ("client", "unlock"):
        if one in settings:
            assert f"{one} {settings[one]}" in called.out
