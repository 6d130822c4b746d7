"""Every guarantee about topics: sentences for results by hand; formula and test of results agree."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.solver import Solver, sat
from rebalance_proofs.model.topics import STRATEGIES, TOPICS
from rebalance_proofs.model.topics.encoding import bits_of, of_one_list
from rebalance_proofs.model.worlds.groups import AGREED
from rebalance_proofs.proofs.topics.claims import GUARANTEES, LEVEL
from rebalance_proofs.proofs.topics.loads import ATTAINED, LOWEST_FIRST, TILT
from tests.proofs.allocation.handmade import tabled
from tests.proofs.topics.results import said

BY_NAME = {guarantee.name: guarantee for guarantee in GUARANTEES}


@pytest.mark.parametrize(
    ("guarantee", "sizes", "listed", "sentence"),
    [
        pytest.param(LEVEL, (1, 1), [[0], [1]], None, id="level"),
        pytest.param(LEVEL, (2, 1), [[0, 1], [2]], None, id="one apart"),
        pytest.param(LEVEL, (1, 1), [[0, 1], []], "c0 has 2 queues, c1 has 0.", id="two apart"),
        pytest.param(LEVEL, (3,), [[0], [], [1, 2]], "c2 has 2 queues, c1 has 0.", id="the last has most"),
        pytest.param(TILT, (1, 1), [[0, 1], []], None, id="as far apart as there are topics"),
        pytest.param(TILT, (2,), [[0, 1], []], "c0 has 2 queues, c1 has 0, of 1 topic.", id="one topic"),
        pytest.param(TILT, (1, 2), [[], [0, 1, 2]], "c1 has 3 queues, c0 has 0, of 2 topics.", id="two topics"),
        pytest.param(ATTAINED, (1, 1), [[0, 1], [], []], None, id="the first has all"),
        pytest.param(ATTAINED, (1, 1), [[0, 1], [0], []], None, id="of others than the last nothing is said"),
        pytest.param(ATTAINED, (1, 2), [[0], [1, 2]], None, id="a topic of two queues"),
        pytest.param(ATTAINED, (1, 1), [[]], None, id="one consumer"),
        pytest.param(
            ATTAINED, (1, 1), [[0], [1]], "c0 has 1 of 2 topics with one queue each, not 2.", id="the first lacks one"
        ),
        pytest.param(
            ATTAINED, (1,), [[0], [0]], "c1 has 1 of 1 topics with one queue each, not 0.", id="the last has one"
        ),
        pytest.param(LOWEST_FIRST, (1, 2), [[0, 1], [2], []], None, id="descending"),
        pytest.param(
            LOWEST_FIRST,
            (3,),
            [[0], [], [1]],
            "c1 has 0 queues, c2, the next consumer, has 1.",
            id="the first that has less",
        ),
    ],
)
def test_topic_results_by_hand(guarantee, sizes, listed, sentence):
    assert said(guarantee, sizes, listed) == sentence


@st.composite
def results(draw):
    """Topics, and what one to four consumers get of them."""
    sizes = draw(st.lists(st.integers(1, 3), min_size=1, max_size=3))
    places = st.sets(st.integers(0, sum(sizes) - 1)).map(sorted)
    return sizes, draw(st.lists(places, min_size=1, max_size=4))


@pytest.mark.parametrize("guarantee", GUARANTEES, ids=lambda guarantee: guarantee.name)
@settings(deadline=None, max_examples=60)
@given(results())
def test_topic_formula_and_test_agree(guarantee, result):
    sizes, listed = result
    group = TOPICS.symbolic((of_one_list(tabled(listed)),), len(listed), sum(sizes))
    bits = [smt.Int(name) == bit for name, bit in zip(map(str, group.variables[1:]), bits_of(sizes), strict=True)]
    solver = Solver()
    solver.add(*group.constraints, *bits, guarantee.violated(group))
    assert (solver.check() == sat) == (said(guarantee, sizes, listed) is not None)


@pytest.mark.parametrize("strategy", STRATEGIES, ids=lambda strategy: strategy.name)
def test_topic_mutant_violates_its_guarantee(strategy):
    for mutant in strategy.mutants:
        assert violated(BY_NAME[mutant.breaks], mutant.encoding), mutant.name
        assert not violated(BY_NAME[mutant.breaks], strategy.encoding)


def violated(guarantee, encoding) -> bool:
    """In some group of two or three consumers with up to four queues."""
    for n in (2, 3):
        for q in range(1, 5):
            group, solver = TOPICS.symbolic((encoding,), n, q), Solver()
            solver.add(*group.constraints, guarantee.violated(group))
            if solver.check() == sat:
                return True
    return False


def test_topic_names_are_unique():
    assert len(BY_NAME) == len(GUARANTEES)
    for guarantee in GUARANTEES:
        names = [obligation.name for obligation in guarantee.obligations(AGREED)]
        assert len(set(names)) == len(names)
