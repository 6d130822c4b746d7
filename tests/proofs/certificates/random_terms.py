"""Random terms over few constants, and terms that differ from a given one in one place."""

from fractions import Fraction
from random import Random

from rebalance_proofs.proofs.certificates.terms import INT, NUMERAL, REAL, ArraySort, Refused, Sort, Term, Terms

SORTS: tuple[Sort, ...] = ("Bool", INT, REAL, "Q", ArraySort("Q", INT))
INSTEAD = {
    "and": ("or",),
    "or": ("and",),
    "=>": ("=", "or"),
    "<": ("<=", ">"),
    "<=": ("<", ">=", "="),
    ">": (">=", "<"),
    ">=": (">", "<=", "="),
    "=": ("<=", ">=", "=>"),
    "+": ("*", "-"),
    "*": ("+",),
    "-": ("+",),
    "distinct": ("=",),
    "true": ("false",),
    "false": ("true",),
}
"""Operator -> operators that are written instead of it in an altered term."""


def new_terms() -> Terms:
    """Return terms with constants of all sorts."""
    terms = Terms()
    terms.declare_sort("Q")
    for names, sort in (("pqr", "Bool"), ("ijk", INT), ("uv", "Q"), ("mn", ArraySort("Q", INT))):
        for name in names:
            terms.declare(name, (), sort)
    return terms


def some(random: Random, terms: Terms, sort: Sort, depth: int = 1) -> Term:
    """Return a random term of a sort."""
    make = terms.make
    if sort == INT:
        if depth and random.random() < 0.3:
            op = random.choice(["+", "-", "*"])
            return make(op, some(random, terms, INT, 0), some(random, terms, INT, 0))
        return make(random.choice("ijk")) if random.random() < 0.7 else terms.literal(random.randint(-2, 2))
    if sort == REAL:
        if random.random() < 0.5:
            return make("to_real", some(random, terms, INT, depth))
        return terms.literal(Fraction(random.randint(-3, 3), 2), REAL)
    if sort == "Q":
        return make(random.choice("uv"))
    if sort != "Bool":
        array = make(random.choice("mn"))
        return make("store", array, some(random, terms, "Q"), some(random, terms, INT, 0)) if depth else array
    chance = random.random()
    if depth and chance < 0.2:
        return terms.negate(some(random, terms, "Bool", depth - 1))
    if depth and chance < 0.4:
        op = random.choice(["and", "or", "=>"])
        return make(op, some(random, terms, "Bool", depth - 1), some(random, terms, "Bool", depth - 1))
    if chance < 0.6:
        return relation(random, terms)
    return make(random.choice("pqr")) if chance < 0.95 else random.choice([terms.true, terms.false])


def relation(random: Random, terms: Terms, *ops: str) -> Term:
    """Return a random relation of two numbers."""
    op = random.choice(ops or ("<", "<=", "=", ">=", ">"))
    return terms.make(op, some(random, terms, INT, 0), some(random, terms, INT, 0))


def altered(random: Random, terms: Terms, term: Term) -> Term:
    """Return a term with a random change in one place; the same one if the change is no term."""
    try:
        return _altered(random, terms, term)
    except Refused:
        return term


def _altered(random: Random, terms: Terms, term: Term) -> Term:
    if term.args and random.random() < 0.6:
        place = random.randrange(len(term.args))
        args = list(term.args)
        args[place] = _altered(random, terms, args[place])
        return terms.make(term.op, *args)
    ways = ["other", "literal"] if term.op == NUMERAL else ["other", "op"]
    ways += ["turned", "fewer", "child"] if term.args else []
    ways += ["not"] if term.sort == "Bool" else []
    match random.choice(ways):
        case "literal":
            return terms.literal(term.value + random.choice([-1, 1]), term.sort)
        case "op" if term.op in INSTEAD:
            return terms.make(random.choice(INSTEAD[term.op]), *term.args)
        case "turned":
            return terms.make(term.op, *reversed(term.args))
        case "fewer" if len(term.args) > 1:
            return terms.make(term.op, *term.args[1:])
        case "child":
            return random.choice(term.args)
        case "not":
            return terms.negate(term)
    return term if term.sort == "@List" else some(random, terms, term.sort, 0)
