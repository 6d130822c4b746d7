"""Results of a run as lines of text."""

from collections.abc import Container, Iterator, Sequence

from rebalance_proofs.proofs.claim import Verdict
from rebalance_proofs.proofs.results import ClaimResult
from rebalance_proofs.recorded.files import Conformance
from rebalance_proofs.report.failures import enumerations
from rebalance_proofs.report.family import Family
from rebalance_proofs.report.kinds import family, shown
from rebalance_proofs.report.results.baseline import against, some
from rebalance_proofs.report.results.headline import facts, headline, judged, kept
from rebalance_proofs.report.results.run import Run
from rebalance_proofs.report.text.english import count, duration
from rebalance_proofs.spark_enum.results import Finding


def _readable(sentence: str) -> str:
    from rebalance_proofs.report.names import readable  # loads all strategies; most runs print no such sentence

    return readable(sentence)


def claim_line(result: ClaimResult) -> str:
    """Return the line that reports a claim: ``ok  PROVED   allocation.avg.disjoint``.

    It is for a claim whose verdict is as expected.
    """
    reason = f": {_readable(result.reason)}" if result.reason else ""
    return f"ok  {result.verdict:8} {result.claim.id}{reason}{_kept([result])}"


def bad_line(failure: str) -> str:
    """Return the line that reports a failure of the run (one of ``Run.failures``)."""
    return f"BAD {_readable(failure)}"


def known_line(failure: str) -> str:
    """Return the line that reports a failure which the baseline, an earlier run, has too."""
    return f"known {_readable(failure)}"


def family_line(kind: Family, results: Sequence[ClaimResult]) -> str:
    """Return one line for all claims of a family.

    Example: ``ok  When several join, or one restarts: 10 claims: 6 PROVED, ...``
    """
    wrong = sum(not result.green for result in results)
    said = f"{'BAD' if wrong else 'ok '} {kind.title}: {judged(results)}"
    said += f"; {wrong:,} not as expected" if wrong else ""
    return f"{said}{_kept(results)}"


def _kept(results: Sequence[ClaimResult]) -> str:
    """Return a note in brackets about answers reused from earlier runs; empty if there are none."""
    said = kept(results)
    return f" ({said})" if said else ""


def story_lines(result: ClaimResult) -> Iterator[str]:
    """Yield the steps of a counterexample; nothing if it is printed as a picture.

    The violated guarantee is left out, because ``claim_line`` prints it.
    """
    example = result.search.counterexample if result.search else None
    if example and family(result.claim).spelled_out:
        yield from (f"      {line}" for line in shown(result.claim).lines(result.claim, example)[:-1])


def enumerated_lines(found: Sequence[Finding], verbose: bool = True) -> Iterator[str]:
    """Yield lines about an enumeration's findings; without ``verbose``, similar ones share a line."""
    for one in enumerations():
        yield from one.lines(found, verbose)


def conformance_lines(conformance: Conformance) -> Iterator[str]:
    """Yield a line for each file of recorded client results, and for each reason to skip some."""
    for file in conformance.files:
        counted = ((len(file.disagreements), "disagree"), (len(file.malformed), "malformed"))
        wrong = [f"{rows:,} {what}" for rows, what in counted if rows]
        wrong += ["fewer than the pinned number"] * bool(file.lacking)
        if file.checks or wrong:
            agreed = ", ".join(wrong) or "all agree"
            yield f"recorded {file.file}: {count(file.rows, 'row')}, {count(file.checks, 'check')}, {agreed}"
        for reason, rows in file.skipped.items():
            yield f"skipped {file.file}: {count(rows, 'row')}: {reason}"


def _changed(run: Run) -> Iterator[str]:
    """Yield the differences of the run from its baseline, an earlier run.

    All results that became worse are listed, even if they were printed before.
    """
    assert run.baseline
    assert run.changes
    yield against(run.baseline, run.changes)
    yield from map(bad_line, run.changes.worse)
    yield from map(known_line, run.changes.known)
    for mark, sentences in (("mended", run.changes.mended), ("turned", run.changes.turned)):
        yield from (f"{mark} {_readable(sentence)}" for sentence in sentences)
    for sentence in (some("new", run.changes.new), some("not compared", run.changes.apart)):
        yield from [sentence] * bool(sentence)


def closing_lines(run: Run, told: Container[str] = ()) -> Iterator[str]:
    """Yield the last lines of a run: failures, the amount of work, and the verdict.

    ``told``: failures that were printed before, and are not repeated.
    """
    if run.changes:
        yield from _changed(run)
    for failure in run.failures:
        if failure not in told and not run.changes:
            yield bad_line(failure)
    yield from facts(run)
    if run.enumerated:
        for one in enumerations():
            yield from one.closing(run.enumerated)
    if any(result.verdict is Verdict.TIMEOUT for result in run.claims):
        yield f"A solver reached its time limit of {run.options['timeout']:g} s; --timeout sets a longer one."
    yield f"{headline(run)} ({duration(run.seconds)})"
