"""All causes, from ``recorded/knowledge/causes/``. To add a cause, add an entry to the file of its subject."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import Any

from rebalance_proofs.language import Text
from rebalance_proofs.model.receiving.releases import is_sdk
from rebalance_proofs.proofs.ordered.passing import Way
from rebalance_proofs.recorded.knowledge.schema import entries, joined, text
from rebalance_proofs.recorded.logs.lines import NAMED
from rebalance_proofs.report.symptoms.cause import (
    After,
    Cause,
    Effect,
    Help,
    Lasts,
    Look,
    Needs,
    Predicts,
    Reach,
    Sign,
    Symptom,
    Unusual,
)

Entry = Mapping[str, Any]


def _optional(entry: Entry, key: str) -> Text | None:
    return text(entry[key]) if key in entry else None


def _tuple(entry: Entry, key: str) -> tuple[str, ...]:
    return tuple(entry.get(key, ()))


def _effects(entry: Entry) -> Iterator[Effect]:
    """Yield one effect for each symptom of an entry."""
    words = entry["lasts"]
    lasts = Lasts(
        text(words),
        _optional(words, "more"),
        entry.get("most"),
        _tuple(entry, "proved_most"),
        entry.get("then", 0),
        Way[entry["way"].upper()] if "way" in entry else None,
        entry.get("event", False),
        entry.get("by_itself", False),
    )
    claims = (_tuple(entry, key) for key in ("refuted", "proved", "shown", "bounds"))
    one = Effect(Symptom(entry["symptoms"][0]), lasts, *claims)
    for name in entry["symptoms"]:
        yield Effect(Symptom(name), lasts, one.refuted, one.proved, one.shown, one.bounds)


def _help(entry: Entry) -> Help:
    symptoms = tuple(Symptom(name) for name in entry.get("symptoms", ()))
    return Help(text(entry), _tuple(entry, "claims"), _optional(entry, "short"), _tuple(entry, "clients"), symptoms)


def _predicts(entry: Entry) -> Predicts:
    return Predicts(
        tuple(map(After, entry["after"])),
        tuple(map(Reach, entry["reach"])),
        tuple(Unusual[name.upper()] for name in entry.get("unusual", ())),
    )


def _cause(entry: Entry) -> Cause:
    headline = text(entry["headline"])
    return Cause(
        entry["name"],
        joined(headline, _optional(entry, "more"), " ", ""),
        headline,
        Needs(entry["needs"]),
        tuple(one for each in entry["effect"] for one in _effects(each)),
        _predicts(entry["predicts"]),
        tuple(NAMED[name] for name in entry.get("lines", ())),
        tuple(Look(text(one), _tuple(one, "clients")) for one in entry.get("confirm", ())),
        tuple(map(Sign, entry.get("signs", ()))),
        tuple(map(_help, entry.get("fix", ()))),
        _tuple(entry, "issues"),
        _tuple(entry, "read"),
        _tuple(entry, "modes"),
        entry.get("source", ""),
        entry.get("any_client", False),
        tuple(map(Symptom, entry.get("common", ()))),
        tuple(map(Symptom, entry.get("taken_for", ()))),
    )


EVERY: tuple[Cause, ...] = tuple(map(_cause, entries("causes", "cause")))
"""All causes."""
CAUSES: tuple[Cause, ...] = tuple(one for one in EVERY if not one.of_sdks)
"""All causes of clients that divide the queues. Causes with equally many conditions are printed in this order."""
SDK_CAUSES: tuple[Cause, ...] = tuple(one for one in EVERY if one.of_sdks)
"""All causes of gRPC clients (rocketmq-clients)."""


def causes_for(release: str) -> tuple[Cause, ...]:
    """Return the causes that a client of that release can have; an empty release stands for clients without gRPC."""
    return SDK_CAUSES if is_sdk(release) else CAUSES


# Find the causes that a claim is evidence about, and fixes if the claim is refuted.


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
    for cause in EVERY:
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
