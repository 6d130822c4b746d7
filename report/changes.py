"""Differences between a run and its baseline: new, known and fixed failures, and omitted parts."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.proofs.results import ClaimResult
from rebalance_proofs.report.baseline import Baseline, Judged
from rebalance_proofs.report.english import count
from rebalance_proofs.report.evidence import Required
from rebalance_proofs.report.failures import failures

NEW = "not in the baseline"
FEW = 5
"""Largest number of names in a list on one line; results.json has all names."""


@dataclass(frozen=True)
class Changes:
    """Differences between a run and its baseline, as sentences that name their subject."""

    worse: tuple[str, ...]
    """Regressions, which fail the run: new failures, and claims of the baseline that no longer exist."""
    known: tuple[str, ...]
    """Failures that the baseline also has."""
    mended: tuple[str, ...]
    """Failures of the baseline that this run does not have."""
    turned: tuple[str, ...]
    """Claims that are as expected in both runs, but whose expected verdict has changed."""
    new: tuple[str, ...]
    """Claims that are as expected, and that the baseline does not have."""
    apart: tuple[str, ...]
    """Claims and other parts of the baseline that this run did not check, so they cannot be compared."""
    standing: tuple[str, ...] = ()
    """Sentences about failures of this run that are also in the baseline."""

    @property
    def told(self) -> str:
        """The number of differences by sort: ``1 worse, 2 known, 3 mended``."""
        counts = [(self.worse, "worse"), (self.known, "known"), (self.mended, "mended")]
        said = [f"{len(what):,} {word}" for what, word in counts]
        more = [(self.turned, "expected otherwise now"), (self.new, "new"), (self.apart, "not compared")]
        return ", ".join([*said, *(f"{len(what):,} {word}" for what, word in more if what)])


def judged(result: ClaimResult) -> Judged:
    """Return the claim's outcome in this run, in the form of the baseline's outcomes."""
    return Judged(str(result.claim.expected), str(result.verdict), bool(result.contradictions))


def known(baseline: Baseline, result: ClaimResult) -> bool:
    """Return whether the claim failed in the baseline with the same outcome."""
    then = baseline.claims.get(result.claim.id)
    return bool(failures(result)) and then is not None and not then.as_expected and then.state == judged(result).state


def changes(
    baseline: Baseline,
    claims: Sequence[ClaimResult],
    required: Sequence[Required],
    excused_work: Collection[str],
    others: Collection[str],
    never: Collection[str],
    conformed: bool,
) -> Changes:
    """Compare a run with its baseline.

    ``claims`` and ``required`` are the run's results and its amounts of work. ``others`` are further failures, which
    are known if the baseline has the same sentence; ``never`` are failures that always count as new. ``conformed`` is
    true if this run compared recorded results.

    Missing work is known if ``excused_work`` names it, or if no more is missing than in the baseline.
    """
    worse, known_, standing = list(never), list[str](), list[str]()
    for result in claims:
        excused = known(baseline, result)
        then = baseline.claims.get(result.claim.id)
        for sentence in failures(result):
            (known_ if excused else worse).append(f"{sentence} ({_then(then, excused)})")
            standing += [sentence] * excused
    said = [(sentence, sentence in baseline.failures) for sentence in others]
    for sentence, excused in (*_required(baseline.lacking, required, excused_work), *said):
        (known_ if excused else worse).append(sentence if excused else f"{sentence} ({NEW})")
        standing += [sentence] * excused
    now = {result.claim.id: result for result in claims}
    gone = baseline.claims.keys() - now.keys() - {claim.id for claim in LEDGER}
    worse += [f"{name}: was {baseline.claims[name].words}, and is no longer in the ledger" for name in sorted(gone)]
    apart = [name for name in baseline.claims if name not in now and name not in gone]
    if baseline.conformed and not conformed:
        apart.append("recorded results of real clients")
    lacking = {work.name for work in required if not work.ok}
    silent = list(_silent(baseline, {*standing, *others}, lacking))
    mended = [
        f"{name}: is {now[name].verdict}, as expected (was {then.words})"
        for name, then in baseline.claims.items()
        if name in now and not then.as_expected and not failures(now[name])
    ]
    # A run that checked less cannot have fixed the failures that it did not check.
    mended += [] if apart else [f"gone: {sentence}" for sentence in silent]
    return Changes(
        tuple(worse),
        tuple(known_),
        tuple(mended),
        tuple(_turned(baseline.claims, now)),
        tuple(name for name, result in now.items() if name not in baseline.claims and not failures(result)),
        (*apart, *(silent if apart else ())),
        tuple(standing),
    )


def _then(then: Judged | None, excused: bool) -> str:
    if then is None:
        return "not in the baseline"
    if then.as_expected:
        return f"was {then.words}, as expected"
    return f"was {then.words}" if excused else f"was {then.words}, another failure"


def _required(
    then: Mapping[str, tuple[int | str, int | str]], now: Sequence[Required], excused: Collection[str]
) -> Iterator[tuple[str, bool]]:
    """Yield (failure, known) for each kind of work that was not done in the required amount."""
    for work in now:
        before = then.get(work.name)
        no_more = before is not None and _no_more(before, (work.expected, work.found))
        yield from ((sentence, no_more or work.name in excused) for sentence in failures(work))


def _no_more(before: tuple[int | str, int | str], now: tuple[int | str, int | str]) -> bool:
    """Return whether the amount of missing or surplus work did not grow since the baseline."""
    (due, there), (due_now, there_now) = before, now
    if isinstance(due, int) and isinstance(there, int) and isinstance(due_now, int) and isinstance(there_now, int):
        lacks, lacks_now = due - there, due_now - there_now
        return lacks * lacks_now > 0 and abs(lacks_now) <= abs(lacks)
    return before == now


def _silent(baseline: Baseline, said: Collection[str], lacking: Collection[str]) -> Iterator[str]:
    """Yield the baseline's failures that this run lacks, except failures of claims and missing work."""
    for sentence in baseline.failures:
        still = any(sentence.startswith(f"{name}: ") for name in lacking)
        if sentence not in baseline.about_claims and sentence not in said and not still:
            yield sentence


def _turned(then: Mapping[str, Judged], now: Mapping[str, ClaimResult]) -> Iterator[str]:
    for name, result in now.items():
        before = then.get(name)
        if before and before.as_expected and not failures(result) and before.verdict != result.verdict:
            yield f"{name}: is {result.verdict}, as expected now (was {before.words}, as expected then)"


def some(what: str, names: Sequence[str]) -> str:
    """Return a heading with a shortened list of names: ``new: a, b and 3 more``.

    Empty without names.
    """
    if not names:
        return ""
    more = len(names) - FEW
    return f"{what}: {', '.join(names[:FEW])}{f' and {more:,} more' if more > 0 else ''}"


def against(baseline: Baseline, found: Changes) -> str:
    """Return the name of the baseline, and the number of differences of each sort."""
    return f"Compared with the baseline {baseline.name}, {count(len(baseline.claims), 'claim')}: {found.told}"
