"""Variants of a formula: a part of it dropped, restricted or widened by a literal, or moved by one.

A part is a subterm. That a variant differs from the formula in a state is a condition on the state. Where the part is
a truth value, it needs that the part decides the formula's value there (``decides``): the same condition serves the
part dropped, restricted by any literal, and widened by any.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from rebalance_proofs.model.terms import operators, smt
from rebalance_proofs.model.terms.simplified import simplify
from rebalance_proofs.model.terms.smt import BoolTerm, T, Term
from tests.weakened.formulas import LARGE

MOVED = {operators.LE: operators.LT, operators.LT: operators.LE, operators.GE: operators.GT, operators.GT: operators.GE}


def simple(term: T) -> T:
    """Return the term of which variants are made.

    The encoding of a rebalance, with constants in place of what an action does not use, is no formula of a page.
    """
    return simplify(term) if len(smt.subterms(term)) > LARGE else term


@dataclass(frozen=True)
class Part:
    """A truth value within a formula, and when it decides the formula's value."""

    name: str
    term: BoolTerm
    decides: BoolTerm
    drops: tuple[bool, ...]
    """Values of the part that drop it: true for a conjunct, false for a disjunct, either for a condition."""


@dataclass(frozen=True)
class Variant:
    """A variant of a formula, with its name."""

    name: str
    term: Term


def parts(term: Term) -> Iterator[Part]:
    """Yield each truth value within the formula, the formula itself first."""
    every, drops = smt.subterms(term), _drops(term)
    for place, one in enumerate(reversed(every)):
        if smt.is_bool(one) and one.kind not in (operators.TRUE, operators.FALSE, operators.NOT):
            with_, without = (smt.substitute(term, (one, smt.BoolVal(value))) for value in (True, False))
            decides = with_ != without if one is not term else smt.BoolVal(True)
            yield Part(f"{place}:{one!r}", one, decides, tuple(sorted(drops[one])))


def _drops(term: Term) -> Mapping[Term, set[bool]]:
    """Return the values of each truth value in the formula that drop it from where it occurs."""
    found = {one: set[bool]() for one in smt.subterms(term)}
    found[term] = {False, True}
    for one in reversed(smt.subterms(term)):  # each term before its own subterms
        if one.kind == operators.NOT:
            found[one.children[0]] |= {not value for value in found[one]}
        for place, child in enumerate(one.children):
            if one.kind in (operators.AND, operators.OR):
                found[child].add(one.kind == operators.AND)
            elif one.kind == operators.IMPLIES:
                found[child].add(place == 0)
            elif smt.is_bool(child) and one.kind != operators.NOT:
                found[child] |= {False, True}
    return found


def dropped(term: Term) -> Iterator[Variant]:
    """Yield the variants in which a part is dropped: it is always true, or always false."""
    for part in parts(term):
        for value in part.drops:
            words = f"{part.name} {str(value).lower()}"
            yield Variant(words, smt.substitute(term, (part.term, smt.BoolVal(value))))


def moved(term: Term) -> Iterator[Variant]:
    """Yield the variants in which a comparison or a number is moved by one."""
    for place, one in enumerate(reversed(smt.subterms(term))):
        for words, other in _moved(one):
            yield Variant(f"{place}:{one!r} {words}", smt.substitute(term, (one, other)))


def _moved(one: Term) -> Iterator[tuple[str, Term]]:
    if one.kind in MOVED:
        yield "with or without equality", smt.applied(MOVED[one.kind], one.children, one.sort)
    elif one.kind == operators.EQ and one.children[0].sort is operators.INT:
        left, right = one.children
        yield "one more", left == right + 1
        yield "one less", left == right - 1
    for place, child in enumerate(one.children):
        if smt.is_int_value(child) and one.kind != operators.EQ:
            for words, number in (("+ 1", child.number + 1), ("- 1", child.number - 1)):
                children = (*one.children[:place], smt.IntVal(number), *one.children[place + 1 :])
                yield f"{child} {words}", one.over(children)


def literals(of: Mapping[str, Term]) -> dict[str, BoolTerm]:
    """Return literals of unknowns by their words: each flag, and whether each number is 0, or their negations."""
    found: dict[str, BoolTerm] = {}
    for name, one in of.items():
        yes, words = (one, name) if smt.is_bool(one) else (one == 0, f"{name} = 0")
        found |= {words: yes, f"not {words}": smt.Not(yes)}
    return found
