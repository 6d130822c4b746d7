"""Claims about rebalance, and the verdicts on them."""

from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Any

from rebalance_proofs.model.subject import subject
from rebalance_proofs.model.terms.mutant import Mutant
from rebalance_proofs.proofs.guarantee import Guarantee
from rebalance_proofs.proofs.obligation import Obligation


class Verdict(StrEnum):
    """What the witnesses say about a claim. Only an expected PROVED or REFUTED is green."""

    PROVED = "PROVED"
    """Every obligation is unsatisfiable to refute, in every solver that was asked."""
    REFUTED = "REFUTED"
    """There is a counterexample, and it replays on the concrete implementation."""
    UNKNOWN = "UNKNOWN"
    """A solver gave up, crashed, or no counterexample was found within the search, or within its limits.

    Also where a solver's model is one of named products or quotients only, and says nothing.
    """
    TIMEOUT = "TIMEOUT"
    """A solver was ended at the hard time limit."""
    VACUOUS = "VACUOUS"
    """An obligation's premises could not be shown satisfiable, or a mutant survived: the proof has no teeth."""
    DISAGREE = "DISAGREE"
    """Two witnesses contradict each other."""


UNBOUNDED = "for all numbers of queues and consumers"
EXISTS = "one group suffices; the smallest is shown"


@dataclass(frozen=True)
class Claim:
    """One sentence about rebalance, with all that is needed to judge it."""

    room: str
    """What the claims beside it are about: ``allocation``, ``movement``, ``transition``."""
    subjects: tuple[Any, ...]
    """What it is about (``model.subject.Subject``), each of the form of its kind: strategies, clients."""
    guarantee: Guarantee
    world: Any
    """What there can be (``proofs.world.World``), in the form of its kind: ``Groups``, a ``Scenario``."""
    holds: bool
    """Whether it is expected to hold; else to have a counterexample."""
    sentence: str
    scope: str
    """For how many queues and consumers it is made: ``UNBOUNDED``, ``EXISTS``."""
    source: str
    obligations: tuple[Obligation, ...]
    """What has to be proved; of a claim that is expected to fail, some must turn out not to hold."""
    variant: str = ""
    """What its id ends with, where the same guarantee is claimed in several worlds: ``without-distinct-ids``."""
    also: tuple[Any, ...] = ()
    """Other worlds in which the guarantee is enumerated too."""
    lemmas: tuple[Obligation, ...] = ()
    """What the reduction to the obligations rests on; proved like them."""
    notices: tuple[str, ...] = ()
    """Names of mutants of its first subject that it has to notice besides those that break its guarantee."""

    @cached_property
    def id(self) -> str:
        """``allocation.avg.disjoint.without-distinct-ids``; a room of one guarantee does not name it."""
        named = self.guarantee.name if self.guarantee.name != self.room else ""
        return ".".join(part for part in (self.room, subject(self.subjects), named, self.variant) if part)

    @property
    def expected(self) -> Verdict:
        """The verdict on it that is green."""
        return Verdict.PROVED if self.holds else Verdict.REFUTED

    @property
    def kind(self) -> str:
        """What it is about: ``allocation``, ``transition``."""
        kind: str = self.world.kind
        return kind

    @property
    def mutants(self) -> tuple[Mutant, ...]:
        """The mutants of its first subject that it has to notice."""
        named = (self.guarantee.name, f"{self.guarantee.name}.{self.variant}")
        return tuple(
            mutant for mutant in self.subjects[0].mutants if mutant.breaks in named or mutant.name in self.notices
        )

    @property
    def encodings(self) -> tuple[Any, ...]:
        """The SMT encodings of the subjects."""
        return tuple(one.encoding for one in self.subjects)
