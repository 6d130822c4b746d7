"""The least number that each unknown of an obligation about allocation can have, as its premises have it: pinned.

A premise that says "at least two consumers" where it said "at least one" leaves every claim PROVED, and its sentence
false. ``make pins`` writes the pins.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from rebalance_proofs.model.terms import smt
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.proofs.mutation.free import freed
from rebalance_proofs.proofs.obligation import Obligation
from rebalance_proofs.proofs.solvers import SOLVERS, Outcome
from rebalance_proofs.proofs.texts import labelled_text

TRIED = range(-2, 4)
"""From the least number on; one that can be the first of these counts as any."""
SECONDS = 2.0


def asked() -> Mapping[str, tuple[Obligation, Any]]:
    """Each obligation about allocation once, with the encoding of the first claim that rests on it, as unknown
    functions."""
    found: dict[str, tuple[Obligation, Any]] = {}
    for claim in LEDGER:
        if claim.kind == "allocation" and claim.holds:
            for step in claim.obligations:
                if not step.logic and step.variables:
                    found.setdefault(f"{claim.room} / {step.name}", (step, freed(claim.subjects[0].encoding).encoding))
    return found


def least(obligation: Obligation, encoding: Any) -> Mapping[str, int | None]:
    """Unknown -> the least of the numbers tried that the premises allow; None if they allow none of them."""
    given = dict(obligation.statement(encoding).given)
    return {name: next(_allowed(given, name), None) for name in obligation.variables}


def _allowed(given: Mapping[str, smt.BoolTerm], name: str) -> Iterator[int]:
    for number in TRIED:
        text = labelled_text("premises", {**given, "tried": smt.Int(name) == number})
        if SOLVERS["z3"].solve(text, seconds=SECONDS)[0] is Outcome.SAT:
            yield number


def pinned() -> Mapping[str, Mapping[str, int | None]]:
    """What is pinned of every obligation."""
    return {name: least(*one) for name, one in asked().items()}
