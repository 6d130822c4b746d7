"""Results as lines of text."""

from collections.abc import Container, Iterator, Sequence

from rebalance_proofs.proofs.claim import Verdict
from rebalance_proofs.proofs.results import ClaimResult
from rebalance_proofs.recorded import Conformance
from rebalance_proofs.report.english import count, duration
from rebalance_proofs.report.failures import failures
from rebalance_proofs.report.families import family
from rebalance_proofs.report.family import Family
from rebalance_proofs.report.headline import facts, headline, judged, sizes_compared, smallest_compared
from rebalance_proofs.report.kept import kept
from rebalance_proofs.report.kinds import shown
from rebalance_proofs.report.names import readable
from rebalance_proofs.report.run import Run
from rebalance_proofs.report.transition_cases import cases_of, compared
from rebalance_proofs.spark_enum.movement_results import Movement
from rebalance_proofs.spark_enum.results import Enumerated, Enumeration


def claim_line(result: ClaimResult) -> str:
    """What came out as expected: ``ok  PROVED   allocation.avg.disjoint``, or with the counterexample."""
    reason = f": {readable(result.reason)}" if result.reason else ""
    return f"ok  {result.verdict:8} {result.claim.id}{reason}{_kept([result])}"


def bad_line(failure: str) -> str:
    """One of ``Run.failures``."""
    return f"BAD {readable(failure)}"


def family_line(kind: Family, results: Sequence[ClaimResult]) -> str:
    """What was judged of a family: ``ok  When several join, or one restarts: 10 claims: 6 PROVED, 4 REFUTED``."""
    wrong = sum(not result.green for result in results)
    said = f"{'BAD' if wrong else 'ok '} {kind.title}: {judged(results)}"
    said += f"; {wrong:,} not as expected" if wrong else ""
    return f"{said}{_kept(results)}"


def _kept(results: Sequence[ClaimResult]) -> str:
    """What does not come from a solver in this run, in brackets."""
    said = kept(results)
    return f" ({said})" if said else ""


def story_lines(result: ClaimResult) -> Iterator[str]:
    """How a counterexample that is told rather than drawn comes about; ``claim_line`` says what is wrong in it."""
    example = result.search.counterexample if result.search else None
    if example and family(result.claim).spelled_out:
        yield from (f"      {line}" for line in shown(result.claim).lines(result.claim, example)[:-1])


def sweep_line(sweep: Enumeration) -> str:
    """What was enumerated and what broke; what is not as expected of it is told at the end."""
    broken = ", ".join(f"{name} {broken:,}" for name, broken in sweep.violations.items() if broken)
    groups = count(sweep.groups, "group") if sweep.complete else f"{sweep.groups:,} of {sweep.expected_groups:,} groups"
    said = [
        f"swept {sweep.name}: q <= {sweep.max_queues}, c <= {sweep.max_consumers}, {groups}",
        f"violated: {broken}" if broken else "no violation",
        f"digest {sweep.digest}",
    ]
    if failures(sweep):
        said.append("BAD")
    return "; ".join(said)


def sweeps_line(sweeps: Sequence[Enumeration]) -> str:
    """The same of several sweeps: ``swept 12 spaces: 4,096 groups``."""
    groups = count(sum(sweep.groups for sweep in sweeps), "group")
    wrong = sum(bool(failures(sweep)) for sweep in sweeps)
    said = f"swept {count(len(sweeps), 'space')}: {groups}"
    return f"{said}; BAD: {wrong:,}" if wrong else said


def transition_lines(found: Enumerated, before: Enumerated | None = None) -> Iterator[str]:
    """What was compared since ``before``, one line a kind, and how many claims were run on the clients' code."""
    told = {(row.kind, row.queues) for row in compared(cases_of(before))} if before else set()
    for row in compared(cases_of(found)):
        if (row.kind, row.queues) not in told:
            said = "BAD" if row.wrong else "all agree"
            yield f"compared transitions, {row.kind}, {count(row.queues, 'queue')}: {count(row.cases, 'case')}, {said}"
    if found.promised and not (before and before.promised):
        broken = sum(bool(row.smallest) for row in found.promised)
        cases = count(sum(row.cases for row in found.promised), "case")
        yield f"ran transitions, {count(len(found.promised), 'claim')}: {cases}; broken: {count(broken, 'claim')}"


def movement_line(movement: Movement) -> str:
    """How many joins were counted, and whether what they cost is as proved."""
    said = [
        f"joins {movement.strategy}: q <= {movement.max_queues}, c <= {movement.max_consumers} before the join, "
        f"{count(movement.joins, 'join')}",
        "as proved" if movement.as_proved else "BAD",
        f"digest {movement.digest}",
    ]
    return "; ".join(said)


def conformance_lines(conformance: Conformance) -> Iterator[str]:
    """One line a file, and the rows that are not modelled with the reason."""
    for file in conformance.files:
        counted = ((len(file.disagreements), "disagree"), (len(file.malformed), "malformed"))
        wrong = [f"{rows:,} {what}" for rows, what in counted if rows]
        wrong += ["less than is pinned"] * bool(file.lacking)
        if file.checks or wrong:
            agreed = ", ".join(wrong) or "all agree"
            yield f"recorded {file.file}: {count(file.rows, 'row')}, {count(file.checks, 'check')}, {agreed}"
        for reason, rows in file.skipped.items():
            yield f"skipped {file.file}: {count(rows, 'row')}: {reason}"


def closing_lines(run: Run, told: Container[str] = ()) -> Iterator[str]:
    """What is not as expected, unless it was told; what was looked at; and whether all is well."""
    for failure in run.failures:
        if failure not in told:
            yield bad_line(failure)
    yield from facts(run)
    if run.enumerated and run.enumerated.at_size:
        yield sizes_compared(run.enumerated.at_size)
    if run.enumerated and run.enumerated.smallest:
        yield smallest_compared(run.enumerated.smallest)
    if any(result.verdict is Verdict.TIMEOUT for result in run.claims):
        yield f"A solver was ended before it answered: --timeout gives it more than {run.options['timeout']:g} s"
    yield f"{headline(run)} ({duration(run.seconds)})"
