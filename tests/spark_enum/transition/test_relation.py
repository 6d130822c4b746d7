"""All models of a relation."""

from dataclasses import replace
from itertools import islice

import pytest
import z3

from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.transition.clients import NODE, V4_9, V5_2
from rebalance_proofs.proofs.smt.text import Assertion, render
from rebalance_proofs.spark_enum.transition import relation
from rebalance_proofs.spark_enum.transition.relation import LIMIT, Relation, solutions
from tests.spark_enum.transition.every import LOCKED, ORDERED, compared, each_use, letters_of, mutants


def found_in(*formulas: smt.BoolTerm) -> list[dict[str, int]]:
    return list(solutions(render("test", [Assertion("", formula) for formula in formulas]), LIMIT))


def test_every_solution_is_found_once():
    x, y = smt.Ints("x y_2")
    found = found_in(-2 <= x, x <= 2, y == x * x)
    assert sorted((one["x"], one["y_2"]) for one in found) == [(-2, 4), (-1, 1), (0, 0), (1, 1), (2, 4)]
    assert found_in(x < 0, x > 0) == []


def test_solutions_are_found_lazily():
    x = smt.Int("x")
    text = render("test", [Assertion("", x > 3)])
    assert len({one["x"] for one in islice(solutions(text, LIMIT), 20)}) == 20


def test_unreadable_text_is_an_error():
    with pytest.raises(z3.Z3Exception, match="unknown constant"):
        list(solutions("(assert nothing)(check-sat)", LIMIT))


@each_use
def test_models_agree_with_the_code(client, mode):
    part = Relation(client, mode, letters_of(client, mode).traces[:20])
    found = compared(part)
    assert (found.counted, found.differing, found.first) == (part.size, 0, None)
    assert part.size in (len(part.letters), 3 * len(part.letters), 4 * len(part.letters))


def test_number_of_models_is_closed_form():
    letters = letters_of(V5_2, ORDERED).behaviours
    assert Relation(V5_2, ORDERED, letters).size == 4 * 205
    assert Relation(V4_9, ORDERED, letters).size == 3 * 205
    assert [Relation(NODE, mode, (0, 1)).size for mode in NODE.modes] == [6, 2]


@mutants(NODE)
def test_wrong_encoding_is_reported(client, encoding):
    """With the correct client's letters: those of a wrong encoding distinguish other cases."""
    reported(client, encoding)


@pytest.mark.slow
@mutants(V5_2)
def test_wrong_encoding_of_another_client_is_reported(client, encoding):
    reported(client, encoding)


def reported(client, encoding):
    wrong = replace(client, encoding=encoding)
    for mode in client.modes[::-1]:
        found = compared(Relation(wrong, mode, letters_of(client, mode).traces))
        if found.differing:
            assert "code: " in found.first.sentence
            assert "Solver: " in found.first.sentence
            return
    raise AssertionError("nothing was noticed")


def test_wrong_code_is_reported():
    assert compared(Relation(LOCKED, ORDERED, letters_of(V5_2, ORDERED).traces[:9])).differing


def test_impossible_exception_has_no_model():
    never = replace(V5_2.encoding, possible=lambda thrown, own_store: smt.Not(thrown.ever))
    part = Relation(replace(V5_2, encoding=never), ORDERED, letters_of(V5_2, ORDERED).traces[:2])
    found = compared(part)
    assert (found.counted, part.size, found.differing) == (2, 8, 6)
    assert found.first.sentence.endswith("Solver: no model")


def test_underspecified_relation_has_too_many_models(monkeypatch):
    def open_ended(client, v):
        layout, terms = right(client, v)
        return layout, (*terms[:-1], smt.And(terms[-1], smt.Int("open") > 0) if smt.is_bool(terms[-1]) else terms[-1])

    right = relation.step_terms
    monkeypatch.setattr(relation, "step_terms", open_ended)
    part = Relation(V5_2, ORDERED, letters_of(V5_2, ORDERED).traces[:2])
    found = compared(part)
    assert part.size < found.counted <= relation.MORE * part.size
    assert found.differing


@pytest.mark.parametrize("step", [1, 2, 5])
def test_digest_does_not_depend_on_how_letters_are_split(step):
    part = Relation(NODE, NODE.modes[0], letters_of(NODE, NODE.modes[0]).traces[:6])
    whole = part.compare(0, part.codes)
    found = compared(part, step)
    assert (found.counted, found.digest) == (whole.counted, whole.digest)
