"""The answer of ``rebalance why`` as JSON."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rebalance_proofs.documents import Cause, Explanation, Sign
from rebalance_proofs.language import english
from rebalance_proofs.recorded.logs.lines import Line
from rebalance_proofs.report.index.entries import marks
from rebalance_proofs.report.schemas import published
from rebalance_proofs.report.symptoms.answer import Found
from rebalance_proofs.report.symptoms.asked import Asked
from rebalance_proofs.report.symptoms.cause import Facts, Symptom
from rebalance_proofs.report.symptoms.understood import Understood
from rebalance_proofs.report.symptoms.words import helps, logged

if TYPE_CHECKING:
    from rebalance_proofs.report.symptoms.mqadmin.answer import Observed

FORMAT = 1
"""Version of the JSON format.

Increases when a reader of the old format would misread the new one.
"""


def schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of ``document``."""
    return published("why")


@english()
def document(
    about: str,
    question: Asked,
    lasted: int | None,
    *,
    causes: Sequence[Found] = (),
    lines: Sequence[tuple[Line, Sequence[Found]]] = (),
    observed: "Observed | None" = None,
    untold: Sequence[str] = (),
    first: Sequence[str] = (),
    facts: Facts | None = None,
    understood: Understood | None = None,
) -> Explanation:
    """Return the JSON of the answer to one question; times in ms."""
    pointed = [told for _, told in lines] + [[one.found for one in observed.causes] if observed else []]
    every = {(one.cause.name, one.effect.symptom): one for told in (causes, *pointed) for one in told}
    return {
        "format": FORMAT,
        "asked": {
            "about": about,
            "client": question.release or None,
            "mode": question.mode or None,
            "for": lasted,
            "strategy": question.wanted[0].rocketmq_name if question.wanted else None,
            "after": facts.after.value if facts and facts.after else None,
            "queues": facts.reach.value if facts and facts.reach else None,
            "over": facts.over if facts else None,
        },
        "remark": question.remark or None,
        "first": list(first),
        "symptoms": [{"name": one.value, "question": one.question.en} for one in Symptom],
        "causes": [_cause(one) for one in every.values()],
        "lines": [{**_line(one), "causes": _names(told)} for one, told in lines],
        "signs": _signs(observed) if observed else [],
        "untold": list(untold),
        "understood": _understood(understood) if understood else None,
    }


def _understood(words: Understood) -> dict[str, Any]:
    return {
        "symptoms": [one.value for one in words.symptoms],
        "denied": [one.value for one in words.denied],
        "after": [one.value for one in words.after],
        "clients": [one.release or "java" for one in words.clients],
        "causes": list(words.sure),
        "words": [one.en for one in words.said],
        "ignored": list(words.ignored),
    }


def _signs(observed: "Observed") -> list[Sign]:
    """Return what a table shows, by kind, each with the names of its causes."""
    by_kind: dict[str, list[str]] = {}
    for one in observed.shown:
        by_kind.setdefault(one.kind.name, []).append(one.words)
    return [
        {
            "sign": kind,
            "sentence": told[0],
            "seen": told,
            "causes": [one.found.cause.name for one in observed.causes if any(by.kind.name == kind for by in one.by)],
        }
        for kind, told in by_kind.items()
    ]


def _names(found: Sequence[Found]) -> list[str]:
    return list(dict.fromkeys(one.cause.name for one in found))


def _cause(one: Found) -> Cause:
    return {
        "name": one.cause.name,
        "symptom": one.effect.symptom.value,
        "sentence": one.cause.sentence.en,
        "needs": one.cause.needs.name.casefold(),
        "known": one.known.name.casefold(),
        "claimed": one.claimed,
        "shown_by": list(one.shown),
        "excluded_by": list(one.excluded),
        "bounded_by": list(one.bounds),
        "read_in": list(one.cause.read),
        "lasts": {
            "most": one.most,
            "basis": one.effect.lasts.basis.name.casefold(),
            "words": one.effect.lasts.words.en,
            "claims": list(one.effect.lasts.claims),
        },
        "told_last": one.too_short,
        "lines": [_line(line) for line in logged(one.cause, one.question)],
        "looks": [look.en for look in one.cause.looks_of(one.question.release)],
        "helps": list(helps(one.helps, one.question)),
        "bugs": [{"issue": bug.called, "address": bug.address} for bug in one.bugs if bug.issue],
        "seen": marks((*one.shown, *one.excluded, *one.bounds, *one.effect.lasts.claims)),
    }


def _line(line: Line) -> dict[str, Any]:
    return {
        "log": line.logs.value,
        "file": line.file or None,
        "means": line.means.en,
        "wordings": [{"text": one.text, "class": one.where, "releases": list(one.releases)} for one in line.wordings],
    }
