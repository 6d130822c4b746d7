"""The checker's rules: sound in all small models, near misses are refused, and wrong variants are noticed."""

import inspect
from collections.abc import Iterator
from random import Random

import pytest

from rebalance_proofs.proofs.certificates import arithmetic, clauses
from rebalance_proofs.proofs.certificates import rules as schemas
from rebalance_proofs.proofs.certificates.rules import WRITTEN, Pattern, rules
from rebalance_proofs.proofs.certificates.terms import Refused
from tests.each import each
from tests.proofs.certificates import instances
from tests.proofs.certificates.random_terms import new_terms
from tests.proofs.certificates.small_models import follows
from tests.proofs.certificates.trials import unsound

MAKERS = instances.WRITTEN | {name: instances.of_schema(said) for name, said in schemas.statements().items()}
"""Name of each rule -> maker of its instances."""
VARIANTS = {
    "and_intro": ('"and", *given', '"and", *given[1:], terms.false'),
    "and_elim": ('args_of(given[0], "and")', "given[0].args"),
    "not_or_elim": ('args_of(inner, "or")', "inner.args"),
    "not_and": ('terms.make("or"', 'terms.make("and"'),
    "cnf_and_pos": ('args_of(args[0], "and")', "args[0].args"),
    "cnf_and_neg": ("args[0], *map(terms.negate", "*map(terms.negate"),
    "cnf_or_neg": ('args_of(args[0], "or")', "args[0].args"),
    "resolution": ("dropped, 1", "kept, 1"),
    "chain_resolution": ("args[0], args[1])", "args[0], args[1])[1:]"),
    "chain_m_resolution": ("_with_all(args[0], found)", "_with_all(args[0], found[:-1])"),
    "factoring": ('args_of(given[0], "or")', 'args_of(given[0], "or")[1:-1]'),
    "reordering": ("_literals(given[0])", "_literals(given[0])[1:]"),
    "aci_norm": ("_parts(terms, op, left) ==", "_parts(terms, op, left) >="),
    "absorb": ("if right not in _parts(terms, left.op, left)", "if not left.args"),
    "process_scope": ("if conclusion is terms.false else", "if conclusion is not terms.false else"),
    "symm": ("return terms.negate(terms.equal(right, left))", "return terms.equal(right, left)"),
    "trans": ("left is not last", "left.sort != last.sort"),
    "cong": ("left is not arg", "left.sort != arg.sort"),
    "distinct-elim": ('right is not terms.joined("and", pairs)', 'right.op not in ("and", "not")'),
    "distinct-true": ("len(set(values)) != len(values)", "False"),
    "distinct-false": ("len(set(values)) == len(values)", "False"),
    "evaluate": ("terms.true if value", "terms.false if value"),
    "arith_poly_norm": ("polynomial(terms, left) != polynomial(terms, right)", "False"),
    "arith_poly_norm_rel": ('"-", 2) != side.args', '"-", 2)[0] is not side.args[0]'),
    "arith_sum_ub": ('else "<="', 'else "<"'),
    "arith_mult_pos": ('">", {', '">=", {'),
    "arith_mult_neg": ("MIRRORED", "{relation: relation for relation in RELATIONS}"),
    "arith_trichotomy": ("left[1] != right[1]", "False"),
    "int_tight_ub": ("- 1)", "- 2)"),
    "int_tight_lb": ("+ 1)", "+ 2)"),
    "arith_mult_sign": ("times % 2 == 1", "times % 2 == 0"),
    "arith_mult_abs_comparison": ('terms.make("abs", terms.make("*", *side))', 'terms.make("*", *side)'),
}
"""Name of a rule that is a function -> a change of its source that makes it wrong."""
SAME = {"nary_cong", "pairwise_cong"}
"""Names under which another rule is registered, too."""


def test_every_rule_has_instances_and_a_wrong_variant():
    assert set(MAKERS) == set(rules())
    assert set(VARIANTS) | SAME == set(WRITTEN)
    assert all(rule.__doc__ for rule in WRITTEN.values())


@each("name", MAKERS)
def test_rule_is_sound_and_refuses_near_misses(name):
    wrong, accepted, refused = unsound(rules()[name], MAKERS[name], name, 2)
    assert not wrong
    assert accepted == 2
    assert refused >= 5


@pytest.mark.slow
@pytest.mark.parametrize("name", MAKERS)
def test_rule_is_sound_in_many_instances(name):
    wrong, accepted, _ = unsound(rules()[name], MAKERS[name], f"{name} again", 100)
    assert not wrong
    assert accepted == 100


@each("name", VARIANTS)
def test_wrong_variant_of_a_function_is_noticed(name):
    wrong = False
    for rounds in (4, 40):
        wrong = wrong or bool(unsound(_variant(name), MAKERS[name], name, rounds)[0])
    assert wrong


def _variant(name):
    """Return a rule that is a function, with its wrong change."""
    module = next(one for one in (arithmetic, clauses, clauses) if f'"{name}"' in inspect.getsource(one))
    right = WRITTEN[name]
    source = inspect.getsource(right)
    old, new = VARIANTS[name]
    assert source.count(old) == 1, f"{name}: {old}"
    try:
        exec(source.replace(old, new), dict(vars(module)))
        return WRITTEN[name]
    finally:
        WRITTEN[name] = right


@each("name", schemas.statements())
def test_wrong_variant_of_a_schema_is_noticed(name):
    """A variant without its first premise, or with another conclusion."""
    statement = schemas.statements()[name]
    arguments, premises, conclusion = schemas.parsed(statement)
    random, terms = Random(name), new_terms()
    made = [MAKERS[name](random, terms) for _ in range(20)]
    dropped = (
        not follows(given[1:], found)
        for given, found in _conclusions(terms, arguments, premises, conclusion, made)
        if given
    )
    assert any(dropped) or any(
        not follows(given, found)
        for variant in (*_variants(conclusion), ("not", conclusion))
        for given, found in _conclusions(terms, arguments, premises, variant, made)
    )


def _conclusions(terms, arguments, premises, conclusion, made):
    """Yield the premises of instances, with the conclusion of a schema with another conclusion."""
    for given, args in made:
        bound: schemas.Bound = {}
        for pattern, term in zip((*arguments, *premises), (*args, *given), strict=True):
            schemas._match(terms, pattern, term, bound)
        try:
            yield given, schemas._instance(terms, conclusion, bound)
        except Refused:
            continue


def _variants(pattern: Pattern) -> Iterator[Pattern]:
    """Yield patterns that differ from a given one in one place."""
    if isinstance(pattern, str):
        if pattern in ("true", "false"):
            yield "false" if pattern == "true" else "true"
        elif pattern.isdigit():
            yield str(int(pattern) + 2)
        else:
            yield ("not", pattern)
        return
    op, *args = pattern
    if op == "not":
        yield args[0]
    if op in (">=", "<", ">", "<="):
        yield ({">=": ">", ">": ">=", "<": "<=", "<=": "<"}[str(op)], *args)
    if op in ("ite", "select", "-") and len(args) > 1:
        yield (op, *args[:-2], args[-1], args[-2])
    for place, arg in enumerate(args):
        for variant in _variants(arg):
            yield (op, *args[:place], variant, *args[place + 1 :])
