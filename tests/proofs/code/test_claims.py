"""Claims about code: judged by both solvers, which detect every mutant of the encodings."""

import pytest

from rebalance_proofs.model.allocation.machine_room import MACHINE_ROOM
from rebalance_proofs.proofs import texts
from rebalance_proofs.proofs.claim import Verdict
from rebalance_proofs.proofs.code.claims import SUBJECTS, claims, subject_of
from rebalance_proofs.proofs.code.obligations import obligations
from rebalance_proofs.proofs.solvers import SOLVERS, Outcome
from tests.each import each
from tests.proofs.judged import assert_as_expected

CLAIMS = {claim.id: claim for claim in claims()}
MUTANTS = {
    f"{strategy.name}-{mutant.name}": (strategy, mutant) for strategy, *_ in SUBJECTS for mutant in strategy.mutants
}
NUMBERS = {"code.avg": 24, "code.circle": 10, "code.room": 14, "code.room-go": 14}
"""Obligations, ``lemma.monotone`` not counted."""


@pytest.fixture(scope="module")
def judged(proved):
    return {name: proved[name] for name in CLAIMS if name in proved}


@each("name", CLAIMS, within="judged")
def test_code_claim_has_the_expected_verdict(judged, name):
    assert_as_expected(judged[name])
    assert judged[name].verdict is Verdict.PROVED


@each("name", CLAIMS, within="judged")
def test_mutants_are_killed_by_obligations_about_results(judged, name):
    assert len(judged[name].mutants) == len(CLAIMS[name].notices) >= 2
    for mutant in judged[name].mutants:
        assert mutant.killed
        assert not {"refuses", "unlisted", "paths"} & {*mutant.noticed_by}


def test_number_of_obligations_equals_paths_and_parts():
    assert {name: len(claim.obligations) for name, claim in CLAIMS.items()} == NUMBERS
    parts = [step.name for step in CLAIMS["code.avg"].obligations if step.name.startswith("path-")]
    assert parts == [f"path-{n}.{part}" for n in range(1, 7) for part in ("inside", "length", "element")]


def test_path_with_few_queues_gives_later_consumers_nothing():
    """A path without an element says exactly that."""
    (step,) = [step for step in CLAIMS["code.avg"].obligations if step.name == "path-2.element"]
    assert step.sentence == "This path has no such element."


@each(("strategy", "mutant"), MUTANTS.values(), ids=MUTANTS)
def test_every_mutant_of_the_encoding_is_noticed(strategy, mutant):
    """Including those that change only the owners."""
    steps = obligations(subject_of(strategy), strategy.encoding)
    said = (SOLVERS["z3"].solve(texts.proof("test", step, mutant.encoding), seconds=20)[0] for step in steps)
    assert Outcome.SAT in said


def test_code_without_a_reader_has_no_subject():
    with pytest.raises(LookupError, match="its code cannot be analysed"):
        subject_of(MACHINE_ROOM.configured(consumeridcs=("room1",)))
