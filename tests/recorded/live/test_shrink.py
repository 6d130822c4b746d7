"""A finding is reproduced with fewer steps, within the allowed number of tries."""

from hypothesis import given
from hypothesis import strategies as st

from rebalance_proofs.recorded.live.draw import draw
from rebalance_proofs.recorded.live.read import text
from rebalance_proofs.recorded.live.run import shrunk, smaller
from rebalance_proofs.recorded.live.step import Join, Kill
from rebalance_proofs.recorded.live.valid import check

DRAWN = st.builds(draw, st.integers(0, 10**6), st.integers(1, 9))


@given(DRAWN)
def test_shrink_candidates_are_valid_and_smaller(scenario):
    for candidate in smaller(scenario):
        check(candidate)
        assert len(candidate.steps) <= len(scenario.steps)
        assert candidate.steps != scenario.steps
        assert set(candidate.members) == {
            name for step in candidate.steps if isinstance(step, Join) for name in step.members
        }


@given(DRAWN)
def test_shrink_keeps_the_causing_step_with_its_join(scenario):
    def finds(candidate):
        return any(isinstance(step, Kill) for step in candidate.steps)

    if finds(scenario):
        found = shrunk(scenario, finds, 10_000)
        assert [step.do for step in found.steps] == ["join", "kill"]
        assert all(step.then <= 2 for step in found.steps)


@given(DRAWN)
def test_shrunk_scenario_is_minimal(scenario):
    found = shrunk(scenario, lambda one: len(one.steps) >= 4, 10_000)
    assert len(found.steps) >= 4
    assert not [one for one in smaller(found) if len(one.steps) >= 4]


@given(DRAWN, st.integers(0, 20))
def test_shrinking_ends_after_the_given_tries(scenario, tries):
    tried = []
    found = shrunk(scenario, lambda one: tried.append(one), tries)
    assert len(tried) <= tries
    assert text(found) == text(scenario)
