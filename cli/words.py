"""Results as lines of text."""

from collections import Counter

from model.conformance import Conformance
from proofs.results import ClaimResult
from report.run import Run
from spark_enum.results import Enumerated, Enumeration


def claim_line(result: ClaimResult) -> str:
    """``ok  PROVED   allocation.avg.disjoint``, with what went wrong or the counterexample."""
    mark = "ok " if result.green else "BAD"
    expected = "" if result.green else f", expected {result.claim.expected}"
    reason = f": {result.reason}" if result.reason else ""
    return f"{mark} {result.verdict:8} {result.claim.id}{expected}{reason}"


def sweep_line(sweep: Enumeration) -> str:
    """What was enumerated and what broke."""
    bound = f"q <= {sweep.max_queues}, c <= {sweep.max_consumers}"
    broken = ", ".join(f"{name} {count:,}" for name, count in sweep.violations.items() if count)
    said = f"violated: {broken}" if broken else "no violation"
    differ = f"; {sweep.mismatches:,} MISMATCHES, first: {sweep.first_mismatch}" if sweep.mismatches else ""
    counted = f"{sweep.groups:,} groups"
    if not sweep.complete:
        counted += f" (the closed form says {sweep.expected_groups:,})"
    return f"swept {sweep.name}: {bound}, {counted}, digest {sweep.digest}; {said}{differ} ({sweep.seconds:.1f} s)"


def proofs_summary(results: tuple[ClaimResult, ...]) -> str:
    """How many claims have which verdict."""
    counts = Counter(result.verdict for result in results)
    unexpected = sum(not result.green for result in results)
    said = ", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items()))
    questions = len({question.text for result in results for question in result.questions})
    return f"{len(results)} claims: {said}; {unexpected or 'none'} unexpected; {questions} texts put to the solvers"


def enumerated_summary(found: Enumerated) -> list[str]:
    """The three comparisons, each with its count."""
    sweeps, asked = found.enumerations, found.at_size
    different = sum(sweep.mismatches for sweep in sweeps)
    disagreeing = sum(row.disagreements for row in asked)
    groups, results, positions = (
        sum(getattr(sweep, counter) for sweep in sweeps) for counter in ("groups", "results", "positions")
    )
    lines = [
        f"{groups:,} groups enumerated, {results:,} results of single consumers",
        f"concrete result = compiled SMT term at {positions:,} positions; {different or 'none'} of the groups differ",
        f"predicate on the concrete result = solver's verdict at {sum(row.sizes for row in asked):,} sizes; "
        f"{disagreeing or 'none'} differ",
    ]
    if found.smallest:
        unequal = sum(not row.equal for row in found.smallest)
        lines.append(
            f"smallest counterexample of the enumerator = of the solver for {len(found.smallest)} claims; "
            f"{unequal or 'none'} differ"
        )
    return lines


def conformance_lines(conformance: Conformance) -> list[str]:
    """One line a file, and the rows that are not modelled with the reason."""
    lines = []
    for file in conformance.files:
        wrong = [f"{len(file.disagreements)} disagree"] if file.disagreements else []
        wrong += [f"{len(file.malformed)} malformed"] if file.malformed else []
        said = ", ".join(wrong) or "all agree"
        if file.checks or wrong:
            lines.append(f"recorded {file.file}: {file.rows:,} rows, {file.checks:,} checks, {said}")
        lines += [f"skipped {file.file}: {count:,} rows: {reason}" for reason, count in file.skipped.items()]
    return lines


def verdict_lines(run: Run) -> list[str]:
    """Green, or everything that is not."""
    if run.green:
        return [f"All as expected ({run.seconds:.0f} s)."]
    return [f"NOT AS EXPECTED ({len(run.failures)}):", *(f"  {failure}" for failure in run.failures)]
