"""The subject of a claim: a strategy or a client."""

from collections.abc import Iterable
from typing import Any, Protocol

from rebalance_proofs.model.terms.values import Mutant


class Subject(Protocol):
    """A part of a client's code that claims are about, with its SMT encoding."""

    @property
    def name(self) -> str:
        """Short name for claim ids: ``avg``, ``java_v5_2``."""

    @property
    def rocketmq_name(self) -> str:
        """Display name: ``AVG``, ``Java 5.2``."""

    @property
    def encoding(self) -> Any:
        """The subject's behaviour as SMT terms. Their type depends on the kind of claim."""

    @property
    def mutants(self) -> tuple[Mutant, ...]:
        """Deliberately wrong encodings. A named claim about the subject must reject each of them."""


def subject(subjects: Iterable[Subject]) -> str:
    """Return the joint name of the subjects for claim ids: ``avg``, ``avg+circle``."""
    return "+".join(one.name for one in subjects)
