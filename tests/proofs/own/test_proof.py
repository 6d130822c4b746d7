"""Results for a guarantee of user code by the solvers' answers; unknown is never a proof."""

import asyncio

import pytest

from rebalance_proofs.proofs.own.prepared import Prepared
from rebalance_proofs.proofs.own.proof import Proof
from rebalance_proofs.proofs.own.prove import MAYBE, _bites, _proof, _Step
from rebalance_proofs.proofs.own.teeth import Teeth
from rebalance_proofs.proofs.question import Question
from rebalance_proofs.proofs.solvers import Answer, Outcome
from tests.proofs.solvers.pools import Scripted

MADE = Prepared(untold={"balanced": "it is not counted"}, owner="round and round", code="mine", constants={"A": "1"})


def step(name: str, *outcomes: str, bites: bool = True) -> _Step:
    answers = [Answer(solver, Outcome(said), 0.0) for solver, said in zip(("z3", "cvc5"), outcomes, strict=True)]
    return _Step(Question(name, "", tuple(answers)), bites)


PROVED = step("first", "unsat", "unsat")


@pytest.mark.parametrize(
    ("name", "steps", "reason"),
    [
        ("covers", [PROVED, PROVED], "owner: round and round"),
        ("disjoint", [PROVED], ""),
        ("balanced", [PROVED], "it is not counted"),
        ("disjoint", [], "there is nothing to prove"),
        ("disjoint", [PROVED, step("b", "sat", "sat")], f"no proof of b (z3 sat, cvc5 sat){MAYBE}"),
        ("disjoint", [step("a", "unsat", "unknown")], "no proof of a (z3 unsat, cvc5 unknown)"),
        ("disjoint", [step("a", "unknown", "sat")], f"no proof of a (z3 unknown, cvc5 sat){MAYBE}"),
        (
            "disjoint",
            [PROVED, step("b", "unsat", "unsat", bites=False)],
            "VACUOUS: no mutant was found that breaks b",
        ),
    ],
)
def test_proof_result_follows_the_solver_answers(name, steps, reason):
    proof = _proof(name, MADE, tuple(steps))
    assert (proof.name, proof.reason) == (name, reason)
    assert proof.proved is (reason.startswith("owner") or not reason)
    assert [one.name for one in proof.questions] == ([] if name == "balanced" else [one.question.name for one in steps])
    assert (proof.code, proof.constants) == (("mine", {"A": "1"}) if proof.proved else ("", {}))


def test_missing_answers_prove_nothing():
    assert Proof("inside", False) == Proof("inside", False, "", (), "", {})


@pytest.mark.parametrize(
    ("notices", "beyond", "nobody", "bites"),
    [
        ("sat", "unsat", ("sat", "sat"), True),
        ("unknown", "unsat", ("unsat", "unsat"), True),
        ("unsat", "unsat", ("unsat", "unknown"), False),
        ("unsat", "unsat", ("unknown", "unsat"), False),
        ("unsat", "sat", ("sat", "sat"), True),
        ("unknown", "unknown", ("sat", "sat"), False),
    ],
)
def test_step_passes_the_mutation_test_if_a_mutant_is_detected_or_the_path_is_dead(notices, beyond, nobody, bites):
    """One solver's model of a mistake suffices; that a path is never taken needs both solvers."""
    said = {"notices": (notices, "unknown"), "beyond": (beyond, "unknown"), "nobody": nobody}
    asked = _bites(Teeth("notices", "beyond", "nobody"), Scripted(lambda text: said[text]))
    assert asyncio.run(asked) is bites


def test_exempted_step_needs_no_mutant():
    assert asyncio.run(_bites(Teeth(), Scripted([])))
