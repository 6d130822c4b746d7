"""Which causes fit what ``mqadmin`` printed."""

from dataclasses import dataclass

from rebalance_proofs.report.symptoms.answer import Found, found
from rebalance_proofs.report.symptoms.asked import MODES, RELEASES, Asked
from rebalance_proofs.report.symptoms.cause import Symptom
from rebalance_proofs.report.symptoms.mqadmin.read import Printed
from rebalance_proofs.report.symptoms.mqadmin.signs import Seen, seen

__all__ = ["Fits", "fits", "question_of"]


@dataclass(frozen=True)
class Fits:
    """A sign with the causes that have it."""

    seen: tuple[Seen, ...]
    """Of one sign, wherever it is."""
    causes: tuple[Found, ...]


def question_of(printed: Printed, told: Asked) -> Asked:
    """The client and mode that the user names, or else those that all members say they are."""
    versions = {version for one in printed.lists for _, version in one.members}
    versions |= {one.version for one in printed.members}
    modes = {one.mode for one in printed.members}
    release = versions.pop().removeprefix("V").replace("_", ".") if len(versions) == 1 else ""
    mode = modes.pop() if len(modes) == 1 else ""
    return Asked(
        told.release or (release if release in RELEASES else ""),
        told.mode or (mode if mode in MODES else ""),
    )


def fits(printed: Printed, question: Asked, symptom: Symptom | None, lasted: int | None) -> tuple[Fits, ...]:
    """Sign by sign; only what shows as that symptom, where one is named."""
    by_sign: dict[str, list[Seen]] = {}
    for one in seen(printed):
        by_sign.setdefault(one.sign.name, []).append(one)
    symptoms = (symptom,) if symptom else tuple(Symptom)
    every = [one for each in symptoms for one in found(each, question, lasted) if one.possible]
    return tuple(
        Fits(tuple(here), tuple(one for one in every if here[0].sign in one.cause.signs)) for here in by_sign.values()
    )
