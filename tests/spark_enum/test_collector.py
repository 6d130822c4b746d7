"""The cyclic garbage collector is paused during a piece."""

import gc

import pytest

from rebalance_proofs.recorded.collector import paused
from rebalance_proofs.spark_enum.check import Check
from rebalance_proofs.spark_enum.jobs import here
from rebalance_proofs.spark_enum.results import Totals


def test_collector_runs_again_afterwards():
    assert gc.isenabled()
    with paused():
        assert not gc.isenabled()
        with paused():
            pass
        assert not gc.isenabled(), "of two the outer one lasts"
    assert gc.isenabled()


def test_collector_runs_again_after_an_error():
    with pytest.raises(ValueError, match="wrong"), paused():
        raise ValueError("wrong")
    assert gc.isenabled()


def test_collector_does_not_run_during_a_piece():
    def do(piece, keep=None):
        return Totals(counted=int(not gc.isenabled()))

    (totals,) = here([Check("kind", "name", 3, 3, do)])
    assert totals.counted == 3
    assert gc.isenabled()
