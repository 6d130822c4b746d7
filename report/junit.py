"""The run as JUnit XML, for CI servers: a test case for each claim, enumeration, comparison and vector file."""

from collections.abc import Iterable
from io import BytesIO

from junitparser import Error, Failure, JUnitXml, TestCase, TestSuite

from rebalance_proofs.proofs.claim import Verdict
from rebalance_proofs.proofs.results import ClaimResult
from rebalance_proofs.recorded.text import printable
from rebalance_proofs.report.checked import WORDS, words_of
from rebalance_proofs.report.failures import failures
from rebalance_proofs.report.kept import kept
from rebalance_proofs.report.kinds import shown
from rebalance_proofs.report.run import Run
from rebalance_proofs.spark_enum.allocation.kinds import JOINS
from rebalance_proofs.spark_enum.results import Finding

UNDECIDED = (Verdict.UNKNOWN, Verdict.TIMEOUT)
"""Verdicts that say that nothing was found out: errors, where the others are failures."""


def xml(run: Run) -> str:
    """The whole file. Nothing is ever skipped; an incomplete run has a test case that fails for it."""
    suites = JUnitXml("rebalance-proofs")
    suites.add_testsuite(_suite("run", run, _whole(run)))
    suites.add_testsuite(_suite("claims", run, map(_claim, run.claims)))
    if run.enumerated:
        for suite in dict.fromkeys(words.suite for words in WORDS.values() if words.suite):
            found = (one for one in run.enumerated.findings if words_of(one.kind).suite == suite)
            suites.add_testsuite(_suite(suite, run, map(_finding, found)))
    if run.conformance:
        files = (_case("conformance", file.file, failures(file)) for file in run.conformance.files)
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
    """That the run came to its end, and that all is as expected: fails also for what is no row of its own."""
    unfinished = [run.unfinished] if run.unfinished else []
    return [
        _case("run", "complete", unfinished, beside=run.left_out),
        _case("run", "as-expected", run.failures),
    ]


def _claim(result: ClaimResult) -> TestCase:
    place, _, name = result.claim.id.rpartition(".")
    example = result.search.counterexample if result.search else None
    told = shown(result.claim).lines(result.claim, example) if example else ()
    undecided = result.verdict in UNDECIDED
    beside = filter(None, [kept([result])])
    return _case(place, name, failures(result), result.seconds, undecided=undecided, told=told, beside=beside)


def _finding(found: Finding) -> TestCase:
    place = words_of(found.kind).place or f"{words_of(found.kind).suite}.{found.kind}"
    name = found.subject if found.kind == JOINS else found.name
    return _case(place, name, failures(found), found.seconds)


def _case(
    place: str,
    name: str,
    wrong: Iterable[str],
    seconds: float = 0.0,
    *,
    undecided: bool = False,
    told: Iterable[str] = (),
    beside: Iterable[str] = (),
) -> TestCase:
    """``told`` is said below what is wrong, if anything is: the counterexample; ``beside`` in any case."""
    case = TestCase(printable(name), printable(place), round(seconds, 3))
    if noted := "\n".join(map(printable, beside)):
        case.system_out = noted
    sentences = [printable(sentence) for sentence in wrong]
    if sentences:
        problem = Error(sentences[0], "undecided") if undecided else Failure(sentences[0], "not as expected")
        problem.text = "\n".join([*sentences, *map(printable, told)])
        case.result = [problem]
    return case
