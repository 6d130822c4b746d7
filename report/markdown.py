"""The run in Markdown, for the job summary of a CI server: failures first, then the tables."""

import re
from collections.abc import Iterable, Iterator, Sequence

from rebalance_proofs.proofs.results import ClaimResult
from rebalance_proofs.recorded import FileReport
from rebalance_proofs.report.english import count, duration, group_size
from rebalance_proofs.report.failures import failures
from rebalance_proofs.report.families import family
from rebalance_proofs.report.headline import MOST, facts, headline, sizes_compared, smallest_compared
from rebalance_proofs.report.kinds import shown
from rebalance_proofs.report.matrix import Matrix, alike, matrices
from rebalance_proofs.report.run import Run
from rebalance_proofs.report.transition_cases import Compared, cases_of, compared, found_smallest
from rebalance_proofs.spark_enum.movement_results import Movement
from rebalance_proofs.spark_enum.results import AtSize, Enumerated, Enumeration, Smallest

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
    header = ("", "Space", "Bounds", "Groups", "Closed form", "Positions compared", "Differing groups", "Time")
    yield _table("Enumerated groups", header, map(_sweep, found.enumerations))
    header = ("", "Joins", "Bounds", "Counted", "Closed form", "Not as proved", "Time")
    yield _table("What a join costs", header, map(_movement, found.movements))
    header = ("", "Transitions: what is compared", "Queues", "Cases", "Closed form", "Differing cases", "Time")
    yield _table("Transitions, case by case", header, map(_transitions, compared(cases_of(found))))
    if found.promised:
        yield f"{count(len(found.promised), 'claim')} about transitions run in {count(_all_cases(found), 'case')}."
    header = ("Claim", "Cases", "Smallest")
    yield _table("", header, ((row.claim, row.cases, found_smallest(row)) for row in filter(failures, found.promised)))
    yield from _compared(found)


def _compared(found: Enumerated) -> Iterator[str]:
    """Counts, and only those rows that differ: there are as many as claims."""
    at_size, smallest = (list(filter(failures, rows)) for rows in (found.at_size, found.smallest))
    if found.at_size:
        yield f"{sizes_compared(found.at_size)}."
    yield _table("", ("Claim", "Bounds", "Sizes", "Differences"), map(_at_size, at_size))
    if found.smallest:
        yield f"{smallest_compared(found.smallest)}."
    yield _table("", ("Claim", "Solver", "Enumerator"), map(_smallest, smallest))


def _sweep(sweep: Enumeration) -> Cells:
    return (
        _mark(sweep),
        sweep.name,
        f"q ≤ {sweep.max_queues}, c ≤ {sweep.max_consumers}",
        f"{sweep.groups:,}",
        f"{sweep.expected_groups:,}",
        f"{sweep.positions:,}",
        f"{sweep.mismatches:,}",
        duration(sweep.seconds),
    )


def _movement(movement: Movement) -> Cells:
    return (
        _mark(movement),
        movement.strategy,
        f"q ≤ {movement.max_queues}, c ≤ {movement.max_consumers} before",
        f"{movement.joins:,}",
        f"{movement.expected_joins:,}",
        f"{movement.differing + movement.beyond:,}",
        duration(movement.seconds),
    )


def _all_cases(found: Enumerated) -> int:
    return sum(row.cases for row in found.promised)


def _transitions(row: Compared) -> Cells:
    return (
        "❌" if row.wrong else "✅",
        row.meant,
        row.queues,
        f"{row.cases:,}",
        f"{row.expected_cases:,}",
        f"{row.mismatches:,}",
        duration(row.seconds),
    )


def _at_size(row: AtSize) -> Cells:
    return row.claim, f"q ≤ {row.max_queues}, c ≤ {row.max_consumers}", row.sizes, row.disagreements


def _smallest(row: Smallest) -> Cells:
    return row.claim, group_size(row.solver), group_size(row.enumerator)


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
