"""The least number that each unknown of an obligation about allocation can have, as its premises have it: pinned.

A premise that says "at least two consumers" where it said "at least one" leaves every claim PROVED, and its sentence
false. ``make pins`` writes the pins.
"""

from collections.abc import Mapping
from typing import Any

from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.proofs.mutation.free import freed
from rebalance_proofs.proofs.obligation import Obligation
from rebalance_proofs.proofs.smt.text import declared, symbol
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


def least(of: Mapping[str, tuple[Obligation, Any]]) -> Mapping[str, Mapping[str, int | None]]:
    """Name -> unknown -> the least of the numbers tried that the obligation's premises allow; None if they allow none.

    Premises are rendered once, equal ones are asked about once, and queries about one number share a solver's context:
    rendering and contexts take longer than answers.
    """
    given = {name: labelled_text("premises", dict(step.statement(how).given)) for name, (step, how) in of.items()}
    found: dict[tuple[str, str], int | None] = {
        (given[name], unknown): None for name, (step, _) in of.items() for unknown in step.variables
    }
    for number in TRIED:
        waiting = [asked for asked, number_found in found.items() if number_found is None]
        said = SOLVERS["z3"].solve_all([_with(*asked, number) for asked in waiting], seconds=SECONDS)
        found |= {one: number for one, (outcome, *_) in zip(waiting, said, strict=True) if outcome is Outcome.SAT}
    return {
        name: {unknown: found[given[name], unknown] for unknown in step.variables} for name, (step, _) in of.items()
    }


def _with(text: str, unknown: str, number: int) -> str:
    """The text, in which the unknown is this number."""
    declaration = "" if unknown in declared(text) else f"(declare-const {symbol(unknown)} Int)\n"
    value = number if number >= 0 else f"(- {-number})"
    return text.replace("(check-sat)", f"{declaration}(assert (= {symbol(unknown)} {value}))\n(check-sat)")


def pinned() -> Mapping[str, Mapping[str, int | None]]:
    """What is pinned of every obligation."""
    return least(asked())
