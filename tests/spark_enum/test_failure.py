"""Failures on Spark are reported in one sentence."""

import signal
from dataclasses import replace

import pytest

from rebalance_proofs.model.allocation import STRATEGIES
from rebalance_proofs.model.worlds.groups import AGREED
from rebalance_proofs.proofs.allocation.disjoint import DISJOINT
from rebalance_proofs.spark_enum.allocation.group_check import GroupCheck
from rebalance_proofs.spark_enum.allocation.space import Space
from rebalance_proofs.spark_enum.allocation.sweep import sweep
from rebalance_proofs.spark_enum.jobs import run
from rebalance_proofs.spark_enum.session import said


@pytest.mark.parametrize(
    ("message", "sentence"),
    [
        ("", "Spark failed: Exception"),
        ("\n Job aborted due to stage failure:\n at org.apache", "Spark failed: Job aborted due to stage failure:"),
    ],
)
def test_non_python_failure_is_reported_by_its_first_line(message, sentence):
    assert said(Exception(message)) == sentence


def failing(allocate):
    return GroupCheck(AGREED, (replace(STRATEGIES[0], name="own", allocate=allocate),), (DISJOINT,))


@pytest.mark.spark
def test_exception_in_user_code_is_reported_with_its_line(spark):
    def allocate(current_cid, mq_all, cid_all):
        raise ValueError("cannot divide\n  that")

    with pytest.raises(Exception, match="cannot divide") as failed:
        run(spark, [sweep(Space(AGREED, 2, 2), failing(allocate))])
    where = f"(allocate in {__file__}, line {allocate.__code__.co_firstlineno + 1})"
    assert said(failed.value) == f"Python code failed on Spark: ValueError: cannot divide that {where}"


@pytest.mark.spark
def test_infinite_recursion_is_reported_without_its_frames(spark):
    def allocate(current_cid, mq_all, cid_all):
        return allocate(current_cid, mq_all, cid_all)

    with pytest.raises(Exception, match="RecursionError") as failed:
        run(spark, [sweep(Space(AGREED, 2, 2), failing(allocate))])
    assert said(failed.value).startswith(
        "Python code failed on Spark: RecursionError: maximum recursion depth exceeded"
    )


@pytest.mark.spark
def test_user_code_that_never_returns_is_ended(spark):
    def allocate(current_cid, mq_all, cid_all):
        signal.setitimer(signal.ITIMER_PROF, 0.5, 1.0)  # this test does not wait for all of the time
        while True:
            len(mq_all)

    with pytest.raises(Exception, match="took more than") as failed:
        run(spark, [sweep(Space(AGREED, 2, 2), failing(allocate))])
    assert said(failed.value) == "checking 4 groups of own took more than 120 s of computing"
