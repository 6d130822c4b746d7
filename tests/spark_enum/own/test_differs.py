"""The cause of a strategy's nondeterminism."""

import pytest

from rebalance_proofs.model.own.call import Limits
from rebalance_proofs.model.own.named import named
from rebalance_proofs.model.own.python import PythonWorker
from rebalance_proofs.report.own.strategies import java
from rebalance_proofs.spark_enum.bounds import Bounds
from rebalance_proofs.spark_enum.own.checked import check, check_group
from rebalance_proofs.spark_enum.own.repeated import Why
from rebalance_proofs.spark_enum.own.rows import Holds
from rebalance_proofs.spark_enum.own.spaces import Extent, space_of, spaces
from tests.spark_enum.own import differing, strategies

FEW = spaces(Extent(Bounds(8, 8)))[:4]
"""Groups in which all consumers see the same, with each kind of names."""


def opening(file, name):
    what = named(f"{file}:{name}")
    return lambda number, *held: PythonWorker(what, seed=number + 1, held=held)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("salted", Why.HASHES),
        ("in_the_order_of_a_set", Why.ORDER),
        ("draws", Why.RANDOM),
        pytest.param("draws_an_id", Why.RANDOM, marks=pytest.mark.slow),
        pytest.param("drew_when_loaded", Why.RANDOM, marks=pytest.mark.slow),
        ("by_the_hour", Why.TIME),
        pytest.param("by_the_second", Why.TIME, marks=pytest.mark.slow),
        ("counts", Why.CALLS),
    ],
)
def test_cause_of_nondeterminism_is_named(name, why):
    found = check(FEW, opening(differing.__file__, name))
    assert next(row.holds for row in found.rows if row.name == "repeats") is Holds.NO
    assert found.why is why
    assert ("repeats" in found.examples) or why is Why.CALLS


@pytest.mark.slow
def test_other_cause_of_nondeterminism_is_named():
    """Process ids usually differ, but not in each pair of processes."""
    found = check(FEW, opening(differing.__file__, "by_its_process"))
    assert found.why is Why.PROCESS


def test_deterministic_strategy_has_no_cause():
    found = check(FEW, opening(strategies.__file__, "snake"))
    assert (found.why, found.by_names) == (None, ())


def test_strategy_that_hashes_names_depends_on_them():
    found = check(FEW, opening(strategies.__file__, "rendezvous"))
    assert (found.why, found.by_names) == (None, ("brokers", "odd", "single"))


@pytest.mark.parametrize(
    "name", ["draws", *(pytest.param(name, marks=pytest.mark.slow) for name in ("salted", "by_the_second"))]
)
def test_single_group_shows_the_nondeterminism(name):
    """Several processes are called several times: all agree by chance in one of thousands of tries."""
    space, configuration = space_of("agreed/brokers/3x4")
    for _ in range(2):
        found = check_group(space, configuration, opening(differing.__file__, name))
        assert next(row.holds for row in found.rows if row.name == "repeats") is Holds.NO
        assert found.examples["repeats"].sentence.count("in a repeated call") == 1


@pytest.mark.usefixtures("light")
@pytest.mark.parametrize(("by", "why"), [("hash", Why.HASHES)])
def test_cause_of_nondeterminism_is_named_in_java(java_classes, by, why):
    open_ = java("acme.Salted", java_classes, (by,), Limits()).open
    assert check(FEW[:2], open_).why is why


@pytest.mark.slow
@pytest.mark.usefixtures("light")
@pytest.mark.parametrize(
    ("by", "why"), [("second", Why.TIME), ("loaded", Why.PROCESS), ("random", Why.RANDOM), ("calls", Why.CALLS)]
)
def test_slow_cause_of_nondeterminism_is_named_in_java(java_classes, by, why):
    open_ = java("acme.Salted", java_classes, (by,), Limits()).open
    assert check(FEW[:2], open_).why is why
