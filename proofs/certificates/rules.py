"""Registry of the checker's rules.

A rule is a function from the formulas of its premises and from its arguments to its conclusion. It raises ``Refused``
if they do not fit. Its docstring is its statement: the premises are true only where the conclusion is.
"""

import re
from collections.abc import Callable, Sequence
from functools import cache, wraps
from importlib import import_module

from rebalance_proofs.proofs.certificates.terms import NULLS, Refused, Term, Terms

# Rules that are schemas: each entry states one rule, and is what the checker applies.
# ``name [arguments] premises |- conclusion``. A letter, or a letter with a digit, stands for any term. ``(or xs*)``
# stands for any number of arguments: among the arguments of a rule it is a disjunction of them, ``false`` if there
# are none; in a conclusion they are inserted. ``or!`` and ``and!`` of one argument are that argument.

STATEMENTS = """
split                [a]                    |- (or a (not a))
eq_resolve           a (= a b)              |- b
modus_ponens         a (=> a b)             |- b
not_not_elim         (not (not a))          |- a
contra               a (not a)              |- false
implies_elim         (=> a b)               |- (or (not a) b)
not_implies_elim1    (not (=> a b))         |- a
not_implies_elim2    (not (=> a b))         |- (not b)
equiv_elim1          (= a b)                |- (or (not a) b)
equiv_elim2          (= a b)                |- (or a (not b))
not_equiv_elim1      (not (= a b))          |- (or a b)
not_equiv_elim2      (not (= a b))          |- (or (not a) (not b))
ite_elim1            (ite c a b)            |- (or (not c) a)
ite_elim2            (ite c a b)            |- (or c b)
not_ite_elim1        (not (ite c a b))      |- (or (not c) (not a))
not_ite_elim2        (not (ite c a b))      |- (or c (not b))
cnf_or_pos           [(or xs*)]             |- (or (not (or xs*)) xs*)
cnf_implies_pos      [(=> a b)]             |- (or (not (=> a b)) (not a) b)
cnf_implies_neg1     [(=> a b)]             |- (or (=> a b) a)
cnf_implies_neg2     [(=> a b)]             |- (or (=> a b) (not b))
cnf_equiv_pos1       [(= a b)]              |- (or (not (= a b)) (not a) b)
cnf_equiv_pos2       [(= a b)]              |- (or (not (= a b)) a (not b))
cnf_equiv_neg1       [(= a b)]              |- (or (= a b) a b)
cnf_equiv_neg2       [(= a b)]              |- (or (= a b) (not a) (not b))
cnf_ite_pos1         [(ite c a b)]          |- (or (not (ite c a b)) (not c) a)
cnf_ite_pos2         [(ite c a b)]          |- (or (not (ite c a b)) c b)
cnf_ite_pos3         [(ite c a b)]          |- (or (not (ite c a b)) a b)
cnf_ite_neg1         [(ite c a b)]          |- (or (ite c a b) (not c) (not a))
cnf_ite_neg2         [(ite c a b)]          |- (or (ite c a b) c (not b))
cnf_ite_neg3         [(ite c a b)]          |- (or (ite c a b) (not a) (not b))
refl                 [x]                    |- (= x x)
true_intro           a                      |- (= a true)
true_elim            (= a true)             |- a
false_intro          (not a)                |- (= a false)
false_elim           (= a false)            |- (not a)
skolem_intro         [(@purify x)]          |- (= (@purify x) x)
ite_eq               [(ite c x y)]          |- (ite c (= (ite c x y) x) (= (ite c x y) y))
eq-refl              [x]                    |- (= (= x x) true)
eq-symm              [x y]                  |- (= (= x y) (= y x))
distinct-binary-elim [x y]                  |- (= (distinct x y) (not (= x y)))
bool-double-not-elim [a]                    |- (= (not (not a)) a)
bool-eq-true         [a]                    |- (= (= a true) a)
bool-eq-false        [a]                    |- (= (= a false) (not a))
bool-eq-nrefl        [a]                    |- (= (= a (not a)) false)
bool-impl-false1     [a]                    |- (= (=> a false) (not a))
bool-impl-false2     [a]                    |- (= (=> false a) true)
bool-impl-true1      [a]                    |- (= (=> a true) true)
bool-impl-true2      [a]                    |- (= (=> true a) a)
bool-impl-elim       [a b]                  |- (= (=> a b) (or (not a) b))
bool-dual-impl-eq    [a b]                  |- (= (and (=> a b) (=> b a)) (= a b))
bool-and-conf        [(and xs*) a (and ys*) (and zs*)] |- (= (and xs* a ys* (not a) zs*) false)
bool-and-conf2       [(and xs*) a (and ys*) (and zs*)] |- (= (and xs* (not a) ys* a zs*) false)
bool-or-taut         [(or xs*) a (or ys*) (or zs*)]    |- (= (or xs* a ys* (not a) zs*) true)
bool-or-taut2        [(or xs*) a (or ys*) (or zs*)]    |- (= (or xs* (not a) ys* a zs*) true)
bool-or-de-morgan    [a b (or zs*)]         |- (= (not (or a b zs*)) (and (not a) (not (or! b zs*))))
bool-and-de-morgan   [a b (and zs*)]        |- (= (not (and a b zs*)) (or (not a) (not (and! b zs*))))
bool-implies-de-morgan [a b]                |- (= (not (=> a b)) (and a (not b)))
bool-not-eq-elim1    [a b]                  |- (= (not (= a b)) (= (not a) b))
bool-not-eq-elim2    [a b]                  |- (= (not (= a b)) (= a (not b)))
ite-true-cond        [x y]                  |- (= (ite true x y) x)
ite-false-cond       [x y]                  |- (= (ite false x y) y)
ite-not-cond         [c x y]                |- (= (ite (not c) x y) (ite c y x))
ite-eq-branch        [c x]                  |- (= (ite c x x) x)
ite-then-true        [c a]                  |- (= (ite c true a) (or c a))
ite-else-false       [c a]                  |- (= (ite c a false) (and c a))
ite-then-false       [c a]                  |- (= (ite c false a) (and (not c) a))
ite-else-true        [c a]                  |- (= (ite c a true) (or (not c) a))
ite-then-lookahead   [c x y z]              |- (= (ite c (ite c x y) z) (ite c x z))
ite-else-lookahead   [c x y z]              |- (= (ite c x (ite c y z)) (ite c x z))
ite-then-neg-lookahead [c x y z]            |- (= (ite c (ite (not c) x y) z) (ite c y z))
ite-else-neg-lookahead [c x y z]            |- (= (ite c x (ite (not c) y z)) (ite c x y))
ite-then-lookahead-self [c a]               |- (= (ite c c a) (ite c true a))
ite-else-lookahead-self [c a]               |- (= (ite c a c) (ite c a false))
ite-then-lookahead-not-self [c a]           |- (= (ite c (not c) a) (ite c false a))
ite-else-lookahead-not-self [c a]           |- (= (ite c a (not c)) (ite c a true))
ite-expand           [c a b]                |- (= (ite c a b) (and (or (not c) a) (or c b)))
bool-not-ite-elim    [c a b]                |- (= (not (ite c a b)) (ite c (not a) (not b)))
arith-elim-gt        [x y]                  |- (= (> x y) (not (>= y x)))
arith-elim-lt        [x y]                  |- (= (< x y) (not (>= x y)))
arith-elim-leq       [x y]                  |- (= (<= x y) (>= y x))
arith-elim-int-gt    [x y]                  |- (= (> x y) (>= x (+ y 1)))
arith-elim-int-lt    [x y]                  |- (= (< x y) (>= y (+ x 1)))
arith-leq-norm       [x y]                  |- (= (<= x y) (not (>= x (+ y 1))))
arith-geq-tighten    [x y]                  |- (= (not (>= x y)) (>= y (+ x 1)))
arith-geq-norm1-int  [x y]                  |- (= (>= x y) (>= (- x y) 0))
arith-eq-elim-int    [x y]                  |- (= (= x y) (and (>= x y) (<= x y)))
arith-geq-ite-lift   [c x y z]              |- (= (>= (ite c x y) z) (ite c (>= x z) (>= y z)))
arith-leq-ite-lift   [c x y z]              |- (= (<= (ite c x y) z) (ite c (<= x z) (<= y z)))
arith-abs-int-gt     [x y]                  |- (= (> (abs x) (abs y))
    (ite (>= x 0) (ite (>= y 0) (> x y) (> x (- y))) (ite (>= y 0) (> (- x) y) (> (- x) (- y)))))
arith-int-geq-tighten [x c d] (= (= (to_real (to_int c)) c) false) (= d (+ (to_int c) 1))
    |- (= (>= (to_real x) c) (>= x d))
arith-min-lt1        [x y]                  |- (= (<= (ite (< x y) x y) x) true)
arith-min-lt2        [x y]                  |- (= (<= (ite (< x y) x y) y) true)
arith-max-geq1       [x y]                  |- (= (>= (ite (>= x y) x y) x) true)
arith-max-geq2       [x y]                  |- (= (>= (ite (>= x y) x y) y) true)
arrays_read_over_write_1 [(select (store a i e) i)] |- (= (select (store a i e) i) e)
arrays_read_over_write [(select (store a i e) j)] (not (= i j)) |- (= (select (store a i e) j) (select a j))
array-read-over-write [a i e]               |- (= (select (store a i e) i) e)
array-read-over-write2 [a i j e]  (= (= i j) false) |- (= (select (store a i e) j) (select a j))
array-read-over-write-split [a i e j]       |- (= (select (store a j e) i) (ite (= i j) e (select a i)))
"""

Pattern = str | tuple["Pattern", ...]
Bound = dict[str, Term | tuple[Term, ...]]
Rule = Callable[[Terms, Sequence[Term], Sequence[Term]], Term]
_PART = re.compile(r"[()\[\]]|\|-|[^\s()\[\]]+")
_VARIABLE = re.compile(r"[a-z][0-9]?")


@cache
def schemas() -> dict[str, Rule]:
    """Return the rules by their names."""
    return {name: rule(statement) for name, statement in statements().items()}


def statements() -> dict[str, str]:
    """Return the statements of the rules by their names."""
    lines = re.split(r"\n(?=\S)", STATEMENTS.strip())
    return dict(line.split(maxsplit=1) for line in lines)


def parsed(statement: str) -> tuple[list[Pattern], list[Pattern], Pattern]:
    """Return the patterns of a rule's arguments, of its premises and of its conclusion."""
    parts = _PART.findall(statement)
    at = parts.index("|-")
    before, (conclusion,) = _patterns(parts[:at]), _patterns(parts[at + 1 :])
    if parts[0] == "[":
        return list(before[0][1:]), list(before[1:]), conclusion
    return [], list(before), conclusion


def _patterns(parts: Sequence[str]) -> tuple[Pattern, ...]:
    open_: list[list[Pattern]] = [[]]
    for part in parts:
        if part in ("(", "["):
            open_.append(["["] if part == "[" else [])
        elif part in (")", "]"):
            done = tuple(open_.pop())
            open_[-1].append(done)
        else:
            open_[-1].append(part)
    return tuple(open_[0])


def rule(statement: str) -> Rule:
    """Return the rule that a statement means."""
    arguments, premises, conclusion = parsed(statement)

    def apply(terms: Terms, given: Sequence[Term], args: Sequence[Term]) -> Term:
        if len(given) != len(premises) or len(args) != len(arguments):
            raise Refused("wrong number of premises or arguments")
        bound: Bound = {}
        for pattern, term in zip((*arguments, *premises), (*args, *given), strict=True):
            _match(terms, pattern, term, bound)
        return _instance(terms, conclusion, bound)

    return apply


def _match(terms: Terms, pattern: Pattern, term: Term, bound: Bound) -> None:
    """Bind the letters of a pattern so that it is the term; refuse if it cannot be."""
    if isinstance(pattern, str):
        wanted = bound.setdefault(pattern, term) if _VARIABLE.fullmatch(pattern) else _atom(terms, pattern)
        if wanted is not term:
            raise Refused("a premise does not fit")
    elif len(pattern) == 2 and pattern[1][-1] == "*":
        op, name = str(pattern[0]), str(pattern[1])
        if term.op != op and term is not terms.null(op):
            raise Refused(f"an argument is no list of {op}")
        bound[name] = term.args
    else:
        if term.op != pattern[0] or len(term.args) != len(pattern) - 1:
            raise Refused("a premise or an argument does not fit")
        for part, arg in zip(pattern[1:], term.args, strict=True):
            _match(terms, part, arg, bound)


def _instance(terms: Terms, pattern: Pattern, bound: Bound) -> Term:
    if isinstance(pattern, str):
        found = bound.get(pattern)
        return found if isinstance(found, Term) else _atom(terms, pattern)
    op = str(pattern[0])
    args: list[Term] = []
    for part in pattern[1:]:
        several = bound.get(part) if isinstance(part, str) else None
        if isinstance(several, tuple):
            args += several
        else:
            args.append(_instance(terms, part, bound))
    if op.rstrip("!") in NULLS and (op[-1] == "!" or not args):
        return terms.joined(op.rstrip("!"), args)
    return terms.make(op, *args)


def _atom(terms: Terms, text: str) -> Term:
    return terms.literal(int(text)) if text.isdigit() else terms.make(text)


WRITTEN: dict[str, Rule] = {}
"""Rules that are functions, by their names in a proof."""
ANY = -1
"""Any number of premises or arguments."""


def written(name: str, premises: int = 0, arguments: int = 0) -> Callable[[Rule], Rule]:
    """Register a function as the rule of that name, with its numbers of premises and of arguments."""

    def register(function: Rule) -> Rule:
        @wraps(function)
        def apply(terms: Terms, given: Sequence[Term], args: Sequence[Term]) -> Term:
            if premises not in (ANY, len(given)) or arguments not in (ANY, len(args)):
                raise Refused("wrong number of premises or arguments")
            return function(terms, given, args)

        WRITTEN[name] = apply
        return apply

    return register


@cache
def rules() -> dict[str, Rule]:
    """Return all rules by their names."""
    for module in ("arithmetic", "clauses"):
        import_module(f"rebalance_proofs.proofs.certificates.{module}")  # registers its rules
    return schemas() | WRITTEN
