"""Symptoms on the report page of a run, with the causes that the run's claims are about."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from rebalance_proofs.report.modes import MODES
from rebalance_proofs.report.symptoms.answer import Found, Known, found, known
from rebalance_proofs.report.symptoms.asked import RELEASES, Asked
from rebalance_proofs.report.symptoms.cause import Cause, Effect, Needs, Symptom
from rebalance_proofs.report.symptoms.causes import CAUSES

ANY = Asked()


@dataclass(frozen=True)
class Section:
    """One symptom with the causes that have a claim in the run."""

    symptom: Symptom
    groups: tuple[tuple[Needs, tuple[Found, ...]], ...]
    """(condition, causes) pairs, from causes in ordinary operation to causes after a failure."""
    left_out: int
    """Number of further causes, about which the run has no claim."""

    @property
    def causes(self) -> int:
        """Number of causes shown."""
        return sum(len(group) for _, group in self.groups)


def sections(judged: Collection[str]) -> tuple[Section, ...]:
    """Return all symptoms with the causes that have a claim in ``judged``, the ids of a run's claims.

    If the run has all claims, causes without a claim are included.
    """
    everything = all(set(claims_of(cause, effect)) <= set(judged) for cause in CAUSES for effect in cause.effects)
    told = (_section(symptom, set(judged), everything) for symptom in Symptom)
    return tuple(section for section in told if section.groups)


def _section(symptom: Symptom, judged: set[str], everything: bool) -> Section:
    every = [(cause, effect) for cause in CAUSES if (effect := cause.effect(symptom)) is not None]
    named = [cause for cause, effect in every if everything or judged & set(claims_of(cause, effect))]
    chosen = found(symptom, ANY, among=named)
    groups = tuple((needs, tuple(one for one in chosen if one.cause.needs is needs)) for needs in Needs)
    return Section(symptom, tuple(group for group in groups if group[1]), len(every) - len(named))


def claims_of(cause: Cause, effect: Effect) -> tuple[str, ...]:
    """Return the ids of all claims about the cause's effect."""
    helps = (name for one in cause.helps for name in one.claims)
    return (*effect.refuted, *effect.shown, *effect.proved, *effect.bounds, *effect.lasts.claims, *helps)


def anchor(cause: Cause, effect: Effect) -> str:
    """Return the effect's link anchor on the report page."""
    return f"cause-{effect.symptom.value}-{cause.name}"


def known_of(cause: Cause, effect: Effect) -> str:
    """Return the evidence for an effect as digits, one for each combination of release and mode.

    A digit is an index into ``Known``. The first release is "any release", the first mode of each is "any mode".
    """
    places: Sequence[Known] = tuple(Known)
    return "".join(
        str(places.index(known(cause, effect, Asked(release, mode))))
        for release in ("", *RELEASES)
        for mode in ("", *MODES)
    )
