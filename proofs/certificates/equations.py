"""Rules about equations of any sort, and about ``distinct``."""

from collections.abc import Sequence
from itertools import combinations

from rebalance_proofs.proofs.certificates.rules import ANY, written
from rebalance_proofs.proofs.certificates.terms import NUMERAL, Refused, Term, Terms, args_of, sides


@written("symm", premises=1)
def symm(terms: Terms, given: Sequence[Term], args: Sequence[Term]) -> Term:
    """Conclude ``(= y x)`` from ``(= x y)``, and ``(not (= y x))`` from ``(not (= x y))``."""
    if given[0].op == "not":
        left, right = sides(given[0].args[0])
        return terms.negate(terms.equal(right, left))
    left, right = sides(given[0])
    return terms.equal(right, left)


@written("trans", premises=ANY)
def trans(terms: Terms, given: Sequence[Term], args: Sequence[Term]) -> Term:
    """Conclude ``(= x z)`` from ``(= x y)``, ..., ``(= w z)``, in which each left side is the right side before it."""
    if not given:
        raise Refused("no premise")
    first, last = sides(given[0])
    for equation in given[1:]:
        left, right = sides(equation)
        if left is not last:
            raise Refused("the sides do not meet")
        last = right
    return terms.equal(first, last)


@written("cong", premises=ANY, arguments=1)
def cong(terms: Terms, given: Sequence[Term], args: Sequence[Term]) -> Term:
    """Conclude ``(= (f x y ...) (f v w ...))`` from ``(= x v)``, ``(= y w)``, ...; the argument is the left side.

    Fewer premises are about the last arguments of ``f``; the others stay.
    """
    term = args[0]
    kept = len(term.args) - len(given)
    if kept < 0 or not given or term.op == "@list":
        raise Refused("there are more premises than arguments of the term")
    changed = list(term.args[:kept])
    for arg, equation in zip(term.args[kept:], given, strict=True):
        left, right = sides(equation)
        if left is not arg:
            raise Refused("a premise is about another term")
        changed.append(right)
    return terms.equal(term, terms.make(term.op, *changed))


for name in ("nary_cong", "pairwise_cong"):
    written(name, premises=ANY, arguments=1)(cong)


@written("distinct-elim", arguments=1)
def distinct_elim(terms: Terms, given: Sequence[Term], args: Sequence[Term]) -> Term:
    """Conclude ``(= (distinct x y ...) (and (not (= x y)) ...))``, with all pairs in order on the right."""
    left, right = sides(args[0])
    pairs = [terms.negate(terms.equal(one, other)) for one, other in combinations(args_of(left, "distinct"), 2)]
    if right is not terms.joined("and", pairs):
        raise Refused("the right side is not the conjunction of all pairs")
    return args[0]


@written("distinct-true", arguments=1)
def distinct_true(terms: Terms, given: Sequence[Term], args: Sequence[Term]) -> Term:
    """Conclude ``(= (distinct 1 2 ...) true)`` for different numbers."""
    left, right = sides(args[0])
    values = args_of(left, "distinct")
    if right is not terms.true or any(value.op != NUMERAL for value in values) or len(set(values)) != len(values):
        raise Refused("these are not different numbers")
    return args[0]


@written("distinct-false", arguments=1)
def distinct_false(terms: Terms, given: Sequence[Term], args: Sequence[Term]) -> Term:
    """Conclude ``(= (distinct ... x ... x ...) false)``."""
    left, right = sides(args[0])
    values = args_of(left, "distinct")
    if right is not terms.false or len(set(values)) == len(values):
        raise Refused("no term is there twice")
    return args[0]
