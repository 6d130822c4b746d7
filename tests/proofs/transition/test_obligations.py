"""Every obligation about a queue: its premises are satisfiable, the code satisfies it, its mutants do not."""

import asyncio
import random
from itertools import islice
from types import SimpleNamespace

import pytest
import z3

from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.solver import Solver, sat, unsat
from rebalance_proofs.model.terms.values import Mutant
from rebalance_proofs.model.transition.clients import NODE
from rebalance_proofs.model.transition.numbers import THROWN
from rebalance_proofs.proofs import texts
from rebalance_proofs.proofs.claim import Claim, Verdict
from rebalance_proofs.proofs.obligation import Obligation
from rebalance_proofs.proofs.prove import Options, prove
from rebalance_proofs.proofs.solvers import SOLVERS, Outcome
from rebalance_proofs.proofs.transition.claims import claims
from rebalance_proofs.proofs.transition.kind import observe_transition
from rebalance_proofs.proofs.transition.scenario import SymbolicRounds
from tests.each import each
from tests.model.transition.random_cases import assignment
from tests.proofs.met import met
from tests.proofs.transition.in_process import judged
from tests.proofs.transition.random_cases import CLAIMS, admitted

OBLIGATIONS = {
    f"{claim.id}-{step.name}": (claim, step) for claim in CLAIMS for step in claim.obligations if not step.abstract
}
FEW, MANY = 6, 300
"""Cases in which the code is run for an obligation; by the slow tests."""
THROWS = ((0, 0, 0), (0, 0, 1), (0, 1, 1), (1, 1, 1))

each_obligation = each(("claim", "step"), OBLIGATIONS.values(), ids=OBLIGATIONS)


def solved(*formulas: smt.BoolTerm) -> z3.CheckSatResult:
    solver = Solver()
    solver.add(formulas)
    return solver.check()


@each_obligation
def test_transition_obligation_is_proved_with_satisfiable_assumptions(claim, step):
    statement = step.statement(claim.subjects[0].encoding)
    assert solved(*statement.given.values()) == sat
    assert solved(*statement.given.values(), smt.Not(statement.then)) == unsat
    assert all(label and label == label.rstrip(".") for label in statement.given)
    assert step.sentence.endswith(".")


def values_of(claim: Claim, step: Obligation, count: int, seed: int):
    """Values that may meet the premises: of the scenario's cases, and what others throw in them."""
    source = random.Random(f"{claim.id} {step.name} {seed}")
    queues = 2 if "present_2" in step.variables else 1
    for mode, case in islice(admitted(claim.world, queues, source), count):
        values = assignment(mode, case)
        thrown = [name for name in step.variables if name.startswith("thrown_")]
        for place in range(0, len(thrown), 3):
            possible = THROWS if mode.own_store or claim.subjects[0] is NODE else THROWS[:1]
            values |= dict(zip(thrown[place : place + 3], source.choice(possible), strict=True))
        values |= dict.fromkeys({"changed", "moved"}, source.choice((0, 1)))
        values |= {"found": source.choice((0, 1))}
        yield {name: values[name] for name in step.variables}


def check(claim: Claim, step: Obligation, count: int, seed: int) -> int:
    """In how many of the cases the code meets the premises: the conclusion is true in all of them."""
    found = list(met(step, observe_transition(claim.subjects[0]), values_of(claim, step, count, seed)))
    assert all(holds for _, holds in found), [values for values, holds in found if not holds]
    return len(found)


@each_obligation
def test_transition_obligation_holds_for_the_code(claim, step):
    assert check(claim, step, FEW, seed=1)


@pytest.mark.slow
@each_obligation
def test_transition_obligation_holds_for_the_code_in_many_cases(claim, step):
    assert check(claim, step, MANY, seed=2)


MUTANTS = {
    f"{claim.id}-{mutant.name}": (claim, mutant)
    for claim in CLAIMS
    if claim.expected is Verdict.PROVED
    for mutant in claim.subjects[0].mutants
    if mutant.breaks == claim.guarantee.name
}


@each(("claim", "mutant"), MUTANTS.values(), ids=MUTANTS)
def test_mutant_of_a_guarantee_fails_an_obligation(claim, mutant):
    statements = (step.statement(mutant.encoding) for step in claim.obligations if not step.abstract)
    assert any(solved(*said.given.values(), smt.Not(said.then)) == sat for said in statements)


@pytest.mark.slow
@pytest.mark.parametrize(("claim", "mutant"), MUTANTS.values(), ids=MUTANTS)
def test_mutant_of_a_guarantee_breaks_it_in_a_small_table(claim, mutant):
    """A table of one or two queues breaks the guarantee."""
    tables = range(1, claim.world.most_queues + 1)
    assert any(solved(*broken(claim, mutant, queues)) == sat for queues in tables)


def broken(claim: Claim, mutant: Mutant, queues: int) -> list[smt.BoolTerm]:
    """So many queues break the promise, if the transition is as the mutant says."""
    scenario = claim.world
    v = SimpleNamespace(**{name: smt.Int(name) for name in scenario.names(queues)})
    violated = claim.guarantee.violated(SymbolicRounds(scenario, mutant.encoding, v, queues))
    return [*scenario.given(v, queues).values(), violated]


@each_obligation
def test_obligation_names_are_unique_in_a_claim(claim, step):
    names = [other.name for other in (*claim.obligations, *claim.lemmas)]
    assert len(set(names)) == len(names)
    assert len(set(step.variables)) == len(step.variables)


SOME = ("transition.java_v5_2.unlocked.push-orderly.when-unlocks-arrive", "transition.node.partition")


@pytest.mark.parametrize("claim_id", SOME)
def test_transition_claim_is_proved_by_both_solvers(claim_id):
    (claim,) = [claim for claim in CLAIMS if claim.id == claim_id]
    result = judged(claim, stability=1)
    assert (result.verdict, result.reason) == (Verdict.PROVED, "")
    assert all(step.proved and step.satisfiable and step.replays for step in result.obligations)
    assert all(tried.killed for tried in result.mutants)


@pytest.mark.slow
def test_every_transition_proof_is_stable():
    """Under twenty rewordings each."""
    proved = [claim for claim in claims() if claim.expected is Verdict.PROVED]
    for result in asyncio.run(prove(proved, Options(stability=20, teeth=False, width=False))):
        assert (result.claim.id, result.verdict, result.reason) == (result.claim.id, Verdict.PROVED, "")
        assert all(step.variants == 20 for step in result.obligations)


def test_queue_obligation_is_in_linear_arithmetic():
    claim, step = OBLIGATIONS["transition.java_v5_2.unlocked.push-orderly.when-unlocks-arrive-unlocked"]
    text = texts.proof(claim.id, step, claim.subjects[0].encoding)
    assert "(set-logic QF_LIA)" in text
    assert {SOLVERS[solver].solve(text, seconds=20)[0] for solver in SOLVERS} == {Outcome.UNSAT}
    assert str(-THROWN) in text
