"""What claims are about: a strategy, a client."""

from collections.abc import Iterable
from typing import Any, Protocol

from rebalance_proofs.model.terms.mutant import Mutant


class Subject(Protocol):
    """Code of a client's, and the terms that stand for it."""

    @property
    def name(self) -> str:
        """Short, used in claim ids: ``avg``, ``java_v5_2``."""

    @property
    def rocketmq_name(self) -> str:
        """For people: ``AVG``, ``Java 5.2``."""

    @property
    def encoding(self) -> Any:
        """Its terms, in the form of its kind."""

    @property
    def mutants(self) -> tuple[Mutant, ...]:
        """Wrong terms, of which claims about it have to take notice."""


def subject(subjects: Iterable[Subject]) -> str:
    """What claims and sweeps about these call them: ``avg``, ``avg+circle``."""
    return "+".join(one.name for one in subjects)
