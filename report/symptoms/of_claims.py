"""Causes by claim: the role of a claim for a cause, and fixes if the claim is refuted."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from functools import cache

from rebalance_proofs.report.symptoms.cause import Cause, Effect
from rebalance_proofs.report.symptoms.causes import CAUSES

__all__ = ["Part", "Role", "roles"]


class Part(Enum):
    """The role of a claim for a cause, in display order."""

    SHOWS = "shows it"
    EXCLUDES = "excludes it within its scope"
    BOUNDS = "limits it"
    ENDS = "bounds its duration"
    HELPS = "proves this fix"


@dataclass(frozen=True)
class Role:
    """A claim's role for a cause."""

    part: Part
    cause: Cause
    effect: Effect
    """The effect; for a fix of all effects, the first of them."""
    helps: tuple[str, ...]
    """Fixes; for a claim about a fix, only this one."""


def roles(claim: str) -> tuple[Role, ...]:
    """Return all roles of the claim with that id."""
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
