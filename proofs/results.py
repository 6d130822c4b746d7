"""Results of judging claims: records of every query and its answer."""

from dataclasses import dataclass
from typing import Any

from rebalance_proofs.model.machine.run import Schedule
from rebalance_proofs.proofs.claim import Claim, Verdict
from rebalance_proofs.proofs.mutation.result import MutationTest
from rebalance_proofs.proofs.question import Question
from rebalance_proofs.proofs.smt.linear import NO_INSTANCES, Instances
from rebalance_proofs.proofs.solvers import Outcome
from rebalance_proofs.proofs.vacuity.goals import VacuityCheck


@dataclass(frozen=True)
class ObligationResult:
    """The result for one obligation: its proof, and a model of its assumptions."""

    name: str
    sentence: str
    proof: Question
    satisfiable: Question | None
    """The query whether the assumptions alone can be true, with a model.

    None if no model was found.
    """
    replays: bool
    """Whether the client's code meets the assumptions at the numbers of their model.

    If the obligation is proved, it must meet the conclusion, too.
    """
    unproved: tuple[Question, ...] = ()
    """Queries with reworded variants of the SMT-LIB text that the solvers did not prove."""
    variants: int = 0
    """Number of reworded variants of the SMT-LIB text that were tried."""
    instances: Instances = NO_INSTANCES
    """The check of the lemma instances in the proof's text at concrete numbers.

    The text has them because products and quotients are replaced by linear terms.
    """
    teeth: MutationTest | None = None
    """The result of the mutation tests (wrong encodings must fail); None if they were not run."""
    width: VacuityCheck | None = None
    """The result of the vacuity check (whether the assumptions are too narrow).

    None if it was not run, or if the obligation has no numbers.
    """

    @property
    def proved(self) -> bool:
        """Return whether every solver finds the negated obligation unsatisfiable."""
        return self.proof.outcome is Outcome.UNSAT

    @property
    def unstable(self) -> tuple[str, ...]:
        """Return one entry per answer that did not prove a reworded variant of the text.

        For example, ``exclusive.variant-3 in z3: unknown``.
        """
        return tuple(
            f"{question.name} in {answer.solver}: {answer.outcome}"
            for question in self.unproved
            for answer in question.answers
            if answer.outcome is not Outcome.UNSAT
        )

    @property
    def questions(self) -> tuple[Question, ...]:
        """Return all queries about the obligation that solvers answered."""
        asked = [*self.can_be, self.width and self.width.question]
        return (self.proof, *(question for question in asked if question and question.answers), *self.unproved)

    @property
    def modelled(self) -> tuple[Question, ...]:
        """Return the queries about the obligation that a recorded model answered, without a solver."""
        return tuple(question for question in self.can_be if not question.answers)

    @property
    def can_be(self) -> tuple[Question, ...]:
        """Return the queries that a model can answer.

        They ask whether the assumptions can be true, and whether the obligation can fail.
        """
        premises = (self.satisfiable,) if self.satisfiable else ()
        return (*premises, *(self.teeth.questions if self.teeth else ()))


@dataclass(frozen=True)
class MutantResult:
    """The result for one mutant, an encoding with one deliberate error.

    The claim that names the mutant must reject it.
    """

    name: str
    sentence: str
    attempts: tuple[Question, ...]
    """Results for the claim's obligations, stated about the mutant's encoding."""
    violation: Question | None
    """The query that found a group in which the mutant violates the guarantee; None if none did."""

    @property
    def noticed_by(self) -> tuple[str, ...]:
        """Return the names of the obligations that all solvers refute for the mutant."""
        return tuple(attempt.name for attempt in self.attempts if attempt.outcome is Outcome.SAT)

    @property
    def killed(self) -> bool:
        """Return whether the mutant is rejected.

        An obligation must fail for it, and it must violate the guarantee.
        """
        return bool(self.noticed_by) and self.violation is not None

    @property
    def questions(self) -> tuple[Question, ...]:
        """Return all queries about the mutant."""
        return (*self.attempts, *([self.violation] if self.violation else ()))


@dataclass(frozen=True)
class Counterexample:
    """A smallest group that violates the guarantee, as computed by the client's code."""

    consumers: int
    queues: int
    values: tuple[int, ...]
    """The numbers that identify the group; see ``model.worlds.groups.Groups``."""
    group: Any
    """The behaviour of the code: a ``Group``, or the ``Rounds`` (rebalances) of a client."""
    sentence: str
    """One sentence that describes the violation of the guarantee."""
    departures: int = 0
    """Number of values that deviate from their defaults, in claims about rebalances."""

    @property
    def size(self) -> tuple[int, int, int]:
        """Return a sort key: counterexamples with smaller keys are smaller."""
        return self.consumers, self.queues, self.departures


@dataclass(frozen=True)
class Search:
    """The search for a smallest counterexample: fewest consumers first, then fewest queues."""

    questions: tuple[Question, ...]
    counterexample: Counterexample | None
    minimal: bool
    """Whether every solver showed that no smaller size has a counterexample."""
    replays: bool
    """Whether the client's code also violates the guarantee for every model of a solver."""
    limit: int
    """The largest number of consumers that the search tried."""
    gave_up: str = ""
    """Why the search gave up, in one sentence; empty if it did not.

    For example, it could not distinguish a model from a real counterexample.
    """


@dataclass(frozen=True)
class ClaimResult:
    """One claim, its verdict, and all results that led to the verdict."""

    claim: Claim
    verdict: Verdict
    reason: str
    """The reason for the verdict, unless its name already gives the reason."""
    obligations: tuple[ObligationResult, ...] = ()
    mutants: tuple[MutantResult, ...] = ()
    search: Search | None = None
    contradictions: tuple[str, ...] = ()
    """Contradictions found by enumeration or by recorded test vectors, as sentences."""
    explored: Schedule | None = None
    """The shortest schedule that breaks the claim, empty if there is none.

    None if no schedules were explored.
    """

    @property
    def green(self) -> bool:
        """Return whether the verdict is the expected one."""
        return self.verdict is self.claim.expected

    @property
    def seconds(self) -> float:
        """Return the total time of all solver queries in this run, in seconds.

        Stored answers count as 0.
        """
        return sum(answer.seconds for question in self.questions for answer in question.answers if not answer.kept)

    @property
    def questions(self) -> tuple[Question, ...]:
        """Return all queries about the claim that solvers answered."""
        parts: tuple[ObligationResult | MutantResult, ...] = (*self.obligations, *self.mutants)
        asked = [question for part in parts for question in part.questions]
        return (*asked, *(self.search.questions if self.search else ()))
