"""What is not as expected about one record, one sentence each. A record with nothing here is green."""

from functools import singledispatch

from rebalance_proofs.proofs.results import ClaimResult
from rebalance_proofs.recorded import FileReport
from rebalance_proofs.report.english import count, group_size
from rebalance_proofs.report.evidence import Required, SelfTest
from rebalance_proofs.spark_enum.movement_results import Movement
from rebalance_proofs.spark_enum.results import AtSize, Enumeration, Smallest
from rebalance_proofs.spark_enum.transition.results import Comparison, Promised


@singledispatch
def failures(record: object) -> tuple[str, ...]:
    """The sentences, each naming its subject; raises ``TypeError`` for what is no record of a run."""
    raise TypeError(f"{type(record).__name__} is no record of a run")


@failures.register
def _claim(result: ClaimResult) -> tuple[str, ...]:
    name = result.claim.id
    # the reason may be the first of the contradictions
    found = [f"{name}: {said}" for said in result.contradictions if result.green or said != result.reason]
    if not result.green:
        found.insert(0, f"{name}: expected {result.claim.expected}, is {result.verdict}. {result.reason}".strip())
    return tuple(found)


@failures.register
def _enumeration(sweep: Enumeration) -> tuple[str, ...]:
    found = []
    if not sweep.complete:
        found.append(
            f"{sweep.name}: {count(sweep.groups, 'group')} enumerated, the closed form says {sweep.expected_groups:,}"
        )
    if sweep.mismatches:
        found.append(
            f"{sweep.name}: concrete result and compiled term differ in {count(sweep.mismatches, 'group')}, "
            f"first: {sweep.first_mismatch}"
        )
    return tuple(found)


@failures.register
def _movement(movement: Movement) -> tuple[str, ...]:
    name, found = f"joins of {movement.strategy}", []
    if not movement.complete:
        found.append(f"{name}: {movement.joins:,} were counted, the closed form says {movement.expected_joins:,}")
    if movement.differing:
        found.append(f"{name}: in {movement.differing:,} of them not as many queues change hands as is proved")
    if movement.beyond:
        found.append(f"{name}: in {movement.beyond:,} of them more queues change hands than the proved bound")
    if movement.unattained:
        found.append(f"{name}: at {count(movement.unattained, 'size')} the proved bound is not reached")
    return tuple(found)


@failures.register
def _at_size(row: AtSize) -> tuple[str, ...]:
    if row.disagreements:
        sizes = count(row.disagreements, "size")
        return (f"{row.claim}: solver and enumerator differ at {sizes}, first: {row.first_disagreement}",)
    expected = row.max_queues * row.max_consumers
    if row.sizes < expected:
        return (f"{row.claim}: solver and enumerator were compared at {row.sizes} of {count(expected, 'size')}",)
    return ()


@failures.register
def _smallest(row: Smallest) -> tuple[str, ...]:
    if row.equal:
        return ()
    return (
        f"{row.claim}: the smallest counterexample of the solver is {group_size(row.solver)}, "
        f"of the enumerator {group_size(row.enumerator)}",
    )


@failures.register
def _transitions(found: Comparison) -> tuple[str, ...]:
    said = []
    if not found.complete:
        said.append(
            f"{found.name}: {count(found.cases, 'case')} compared, the closed form says {found.expected_cases:,}"
        )
    if found.mismatches:
        said.append(
            f"{found.name}: both sides differ in {count(found.mismatches, 'case')}, first: {found.first_mismatch}"
        )
    return tuple(said)


@failures.register
def _promised(found: Promised) -> tuple[str, ...]:
    return () if found.complete else (f"{found.claim}: not every case near to a benign round was met once",)


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
