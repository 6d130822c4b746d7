"""The five symptoms on a page about some judged claims: causes, what is known of each of whom, what helps."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from rebalance_proofs.report.symptoms.answer import Found, Known, found, known
from rebalance_proofs.report.symptoms.asked import MODES, RELEASES, Asked
from rebalance_proofs.report.symptoms.cause import Cause, Effect, Needs, Symptom
from rebalance_proofs.report.symptoms.causes import CAUSES

__all__ = ["Section", "anchor", "claims_of", "known_of", "sections"]

ANY = Asked()


@dataclass(frozen=True)
class Section:
    """One symptom."""

    symptom: Symptom
    groups: tuple[tuple[Needs, tuple[Found, ...]], ...]
    """What needs less to happen comes first."""
    left_out: int
    """Causes of which no claim was judged."""

    @property
    def causes(self) -> int:
        """How many there are."""
        return sum(len(group) for _, group in self.groups)


def sections(judged: Collection[str]) -> tuple[Section, ...]:
    """Those that have a cause of which a claim was judged; where all claims were, the causes without one too."""
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
    """All that say something of it."""
    helps = (name for one in cause.helps for name in one.claims)
    return (*effect.refuted, *effect.shown, *effect.proved, *effect.bounds, *effect.lasts.claims, *helps)


def anchor(cause: Cause, effect: Effect) -> str:
    """Its place on the page."""
    return f"cause-{effect.symptom.value}-{cause.name}"


def known_of(cause: Cause, effect: Effect) -> str:
    """A digit, the place in ``Known``, for each client and mode; of each the first stands for any."""
    places: Sequence[Known] = tuple(Known)
    return "".join(
        str(places.index(known(cause, effect, Asked(release, mode))))
        for release in ("", *RELEASES)
        for mode in ("", *MODES)
    )
