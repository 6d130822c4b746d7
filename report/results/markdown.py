"""The Markdown report of a run, for the job summary of a CI server."""

import re
from collections.abc import Container, Iterable, Iterator, Sequence

from rebalance_proofs.proofs.results import ClaimResult
from rebalance_proofs.recorded.files import FileReport
from rebalance_proofs.recorded.rows import printable
from rebalance_proofs.report.checked import enumerations
from rebalance_proofs.report.claims.enumeration import Cells
from rebalance_proofs.report.claims.mark import EXPLAINED
from rebalance_proofs.report.claims.matrix import Matrix, alike, matrices
from rebalance_proofs.report.claims.played import played
from rebalance_proofs.report.claims.seen import among
from rebalance_proofs.report.failures import failures
from rebalance_proofs.report.families import family
from rebalance_proofs.report.kinds import shown
from rebalance_proofs.report.mermaid import diagram
from rebalance_proofs.report.results.baseline import against, some
from rebalance_proofs.report.results.headline import MOST, facts, headline
from rebalance_proofs.report.results.run import Run
from rebalance_proofs.report.sized import BETWEEN, Part, within
from rebalance_proofs.report.text.english import count, duration
from rebalance_proofs.report.text.grouped import grouped
from rebalance_proofs.spark_enum.results import Enumerated

LEGEND = (
    "PROVED: holds for all numbers of queues and consumers. Claims about the effect of a rebalance on one client hold "
    "for any number of queues in any state. REFUTED: does not hold, as expected; report.html shows the smallest "
    "counterexample. ❌: not as expected. –: no claim, or the client has no such mode. "
    f"Real clients, {EXPLAINED}"
)

LARGEST = 1_000_000
"""Largest size of a summary in bytes.

GitHub rejects summaries above 1 MiB; this leaves room for the text of other steps.
"""
DIAGRAMS = 12
"""Largest number of diagrams in a summary, because the browser renders each of them on every visit."""
WHERE = "report.html and results.json in the run directory have everything."


def summary(run: Run) -> str:
    """Return the Markdown summary of a run, of at most ``LARGEST`` bytes."""
    parts = [
        Part("the headline", [f"# {_sign(run)} {escape(headline(run))}"]),
        Part("changes", list(_changes(run))),
        Part("evidence", ["\n".join(f"- {escape(fact)}" for fact in (*facts(run), f"Time: {duration(run.seconds)}"))]),
        Part("failures", list(_failures(run))),
    ]
    drawn = dict(_diagrams(run.claims))
    if drawn:
        parts.append(Part("diagrams", list(drawn.values()), "## Counterexamples, step by step"))
    if run.claims:
        parts.append(Part("tables of verdicts", [_matrix(run, one) for one in matrices(run.claims)], LEGEND))
    if run.enumerated:
        parts.append(Part("tables of the enumeration", list(_enumerated(run.enumerated))))
    if run.conformance:
        header = ("", "File", "Rows", "Checks", "Not compared", "Disagreements", "Malformed", "Rows missing")
        table = _table("Recorded results of real clients", header, map(_file, run.conformance.files))
        parts.append(Part("the table of recorded results", [table]))
    stories = list(_stories(run.claims, drawn))
    folded = f"<details><summary>{count(len(stories), 'counterexample')} in words</summary>"
    parts += [
        Part("counterexamples in words", stories, folded, "</details>"),
        Part("the command", [_called(run)]),
    ]
    return within(parts, LARGEST, WHERE)


def escape(text: str | int) -> str:
    """Return the text on one line, escaped for Markdown, HTML, mathematics, links and table cells."""
    plain = printable(" ".join(str(text).split())).replace("&", "&amp;").replace("<", "&lt;").replace("$", "&#36;")
    plain = plain.replace("://", ":&#47;/").replace("www.", "www&#46;")
    plain = re.sub(r"([\\`*\[\]|~]|(?<!\w)_|_(?!\w))", r"\\\1", plain)
    return re.sub(r"^(>|[=-]+$|(?:#{1,6}|[+-])(?=\s|$)|\d+(?=[.)](?:\s|$)))", lambda found: _as_text(found[1]), plain)


def _as_text(beginning: str) -> str:
    """Return the beginning of a line with its last character escaped, so that it starts no heading, quote or list."""
    return f"{beginning[:-1]}&#{ord(beginning[-1])};"


def _sign(run: Run) -> str:
    if run.exit_status:
        return "❌"
    return "✅" if run.green else "⚠️"


def _changes(run: Run) -> Iterator[str]:
    """Yield the differences from the baseline, by sort."""
    if not run.baseline or not run.changes:
        return
    yield f"**{escape(against(run.baseline, run.changes))}**"
    for title, sentences in (
        ("Worse", run.changes.worse),
        ("Known: not as expected, as in the baseline", run.changes.known),
        ("Fixed", run.changes.mended),
        ("Another expected verdict than in the baseline", run.changes.turned),
    ):
        yield _bullets(title, sentences)
    for named in (some("New", run.changes.new), some("Not compared", run.changes.apart)):
        yield escape(named)


def _failures(run: Run) -> Iterator[str]:
    """Yield the failures of a run without a baseline; with one, ``_changes`` lists them."""
    if not run.changes:
        yield _bullets("Failures", run.failures)


def _bullets(title: str, sentences: Sequence[str]) -> str:
    told = [f"- {escape(sentence)}" for sentence in sentences[:MOST]]
    if len(sentences) > MOST:
        told.append(f"- and {len(sentences) - MOST} more, see results.json")
    return "\n".join([f"## {title}", "", *told]) if told else ""


def _diagrams(results: Sequence[ClaimResult]) -> Iterator[tuple[str, str]]:
    """Yield (claim id, sequence diagram) of smallest counterexamples.

    Unexpected results come first, then one claim of each family.
    """
    found = (result for result in results if result.search and result.search.counterexample)
    wrong: list[ClaimResult] = []
    others: list[ClaimResult] = []
    for result in found:
        (wrong if failures(result) else others).append(result)
    firsts = [own[0] for own in grouped(others, lambda result: family(result.claim).name).values()]
    drawn = 0
    for result in (*wrong, *firsts):
        if drawn == DIAGRAMS:
            return
        example = result.search.counterexample if result.search else None
        told = played(result.claim, example) if example else None
        text = diagram(told) if told else ""
        if text:
            drawn += 1
            said = "" if failures(result) else ", as expected"
            heading = f"**{escape(result.claim.id)}**: {result.verdict}{said}"
            yield result.claim.id, BETWEEN.join([heading, text])


def _called(run: Run) -> str:
    """Return the command and the versions.

    Four leading spaces keep the command literal, whatever it contains.
    """
    versions = ", ".join(f"{escape(name)} {escape(version)}" for name, version in run.versions.items())
    typed = printable(" ".join(run.command.split()))
    return BETWEEN.join(["## This run", f"    {typed}", f"Started {escape(run.started)}. {versions}"])


def _matrix(run: Run, matrix: Matrix[ClaimResult]) -> str:
    def said(row: tuple[str, ...], column: str) -> str:
        found = (("" if kind.green else "❌ ") + kind.verdict for kind in alike(matrix.cell(row, column)))
        return "; ".join(found) or "–"

    rows = [
        (*names, *(said(row, column) for column in matrix.columns))
        for names, row in zip(matrix.names(), matrix.rows, strict=True)
    ]
    table = _table(matrix.family.title, (*matrix.family.corner, *matrix.columns), rows)
    claims = [result.claim for row in matrix.rows for column in matrix.columns for result in matrix.cell(row, column)]
    real = f"Real clients: {among(claims, run.compared)}."
    return "\n\n".join((table, *map(escape, (*matrix.notes, real))))


def _stories(results: Sequence[ClaimResult], drawn: Container[str]) -> Iterator[str]:
    """Yield counterexamples in words, of claims without a diagram.

    Unexpected results come first, then claims of families whose tables have the guarantee in words.
    """
    for result in sorted(results, key=lambda result: not failures(result)):
        if result.claim.id in drawn:
            continue
        example = result.search.counterexample if result.search else None
        if example and (failures(result) or family(result.claim).spelled_out):
            kind = shown(result.claim)
            said = [f"{number}. {escape(line)}" for number, line in enumerate(kind.lines(result.claim, example), 1)]
            yield "\n".join([f"**{escape(result.claim.id)}** ({kind.size(example)})", "", *said])


def _enumerated(found: Enumerated) -> Iterator[str]:
    """Yield the tables of the enumeration.

    Tables with a row for each claim list only rows that differ.
    """
    for one in enumerations():
        for part in one.tables(found):
            yield part if isinstance(part, str) else _table(part.title, part.header, part.rows)


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
    """Return a table, with a heading unless ``title`` is empty; empty without rows."""
    lines = [f"| {' | '.join(map(escape, row))} |" for row in rows]
    if not lines:
        return ""
    ruler = f"|{' --- |' * len(header)}"
    heading = [f"## {title}", ""] if title else []
    return "\n".join([*heading, f"| {' | '.join(map(escape, header))} |", ruler, *lines])
