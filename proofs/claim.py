"""Claims about rebalance, and the verdicts on them."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from rebalance_proofs.model.allocation.strategy import Strategy, subject
from rebalance_proofs.model.terms.mutant import Mutant
from rebalance_proofs.model.worlds.groups import Groups
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

    id: str
    sentence: str
    expected: Verdict
    scope: str
    """For how many queues and consumers it is made: ``UNBOUNDED``, ``EXISTS``."""
    source: str
    subjects: tuple[Any, ...]
    """Strategies, or clients."""
    guarantee: Any
    """A ``Guarantee``, or a ``Promise``."""
    world: Any
    """``Groups``, or a ``Scenario``. Of groups: the premise that is dropped; ``AGREED`` when none is."""
    obligations: tuple[Obligation, ...]
    """What has to be proved; of a claim that is expected to fail, some must turn out not to hold."""
    also: tuple[Groups, ...] = ()
    """Other cases of the same premise, in which the guarantee is enumerated too."""
    lemmas: tuple[Obligation, ...] = ()
    """What the reduction to the obligations rests on; proved like them."""
    notices: tuple[str, ...] = ()
    """Names of mutants of its first strategy that it has to notice besides those that break its guarantee."""

    @property
    def kind(self) -> str:
        """What it is about: ``allocation``, ``transition``."""
        kind: str = self.world.kind
        return kind

    @property
    def mutants(self) -> tuple[Mutant, ...]:
        """The mutants of its first strategy that it has to notice."""
        named = (self.guarantee.name, ".".join(self.id.split(".")[2:]))
        return tuple(
            mutant for mutant in self.subjects[0].mutants if mutant.breaks in named or mutant.name in self.notices
        )

    @property
    def encodings(self) -> tuple[Any, ...]:
        """The SMT encodings of the strategies."""
        return tuple(strategy.encoding for strategy in self.subjects)


def stated(
    room: str,
    strategies: tuple[Strategy, ...],
    guarantee: Guarantee,
    world: Groups,
    *,
    about: str,
    holds: bool,
    obligations: tuple[Obligation, ...] = (),
    scope: str = UNBOUNDED,
    suffix: str = "",
    even_if: str = "",
    also: tuple[Groups, ...] = (),
) -> Claim:
    """The claim ``room.subjects.guarantee`` and its sentence.

    ``about`` begins the sentence; ``even_if`` ends it when a premise is missing, which then is the claim's source too.
    ``obligations`` are the guarantee's own, unless told, where it holds. ``scope`` is that of a claim that holds.
    """
    return Claim(
        id=f"{room}.{subject(strategies)}.{guarantee.name}{suffix}",
        sentence=f"{about}: {guarantee.sentence}{f', even if {even_if}' if even_if else ''}.",
        expected=Verdict.PROVED if holds else Verdict.REFUTED,
        scope=scope if holds else EXISTS,
        source=world.source if even_if else guarantee.source,
        subjects=strategies,
        guarantee=guarantee,
        world=world,
        obligations=(obligations or guarantee.obligations) if holds else obligations,
        also=also,
    )
