"""Judging targets: whether one is met, and the growth of a number as the states double."""

import pytest

from benchmarks.explorer.growth import per_doubling
from benchmarks.explorer.targets import at_least, at_most


@pytest.mark.parametrize(("value", "met"), [(2.9, "not met"), (3.0, "met"), (3.1, "met")])
def test_minimum_target_is_judged(value, met):
    assert at_least(value, 3.0, "3 times") == f"at least 3 times: {met}"


@pytest.mark.parametrize(("value", "met"), [(2.9, "met"), (3.0, "met"), (3.1, "not met")])
def test_maximum_target_is_judged(value, met):
    assert at_most(value, 3.0, "3 times") == f"at most 3 times: {met}"


@pytest.mark.parametrize(("states", "cost", "by"), [(200, 5.0, 5.0), (400, 9.0, 3.0), (800, 1.0, 1.0)])
def test_cost_per_doubling_is_computed(states, cost, by):
    assert per_doubling((100, 1.0, 0), (states, cost, 0), 1) == pytest.approx(by)
