"""Spark finds the same as a single process."""

import pytest

from rebalance_proofs.model.own.asked import Asked
from rebalance_proofs.model.own.named import named
from rebalance_proofs.model.own.python import PythonWorker
from rebalance_proofs.spark_enum.bounds import Bounds
from rebalance_proofs.spark_enum.own.here import Here
from rebalance_proofs.spark_enum.own.on_spark import on_spark
from rebalance_proofs.spark_enum.own.spaces import Extent, spaces
from tests.spark_enum.own import strategies

pytestmark = pytest.mark.spark


@pytest.mark.parametrize("name", ["overlaps", "throws_without_a_queue"])
def test_spark_finds_the_same_as_one_process(spark, name):
    carried = named(f"{strategies.__file__}:{name}").carried()
    every = [one for one in spaces(Extent(Bounds(4, 4, groups=30))) if one.world.name in ("agreed", "join", "growth")]

    def open_(number):
        return PythonWorker(carried)

    with open_(0) as worker:
        asked, counted = Asked(worker), Asked(worker)
        here, there = Here(0)(every, asked), on_spark(spark, open_, every, counted)
    for one, other in zip(here, there, strict=True):
        assert one.tried.broken == other.tried.broken
        assert one.tried.movement == other.tried.movement
        if one.tried.groups == one.expected:  # here nothing is tried that is known already
            assert (one.tried.groups, one.tried.unjudged) == (other.tried.groups, other.tried.unjudged)
    assert counted.calls >= asked.calls
