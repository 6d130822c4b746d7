"""Steps that need no mutant that breaks them: exactly those whose statement uses no part of the encoding."""

from rebalance_proofs.model.terms import smt
from rebalance_proofs.proofs import texts
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.proofs.mutation.ask import LEMMA, PATH, STRUCTURAL
from rebalance_proofs.proofs.mutation.free import freed
from rebalance_proofs.proofs.obligation import Obligation, Unknowns
from rebalance_proofs.proofs.smt.linear import MONOTONE
from rebalance_proofs.proofs.solvers import SOLVERS, Outcome

RINGS = [one for one in dict.fromkeys(claim.subjects[0] for claim in LEDGER) if one.name.startswith("hash")]


class Used(Exception):
    """A part of the encoding was used."""


class Nothing:
    """An encoding without parts."""

    def __getattr__(self, name: str) -> object:
        raise Used(name)


def uses(step: Obligation) -> bool:
    """Whether the step speaks of the encoding."""
    try:
        step.state(Nothing(), Unknowns(**{name: smt.Int(name) for name in step.variables}))
    except Used:
        return True
    return False


def test_lemmas_are_the_steps_without_an_encoding():
    steps = {
        (claim.room, PATH.sub("path", step.name)): step
        for claim in LEDGER
        for step in (MONOTONE, *claim.obligations, *claim.lemmas)
    }
    silent = {name for (_, name), step in steps.items() if not uses(step)}
    assert silent == {name for name in LEMMA if " " not in name}


def test_exemption_for_one_strategy_is_a_separate_step():
    named = {f"{claim.subjects[0].name} {step.name}" for claim in LEDGER for step in claim.obligations}
    assert {name for name in LEMMA if " " in name} <= named


def test_structural_steps_hold_for_any_functions():
    """For rings only: for other strategies every step detects a mutant."""
    rings = {(claim.subjects[0], step) for claim in LEDGER for step in claim.obligations if claim.subjects[0] in RINGS}
    found = set()
    for strategy, step in rings:
        text = texts.proof("test", step, freed(strategy.encoding).encoding)
        if step.name not in LEMMA and SOLVERS["z3"].solve(text, seconds=20)[0] is Outcome.UNSAT:
            found.add(f"{strategy.name} {step.name}")
    assert found == {*STRUCTURAL}
