"""Words for findings of the enumeration of any kind; unknown kinds are described as comparisons of cases."""

from collections.abc import Iterator, Mapping
from functools import cache

from rebalance_proofs.report.enumeration import Enumeration
from rebalance_proofs.report.kinds import KINDS
from rebalance_proofs.report.words import Words
from rebalance_proofs.spark_enum.results import Finding

__all__ = ["enumerations", "every_words", "sentences", "words_of"]


@cache
def enumerations() -> tuple[Enumeration, ...]:
    """How each kind of claims, and then explored groups, present their findings."""
    return tuple(_enumerations())


def _enumerations() -> Iterator[Enumeration]:
    for name, kind in KINDS.items():
        if kind.enumeration:
            yield kind.enumeration
        if kind.actions:
            yield kind.actions.enumeration(name)
    from rebalance_proofs.report.explorer.enumeration import EXPLORED_TOLD  # who shows a claim has no groups

    yield EXPLORED_TOLD


@cache
def every_words() -> Mapping[str, Words]:
    """Words by kind of finding."""
    return {kind: words for one in enumerations() for kind, words in one.words.items()}


def words_of(kind: str) -> Words:
    """The kind's words; for an unknown kind, those of a comparison of cases."""
    return every_words().get(kind, Words(meant=kind))


def sentences(found: Finding) -> tuple[str, ...]:
    """Sentences about everything that is not as expected; each begins with the finding's name."""
    return words_of(found.kind).failures(found)
