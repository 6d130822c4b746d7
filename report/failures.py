"""Unexpected results of one record, as sentences. A record without any is green."""

from functools import singledispatch

from rebalance_proofs.proofs.results import ClaimResult
from rebalance_proofs.recorded.records import FileReport
from rebalance_proofs.report.checked import sentences
from rebalance_proofs.report.evidence import Required, SelfTest
from rebalance_proofs.spark_enum.results import Finding


@singledispatch
def failures(record: object) -> tuple[str, ...]:
    """The record's failures; each sentence names its subject. Raises ``TypeError`` for an object of another type."""
    raise TypeError(f"{type(record).__name__} is no record of a run")


@failures.register
def _claim(result: ClaimResult) -> tuple[str, ...]:
    name = result.claim.id
    expected = f"{name}: expected {result.claim.expected}, is {result.verdict}. {result.reason}".strip()
    # the reason may repeat the first contradiction
    more = (f"{name}: {said}" for said in result.contradictions if result.green or said != result.reason)
    return (*(() if result.green else (expected,)), *more)


@failures.register
def _finding(found: Finding) -> tuple[str, ...]:
    return sentences(found)


@failures.register
def _file(report: FileReport) -> tuple[str, ...]:
    return report.failures


@failures.register
def _self_test(test: SelfTest) -> tuple[str, ...]:
    return () if test.noticed else (f"the self-test {test.name!r} was not noticed: {test.said}",)


@failures.register
def _required(work: Required) -> tuple[str, ...]:
    if work.ok:
        return ()
    expected, found = (f"{number:,}" if isinstance(number, int) else number for number in (work.expected, work.found))
    return (f"{work.name}: {expected} required, {found} found",)
