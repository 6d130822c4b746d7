"""Terms as plain objects agree with z3py."""

import z3
from hypothesis import given

from rebalance_proofs.model.terms.nodes import Node, Reader
from tests.model.terms.random_terms import booleans


def _same(node: Node, term: z3.ExprRef) -> bool:
    plain = node.kind == term.decl().kind() and node.name == term.decl().name() and node.term.eq(term)
    children = term.children()
    return plain and len(node.children) == len(children) and all(map(_same, node.children, children))


@given(booleans(3))
def test_a_node_has_what_its_term_has(term):
    assert _same(Reader().read(term), term)


def test_the_same_term_is_the_same_node_and_is_met_once():
    x, y = z3.Ints("x y")
    reader = Reader()
    first, second = reader.read(x * y > 5), reader.read(5 - x * y)
    assert first.children[0] is second.children[1]
    assert sorted(node.name for node in reader.nodes) == ["*", "-", ">", "Int", "x", "y"]


def test_numerals_of_any_size():
    large = 10**30
    assert [Reader().read(z3.IntVal(number)).number for number in (0, -7, large, -large)] == [0, -7, large, -large]


def test_terms_that_nobody_holds_are_kept_apart():
    """Where a term was stored another could come to lie, if the first were not kept alive."""
    reader = Reader()
    nodes = [reader.read(z3.Int("x") + number) for number in range(1, 2000)]
    assert [node.children[1].number for node in nodes] == list(range(1, 2000))


def test_another_context():
    context = z3.Context()
    node = Reader().read(z3.Int("x", context) + 1)
    assert node.term.ctx == context
    assert [child.kind for child in node.children] == [z3.Z3_OP_UNINTERPRETED, z3.Z3_OP_ANUM]
