"""Rules about numbers: exact integers, and the rationals that cvc5 uses between them."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from operator import eq, ge, gt, le, lt

from rebalance_proofs.proofs.certificates.rules import ANY, written
from rebalance_proofs.proofs.certificates.terms import (
    BOOL,
    INT,
    NUMERAL,
    RELATIONS,
    Refused,
    Term,
    Terms,
    args_of,
    bounded,
    is_number,
    literal_value,
    sides,
)

Number = Fraction | int

Polynomial = dict[tuple[Term, ...], Number]
"""Products of terms, sorted by ``Term.number`` -> their factor, which is not 0."""
COMPARED: Mapping[str, Callable[[Number, Number], bool]] = {"<": lt, "<=": le, "=": eq, ">=": ge, ">": gt}
SIGNS = {"<": {-1}, "<=": {-1, 0}, "=": {0}, ">=": {0, 1}, ">": {1}}
"""Relation of x and y -> the signs of x - y that it allows."""
MIRRORED = {"<": ">", "<=": ">=", "=": "=", ">=": "<=", ">": "<"}


@written("evaluate", arguments=1)
def evaluate(terms: Terms, given: Sequence[Term], args: Sequence[Term]) -> Term:
    """Conclude ``(= x v)``, where ``v`` is the value of ``x``, a term of literals."""
    value = _value(terms, args[0])
    if args[0].sort == BOOL:
        return terms.equal(args[0], terms.true if value else terms.false)
    return terms.equal(args[0], terms.literal(value, args[0].sort))


@written("arith_poly_norm", arguments=1)
def arith_poly_norm(terms: Terms, given: Sequence[Term], args: Sequence[Term]) -> Term:
    """Conclude ``(= x y)`` for numbers that are the same polynomial of their parts."""
    left, right = sides(args[0])
    if not is_number(left.sort) or polynomial(terms, left) != polynomial(terms, right):
        raise Refused("the sides are different polynomials")
    return args[0]


@written("arith_poly_norm_rel", premises=1, arguments=1)
def arith_poly_norm_rel(terms: Terms, given: Sequence[Term], args: Sequence[Term]) -> Term:
    """Conclude ``(= (< x y) (< v w))`` from ``(= (* m (- x y)) (* n (- v w)))``, where m and n have the same sign.

    It may be another relation instead of ``<``. The factors are not 0, and for ``=`` their signs may differ.
    """
    scaled = [args_of(side, "*", 2) for side in sides(given[0])]
    factors = [literal_value(side[0]) for side in scaled]
    relations = sides(args[0])
    relation = relations[0].op
    if relation not in RELATIONS or relations[1].op != relation or 0 in factors:
        raise Refused("the sides are no such relations")
    if relation != "=" and (factors[0] > 0) != (factors[1] > 0):
        raise Refused("the factors have different signs")
    for (_, difference), side in zip(scaled, relations, strict=True):
        if difference.op == "to_real":
            (difference,) = difference.args
        if args_of(difference, "-", 2) != side.args:
            raise Refused("the premise is about other terms")
    return args[0]


@written("arith_sum_ub", premises=ANY)
def arith_sum_ub(terms: Terms, given: Sequence[Term], args: Sequence[Term]) -> Term:
    """Conclude ``(<= (+ x y ...) (+ v w ...))`` from ``(<= x v)``, ``(= y w)``, ...

    ``<`` if that is the relation of a premise.
    """
    if any(premise.op not in ("<", "<=", "=") for premise in given):
        raise Refused("a premise is no upper bound")
    relation = "<" if any(premise.op == "<" for premise in given) else "<="
    return terms.make(relation, *(terms.make("+", *(premise.args[side] for premise in given)) for side in (0, 1)))


@written("arith_mult_pos", arguments=2)
def arith_mult_pos(terms: Terms, given: Sequence[Term], args: Sequence[Term]) -> Term:
    """Conclude ``(=> (and (> m 0) (< x y)) (< (* m x) (* m y)))``; it may be another relation instead of ``<``."""
    return _multiplied(terms, args, ">", {relation: relation for relation in RELATIONS})


@written("arith_mult_neg", arguments=2)
def arith_mult_neg(terms: Terms, given: Sequence[Term], args: Sequence[Term]) -> Term:
    """Conclude ``(=> (and (< m 0) (< x y)) (> (* m x) (* m y)))``; it may be another relation instead of ``<``."""
    return _multiplied(terms, args, "<", MIRRORED)


def _multiplied(terms: Terms, args: Sequence[Term], sign: str, result: Mapping[str, str]) -> Term:
    factor, relation = args
    if relation.op not in RELATIONS:
        raise Refused("an argument is no relation")
    signed = terms.make(sign, factor, terms.literal(0, factor.sort))
    products = (terms.make("*", factor, side) for side in relation.args)
    return terms.make("=>", terms.make("and", signed, relation), terms.make(result[relation.op], *products))


@written("arith_trichotomy", premises=2)
def arith_trichotomy(terms: Terms, given: Sequence[Term], args: Sequence[Term]) -> Term:
    """Conclude the one relation of ``x`` and ``y`` that two premises about them leave: ``<``, ``=`` or ``>``."""
    left, right = map(_signs, given)
    if left[1] != right[1] or len(left[0]) != 2 or len(right[0]) != 2:
        raise Refused("the premises are not two bounds of the same terms")
    for relation in ("<", "=", ">"):
        if left[0] & right[0] == SIGNS[relation]:
            return terms.make(relation, *left[1])
    raise Refused("the premises leave more than one relation")


@written("arith_mult_sign", arguments=2)
def arith_mult_sign(terms: Terms, given: Sequence[Term], args: Sequence[Term]) -> Term:
    """Conclude ``(=> (and (> x 0) (< y 0) (not (= z 0)) ...) (< (* x y z z ...) 0))``, with the sign of the product.

    A factor of which only ``(not (= z 0))`` is known has to be there an even number of times.
    """
    known, product = args
    signs = dict(map(_sign, known.args if known.op == "and" else [known]))
    positive = True
    for factor, times in Counter(product.args if product.op == "*" else [product]).items():
        if factor not in signs or (not signs[factor] and times % 2):
            raise Refused("a factor's sign is not known")
        positive ^= signs[factor] < 0 and times % 2 == 1
    zero = terms.literal(0, product.sort)
    return terms.make("=>", known, terms.make(">" if positive else "<", product, zero))


def _sign(known: Term) -> tuple[Term, int]:
    """Return a term, and its sign: 0 if it is only known not to be 0."""
    sign = {"<": -1, ">": 1, "not": 0}.get(known.op)
    if sign is None:
        raise Refused("an assumption is not about a sign")
    term, zero = known.args if sign else sides(known.args[0])
    if literal_value(zero) != 0:
        raise Refused("an assumption is not about a sign")
    return term, sign


@written("arith_mult_abs_comparison", premises=ANY)
def arith_mult_abs_comparison(terms: Terms, given: Sequence[Term], args: Sequence[Term]) -> Term:
    """Conclude ``(> (abs (* x y ...)) (abs (* v w ...)))`` from ``(> (abs x) (abs v))``, ``(> (abs y) (abs w))``, ...

    After the first, a premise may be ``(and (= (abs y) (abs w)) (not (= y 0)))``. If all are equations, so is the
    conclusion.
    """
    relation = given[0].op if given else ""
    factors: tuple[list[Term], list[Term]] = [], []
    for place, premise in enumerate(given):
        if place and relation == ">" and premise.op == "and":
            premise, other = args_of(premise, "and", 2)
            pair = [args_of(side, "abs", 1)[0] for side in sides(premise)]
            if _sign(other) != (pair[0], 0):
                raise Refused("a premise does not exclude 0")
        else:
            pair = [args_of(side, "abs", 1)[0] for side in args_of(premise, relation, 2)]
        for side, factor in zip(factors, pair, strict=True):
            side.append(factor)
    if relation not in (">", "="):
        raise Refused("the premises do not compare absolute values")
    return terms.make(relation, *(terms.make("abs", terms.make("*", *side)) for side in factors))


@written("int_tight_ub", premises=1)
def int_tight_ub(terms: Terms, given: Sequence[Term], args: Sequence[Term]) -> Term:
    """Conclude ``(<= i n)`` from ``(< i r)``, where ``n`` is the greatest integer below the number ``r``."""
    term, bound = args_of(given[0], "<", 2)
    if term.sort != INT:
        raise Refused("the premise is not about an integer")
    return terms.make("<=", term, terms.literal(-(-literal_value(bound) // 1) - 1))


@written("int_tight_lb", premises=1)
def int_tight_lb(terms: Terms, given: Sequence[Term], args: Sequence[Term]) -> Term:
    """Conclude ``(>= i n)`` from ``(> i r)``, where ``n`` is the least integer above the number ``r``."""
    term, bound = args_of(given[0], ">", 2)
    if term.sort != INT:
        raise Refused("the premise is not about an integer")
    return terms.make(">=", term, terms.literal(literal_value(bound) // 1 + 1))


def _signs(literal: Term) -> tuple[set[int], tuple[Term, ...]]:
    """Return the signs of x - y that a relation of x and y, or its negation, allows, and its two terms."""
    negated = literal.op == "not"
    relation = literal.args[0] if negated else literal
    if relation.op not in RELATIONS or not is_number(relation.args[0].sort):
        raise Refused("a premise is no relation of numbers")
    allowed = SIGNS[relation.op]
    return ({-1, 0, 1} - allowed if negated else allowed), relation.args


def _value(terms: Terms, term: Term) -> Number:
    """Return the value of a term of literals; truth values are 0 and 1."""
    terms.spend(1)
    if term.op == NUMERAL:
        return term.value
    if term.op in ("true", "false"):
        return int(term.op == "true")
    values = [_value(terms, arg) for arg in term.args]
    if term.op in COMPARED and is_number(term.args[0].sort):
        return int(COMPARED[term.op](*values))
    match term.op, values:
        case "+", _:
            return sum(values)
        case "-", [only]:
            return -only
        case "-", [one, other]:
            return one - other
        case "*", _:
            product: Number = 1
            for value in values:
                product = bounded(product * value)
            return product
        case "to_real", [only]:
            return only
        case "to_int", [only]:
            return only // 1
        case "abs", [only]:
            return max(only, -only)
        case "not", [only]:
            return 1 - only
        case "and", _:
            return int(all(values))
        case "or", _:
            return int(any(values))
        case "=>", [one, other]:
            return int(not one or bool(other))
        case "=", [one, other] if term.args[0].sort == BOOL:
            return int(one == other)
        case "ite", [condition, one, other]:
            return one if condition else other
    raise Refused(f"{term.op} has no value")


def polynomial(terms: Terms, term: Term) -> Polynomial:
    """Return the polynomial of a number in its parts that are no sums, differences or products."""
    found = terms.polynomials.get(term)
    if found is None:
        found = terms.polynomials[term] = _polynomial(terms, term)
    return found


def _polynomial(terms: Terms, term: Term) -> Polynomial:
    if term.op == NUMERAL:
        return {(): term.value} if term.value else {}
    if term.op == "to_real":
        return polynomial(terms, term.args[0])
    if term.op not in ("+", "-", "*"):
        return {(term,): 1}
    parts = [polynomial(terms, arg) for arg in term.args]
    if term.op == "*":
        product: Polynomial = {(): 1}
        for part in parts:
            product = _product(terms, product, part)
        return product
    signs = [1] * len(parts) if term.op == "+" else [-1] if len(parts) == 1 else [1, -1]
    total: Polynomial = {}
    for sign, part in zip(signs, parts, strict=True):
        terms.spend(len(part))
        for powers, factor in part.items():
            total[powers] = total.get(powers, 0) + sign * factor
    return {powers: factor for powers, factor in total.items() if factor}


def _product(terms: Terms, one: Polynomial, other: Polynomial) -> Polynomial:
    total: Polynomial = {}
    for left, factor in one.items():
        for right, times in other.items():
            terms.spend(1 + len(left) + len(right))
            powers = tuple(sorted(left + right, key=lambda term: term.number)) if left and right else left or right
            total[powers] = total.get(powers, 0) + bounded(factor * times)
    return {powers: factor for powers, factor in total.items() if factor}
