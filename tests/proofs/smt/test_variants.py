"""Variants of a text: renamed and reordered, with the same answer."""

import re

import pytest

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.premises.same_cid_all import SAME_CID_ALL
from rebalance_proofs.model.terms import smt
from rebalance_proofs.proofs import texts
from rebalance_proofs.proofs.allocation import search
from rebalance_proofs.proofs.allocation.disjoint import DISJOINT, EXCLUSIVE
from rebalance_proofs.proofs.smt.text import Assertion, declared, render, variant
from rebalance_proofs.proofs.solvers import SOLVERS, Outcome

NUMBERS = range(1, 5)

GROUP = SAME_CID_ALL.symbolic([AVERAGELY.encoding], 2)
V1, V2, V11 = smt.Ints("v1 v2 v11")
CHAIN = [V1 < V2, V2 < V11, V1 + V2 > V11, (V1 + V2) * 2 > V11]

PROOF = texts.proof("AVG", EXCLUSIVE, AVERAGELY.encoding)
COUNTEREXAMPLE = search.counterexample("AVG", DISJOINT, SAME_CID_ALL, GROUP)
NAMED_AS_IN_VARIANTS = render("names that variants use too", [Assertion("", formula) for formula in CHAIN])

each_text = pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(PROOF, Outcome.UNSAT, id="proof"),
        pytest.param(COUNTEREXAMPLE, Outcome.SAT, id="counterexample"),
        pytest.param(NAMED_AS_IN_VARIANTS, Outcome.SAT, id="names of variants"),
    ],
)


def lines(text, start):
    return [line for line in text.splitlines() if line.startswith(start)]


@each_text
def test_variant_0_is_the_text(text, expected):
    assert variant(text, 0) == text


@each_text
def test_variants_are_reproducible_and_distinct(text, expected):
    found = [variant(text, number) for number in NUMBERS]
    assert found == [variant(text, number) for number in NUMBERS]
    bodies = {"\n".join(lines(text, "(")) for text in (text, *found)}
    assert len(bodies) == len(found) + 1


@each_text
@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize("solver", SOLVERS.values(), ids=lambda solver: solver.name)
def test_variant_has_the_answer_of_its_text(text, expected, number, solver):
    outcome, model, _ = solver.solve(variant(text, number), seconds=10)
    assert outcome is expected
    if expected is Outcome.SAT:
        assert model.keys() == set(declared(variant(text, number)))


@pytest.mark.parametrize("number", NUMBERS)
def test_variant_renames_constants_and_keeps_lines(number):
    renamed = variant(PROOF, number)
    assert len(set(declared(renamed))) == len(declared(PROOF))
    assert not set(declared(renamed)) & set(declared(PROOF))
    for start in ("(declare-const ", "(define-fun ", "(assert "):
        assert len(lines(renamed, start)) == len(lines(PROOF, start)) > 0


def test_variant_shuffles_assertions():
    def shapes(text):
        return [re.sub(r"v\d+", "_", line) for line in lines(text, "(assert ")]

    found = [shapes(variant(NAMED_AS_IN_VARIANTS, number)) for number in NUMBERS]
    assert any(shape != shapes(NAMED_AS_IN_VARIANTS) for shape in found)
    assert all(sorted(shape) == sorted(shapes(NAMED_AS_IN_VARIANTS)) for shape in found)


def test_text_without_constants_has_variants():
    assert "(assert true)" in variant(render("", [Assertion("", smt.BoolVal(True))]), 1)
