"""Count solver answers that were reused from earlier runs."""

from collections.abc import Collection, Iterable, Sequence
from io import BytesIO

from junitparser import Error, Failure, JUnitXml, Skipped, TestCase, TestSuite

from rebalance_proofs.proofs.claim import Verdict
from rebalance_proofs.proofs.results import ClaimResult
from rebalance_proofs.recorded.rows import printable
from rebalance_proofs.report.checked import every_words, words_of
from rebalance_proofs.report.failures import failures
from rebalance_proofs.report.kinds import shown
from rebalance_proofs.report.results.run import Run
from rebalance_proofs.report.text.english import count
from rebalance_proofs.spark_enum.results import Finding


def kept(results: Sequence[ClaimResult]) -> str:
    """Return the number of reused answers: ``12 of 14 answers KEPT``; empty if there are none."""
    answers = [answer for result in results for question in result.questions for answer in question.answers]
    found = sum(answer.kept for answer in answers)
    return f"{found:,} of {count(len(answers), 'answer')} KEPT" if found else ""


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
