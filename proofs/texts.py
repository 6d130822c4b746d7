"""SMT-LIB texts made of obligations and labelled formulas."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.kernel import compile_kernel, unknowns
from rebalance_proofs.proofs.obligation import Obligation
from rebalance_proofs.proofs.smt.linear import NO_INSTANCES, Instances, Linear, linearize
from rebalance_proofs.proofs.smt.text import Assertion, render, shown

INEXACT = "products or quotients are named, so that sat would prove nothing"
SIZES = ((7, 3), (3, 5), (2, 2), (1, 1), (4, 2))
"""Pairs of numbers of queues and consumers, tried in this order.

The first one at which an obligation's assumptions have a model shows that they are satisfiable.
"""


@cache
def proof(subject: str, obligation: Obligation, encoding: Any) -> str:
    """Return the SMT-LIB text that is unsatisfiable if the obligation always holds.

    It has the assumptions and the negated conclusion.
    """
    title = f"{subject} / {obligation.name}\n{obligation.sentence}\nunsat = proved for all values"
    labelled = negated(obligation, encoding)
    if obligation.logic:
        return labelled_text(title, labelled, obligation.logic)
    return _linear_text(title, labelled, _linear_proof(obligation, encoding))


def negated(
    obligation: Obligation, encoding: Any, values: Mapping[str, int] | None = None, *, premises: bool = True
) -> dict[str, smt.BoolTerm]:
    """Return the formulas that are true where the obligation fails, by descriptions.

    These are its assumptions and the negated conclusion; without the assumptions if ``premises`` is false. ``values``
    are numbers for some of the variables.
    """
    statement = obligation.statement(encoding, values)
    given = statement.given if premises else {}
    return {**given, "the conclusion does not hold": smt.Not(statement.then)}


@cache
def _linear_proof(obligation: Obligation, encoding: Any) -> Linear:
    return linearize(list(negated(obligation, encoding).values()))


@cache
def instances(obligation: Obligation, encoding: Any) -> Instances:
    """Evaluate the definitions and lemma instances of the proof's text at concrete numbers."""
    return NO_INSTANCES if obligation.logic else tried(_linear_proof(obligation, encoding))


@cache
def refuting(
    subject: str,
    obligation: Obligation,
    encoding: Any,
    values: tuple[tuple[str, int], ...],
    *,
    premises: bool = True,
) -> str:
    """Return the text of the negated obligation with some variables fixed to numbers.

    Without the assumptions if ``premises`` is false. With fixed numbers of queues and consumers most texts are exact:
    satisfiable if the obligation can fail at these numbers.
    """
    if not values and premises:
        return proof(subject, obligation, encoding)
    drawn = ", ".join(f"{name} = {value}" for name, value in values)
    title = f"{subject} / {obligation.name}{f' at {drawn}' if drawn else ''}\nsat = it can fail"
    return labelled_text(title, negated(obligation, encoding, dict(values), premises=premises), obligation.logic)


@cache
def premises(subject: str, obligation: Obligation, encoding: Any, size: tuple[int, int]) -> str:
    """Return the exact SMT-LIB text of the assumptions at one size.

    It is satisfiable if the obligation is not vacuous at that size.
    """
    statement = obligation.statement(encoding, fixed(obligation, size))
    title = f"{subject} / {obligation.name} / assumptions at q = {size[0]}, c = {size[1]}\nsat = they can hold"
    return labelled_text(title, dict(statement.given), obligation.logic)


def fixed(obligation: Obligation, size: tuple[int, int]) -> dict[str, int]:
    """Return the values of the variables q and c at the given size.

    Empty if the obligation has no such variables.
    """
    return {name: value for name, value in zip(("q", "c"), size, strict=True) if name in obligation.variables}


def labelled_text(title: str, labelled: Mapping[str, smt.BoolTerm], logic: str = "") -> str:
    """Return the SMT-LIB text of formulas labelled with sentences.

    The formulas are made linear, unless ``logic`` is given.
    """
    if not logic:
        return _linear(title, labelled)
    return render(title, [Assertion(label, formula) for label, formula in labelled.items()], logic)


def _linear(title: str, labelled: Mapping[str, smt.BoolTerm]) -> str:
    return _linear_text(title, labelled, linearize(list(labelled.values())))


def _linear_text(title: str, labelled: Mapping[str, smt.BoolTerm], linear: Linear) -> str:
    if not linear.exact:
        title += f"\n{INEXACT}"
    assertions = [
        *(Assertion(label, formula) for label, formula in zip(labelled, linear.formulas, strict=True)),
        *_section("Euclid's division of the named quotients", linear.definitions),
        *_section("instances of lemma.monotone for the named products", linear.lemmas),
    ]
    return render(title, assertions)


def _section(comment: str, formulas: Sequence[smt.BoolTerm]) -> list[Assertion]:
    return [Assertion(comment if place == 0 else "", formula) for place, formula in enumerate(formulas)]


def uses_lemmas(text: str) -> bool:
    """Return whether a text contains instances of lemma.monotone."""
    return "; instances of lemma.monotone" in text


def exact(text: str) -> bool:
    """Return whether every model of the text is a model of the original formulas.

    It is not if products or quotients are replaced by names.
    """
    return f"\n; {INEXACT}\n" not in text


# Test of linearization at random numbers.
#
# Every formula that it adds must be true for true products and quotients. Rewritten formulas must have the same value
# as the original formulas.


SAMPLES = 512
RANGES = ((-2, 3), (0, 8), (1, 40), (-40, 40))
"""Ranges of the random numbers; small ones make edge cases likely.

An edge case is the largest remainder. Four such factors fit into 64 bits.
"""


def tried(linear: Linear, seed: int = 0) -> Instances:
    """Evaluate all definitions, lemma instances and rewritten formulas at random numbers.

    Products and quotients have their true values.
    """
    added = (*linear.definitions, *linear.lemmas)
    rewritten = [new == old for new, old in zip(linear.formulas, linear.given, strict=True) if new is not old]
    meant = (*added, *rewritten)
    if not meant:
        return NO_INSTANCES
    values = _values(linear, meant, seed)
    for place, truth in enumerate(compile_kernel(list(values), *meant)(*values.values())):
        wrong = np.flatnonzero(~np.broadcast_to(truth, SAMPLES))
        if wrong.size:
            return Instances(len(added), _said(meant[place], values, int(wrong[0])))
    return Instances(len(added), "")


def _values(linear: Linear, meant: Sequence[smt.BoolTerm], seed: int) -> Mapping[str, np.ndarray]:
    drawn = np.random.default_rng(seed)
    terms = [*meant, *linear.meanings.values()]
    names = sorted(set().union(*map(unknowns, terms)) - set(linear.meanings))
    low, high = np.resize(RANGES, (SAMPLES, 2)).T
    values = {name: drawn.integers(low, high, endpoint=True) for name in names}
    for name, meaning in linear.meanings.items():
        (found,) = compile_kernel(list(values), meaning)(*values.values())
        values[name] = np.broadcast_to(found, SAMPLES)
    return values


def _said(formula: smt.BoolTerm, values: Mapping[str, np.ndarray], sample: int) -> str:
    at = ", ".join(f"{name} = {values[name][sample]}" for name in sorted(unknowns(formula)))
    return f"{shown(formula)} is false at {at}"
