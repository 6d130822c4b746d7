"""From obligations and groups to the texts that the solvers read."""

from collections.abc import Mapping, Sequence
from functools import cache

import z3

from model.allocation.strategy import Encoding
from model.premises import Premise
from model.premises.premise import SymbolicGroup
from proofs.guarantee import Guarantee
from proofs.obligation import Obligation
from proofs.smt.linear import linearize
from proofs.smt.text import Assertion, render

SIZES = ((7, 3), (3, 5), (2, 2), (1, 1), (4, 2))
"""Numbers of queues and consumers at which an obligation's premises are shown satisfiable; the first that works."""


@cache
def proof(subject: str, obligation: Obligation, encoding: Encoding) -> str:
    """Premises and the negated conclusion: unsatisfiable when the obligation holds for all values."""
    statement = obligation.statement(encoding)
    title = f"{subject} / {obligation.name}\n{obligation.sentence}\nunsat = proved for all values"
    labelled = {**statement.given, "the conclusion does not hold": z3.Not(statement.then)}
    return _text(title, labelled, obligation)


@cache
def premises(subject: str, obligation: Obligation, encoding: Encoding, size: tuple[int, int]) -> str:
    """The premises alone at one size, exactly: satisfiable when the obligation says something there."""
    statement = obligation.statement(encoding, fixed(obligation, size))
    title = f"{subject} / {obligation.name} / premises at q = {size[0]}, c = {size[1]}\nsat = they can be met"
    return _text(title, dict(statement.given), obligation)


def fixed(obligation: Obligation, size: tuple[int, int]) -> dict[str, int]:
    """q and c of that size, as far as the obligation speaks of them."""
    return {name: value for name, value in zip(("q", "c"), size, strict=True) if name in obligation.variables}


def counterexample(
    subject: str, guarantee: Guarantee, premise: Premise, group: SymbolicGroup, queues_at_most: int | None = None
) -> str:
    """A group of n consumers that violates the guarantee: unsatisfiable when there is none, of any number of queues."""
    bound = "any number of" if queues_at_most is None else f"at most {queues_at_most}"
    if premise.sized:
        bound = str(group.queues)
    where = f"without the premise {premise.name!r}" if premise.dropped else f"in the case {premise.name!r}"
    title = (
        f"{subject} / a group of {len(group.members)} consumers, {bound} queues\n"
        f"{guarantee.sentence}, {where}: sat = violated"
    )
    labelled = _violated(guarantee, group)
    if queues_at_most is not None:
        labelled["few queues"] = group.queues <= queues_at_most
    return _linear(title, labelled)


SIZE = z3.Int("size")


def violation_at(subject: str, guarantee: Guarantee, premise: Premise, group: SymbolicGroup) -> str:
    """A group of n consumers that violates the guarantee, with ``size`` queues; ``at`` fixes the size."""
    title = f"{subject} / a group of {len(group.members)} consumers and a given number of queues\nsat = violated there"
    return _linear(title, _violated(guarantee, group) | {"number of queues": group.queues == SIZE})


def at(text: str, q: int) -> str:
    """A text of ``violation_at`` for q queues."""
    return text.replace("(check-sat)", f"(assert (= {SIZE} {q}))\n(check-sat)")


def _violated(guarantee: Guarantee, group: SymbolicGroup) -> dict[str, z3.BoolRef]:
    constraints = {f"the group ({number})": constraint for number, constraint in enumerate(group.constraints)}
    return constraints | {"the guarantee is violated": guarantee.violated(group)}


def _text(title: str, labelled: Mapping[str, z3.BoolRef], obligation: Obligation) -> str:
    if not obligation.logic:
        return _linear(title, labelled)
    return render(title, [Assertion(label, formula) for label, formula in labelled.items()], obligation.logic)


def _linear(title: str, labelled: Mapping[str, z3.BoolRef]) -> str:
    linear = linearize(list(labelled.values()))
    if not linear.exact:
        title += "\nproducts or quotients are named, so that sat would prove nothing"
    assertions = [
        *(Assertion(label, formula) for label, formula in zip(labelled, linear.formulas, strict=True)),
        *_section("Euclid's division of the named quotients", linear.definitions),
        *_section("instances of lemma.monotone for the named products", linear.lemmas),
    ]
    return render(title, assertions)


def _section(comment: str, formulas: Sequence[z3.BoolRef]) -> list[Assertion]:
    return [Assertion(comment if place == 0 else "", formula) for place, formula in enumerate(formulas)]


def uses_lemmas(text: str) -> bool:
    """Whether instances of lemma.monotone stand in a text."""
    return "; instances of lemma.monotone" in text
