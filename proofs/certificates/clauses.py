"""Rules about conjunctions, disjunctions and clauses."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations

from rebalance_proofs.proofs.certificates.rules import ANY, written
from rebalance_proofs.proofs.certificates.terms import (
    NULLS,
    NUMERAL,
    Refused,
    Term,
    Terms,
    args_of,
    literal_value,
    sides,
)

# Rules about equations of any sort, and about ``distinct``.


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


@written("and_intro", premises=ANY)
def and_intro(terms: Terms, given: Sequence[Term], args: Sequence[Term]) -> Term:
    """Conclude ``(and a b ...)`` from ``a``, ``b``, ..."""
    return terms.make("and", *given)


@written("and_elim", premises=1, arguments=1)
def and_elim(terms: Terms, given: Sequence[Term], args: Sequence[Term]) -> Term:
    """Conclude one of ``a``, ``b``, ... from ``(and a b ...)``; the argument is its place."""
    return _place(args_of(given[0], "and"), args[0])


@written("not_or_elim", premises=1, arguments=1)
def not_or_elim(terms: Terms, given: Sequence[Term], args: Sequence[Term]) -> Term:
    """Conclude one of ``(not a)``, ``(not b)``, ... from ``(not (or a b ...))``; the argument is its place."""
    (inner,) = args_of(given[0], "not", 1)
    return terms.negate(_place(args_of(inner, "or"), args[0]))


@written("not_and", premises=1)
def not_and(terms: Terms, given: Sequence[Term], args: Sequence[Term]) -> Term:
    """Conclude ``(or (not a) (not b) ...)`` from ``(not (and a b ...))``."""
    (inner,) = args_of(given[0], "not", 1)
    return terms.make("or", *map(terms.negate, args_of(inner, "and")))


@written("cnf_and_pos", arguments=2)
def cnf_and_pos(terms: Terms, given: Sequence[Term], args: Sequence[Term]) -> Term:
    """Conclude ``(or (not (and a b ...)) b)``; the second argument is the place of ``b``."""
    return terms.make("or", terms.negate(args[0]), _place(args_of(args[0], "and"), args[1]))


@written("cnf_and_neg", arguments=1)
def cnf_and_neg(terms: Terms, given: Sequence[Term], args: Sequence[Term]) -> Term:
    """Conclude ``(or (and a b ...) (not a) (not b) ...)``."""
    return terms.make("or", args[0], *map(terms.negate, args_of(args[0], "and")))


@written("cnf_or_neg", arguments=2)
def cnf_or_neg(terms: Terms, given: Sequence[Term], args: Sequence[Term]) -> Term:
    """Conclude ``(or (or a b ...) (not b))``; the second argument is the place of ``b``."""
    return terms.make("or", args[0], terms.negate(_place(args_of(args[0], "or"), args[1])))


@written("resolution", premises=2, arguments=2)
def resolution(terms: Terms, given: Sequence[Term], args: Sequence[Term]) -> Term:
    """Conclude a clause of the literals of two clauses, without the pivot in one and its negation in the other.

    The arguments are the pivot's polarity in the first clause, and the pivot.
    """
    kept, dropped = _pivots(terms, args[0], args[1])
    return terms.clause([*_without(given[0], kept, 1), *_without(given[1], dropped, 1)])


@written("chain_resolution", premises=ANY, arguments=2)
def chain_resolution(terms: Terms, given: Sequence[Term], args: Sequence[Term]) -> Term:
    """Conclude the clause of resolving the first clause with the second, the result with the third, and so on.

    The arguments are the lists of the pivots' polarities and of the pivots. A pivot is removed from all clauses
    before its own, as often as it is a pivot.
    """
    return terms.clause(_chained(terms, given, args[0], args[1]))


@written("chain_m_resolution", premises=ANY, arguments=3)
def chain_m_resolution(terms: Terms, given: Sequence[Term], args: Sequence[Term]) -> Term:
    """Conclude the first argument, a clause with all literals of the chain of resolutions that the others describe."""
    found = _chained(terms, given, args[1], args[2])
    if terms.clause(list(dict.fromkeys(found))) is args[0]:
        return args[0]
    return _with_all(args[0], found)


@written("factoring", premises=1)
def factoring(terms: Terms, given: Sequence[Term], args: Sequence[Term]) -> Term:
    """Conclude the clause with each literal once."""
    return terms.clause(list(dict.fromkeys(args_of(given[0], "or"))))


@written("reordering", premises=1, arguments=1)
def reordering(terms: Terms, given: Sequence[Term], args: Sequence[Term]) -> Term:
    """Conclude the argument, a clause with all literals of the premise."""
    return _with_all(args[0], _literals(given[0]))


@written("aci_norm", arguments=1)
def aci_norm(terms: Terms, given: Sequence[Term], args: Sequence[Term]) -> Term:
    """Conclude an equation of two conjunctions or of two disjunctions with the same parts.

    Order, repetition, nesting, and ``true`` in a conjunction or ``false`` in a disjunction do not matter.
    """
    left, right = args_of(args[0], "=", 2)
    if not any(_parts(terms, op, left) == _parts(terms, op, right) for op in NULLS):
        raise Refused("the sides have different parts")
    return args[0]


@written("absorb", arguments=1)
def absorb(terms: Terms, given: Sequence[Term], args: Sequence[Term]) -> Term:
    """Conclude ``(= (or ... true ...) true)`` or ``(= (and ... false ...) false)``; the parts may be nested."""
    left, right = args_of(args[0], "=", 2)
    if left.op not in NULLS or right is not terms.null("or" if left.op == "and" else "and"):
        raise Refused("the right side does not absorb the left one")
    if right not in _parts(terms, left.op, left):
        raise Refused("the left side has no such part")
    return args[0]


@written("process_scope", premises=1, arguments=1)
def process_scope(terms: Terms, given: Sequence[Term], args: Sequence[Term]) -> Term:
    """Conclude ``(=> (and a b ...) c)`` from ``(=> a (=> b ... c))``; the argument is ``c``.

    ``(not (and a b ...))`` if ``c`` is false.
    """
    premise, conclusion = given[0], args[0]
    assumed: list[Term] = []
    while premise is not conclusion or not assumed:
        left, premise = args_of(premise, "=>", 2)
        assumed.append(left)
    together = terms.joined("and", assumed)
    return terms.negate(together) if conclusion is terms.false else terms.make("=>", together, conclusion)


def _place(parts: Sequence[Term], place: Term) -> Term:
    number = literal_value(place)
    if not isinstance(number, int) or not 0 <= number < len(parts):
        raise Refused("there is no such place")
    return parts[number]


def _literals(clause: Term) -> tuple[Term, ...]:
    if clause.op == "or":
        return clause.args
    return () if clause.op == "false" else (clause,)


def _with_all(clause: Term, literals: Iterable[Term]) -> Term:
    if not set(literals) <= set(_literals(clause)):
        raise Refused("the conclusion lacks a literal")
    return clause


def _pivots(terms: Terms, polarity: Term, pivot: Term) -> tuple[Term, Term]:
    """Return the literals that a resolution removes from its first and from its second clause."""
    if polarity not in (terms.true, terms.false):
        raise Refused("a polarity is neither true nor false")
    literals = pivot, terms.negate(pivot)
    return literals if polarity is terms.true else (literals[1], literals[0])


def _without(clause: Term, literal: Term, times: int) -> list[Term]:
    """Return the literals of a clause without the first ones that are ``literal``; none if it is the clause."""
    return [] if clause is literal else _less(_literals(clause), Counter({literal: times}))


def _less(literals: Iterable[Term], removed: Counter[Term]) -> list[Term]:
    left, kept = removed.copy(), []
    for literal in literals:
        if left[literal] > 0:
            left[literal] -= 1
        else:
            kept.append(literal)
    return kept


def _chained(terms: Terms, given: Sequence[Term], polarities: Term, pivots: Term) -> list[Term]:
    """Return the literals that remain of a chain of resolutions."""
    if not polarities.op == pivots.op == "@list" or not len(polarities.args) == len(pivots.args) == len(given) - 1:
        raise Refused("the lists of pivots and polarities do not fit the premises")
    pairs = [_pivots(terms, *pair) for pair in zip(polarities.args, pivots.args, strict=True)]
    if not pairs:
        raise Refused("a chain of one clause")
    removed: Counter[Term] = Counter()
    found: list[list[Term]] = []
    for clause, (kept, dropped) in zip(reversed(given[1:]), reversed(pairs), strict=True):
        terms.spend(len(removed) + len(clause.args))
        found.append([] if clause is dropped else _less(_literals(clause), removed + Counter([dropped])))
        removed[kept] += 1
    found.append([] if given[0] is pairs[0][0] else _less(_literals(given[0]), removed))
    return [literal for part in reversed(found) for literal in part]


def _parts(terms: Terms, op: str, term: Term) -> frozenset[Term]:
    """Return the parts of a conjunction or disjunction, and of such parts, without its null."""
    found, left, null = set(), [term], terms.null(op)
    while left:
        part = left.pop()
        terms.spend(1)
        if part.op == op:
            left += part.args
        elif part is not null:
            found.add(part)
    return frozenset(found)
