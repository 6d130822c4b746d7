"""CONFIG: each consumer's own list, by hand and as terms."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rebalance_proofs.model.allocation.config import CONFIG
from rebalance_proofs.model.queues import positions_in
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.simplified import simplify
from rebalance_proofs.model.terms.solver import Solver, sat
from rebalance_proofs.model.worlds.configs import CONFIGS
from rebalance_proofs.proofs.allocation.amounts import BALANCED
from rebalance_proofs.proofs.allocation.lists import SUBLIST

ONLY = (CONFIG,)


@pytest.mark.parametrize(
    ("values", "positions", "elsewhere"),
    [
        pytest.param((1, 0, 1, 0), [0, 2], 0, id="two queues"),
        pytest.param((0, 0, 0, 0), [], 0, id="an empty list"),
        pytest.param((0, 1, 0, 1), [1], 1, id="a queue of an unknown broker"),
    ],
)
def test_digits_encode_the_configured_list(values, positions, elsewhere):
    group = CONFIGS.group(ONLY, 1, 3, values)
    (taken,) = group.allocate()
    assert positions_in(group.queues, taken) == [*positions, *[-1] * elsewhere]


def test_each_consumer_has_its_own_digits():
    group = CONFIGS.group(ONLY, 2, 2, (1, 0, 0, 1, 1, 1))
    assert [positions_in(group.queues, taken) for taken in group.allocate()] == [[0], [0, 1, -1]]


def test_unknown_queues_of_consumers_differ():
    group = CONFIGS.group(ONLY, 2, 1, (0, 1, 0, 1))
    first, second = group.allocate()
    assert first != second


def test_notes_list_the_configured_queues():
    assert CONFIGS.group(ONLY, 2, 2, (1, 1, 1, 0, 0, 0)).setting.notes == (
        "c0 is configured with queue 0, queue 1, a queue of an unknown broker.",
        "c1 is configured with an empty list.",
    )


@given(data=st.data(), n=st.integers(1, 3), q=st.integers(1, 3))
def test_encoding_equals_the_configured_lists(data, n, q):
    values = data.draw(st.tuples(*[st.integers(0, 1)] * (n * (q + 1))))
    group, symbolic = CONFIGS.group(ONLY, n, q, values), CONFIGS.symbolic((None,), n, q)
    known = [
        (smt.Int(name), smt.IntVal(value)) for name, value in CONFIGS.assignment(n, q, values, 0).items() if name != "p"
    ]

    def integer(term):
        return simplify(smt.substitute(term, *known)).number

    for member, taken in zip(symbolic.members, group.allocate(), strict=True):
        e, view = member.encoding, (member.queues, member.consumers, member.index)
        listed = [q if position < 0 else position for position in positions_in(group.queues, taken)]
        assert [integer(e.element(*view, smt.IntVal(k))) for k in range(integer(e.count(*view)))] == listed
        owned = [simplify(smt.substitute(e.owns(*view, smt.IntVal(p)), *known)) for p in range(q + 1)]
        assert [p for p, has in enumerate(owned) if smt.is_true(has)] == [p for p in listed if p < q]


@pytest.mark.parametrize("guarantee", [SUBLIST, BALANCED], ids=lambda guarantee: guarantee.name)
@pytest.mark.parametrize(("n", "q"), [(1, 1), (1, 2), (2, 1)])
def test_list_formulas_agree_with_the_results(guarantee, n, q):
    """They have variables of their own, or count; the enumeration does not evaluate formulas with variables."""
    symbolic = CONFIGS.symbolic((None,), n, q)
    for values in CONFIGS.all_values(n, q):
        group, solver = CONFIGS.group(ONLY, n, q, values), Solver()
        given = CONFIGS.assignment(n, q, values, 0)
        solver.add(guarantee.violated(symbolic), *(smt.Int(name) == value for name, value in given.items()))
        assert (solver.check() == sat) == (guarantee.violation(group, group.allocate()) is not None)
