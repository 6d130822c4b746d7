"""Read a question about a gRPC client (rocketmq-clients): the client, and the causes that the words make likelier."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from rebalance_proofs.language import Text
from rebalance_proofs.model.receiving.releases import named, whose
from rebalance_proofs.recorded.knowledge.schema import text as told_text
from rebalance_proofs.report.symptoms.cause import Symptom
from rebalance_proofs.report.symptoms.lexicon import Match, Words
from rebalance_proofs.report.symptoms.understood import Hint, Understood

KIND = "sdk"
"""The file of words for causes of gRPC clients."""
NEXT = 0.25
"""Bits by which each further cause of a meaning gains less than the one before."""


def of_sdk(about: str, words: Understood, release: str) -> Understood:
    """Return the meaning of a text about a gRPC client: its causes are those of gRPC clients only."""
    every = Words(about).all_matches(KIND)
    shown = [Symptom(name) for one in every for name in one.meaning.fields.get("shows", ())]
    symptoms = tuple(dict.fromkeys((*words.symptoms, *shown)))
    matches = [one for one in every if _fits(one, symptoms)]
    clients = {one.words.en for one in words.clients}
    said = [one for one in words.said if one.en not in clients]
    name = whose(release)
    said += [Text(name, name), *(told_text(one.meaning.fields["says"]) for one in matches)]
    return replace(
        words,
        symptoms=symptoms,
        clients=(),
        strategy="",
        hints=tuple(_hints(matches)),
        excluded=_excluded(matches),
        said=tuple(dict.fromkeys(said)),
        ignored=tuple(one for one in words.ignored if not named(one)),
        mode="",
    )


def _fits(match: Match, symptoms: Sequence[Symptom]) -> bool:
    wanted = match.meaning.fields.get("symptoms")
    return not wanted or any(one.value in wanted for one in symptoms)


def _excluded(matches: Sequence[Match]) -> tuple[str, ...]:
    """Return the causes of the kind of consumer that the text does not name; none if it names both kinds.

    A cause that other words are sure of is not excluded.
    """
    excluded = [one.meaning.fields["excludes"] for one in matches if "excludes" in one.meaning.fields]
    sure = {cause for one in matches if one.meaning.fields.get("sure") for cause in one.meaning.fields["causes"]}
    return tuple(one for one in excluded[0] if one not in sure) if len(excluded) == 1 else ()


def _hints(matches: Sequence[Match]) -> Iterator[Hint]:
    for one in matches:
        fields = one.meaning.fields
        for place, cause in enumerate(fields.get("causes", ())):
            yield Hint(
                cause,
                bool(fields.get("sure")),
                fields["weight"] - place * NEXT,
                tuple(fields.get("symptoms", ())),
            )
