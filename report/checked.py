"""Texts about findings, the results of the enumerator, for every kind of claims."""

from collections.abc import Iterator, Mapping
from functools import cache

from rebalance_proofs.report.claims.enumeration import Enumeration, Words
from rebalance_proofs.report.kinds import KINDS
from rebalance_proofs.spark_enum.results import Finding


@cache
def enumerations() -> tuple[Enumeration, ...]:
    """Return how reports present the findings of each kind of claims, and of explored groups."""
    return tuple(_enumerations())


def _enumerations() -> Iterator[Enumeration]:
    for name, kind in KINDS.items():
        if kind.enumeration:
            yield kind.enumeration
        if kind.actions:
            yield kind.actions.enumeration(name)
    from rebalance_proofs.report.explorer.enumeration import (
        EXPLORED_TOLD,
    )  # heavy; commands about single claims do not need it

    yield EXPLORED_TOLD


@cache
def every_words() -> Mapping[str, Words]:
    """Return the texts for each kind of finding, by the name of the kind."""
    return {kind: words for one in enumerations() for kind, words in one.words.items()}


def words_of(kind: str) -> Words:
    """Return the texts for a kind of finding; those of a comparison for an unknown kind."""
    return every_words().get(kind, Words(meant=kind))


def sentences(found: Finding) -> tuple[str, ...]:
    """Return the failures in a finding; each sentence begins with the finding's name."""
    return words_of(found.kind).failures(found)
