"""Random instances of the checker's rules."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import combinations, pairwise
from random import Random

from rebalance_proofs.proofs.certificates import clauses, rules
from rebalance_proofs.proofs.certificates.terms import INT, REAL, Refused, Sort, Term, Terms
from tests.proofs.certificates.random_terms import SORTS, relation, some

Instance = tuple[list[Term], list[Term]]
"""Premises and arguments."""
Make = Callable[[Random, Terms], Instance]


def formulas(random: Random, terms: Terms, least: int = 2, most: int = 3) -> list[Term]:
    """Return some random formulas."""
    return [some(random, terms, "Bool") for _ in range(random.randint(least, most))]


def of_schema(statement: str) -> Make:
    """Return a function that makes instances of a schema."""
    arguments, premises, _ = rules.parsed(statement)
    names = list(dict.fromkeys(_letters((*arguments, *premises))))
    rule = rules.rule(statement)
    fitting: list[Sequence[Sort]] = []

    def make(random: Random, terms: Terms) -> Instance:
        for _ in range(20000):
            sorts = random.choice(fitting) if len(fitting) > 1 else random.choices(SORTS, (4, 4, 1, 1, 1), k=len(names))
            bound: rules.Bound = {
                name: tuple(formulas(random, terms, 0, 2)) if name[-1] == "*" else some(random, terms, sort)
                for name, sort in zip(names, sorts, strict=True)
            }
            try:
                args = [rules._instance(terms, pattern, bound) for pattern in arguments]
                given = [rules._instance(terms, pattern, bound) for pattern in premises]
                conclusion = rule(terms, given, args)
            except Refused:
                continue
            if all(formula.sort == "Bool" for formula in (*given, conclusion)):
                fitting.append(sorts)
                return given, args
        raise AssertionError(f"no instance of {statement}")

    return make


def _letters(patterns: Sequence[rules.Pattern]) -> list[str]:
    found = []
    for pattern in patterns:
        if not isinstance(pattern, str):
            found += _letters(pattern)
        elif rules._VARIABLE.fullmatch(pattern) or pattern[1:] == "s*":
            found.append(pattern)
    return found


def _and_or(op: str, negated: bool, given: bool, place: bool, random: Random, terms: Terms) -> Instance:
    parts = formulas(random, terms)
    whole = terms.make(op, *parts)
    whole = terms.negate(whole) if negated else whole
    places = [terms.literal(random.randrange(len(parts)))] if place else []
    return ([whole], places) if given else ([], [whole, *places])


def _clause(random: Random, terms: Terms, *literals: Term) -> Term:
    found = [*literals, *formulas(random, terms, 0, 2)]
    random.shuffle(found)
    return terms.clause(found)


def _pivots(random: Random, terms: Terms, count: int) -> tuple[list[Term], list[Term], list[Term]]:
    """Return clauses that can be resolved one after another, the pivots' polarities, and the pivots."""
    pivots = formulas(random, terms, count, count)
    ways = [random.choice([True, False]) for _ in pivots]
    kept = [pivot if way else terms.negate(pivot) for pivot, way in zip(pivots, ways, strict=True)]
    dropped = [terms.negate(pivot) if way else pivot for pivot, way in zip(pivots, ways, strict=True)]
    made = [_clause(random, terms, kept[0])]
    for place in range(count):
        made.append(_clause(random, terms, dropped[place], *kept[place + 1 : place + 2]))
    return made, [terms.true if way else terms.false for way in ways], pivots


def resolution(random: Random, terms: Terms) -> Instance:
    """Return an instance of ``resolution``."""
    given, ways, pivots = _pivots(random, terms, 1)
    return given, [ways[0], pivots[0]]


def chain(random: Random, terms: Terms) -> Instance:
    """Return an instance of ``chain_resolution``."""
    given, ways, pivots = _pivots(random, terms, random.randint(1, 3))
    return given, [terms.make("@list", *ways), terms.make("@list", *pivots)]


def chain_m(random: Random, terms: Terms) -> Instance:
    """Return an instance of ``chain_m_resolution``: its conclusion has other literals, too."""
    given, args = chain(random, terms)
    rest = list(dict.fromkeys(clauses._chained(terms, given, *args)))
    more = formulas(random, terms, 0, 1) if len(rest) > 1 else []
    return given, [terms.clause([*more, *rest]), *args]


def reordering(random: Random, terms: Terms) -> Instance:
    """Return an instance of ``reordering``."""
    parts = formulas(random, terms, 2, 3)
    return [terms.clause(parts)], [_clause(random, terms, *parts)]


def factoring(random: Random, terms: Terms) -> Instance:
    """Return an instance of ``factoring``."""
    parts = formulas(random, terms, 1, 2)
    return [terms.make("or", *parts, parts[0])], []


def aci_norm(random: Random, terms: Terms) -> Instance:
    """Return an instance of ``aci_norm``."""
    op, null = random.choice([("and", terms.true), ("or", terms.false)])
    parts = formulas(random, terms, 2, 3)
    nested = terms.make(op, parts[0], terms.make(op, *parts[1:], parts[0]), null)
    return [], [terms.equal(nested, terms.make(op, *reversed(parts)))]


def absorb(random: Random, terms: Terms) -> Instance:
    """Return an instance of ``absorb``."""
    op, zero = random.choice([("and", terms.false), ("or", terms.true)])
    left = terms.make(op, *formulas(random, terms, 1, 2), terms.make(op, *formulas(random, terms, 1, 1), zero))
    return [], [terms.equal(left, zero)]


def process_scope(random: Random, terms: Terms) -> Instance:
    """Return an instance of ``process_scope``."""
    conclusion = random.choice([terms.false, some(random, terms, "Bool")])
    whole = conclusion
    for part in formulas(random, terms, 1, 3):
        whole = terms.make("=>", part, whole)
    return [whole], [conclusion]


def symm(random: Random, terms: Terms) -> Instance:
    """Return an instance of ``symm``."""
    sort = random.choice(SORTS)
    equation = terms.equal(some(random, terms, sort), some(random, terms, sort))
    return [random.choice([equation, terms.negate(equation)])], []


def trans(random: Random, terms: Terms) -> Instance:
    """Return an instance of ``trans``."""
    sort = random.choice(SORTS[:3])
    chained = [some(random, terms, sort) for _ in range(random.randint(2, 4))]
    return [terms.equal(*pair) for pair in pairwise(chained)], []


def cong(random: Random, terms: Terms) -> Instance:
    """Return an instance of ``cong``."""
    op, sorts = random.choice(
        [
            ("not", ["Bool"]),
            ("=>", ["Bool", "Bool"]),
            ("ite", ["Bool", INT, INT]),
            (">=", [INT, INT]),
            ("-", [INT, INT]),
            ("=", [INT, INT]),
            ("+", [INT, INT, INT]),
            ("and", ["Bool", "Bool", "Bool"]),
            ("distinct", [INT, INT]),
        ]
    )
    args = [some(random, terms, sort, 0) for sort in sorts]
    given = [terms.equal(arg, some(random, terms, arg.sort, 0)) for arg in args]
    return given[random.randrange(len(given)) :], [terms.make(op, *args)]


def distinct(name: str, random: Random, terms: Terms) -> Instance:
    """Return an instance of the rules about ``distinct``."""
    if name == "distinct-true":
        parts = [terms.literal(value) for value in random.sample(range(-3, 4), 3)]
    else:
        parts = [some(random, terms, INT) for _ in range(random.randint(2, 4))]
    if name == "distinct-false":
        parts.append(parts[0])
    pairs = [terms.negate(terms.equal(*pair)) for pair in combinations(parts, 2)]
    right = {"distinct-true": terms.true, "distinct-false": terms.false}.get(name) or terms.joined("and", pairs)
    return [], [terms.equal(terms.make("distinct", *parts), right)]


def evaluate(random: Random, terms: Terms) -> Instance:
    """Return an instance of ``evaluate``."""
    numbers = [terms.literal(random.randint(-3, 3)) for _ in range(4)]
    op, relation_ = random.choice(["+", "-", "*"]), random.choice(["<", "<=", "=", ">=", ">"])
    left = terms.make(op, numbers[0], terms.make("-", numbers[1]))
    truth = terms.make(relation_, left, numbers[2])
    halves = [terms.literal(Fraction(random.randint(-3, 3), 2), REAL) for _ in range(2)]
    floor = terms.make("to_int", terms.make("+", *halves))
    either = terms.make(random.choice(["and", "or", "=>", "="]), truth, terms.negate(truth))
    chosen = terms.make("ite", truth, left, terms.make("abs", numbers[3]))
    return [], [
        random.choice([left, truth, either, chosen, floor, terms.equal(terms.make("to_real", left), halves[0])])
    ]


def poly_norm(random: Random, terms: Terms) -> Instance:
    """Return an instance of ``arith_poly_norm``."""
    x, y, z = (some(random, terms, INT) for _ in range(3))
    make, two = terms.make, terms.literal(2)
    left = make("*", make("-", x, y), make("+", z, two))
    right = make("+", make("*", x, z), make("*", two, x), make("-", make("*", y, z)), make("*", terms.literal(-2), y))
    pair = random.choice([(left, right), (make("-", x, x), terms.literal(0)), (make("+", x, x), make("*", two, x))])
    if random.random() < 0.3:
        halved = make("*", terms.literal(Fraction(1, 2), REAL), make("to_real", make("*", two, x)))
        pair = halved, make("to_real", x)
    return [], [terms.equal(*pair)]


def poly_norm_rel(random: Random, terms: Terms) -> Instance:
    """Return an instance of ``arith_poly_norm_rel``."""
    op = random.choice(["<", "<=", "=", ">=", ">"])
    factor = random.choice([-3, -1, 1, 2]) if op == "=" else random.choice([1, 2, 3])
    x, y = some(random, terms, INT), some(random, terms, INT)
    one, times = terms.literal(1), terms.literal(factor)
    scaled = terms.make("*", times, x), terms.make("*", times, y)
    premise = terms.equal(terms.make("*", times, terms.make("-", x, y)), terms.make("*", one, terms.make("-", *scaled)))
    return [premise], [terms.equal(terms.make(op, x, y), terms.make(op, *scaled))]


def sum_ub(random: Random, terms: Terms) -> Instance:
    """Return an instance of ``arith_sum_ub``."""
    return [relation(random, terms, "<", "<=", "=") for _ in range(random.randint(1, 3))], []


def multiplied(random: Random, terms: Terms) -> Instance:
    """Return an instance of ``arith_mult_pos`` and ``arith_mult_neg``."""
    return [], [some(random, terms, INT, 0), relation(random, terms)]


def trichotomy(random: Random, terms: Terms) -> Instance:
    """Return an instance of ``arith_trichotomy``."""
    x, y = some(random, terms, INT), some(random, terms, INT)
    weak = [
        random.choice([terms.make(">=", x, y), terms.negate(terms.make("<", x, y))]),
        random.choice([terms.make("<=", x, y), terms.negate(terms.make(">", x, y))]),
        terms.negate(terms.equal(x, y)),
    ]
    return random.sample(weak, 2), []


def tight(op: str, random: Random, terms: Terms) -> Instance:
    """Return an instance of ``int_tight_ub`` and ``int_tight_lb``."""
    return [terms.make(op, some(random, terms, INT), terms.literal(random.randint(-3, 3)))], []


def mult_sign(random: Random, terms: Terms) -> Instance:
    """Return an instance of ``arith_mult_sign``."""
    zero, known, factors = terms.literal(0), [], []
    for name in random.sample("ijk", random.randint(1, 3)):
        factor = terms.make(name)
        op = random.choice(["<", ">", "not"])
        known.append(terms.negate(terms.equal(factor, zero)) if op == "not" else terms.make(op, factor, zero))
        factors += [factor] * (2 if op == "not" else random.randint(1, 2))
    return [], [terms.joined("and", known), terms.make("*", *factors) if len(factors) > 1 else factors[0]]


def mult_abs(random: Random, terms: Terms) -> Instance:
    """Return an instance of ``arith_mult_abs_comparison``."""
    op, given = random.choice(["=", ">"]), []
    for place in range(random.randint(1, 2)):
        x, y = some(random, terms, INT, 0), some(random, terms, INT, 0)
        sizes = terms.make("abs", x), terms.make("abs", y)
        if place and op == ">" and random.random() < 0.5:
            nonzero = terms.negate(terms.equal(x, terms.literal(0)))
            given.append(terms.make("and", terms.equal(*sizes), nonzero))
        else:
            given.append(terms.make(op, *sizes))
    return given, []


WRITTEN: Mapping[str, Make] = {
    "and_intro": lambda random, terms: (formulas(random, terms, 1, 3), []),
    "and_elim": partial(_and_or, "and", False, True, True),
    "not_or_elim": partial(_and_or, "or", True, True, True),
    "not_and": partial(_and_or, "and", True, True, False),
    "cnf_and_pos": partial(_and_or, "and", False, False, True),
    "cnf_and_neg": partial(_and_or, "and", False, False, False),
    "cnf_or_neg": partial(_and_or, "or", False, False, True),
    "resolution": resolution,
    "chain_resolution": chain,
    "chain_m_resolution": chain_m,
    "factoring": factoring,
    "reordering": reordering,
    "aci_norm": aci_norm,
    "absorb": absorb,
    "process_scope": process_scope,
    "symm": symm,
    "trans": trans,
    "cong": cong,
    "nary_cong": cong,
    "pairwise_cong": cong,
    "distinct-elim": partial(distinct, "distinct-elim"),
    "distinct-true": partial(distinct, "distinct-true"),
    "distinct-false": partial(distinct, "distinct-false"),
    "evaluate": evaluate,
    "arith_poly_norm": poly_norm,
    "arith_poly_norm_rel": poly_norm_rel,
    "arith_sum_ub": sum_ub,
    "arith_mult_pos": multiplied,
    "arith_mult_neg": multiplied,
    "arith_trichotomy": trichotomy,
    "int_tight_ub": partial(tight, "<"),
    "int_tight_lb": partial(tight, ">"),
    "arith_mult_sign": mult_sign,
    "arith_mult_abs_comparison": mult_abs,
}
"""Name of a rule that is a function -> maker of instances."""
