"""Differences between a run and its baseline: new, known and mended failures, and what cannot be compared."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.proofs.results import ClaimResult
from rebalance_proofs.report.baseline import Baseline, Judged
from rebalance_proofs.report.english import count
from rebalance_proofs.report.evidence import Required
from rebalance_proofs.report.failures import failures

__all__ = ["Changes", "against", "changes", "judged", "known", "some"]

NEW = "the baseline does not say so"
FEW = 5
"""Names shown of a list that stands on one line; results.json has all of them."""


@dataclass(frozen=True)
class Changes:
    """A run against its baseline, as sentences that each name their subject."""

    worse: tuple[str, ...]
    """What fails the run: failures that the baseline does not have, and its claims that are no longer in the ledger."""
    known: tuple[str, ...]
    """Failures that the baseline has as well."""
    mended: tuple[str, ...]
    """Failures of the baseline that have gone."""
    turned: tuple[str, ...]
    """Claims as expected in both runs, whose expected verdict has changed in between."""
    new: tuple[str, ...]
    """Claims as expected that the baseline does not have."""
    apart: tuple[str, ...]
    """Claims of the baseline that this run did not judge, and other parts of it that cannot be compared."""
    standing: tuple[str, ...] = ()
    """The known failures in the run's own words."""

    @property
    def told(self) -> str:
        """Counts of each: ``1 worse, 2 known, 3 mended``."""
        counts = [(self.worse, "worse"), (self.known, "known"), (self.mended, "mended")]
        said = [f"{len(what):,} {word}" for what, word in counts]
        more = [(self.turned, "expected otherwise now"), (self.new, "new"), (self.apart, "not compared")]
        return ", ".join([*said, *(f"{len(what):,} {word}" for what, word in more if what)])


def judged(result: ClaimResult) -> Judged:
    """The claim's outcome in the form of the baseline."""
    return Judged(str(result.claim.expected), str(result.verdict), bool(result.contradictions))


def known(baseline: Baseline, result: ClaimResult) -> bool:
    """Whether the baseline has the claim with the same unexpected outcome."""
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

    ``others``: failures that are known if the baseline has the same sentence; ``never``: failures that are never known;
    ``conformed``: whether this run compared recorded results.

    Required work that is missing is known if it is among ``excused_work``, or if no more is missing than in the
    baseline.
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
    worse += [f"{name}: it was {baseline.claims[name].words}, and is in the ledger no more" for name in sorted(gone)]
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
    # a run that looked at less does not mend what it is silent about
    mended += [] if apart else [f"said no more: {sentence}" for sentence in silent]
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
        return "no claim of the baseline"
    if then.as_expected:
        return f"was {then.words}, as expected"
    return f"was {then.words}" if excused else f"was {then.words}, not as expected either, but otherwise"


def _required(
    then: Mapping[str, tuple[int | str, int | str]], now: Sequence[Required], excused: Collection[str]
) -> Iterator[tuple[str, bool]]:
    """(sentence, known) for each count of required work that is wrong."""
    for work in now:
        before = then.get(work.name)
        no_more = before is not None and _no_more(before, (work.expected, work.found))
        yield from ((sentence, no_more or work.name in excused) for sentence in failures(work))


def _no_more(before: tuple[int | str, int | str], now: tuple[int | str, int | str]) -> bool:
    """Whether the gap is no larger than before, and in the same direction: too much work is not too little."""
    (due, there), (due_now, there_now) = before, now
    if isinstance(due, int) and isinstance(there, int) and isinstance(due_now, int) and isinstance(there_now, int):
        lacks, lacks_now = due - there, due_now - there_now
        return lacks * lacks_now > 0 and abs(lacks_now) <= abs(lacks)
    return before == now


def _silent(baseline: Baseline, said: Collection[str], lacking: Collection[str]) -> Iterator[str]:
    """Baseline failures that belong to no claim, that nobody repeats, and that are no count of work still missing."""
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
    """A list of names, shortened: ``new: a, b and 3 more``; empty without names."""
    if not names:
        return ""
    more = len(names) - FEW
    return f"{what}: {', '.join(names[:FEW])}{f' and {more:,} more' if more > 0 else ''}"


def against(baseline: Baseline, found: Changes) -> str:
    """Which baseline the run was compared with, and the counts of differences."""
    return f"Against the baseline {baseline.name} of {count(len(baseline.claims), 'claim')}: {found.told}"
