"""How findings of the enumeration are told, whatever they are of; an unknown one is told as a comparison of cases."""

from collections.abc import Iterator, Mapping

from rebalance_proofs.report.enumeration import Enumeration
from rebalance_proofs.report.explorer.enumeration import EXPLORED_TOLD
from rebalance_proofs.report.kinds import KINDS
from rebalance_proofs.report.words import Words
from rebalance_proofs.spark_enum.results import Finding

__all__ = ["ENUMERATIONS", "WORDS", "sentences", "words_of"]


def _enumerations() -> Iterator[Enumeration]:
    for name, kind in KINDS.items():
        if kind.enumeration:
            yield kind.enumeration
        if kind.actions:
            yield kind.actions.enumeration(name)
    yield EXPLORED_TOLD


ENUMERATIONS = tuple(_enumerations())
"""Kind by kind of claims, and of explored groups."""
WORDS: Mapping[str, Words] = {kind: words for one in ENUMERATIONS for kind, words in one.words.items()}
"""By the kind of finding."""


def words_of(kind: str) -> Words:
    """Those of the kind, or of any comparison of cases."""
    return WORDS.get(kind, Words(meant=kind))


def sentences(found: Finding) -> tuple[str, ...]:
    """What is not as expected about it; each names it."""
    return words_of(found.kind).failures(found)
