"""The Markdown report of a run, for the job summary of a CI server."""

import re
from collections.abc import Collection, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO

from junitparser import Error, Failure, JUnitXml, Skipped, TestCase, TestSuite

from rebalance_proofs.proofs.claim import Verdict
from rebalance_proofs.proofs.results import ClaimResult
from rebalance_proofs.recorded.files import FileReport
from rebalance_proofs.recorded.rows import printable
from rebalance_proofs.report.claims.enumeration import Cells
from rebalance_proofs.report.claims.mark import EXPLAINED
from rebalance_proofs.report.claims.matrix import Matrix, alike, matrices
from rebalance_proofs.report.claims.played import played
from rebalance_proofs.report.claims.seen import among
from rebalance_proofs.report.claims.steps import Played, Step
from rebalance_proofs.report.failures import enumerations, every_words, failures, words_of
from rebalance_proofs.report.kinds import family, shown
from rebalance_proofs.report.results.baseline import against, some
from rebalance_proofs.report.results.headline import MOST, facts, headline, kept
from rebalance_proofs.report.results.run import Run
from rebalance_proofs.report.text.english import count, duration, listing
from rebalance_proofs.report.text.grouped import grouped
from rebalance_proofs.spark_enum.results import Enumerated, Finding

# Assemble a text from parts up to a size limit.
# Parts that do not fit are left out and listed.

BETWEEN = "\n\n"


@dataclass(frozen=True)
class Part:
    """Texts of one sort, such as all diagrams; each of them is printed whole or left out."""

    name: str
    """Name for the list of what was left out: ``counterexamples in words``."""
    texts: Sequence[str]
    before: str = ""
    after: str = ""
    """Text after the part's texts, like ``before`` in front of them.

    Both only if any of the texts fits.
    """


def within(parts: Sequence[Part], most: int, where: str) -> str:
    """Return the parts joined, with those texts that fit within ``most`` bytes of UTF-8 overall.

    A list of what was left out follows the first part, with ``where`` to find it. No text is cut.
    """
    room = most - 500 - sum(_size(part.name) + 20 for part in parts)  # keeps room for the list of what was left out
    kept: list[list[str]] = []
    left: list[str] = []
    for part in parts:
        texts = [text for text in part.texts if text]
        fitting: list[str] = []
        around = _size(part.before) + _size(part.after)
        for text in texts:
            if around + _size(text) > room:
                continue
            room -= around + _size(text)
            around = 0
            fitting.append(text)
        if len(fitting) < len(texts):
            missing = f"{len(texts) - len(fitting):,} of {len(texts):,} " if len(texts) > 1 else ""
            left.append(f"{missing}{part.name}")
        kept.append(list(_around(part, fitting)))
    if left:
        said = f"Left out, because a job summary holds no more than 1 MiB: {listing(left)}. {where}"
        kept.insert(1, [said])
    return BETWEEN.join(text for texts in kept for text in texts) + "\n"


def _around(part: Part, texts: Sequence[str]) -> Iterator[str]:
    yield from [part.before] * bool(texts and part.before)
    yield from texts
    yield from [part.after] * bool(texts and part.after)


def _size(text: str) -> int:
    return len(text.encode()) + len(BETWEEN)


# Count solver answers that were reused from earlier runs.


# The JUnit report of a run, with a test case for each claim, enumeration and comparison.

UNDECIDED = (Verdict.UNKNOWN, Verdict.TIMEOUT)
"""Verdicts without a decision, such as a timeout.

JUnit shows them as errors, not as failures.
"""


def xml(run: Run) -> str:
    """Return the JUnit file. In an incomplete run, the test case "complete" fails.

    A case is skipped only if the baseline has all its failures, so that they do not fail the run.
    """
    known = frozenset(run.changes.standing if run.changes else ())
    suites = JUnitXml("rebalance-proofs")
    suites.add_testsuite(_suite("run", run, _whole(run)))
    suites.add_testsuite(_suite("claims", run, (_claim(result, known) for result in run.claims)))
    if run.enumerated:
        for suite in dict.fromkeys(words.suite for words in every_words().values() if words.suite):
            found = (one for one in run.enumerated.findings if words_of(one.kind).suite == suite)
            suites.add_testsuite(_suite(suite, run, (_finding(one, known) for one in found)))
    if run.conformance:
        files = (_case("conformance", file.file, failures(file), known=known) for file in run.conformance.files)
        suites.add_testsuite(_suite("conformance", run, files))
    suites.update_statistics()
    written = BytesIO()
    suites.write(written, pretty=True)
    return written.getvalue().decode()


def _suite(name: str, run: Run, cases: Iterable[TestCase]) -> TestSuite:
    suite = TestSuite(name)
    suite.timestamp = run.started
    suite.add_testcases(list(cases))
    return suite


def _whole(run: Run) -> list[TestCase]:
    """Return test cases about the whole run: it is complete, as expected, no worse than the baseline.

    The case "as-expected" fails for every failure, including failures without their own test case.
    """
    unfinished = [run.unfinished] if run.unfinished else []
    return [
        _case("run", "complete", unfinished, beside=run.left_out),
        _case("run", "as-expected", run.failures, known=() if run.exit_status else run.failures),
        *([_case("run", "no-worse-than-the-baseline", run.changes.worse)] if run.changes else []),
    ]


def _claim(result: ClaimResult, known: Collection[str]) -> TestCase:
    place, _, name = result.claim.id.rpartition(".")
    example = result.search.counterexample if result.search else None
    told = shown(result.claim).lines(result.claim, example) if example else ()
    undecided = result.verdict in UNDECIDED
    beside = filter(None, [kept([result])])
    return _case(
        place, name, failures(result), result.seconds, undecided=undecided, told=told, beside=beside, known=known
    )


def _finding(found: Finding, known: Collection[str]) -> TestCase:
    words = words_of(found.kind)
    place = words.place or f"{words.suite}.{found.kind}"
    name = found.subject if words.by_subject else found.name
    return _case(place, name, failures(found), found.seconds, known=known)


def _case(
    place: str,
    name: str,
    wrong: Iterable[str],
    seconds: float = 0.0,
    *,
    undecided: bool = False,
    told: Iterable[str] = (),
    beside: Iterable[str] = (),
    known: Collection[str] = (),
) -> TestCase:
    """Return a test case, which fails if ``wrong`` has sentences.

    ``told`` has the lines of the counterexample, which follow the sentences. ``beside`` is the output of the case. The
    case is skipped if ``known`` has all sentences.
    """
    case = TestCase(printable(name), printable(place), round(seconds, 3))
    if noted := "\n".join(map(printable, beside)):
        case.system_out = noted
    unlike = list(wrong)
    sentences = [printable(sentence) for sentence in unlike]
    if sentences:
        problem: Error | Failure | Skipped
        problem = Error(sentences[0], "undecided") if undecided else Failure(sentences[0], "not as expected")
        if all(sentence in known for sentence in unlike):
            problem = Skipped(f"also in the baseline: {sentences[0]}", "known")
        problem.text = "\n".join([*sentences, *map(printable, told)])
        case.result = [problem]
    return case


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


# A trace as a Mermaid sequence diagram, which GitHub and GitLab render inside Markdown.


MOST_TEXT = 50_000
"""Largest number of characters that Mermaid renders (``maxTextSize``)."""
MOST_ARROWS = 500
"""Largest number of arrows that Mermaid renders (``maxEdges``)."""
LONGEST = 1000
"""Largest number of characters of a sentence in a diagram, before escaping."""
BEGINNING = ('%%{init: {"sequence": {"wrap": true}}}%%', "sequenceDiagram", "participant S as What is done")
FENCE = "```"
SAFE = frozenset(" ,.()'+-")


def diagram(told: Played) -> str:
    """Return a counterexample's diagram as a Markdown block.

    Empty if it is too large for Mermaid.
    """
    lines = [*BEGINNING, *_parties(told)]
    over = f"Note over S,P{len(told.parties) - 1}"
    for number, step in enumerate(told.everything):
        when = f", at {step.clock}" if step.clock else ""
        lines.append(f"{over}: {plain(f'{number}{when}. {step.words}')}")
        lines += _arrows(step, told)
    lines.append(f"{over}: {plain(told.wrong)}")
    text = "\n".join(lines)
    arrows = sum("->>" in line for line in lines)
    if len(text) > MOST_TEXT or arrows > MOST_ARROWS:
        return ""
    return f"{FENCE}mermaid\n{text}\n{FENCE}"


def plain(text: str) -> str:
    """Return the text on one line, with all characters escaped that Mermaid or Markdown interprets.

    These are ``;``, which ends a statement; ``#``, which begins a comment or an escaped character; ``:``, which could
    end ``wrap:``; and backquotes, which would end the block.
    """
    words = " ".join(text.split())
    cut = words if len(words) <= LONGEST else f"{words[:LONGEST]} ..."
    return "".join(
        one if one in SAFE or one.isalnum() else f"#{ord(one)};"
        for one in cut
        if one == " " or (one.isprintable() and not one.isspace())
    )


def _parties(told: Played) -> Iterator[str]:
    for place, party in enumerate(told.parties):
        yield f"participant P{place} as {plain(party.name) or 'State'}"


def _arrows(step: Step, told: Played) -> Iterator[str]:
    """Yield the step's arrows: one to each party (consumer, broker, ...) whose values change."""
    things = [(place, thing) for place, party in enumerate(told.parties) for thing in party.trace_variables]
    changed = [
        (place, thing, value) for (place, thing), value in zip(things, step.values, strict=True) if value.changed
    ]
    for place, own in grouped(changed, lambda one: one[0]).items():
        yield f"S->>P{place}: {plain(', '.join(f'{thing.name}: {value.words}' for _, thing, value in own))}"
