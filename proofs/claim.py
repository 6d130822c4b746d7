"""Claims about rebalance, and the verdicts on them."""

from dataclasses import dataclass
from enum import StrEnum

from model.allocation.strategy import Strategy
from model.premises import Premise
from proofs.guarantee import Guarantee
from proofs.obligation import Obligation


class Verdict(StrEnum):
    """What the witnesses say about a claim. Only an expected PROVED or REFUTED is green."""

    PROVED = "PROVED"
    """Every obligation is unsatisfiable to refute, in every solver that was asked."""
    REFUTED = "REFUTED"
    """There is a counterexample, and it replays on the concrete implementation."""
    UNKNOWN = "UNKNOWN"
    """A solver gave up, crashed, or no counterexample was found within the search."""
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
    strategies: tuple[Strategy, ...]
    guarantee: Guarantee
    premise: Premise
    """The premise that is dropped; ``AGREED`` when none is."""
    obligations: tuple[Obligation, ...]
    """What has to be proved; of a claim that is expected to fail, some must turn out not to hold."""
    also: tuple[Premise, ...] = ()
    """Other cases of the same premise, in which the guarantee is enumerated too."""

    @property
    def encodings(self):
        """The SMT encodings of the strategies."""
        return tuple(strategy.encoding for strategy in self.strategies)
