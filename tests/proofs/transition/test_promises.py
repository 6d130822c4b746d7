"""Every guarantee: its formula and its test of the code's behaviour agree, case by case."""

import random
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import islice
from types import SimpleNamespace

import pytest

from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.transition.step import TransitionEncoding
from rebalance_proofs.model.transition.view import Table
from rebalance_proofs.proofs.claim import Claim, Verdict
from rebalance_proofs.proofs.transition.scenario import Action, Scenario, SymbolicRounds
from rebalance_proofs.proofs.transition.search import run_case
from tests.each import each
from tests.proofs.transition.random_cases import CLAIMS, admitted, each_claim, evaluated, staged

FEW, MANY = 50, 4_000
"""Random cases of each claim and number of queues; by the slow tests."""


@pytest.fixture(scope="module", autouse=True)
def tables_are_made_once() -> Iterator[None]:
    """Caches tables, since all claims share the terms of rounds.

    They differ in the promise, and in the queues that it is about.
    """
    made = Scenario._table

    @cache
    def kept(encoding: TransitionEncoding, action: Action, apart: bool, rounds: int, queues: int) -> Table:
        scenario = Scenario((), action=action, apart=apart, rounds=rounds)
        v = SimpleNamespace(**{name: smt.Int(name) for name in scenario.names(queues)})
        return made(scenario, encoding, v, queues)

    def table(scenario: Scenario, encoding: TransitionEncoding, v: SimpleNamespace, queues: int) -> Table:
        return kept(encoding, scenario.action, scenario.apart, scenario.rounds, queues)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Scenario, "_table", table)
        yield


def disagreements(
    claim: Claim,
    scenario: Scenario,
    queues: int,
    count: int,
    seed: int,
    wrong_encoding: TransitionEncoding | None = None,
) -> tuple[list, int]:
    """Cases in which formula and test say other things, and in how many the promise is broken.

    The test is of what the client's code does; or of what a wrong encoding says that it does.
    """
    client, promise = claim.subjects[0], claim.guarantee
    encoding = wrong_encoding or client.encoding
    cases = [*islice(admitted(scenario, queues, random.Random(f"{claim.id} {queues} {seed}")), count)]
    said = evaluated(scenario, queues, lambda v: promise.violated(SymbolicRounds(scenario, encoding, v, queues)), cases)
    wrong, broken = [], 0
    for (mode, case), formula in zip(cases, said, strict=True):
        if wrong_encoding:
            found = staged(client, wrong_encoding, scenario, mode, case)
        else:
            found = run_case(scenario, client, mode, case)
        sentence = promise.violation(found)
        broken += formula
        if formula is not (sentence is not None):
            wrong.append((mode, case, sentence))
    return wrong, broken


@each_claim
@each("queues", [1, 2])
def test_formula_and_code_agree_case_by_case(claim, queues):
    wrong, broken = disagreements(claim, claim.world, queues, FEW, seed=1)
    assert wrong == []
    assert not (broken and claim.expected is Verdict.PROVED)


@pytest.mark.slow
@each_claim
@pytest.mark.parametrize("queues", [1, 2, 3])
def test_formula_and_code_agree_in_many_cases(claim, queues):
    wrong, broken = disagreements(claim, claim.world, queues, MANY, seed=2)
    assert wrong == []
    smallest = queues >= 2
    assert bool(broken) is (claim.expected is Verdict.REFUTED) or not smallest


def freely(claim: Claim) -> Scenario:
    """The claim's scenario without its limits, in any mode of the client: there, what is proved can be broken."""
    client = claim.subjects[0]
    return replace(claim.world, modes=client.modes, limits=(), own=(), same_set=False, quiet=None)


@each_claim
def test_formula_and_code_agree_outside_the_claims_cases(claim):
    wrong, _ = disagreements(claim, freely(claim), 2, FEW, seed=3)
    assert wrong == []


MUTANTS = {
    f"{claim.id}-{mutant.name}": (claim, mutant)
    for claim in CLAIMS
    if claim.world.action is Action.REBALANCES
    for mutant in claim.subjects[0].mutants
}
PINNED = {
    name: (claim, mutant)
    for name, (claim, mutant) in MUTANTS.items()
    if (claim.expected, claim.guarantee.name) == (Verdict.PROVED, mutant.breaks)
}


@each_claim
def test_correct_encoding_equals_the_code(claim):
    """So the tests below, where the code is correct, can use an encoding in its place."""
    client, scenario = claim.subjects[0], claim.world
    for mode, case in islice(admitted(scenario, 2, random.Random(claim.id)), 10):
        said, done = staged(client, client.encoding, scenario, mode, case), run_case(scenario, client, mode, case)
        assert [each.queues for each in said.rounds] == [each.queues for each in done.rounds]
        assert [each.changed for each in said.rounds] == [each.changed for each in done.rounds]


@each(("claim", "mutant"), PINNED.values(), ids=PINNED)
def test_formula_and_test_agree_for_mutants_of_proved_claims(claim, mutant):
    wrong, _ = disagreements(claim, claim.world, 2, FEW // 2, 4, mutant.encoding)
    assert wrong == []


@pytest.mark.slow
@pytest.mark.parametrize(("claim", "mutant"), MUTANTS.values(), ids=MUTANTS)
def test_formula_and_test_agree_for_every_mutant(claim, mutant):
    for scenario in (claim.world, freely(claim)):
        wrong, _ = disagreements(claim, scenario, 2, FEW // 2, 5, mutant.encoding)
        assert wrong == []


@pytest.mark.parametrize("claim_id", ["transition.java_v5_2.kept.push", "transition.node.unsubscribed-offset"])
def test_test_without_findings_is_detected(claim_id):
    (claim,) = [claim for claim in CLAIMS if claim.id == claim_id]
    blind = replace(claim, guarantee=replace(claim.guarantee, violation=lambda found: None))
    wrong, broken = disagreements(blind, claim.world, 2, FEW, 1)
    assert len(wrong) == broken > 0
