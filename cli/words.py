"""Results as lines of text."""

from collections.abc import Iterator

from model.conformance import Conformance
from proofs.results import ClaimResult
from report.families import family
from report.headline import facts, headline, sizes_compared, smallest_compared
from report.names import readable
from report.run import Run
from report.telling import lines
from report.transition_cases import cases_of, compared
from report.words import count, duration
from spark_enum.movement_results import Movement
from spark_enum.results import Enumerated, Enumeration


def claim_line(result: ClaimResult) -> str:
    """``ok  PROVED   allocation.avg.disjoint``, with what went wrong or the counterexample."""
    mark = "ok " if result.green else "BAD"
    expected = "" if result.green else f", expected {result.claim.expected}"
    reason = f": {readable(result.reason)}" if result.reason else ""
    return f"{mark} {result.verdict:8} {result.claim.id}{expected}{reason}"


def story_lines(result: ClaimResult) -> Iterator[str]:
    """How a counterexample that is told rather than drawn comes about; ``claim_line`` says what is wrong in it."""
    example = result.search.counterexample if result.search else None
    if example and family(result.claim).spelled_out:
        yield from (f"      {line}" for line in lines(result.claim, example)[:-1])


def sweep_line(sweep: Enumeration) -> str:
    """What was enumerated and what broke."""
    broken = ", ".join(f"{name} {broken:,}" for name, broken in sweep.violations.items() if broken)
    groups = count(sweep.groups, "group") if sweep.complete else f"{sweep.groups:,} of {sweep.expected_groups:,} groups"
    said = [
        f"swept {sweep.name}: q <= {sweep.max_queues}, c <= {sweep.max_consumers}, {groups}",
        f"violated: {broken}" if broken else "no violation",
        f"digest {sweep.digest}",
    ]
    if sweep.mismatches:
        said.append(f"BAD: {count(sweep.mismatches, 'group')} differ from the SMT term, first: {sweep.first_mismatch}")
    return "; ".join(said)


def transition_lines(found: Enumerated, before: Enumerated | None = None) -> Iterator[str]:
    """What was compared since ``before``, one line a kind, and how many claims were run on the clients' code."""
    told = {(row.kind, row.queues) for row in compared(cases_of(before))} if before else set()
    for row in compared(cases_of(found)):
        if (row.kind, row.queues) not in told:
            said = "; ".join(f"BAD: {sentence}" for sentence in row.wrong) or "all agree"
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
        "as proved" if movement.as_proved else "BAD: not as proved",
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


def closing_lines(run: Run) -> Iterator[str]:
    """What was looked at, what is not as expected, and whether all is well."""
    yield from facts(run)
    if run.enumerated and run.enumerated.at_size:
        yield sizes_compared(run.enumerated.at_size)
    if run.enumerated and run.enumerated.smallest:
        yield smallest_compared(run.enumerated.smallest)
    for failure in run.failures:
        yield f"BAD {failure}"
    yield f"{headline(run)} ({duration(run.seconds)})"
