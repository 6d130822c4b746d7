"""The subject of a claim: a strategy or a client."""

from collections.abc import Iterable
from typing import Any, Protocol

from rebalance_proofs.model.terms.mutant import Mutant


class Subject(Protocol):
    """A part of a client's code, and the SMT terms that stand for it."""

    @property
    def name(self) -> str:
        """Short name, used in claim ids: ``avg``, ``java_v5_2``."""

    @property
    def rocketmq_name(self) -> str:
        """Name for people: ``AVG``, ``Java 5.2``."""

    @property
    def encoding(self) -> Any:
        """The subject's SMT terms; their type depends on the kind of claim."""

    @property
    def mutants(self) -> tuple[Mutant, ...]:
        """Wrong encodings, each of which a claim about the subject has to notice."""


def subject(subjects: Iterable[Subject]) -> str:
    """The joint name of these subjects in claims and sweeps: ``avg``, ``avg+circle``."""
    return "+".join(one.name for one in subjects)
