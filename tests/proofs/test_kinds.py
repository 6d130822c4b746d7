"""Kinds of claims: every claim belongs to one, which can search for a counterexample."""

import re

import pytest

from rebalance_proofs.proofs.allocation.search import LookingAtGroups
from rebalance_proofs.proofs.kinds import KINDS
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.proofs.machine.kind import LookingAtMachine
from rebalance_proofs.proofs.timed_search import LookingAtRuns
from rebalance_proofs.proofs.transition.search import LookingAtTables
from tests.faults.tree import ROOT
from tests.proofs.solvers.pools import Scripted

LOOKING = {
    "allocation": LookingAtGroups,
    "transition": LookingAtTables,
    "ordered": LookingAtMachine,
    "offsets": LookingAtMachine,
    "pulls": LookingAtMachine,
    "settling": LookingAtMachine,
    "subscriptions": LookingAtMachine,
    "registry": LookingAtMachine,
    "receiving": LookingAtMachine,
}


def test_every_claim_has_the_search_of_its_kind():
    assert {claim.kind for claim in LEDGER} == set(KINDS) == set(LOOKING)
    for claim in LEDGER:
        looking = KINDS[claim.kind].looking(claim, Scripted([]))
        assert type(looking) is LOOKING[claim.kind]
        if not isinstance(looking, LookingAtRuns):
            assert next(iter(looking.sizes())) in ((1,), (1, 1))
        for kind in ("transition", "ordered", "offsets", "pulls", "settling", "subscriptions", "registry", "receiving"):
            assert claim.id.startswith(f"{kind}.") is (claim.kind == kind)


REFUTED = [claim for claim in LEDGER if not claim.holds and LOOKING[claim.kind] is LookingAtMachine]
FIRST = {claim.kind: claim for claim in reversed(REFUTED)}
"""Kind -> its first refuted claim. Tests of the kinds explore others; slow tests explore all."""


@pytest.mark.parametrize(
    "claim",
    [pytest.param(one, id=one.id, marks=() if one in FIRST.values() else pytest.mark.slow) for one in REFUTED],
)
def test_search_for_a_run_begins_with_the_explored_size(claim):
    looking = KINDS[claim.kind].looking(claim, Scripted([]))
    assert isinstance(looking, LookingAtRuns)
    assert next(iter(looking.sizes()))[:2] == looking.around


def test_claim_id_consists_of_its_subject_parts():
    for claim in LEDGER:
        parts = claim.id.split(".")
        assert parts[:2] == [claim.room, "+".join(one.name for one in claim.subjects)]
        assert ".".join(parts[2:]) in (
            f"{claim.guarantee.name}{'.' * bool(claim.variant)}{claim.variant}",
            claim.variant,
        )


ENGINE = sorted(
    file
    for folder in (".", "machine", "mutation", "smt", "solvers", "vacuity")
    for file in (ROOT / "proofs" / folder).glob("*.py")
    if file.name != "kinds.py"
)
OF_A_KIND = re.compile(
    rf"^\s*(from|import) rebalance_proofs\.(model\.(worlds|group)\b|(model|proofs)\.({'|'.join(KINDS)})\b)"
)
KNOWN = {"vacuity/goals.py": "the kinds of brokers' names, an unknown that is no number"}
"""Where something of a kind is known all the same."""


def test_engine_names_no_kind():
    assert len(ENGINE) > 30
    found = {
        str(file.relative_to(ROOT / "proofs"))
        for file in ENGINE
        if any(OF_A_KIND.match(line) for line in file.read_text(encoding="utf-8").splitlines())
    }
    assert found == set(KNOWN)
