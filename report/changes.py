"""What is different from a baseline: what got worse, what is known, what is mended, what cannot be compared."""

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
"""So many names of a list are told where it is told in a line; results.json has all of them."""


@dataclass(frozen=True)
class Changes:
    """The run against its baseline; sentences, each naming its subject."""

    worse: tuple[str, ...]
    """What fails the run: it is not as expected, and was not so in the baseline; or a claim is there no more."""
    known: tuple[str, ...]
    """Not as expected, as it was there."""
    mended: tuple[str, ...]
    """Not as expected there, and as expected now, or said no more."""
    turned: tuple[str, ...]
    """Of claims that were as expected and are so: where another verdict is expected now."""
    new: tuple[str, ...]
    """Claims that are as expected, and that the baseline says nothing of."""
    apart: tuple[str, ...]
    """Claims of the baseline that this run was not asked for, and what else of it has nothing to be compared with."""
    standing: tuple[str, ...] = ()
    """Of the run's failures those that are known, as the run itself says them."""

    @property
    def told(self) -> str:
        """How many of each there are: ``1 worse, 2 known, 3 mended``."""
        counts = [(self.worse, "worse"), (self.known, "known"), (self.mended, "mended")]
        said = [f"{len(what):,} {word}" for what, word in counts]
        more = [(self.turned, "expected otherwise now"), (self.new, "new"), (self.apart, "not compared")]
        return ", ".join([*said, *(f"{len(what):,} {word}" for what, word in more if what)])


def judged(result: ClaimResult) -> Judged:
    """What is compared of a claim."""
    return Judged(str(result.claim.expected), str(result.verdict), bool(result.contradictions))


def known(baseline: Baseline, result: ClaimResult) -> bool:
    """Whether the claim is not as expected in the way in which it was not so there."""
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
    """Compares. ``others`` are failures that are known when the baseline has the same sentence; ``never`` such as
    nothing excuses; ``conformed`` says whether this run compared recorded results.

    A count of work that was not done is known when it is one of ``excused_work``, or no more is lacking than was in
    the baseline.
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
    # what was not looked at is not mended because nobody speaks of it
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
    """The sentence of each count that differs, and whether that is known."""
    for work in now:
        before = then.get(work.name)
        no_more = before is not None and _no_more(before, (work.expected, work.found))
        yield from ((sentence, no_more or work.name in excused) for sentence in failures(work))


def _no_more(before: tuple[int | str, int | str], now: tuple[int | str, int | str]) -> bool:
    """As much is lacking as before, or less; more than there has to be is something else."""
    (due, there), (due_now, there_now) = before, now
    if isinstance(due, int) and isinstance(there, int) and isinstance(due_now, int) and isinstance(there_now, int):
        lacks, lacks_now = due - there, due_now - there_now
        return lacks * lacks_now > 0 and abs(lacks_now) <= abs(lacks)
    return before == now


def _silent(baseline: Baseline, said: Collection[str], lacking: Collection[str]) -> Iterator[str]:
    """Failures of the baseline that are not of a claim, and that nobody says now; nor of work that is lacking now."""
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
    """``new: a, b and 3 more``; empty without names."""
    if not names:
        return ""
    more = len(names) - FEW
    return f"{what}: {', '.join(names[:FEW])}{f' and {more:,} more' if more > 0 else ''}"


def against(baseline: Baseline, found: Changes) -> str:
    """Against what, and how it came out."""
    return f"Against the baseline {baseline.name} of {count(len(baseline.claims), 'claim')}: {found.told}"
