"""What came out: records that name every question put to a solver and every answer."""

from dataclasses import dataclass
from typing import Any

from rebalance_proofs.proofs.claim import Claim, Verdict
from rebalance_proofs.proofs.question import Question
from rebalance_proofs.proofs.smt.real_numbers import NO_INSTANCES, Instances
from rebalance_proofs.proofs.solvers import Outcome
from rebalance_proofs.proofs.teeth.result import Teeth
from rebalance_proofs.proofs.width.result import Width


@dataclass(frozen=True)
class ObligationResult:
    """One obligation: its proof, and that its premises can be met."""

    name: str
    sentence: str
    proof: Question
    satisfiable: Question | None
    """The premises alone; the first size at which they have a model, None when there is none."""
    replays: bool
    """The concrete implementation meets the premises under their model, and the conclusion where it is proved."""
    unproved: tuple[Question, ...] = ()
    """Variants of the text that were not proved."""
    variants: int = 0
    """How many variants were tried."""
    instances: Instances = NO_INSTANCES
    """Real numbers in what linearization adds to the proof's text."""
    teeth: Teeth | None = None
    """What it notices; None where that was not asked."""
    width: Width | None = None
    """What its premises leave open; None where that was not asked, or it speaks of no numbers."""

    @property
    def proved(self) -> bool:
        """Unsatisfiable to refute, in every solver."""
        return self.proof.outcome is Outcome.UNSAT

    @property
    def unstable(self) -> tuple[str, ...]:
        """What was said to the variants that were not proved: ``exclusive.variant-3 in z3: unknown``."""
        return tuple(
            f"{question.name} in {answer.solver}: {answer.outcome}"
            for question in self.unproved
            for answer in question.answers
            if answer.outcome is not Outcome.UNSAT
        )

    @property
    def questions(self) -> tuple[Question, ...]:
        """Everything that was asked for it."""
        asked = [self.satisfiable, *(self.teeth.questions if self.teeth else ()), self.width and self.width.question]
        return (self.proof, *(question for question in asked if question), *self.unproved)


@dataclass(frozen=True)
class MutantResult:
    """A wrong encoding and whether its named claim noticed."""

    name: str
    sentence: str
    attempts: tuple[Question, ...]
    """The claim's obligations, put to the solvers with the wrong encoding."""
    violation: Question | None
    """The group in which the wrong encoding really violates the guarantee; None when none was found."""

    @property
    def noticed_by(self) -> tuple[str, ...]:
        """Obligations that no solver proves any more."""
        return tuple(attempt.name for attempt in self.attempts if attempt.outcome is Outcome.SAT)

    @property
    def killed(self) -> bool:
        """The proof fails, and rightly so."""
        return bool(self.noticed_by) and self.violation is not None

    @property
    def questions(self) -> tuple[Question, ...]:
        """Everything that was asked for it."""
        return (*self.attempts, *([self.violation] if self.violation else ()))


@dataclass(frozen=True)
class Counterexample:
    """A smallest group in which the guarantee does not hold, as the concrete implementation computes it."""

    consumers: int
    queues: int
    values: tuple[int, ...]
    """The group's digits; see ``model.worlds.groups.Groups``."""
    group: Any
    """What the code did, in the form of its kind: consumers (``Group``), a client's rounds (``Rounds``)."""
    sentence: str
    """What is wrong."""
    departures: int = 0
    """For claims about transitions: in how many values the case is not benign."""

    @property
    def size(self) -> tuple[int, int, int]:
        """By which one is smaller than another."""
        return self.consumers, self.queues, self.departures


@dataclass(frozen=True)
class Search:
    """The search for a smallest counterexample: fewest consumers first, then fewest queues."""

    questions: tuple[Question, ...]
    counterexample: Counterexample | None
    minimal: bool
    """Every smaller size was shown to have none, by every solver."""
    replays: bool
    """Every solver's model violates the guarantee on the concrete implementation too."""
    limit: int
    """The largest number of consumers that was tried."""
    gave_up: str = ""
    """Why what the solvers found could not be told from a real counterexample, in one sentence."""


@dataclass(frozen=True)
class ClaimResult:
    """One claim and all that was found about it."""

    claim: Claim
    verdict: Verdict
    reason: str
    """Why it is this verdict, where that is not plain from the name."""
    obligations: tuple[ObligationResult, ...] = ()
    mutants: tuple[MutantResult, ...] = ()
    search: Search | None = None
    contradictions: tuple[str, ...] = ()
    """What other witnesses (enumeration, recorded vectors) said against it."""

    @property
    def green(self) -> bool:
        """As expected."""
        return self.verdict is self.claim.expected

    @property
    def seconds(self) -> float:
        """What the solvers took in this run for all its questions, added up; answers that are kept took nothing."""
        return sum(answer.seconds for question in self.questions for answer in question.answers if not answer.kept)

    @property
    def questions(self) -> tuple[Question, ...]:
        """Everything that was put to the solvers."""
        parts: tuple[ObligationResult | MutantResult, ...] = (*self.obligations, *self.mutants)
        asked = [question for part in parts for question in part.questions]
        return (*asked, *(self.search.questions if self.search else ()))
