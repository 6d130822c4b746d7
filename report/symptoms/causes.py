"""All causes, from ``recorded/knowledge/causes/``. To add a cause, add an entry to the file of its subject."""

from collections.abc import Iterator, Mapping
from typing import Any

from rebalance_proofs.language import Text
from rebalance_proofs.proofs.ordered.passing import Way
from rebalance_proofs.recorded.knowledge.data import entries, joined, text
from rebalance_proofs.recorded.logs.lines import NAMED
from rebalance_proofs.report.symptoms.cause import Cause, Effect, Help, Lasts, Needs, Symptom
from rebalance_proofs.report.symptoms.facts import After, Predicts, Reach, Unusual
from rebalance_proofs.report.symptoms.sign import Sign

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
        tuple(map(text, entry.get("confirm", ()))),
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


CAUSES: tuple[Cause, ...] = tuple(map(_cause, entries("causes", "cause")))
"""All causes. Causes with equally many conditions are printed in this order."""
