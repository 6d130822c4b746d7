"""The guarantee as a test of groups: results and formula."""

from dataclasses import replace
from itertools import product

import pytest

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.allocation.averagely_by_circle import AVERAGELY_BY_CIRCLE
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.solver import Solver, sat
from rebalance_proofs.model.worlds.groups import AGREED
from rebalance_proofs.proofs.code.claims import SUBJECTS, claims, plain, violation

BY_NAME = {claim.subjects[0].name: claim for claim in claims()}
MUTANTS = {
    f"{strategy.name}-{mutant.name}": (strategy, mutant)
    for strategy, _, _, noticed in SUBJECTS
    for mutant in strategy.mutants
    if mutant.name in noticed
}


def said(strategy, n, q, change=lambda results: results):
    group = AGREED.group((strategy,), n, q, ())
    return violation(group, change(group.results()))


@pytest.mark.parametrize("strategy", [strategy for strategy, *_ in SUBJECTS], ids=lambda strategy: strategy.name)
def test_results_of_the_code_violate_nothing(strategy):
    assert [said(strategy, n, q) for n, q in product(range(1, 5), range(1, 9))] == [None] * 32


def test_other_result_is_reported():
    assert said(AVERAGELY, 2, 3, lambda results: [results[0][::-1], results[1]]) == (
        "c0 has the positions [1, 0]; the encoding gives [0, 1]."
    )
    assert said(AVERAGELY_BY_CIRCLE, 2, 3, lambda results: [results[0], []]) == (
        "c1 has the positions []; the encoding gives [1]."
    )


def test_encoding_with_different_set_and_list_is_reported():
    encoding = replace(AVERAGELY.encoding, owns=lambda q, c, index, position: position == 0)
    assert said(replace(AVERAGELY, encoding=encoding), 1, 2) == (
        "c0 has the positions [0, 1]; in the encoding it owns [0]."
    )


@pytest.mark.parametrize(("strategy", "mutant"), MUTANTS.values(), ids=MUTANTS)
def test_formula_and_test_find_mutants_at_the_same_sizes(strategy, mutant):
    wrong = replace(strategy, encoding=mutant.encoding)
    guarantee = BY_NAME[strategy.name].guarantee
    found = []
    for n in (1, 2):
        group = AGREED.symbolic((mutant.encoding,), n)
        for q in (1, 2, 3, 5):
            solver = Solver()
            solver.add(*group.constraints, group.queues == q, guarantee.violated(group))
            by_formula = solver.check() == sat
            assert by_formula == (said(wrong, n, q) is not None), (n, q)
            found.append(by_formula)
    assert True in found


def test_unnecessary_remainder_is_left_out():
    x, y = smt.Ints("x y")
    seen, (needed,) = plain(x % y == 3)
    assert seen is (x == 3)
    assert needed is smt.And(0 <= x, x < y)
    assert plain(x % 3 == y)[1] == []
