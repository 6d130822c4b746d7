"""Symptoms on a page about judged claims: causes, evidence for each client, and fixes."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from rebalance_proofs.report.modes import MODES
from rebalance_proofs.report.symptoms.answer import Found, Known, found, known
from rebalance_proofs.report.symptoms.asked import RELEASES, Asked
from rebalance_proofs.report.symptoms.cause import Cause, Effect, Needs, Symptom
from rebalance_proofs.report.symptoms.causes import CAUSES

__all__ = ["Section", "anchor", "claims_of", "known_of", "sections"]

ANY = Asked()


@dataclass(frozen=True)
class Section:
    """One symptom with its causes."""

    symptom: Symptom
    groups: tuple[tuple[Needs, tuple[Found, ...]], ...]
    """Causes by their conditions, fewest first."""
    left_out: int
    """Number of causes without a judged claim."""

    @property
    def causes(self) -> int:
        """Number of causes shown."""
        return sum(len(group) for _, group in self.groups)


def sections(judged: Collection[str]) -> tuple[Section, ...]:
    """Return symptoms with the causes that have a judged claim.

    If all claims were judged, with all causes.
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
    """Return the effect's anchor on the page."""
    return f"cause-{effect.symptom.value}-{cause.name}"


def known_of(cause: Cause, effect: Effect) -> str:
    """Return one digit, an index into ``Known``, for each release and mode.

    "Any" is the first of both.
    """
    places: Sequence[Known] = tuple(Known)
    return "".join(
        str(places.index(known(cause, effect, Asked(release, mode))))
        for release in ("", *RELEASES)
        for mode in ("", *MODES)
    )
