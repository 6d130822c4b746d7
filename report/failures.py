"""List the failures in one result of a run, such as a claim's verdict, as sentences."""

from functools import singledispatch

from rebalance_proofs.proofs.results import ClaimResult
from rebalance_proofs.recorded.files import FileReport
from rebalance_proofs.report.checked import sentences
from rebalance_proofs.report.evidence import Required, SelfTest
from rebalance_proofs.spark_enum.results import Finding


@singledispatch
def failures(record: object) -> tuple[str, ...]:
    """Return the failures in a result of a run; each sentence names its subject.

    Empty if there are none. Raises ``TypeError`` for an object of another type.
    """
    raise TypeError(f"{type(record).__name__} is no record of a run")


@failures.register
def _claim(result: ClaimResult) -> tuple[str, ...]:
    name = result.claim.id
    expected = f"{name}: expected {result.claim.expected}, is {result.verdict}. {result.reason}".strip()
    # The reason can be equal to the first contradiction, which is then printed once.
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
    return () if test.noticed else (f"self-test {test.name!r} failed: {test.said}",)


@failures.register
def _required(work: Required) -> tuple[str, ...]:
    if work.ok:
        return ()
    expected, found = (f"{number:,}" if isinstance(number, int) else number for number in (work.expected, work.found))
    return (f"{work.name}: {expected} required, {found} found",)
