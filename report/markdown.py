"""The run in Markdown, for the job summary of a CI server: failures first, then the tables."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from rebalance_proofs.proofs.results import ClaimResult
from rebalance_proofs.recorded import FileReport
from rebalance_proofs.report.checked import size_of
from rebalance_proofs.report.english import count, duration
from rebalance_proofs.report.failures import failures
from rebalance_proofs.report.families import family
from rebalance_proofs.report.headline import MOST, facts, headline, sizes_compared, smallest_compared
from rebalance_proofs.report.kinds import shown
from rebalance_proofs.report.matrix import Matrix, alike, matrices
from rebalance_proofs.report.rows import COMPARED, Row, bounds, found_smallest, rows, together
from rebalance_proofs.report.run import Run
from rebalance_proofs.spark_enum.allocation.kinds import ENUMERATOR, GROUPS, JOINS, POSITIONS, SIZES, SMALLEST, SOLVER
from rebalance_proofs.spark_enum.results import Enumerated, Finding
from rebalance_proofs.spark_enum.transition.kinds import PROMISES

LEGEND = (
    "PROVED: holds for all numbers of queues and consumers; of a client's queues, for any number in any state. "
    "REFUTED: there is a counterexample, as expected; report.html draws the smallest one. "
    "❌: not as expected. –: not claimed, or no such way to use the client."
)

Cells = Sequence[str | int]


def summary(run: Run) -> str:
    """The whole file."""
    mark = "✅" if run.green else "❌"
    parts = [
        f"# {mark} {escape(headline(run))}",
        ". ".join((*map(escape, facts(run)), duration(run.seconds))),
        *_failures(run),
    ]
    if run.claims:
        parts.append(LEGEND)
        parts += map(_matrix, matrices(run.claims))
        parts.append(_stories(run.claims))
    if run.enumerated:
        parts += _enumerated(run.enumerated)
    if run.conformance:
        header = ("", "File", "Rows", "Checks", "Not compared", "Disagreements", "Malformed", "Less than pinned")
        parts.append(_table("Recorded results of real clients", header, map(_file, run.conformance.files)))
    versions = ", ".join(f"{escape(name)} {escape(version)}" for name, version in run.versions.items())
    # four spaces make it code whatever it contains
    parts += ["## This run", f"    {' '.join(run.command.split())}", f"Started {escape(run.started)}. {versions}"]
    return "\n\n".join(part for part in parts if part) + "\n"


def escape(text: str | int) -> str:
    """As it stands, on one line: nothing in it is Markdown or HTML, and no table cell ends early."""
    plain = " ".join(str(text).split()).replace("&", "&amp;").replace("<", "&lt;")
    return re.sub(r"([\\`*\[\]|~]|(?<!\w)_|_(?!\w))", r"\\\1", plain)


def _failures(run: Run) -> Iterator[str]:
    if run.green:
        return
    yield "## Failures"
    told = [f"- {escape(sentence)}" for sentence in run.failures[:MOST]]
    if len(run.failures) > MOST:
        told.append(f"- and {len(run.failures) - MOST} more; results.json has all of them")
    yield "\n".join(told)


def _matrix(matrix: Matrix[ClaimResult]) -> str:
    def said(row: tuple[str, ...], column: str) -> str:
        found = (("" if kind.green else "❌ ") + kind.verdict for kind in alike(matrix.cell(row, column)))
        return "; ".join(found) or "–"

    rows = [
        (*names, *(said(row, column) for column in matrix.columns))
        for names, row in zip(matrix.names(), matrix.rows, strict=True)
    ]
    table = _table(matrix.family.title, (*matrix.family.corner, *matrix.columns), rows)
    return "\n\n".join((table, *map(escape, matrix.notes)))


def _stories(results: Sequence[ClaimResult]) -> str:
    """The counterexamples that are told rather than drawn, folded up; and all of claims that are not as expected."""
    told = []
    for result in results:
        example = result.search.counterexample if result.search else None
        if example and (failures(result) or family(result.claim).spelled_out):
            kind = shown(result.claim)
            said = [f"{number}. {escape(line)}" for number, line in enumerate(kind.lines(result.claim, example), 1)]
            told.append("\n".join([f"**{escape(result.claim.id)}** ({kind.size(example)})", "", *said]))
    if not told:
        return ""
    summary = f"<summary>{count(len(told), 'counterexample')} in words</summary>"
    return "\n\n".join([f"<details>{summary}", *told, "</details>"])


def _enumerated(found: Enumerated) -> Iterator[str]:
    """Of comparisons with as many rows as claims, counts, and only those rows that differ."""
    header = ("", "Space", "Bounds", "Groups", "Closed form", "Positions compared", "Differing groups", "Time")
    swept = (_row(row, row.first.name, bounds(row.first), _positions(row.first)) for row in rows(found.of(GROUPS)))
    yield _table("Enumerated groups", header, swept)
    header = ("", "Joins", "Bounds", "Counted", "Closed form", "Not as proved", "Time")
    joins = (_row(row, row.first.subject, f"{bounds(row.first)} before") for row in rows(found.of(JOINS)))
    yield _table("What a join costs", header, joins)
    header = ("", "Transitions: what is compared", "Queues", "Cases", "Closed form", "Differing cases", "Time")
    cases = (_row(row, row.meant, row.first.bounds["queues"]) for row in together(found.of(*COMPARED)))
    yield _table("Transitions, case by case", header, cases)
    promised, sizes, smallest = (found.of(kind) for kind in (PROMISES, SIZES, SMALLEST))
    if promised:
        yield f"{count(len(promised), 'claim')} about transitions run in {Row(promised).counted}."
    yield _failing(promised, ("Claim", "Cases", "Smallest"), lambda row: (row.cases, found_smallest(row.first)))
    if sizes:
        yield f"{sizes_compared(sizes)}."
    header = ("Claim", "Bounds", "Sizes", "Differences")
    yield _failing(sizes, header, lambda row: (bounds(row.first), row.cases, row.differing))
    if smallest:
        yield f"{smallest_compared(smallest)}."
    yield _failing(smallest, ("Claim", "Solver", "Enumerator"), lambda row: _sizes(row.first))


def _row(row: Row, name: str, how_far: str | int, *more: str) -> Cells:
    return (
        "❌" if row.wrong else "✅",
        name,
        how_far,
        f"{row.cases:,}",
        f"{row.expected:,}",
        *more,
        f"{row.differing:,}",
        duration(row.seconds),
    )


def _failing(found: Iterable[Finding], header: Sequence[str], cells: Callable[[Row], Cells]) -> str:
    """Claims that differ, by name."""
    return _table("", header, ((row.first.name, *cells(row)) for row in rows(found) if row.wrong))


def _positions(found: Finding) -> str:
    return f"{found.numbers[POSITIONS]:,}"


def _sizes(found: Finding) -> Cells:
    return tuple(size_of(found.smallest.get(who)) for who in (SOLVER, ENUMERATOR))


def _file(file: FileReport) -> Cells:
    return (
        _mark(file),
        file.file,
        f"{file.rows:,}",
        f"{file.checks:,}",
        f"{sum(file.skipped.values()):,}",
        f"{len(file.disagreements):,}",
        f"{len(file.malformed):,}",
        "yes" if file.lacking else "no",
    )


def _mark(record: object) -> str:
    return "❌" if failures(record) else "✅"


def _table(title: str, header: Sequence[str], rows: Iterable[Cells]) -> str:
    """A table below its heading, if it has one; nothing when there are no rows."""
    lines = [f"| {' | '.join(map(escape, row))} |" for row in rows]
    if not lines:
        return ""
    ruler = f"|{' --- |' * len(header)}"
    heading = [f"## {title}", ""] if title else []
    return "\n".join([*heading, f"| {' | '.join(map(escape, header))} |", ruler, *lines])
