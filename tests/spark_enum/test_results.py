"""Sentences about findings."""

from dataclasses import replace

from rebalance_proofs.spark_enum.results import Enumerated, Finding, Wrong

ONE = Finding("singles", "java_v4_9, 1 queue, singles", 10, 10)
TWO = Finding("calls", "node push, 2 queues, calls", 18, 18, broken={"push": 2, "pull": 0})


def test_finding_is_complete_and_equal():
    assert ONE.complete
    assert ONE.equal
    assert not replace(ONE, counted=9).complete
    assert not replace(ONE, counted=9).equal
    assert not replace(ONE, differing=1).equal


def test_least_case_is_the_smallest_of_all():
    assert ONE.least is None
    cases = {"push": Wrong((2, 1), (), "b"), "pull": Wrong((1, 3), (), "a")}
    assert replace(TWO, smallest=cases).least == cases["pull"]


def test_enumerated_collects_all_findings():
    other = replace(TWO, name="node push, 3 queues, calls")
    found = Enumerated("", "", (ONE, TWO, other))
    assert found.of("calls") == (TWO, other)
    assert found.of("singles", "calls") == found.findings
    assert found.named("calls", other.name) == other
    assert found.named("singles", other.name) is None
