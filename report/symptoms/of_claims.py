"""Find the causes that a claim is evidence about, and fixes if the claim is refuted."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from functools import cache

from rebalance_proofs.language import Text
from rebalance_proofs.report.symptoms.cause import Cause, Effect
from rebalance_proofs.report.symptoms.causes import CAUSES


class Part(Enum):
    """What a claim says about a cause, such as showing or excluding it; in display order."""

    SHOWS = "shows it"
    EXCLUDES = "excludes it within its scope"
    BOUNDS = "limits it"
    ENDS = "bounds its duration"
    HELPS = "proves this fix"


@dataclass(frozen=True)
class Role:
    """A cause that a claim is about, and what the claim says about it."""

    part: Part
    cause: Cause
    effect: Effect
    """The cause's effect that the claim is about; the first effect if the claim is about a fix for all."""
    helps: tuple[Text, ...]
    """The cause's fixes; for a claim about one fix, only this one."""


def roles(claim: str) -> tuple[Role, ...]:
    """Return all causes that the claim with that id is about, each with what the claim says about it."""
    return _by_claim().get(claim, ())


@cache
def _by_claim() -> dict[str, tuple[Role, ...]]:
    found: dict[str, list[Role]] = {}
    for name, role in _every():
        found.setdefault(name, []).append(role)
    order = tuple(Part)
    return {name: tuple(sorted(told, key=lambda role: order.index(role.part))) for name, told in found.items()}


def _every() -> Iterator[tuple[str, Role]]:
    for cause in CAUSES:
        helps = tuple(one.words for one in cause.helps)
        for effect in cause.effects:
            parts = {
                Part.SHOWS: (*effect.refuted, *effect.shown),
                Part.EXCLUDES: effect.proved,
                Part.BOUNDS: effect.bounds,
                Part.ENDS: effect.lasts.claims,
            }
            for part, names in parts.items():
                for name in dict.fromkeys(names):
                    yield name, Role(part, cause, effect, helps if part is Part.SHOWS else ())
        for one in cause.helps:
            for name in dict.fromkeys(one.claims):
                yield name, Role(Part.HELPS, cause, cause.effects[0], (one.words,))
