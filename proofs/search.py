"""Search for a smallest counterexample, for every kind of claims; the solvers decide."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import Any

from rebalance_proofs.model.machine.run import Schedule
from rebalance_proofs.model.terms.values import Mutant
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.limit import OutOfTime, within
from rebalance_proofs.proofs.question import Question
from rebalance_proofs.proofs.results import Counterexample, Search
from rebalance_proofs.proofs.solvers import Answer, Outcome
from rebalance_proofs.proofs.solvers.pool import Pool

Size = tuple[int, ...]
"""The size of one query: numbers of consumers, queues, or both, as the kind defines."""


class Looking(ABC):
    """The queries of one search, and the replay of their models on the client's code.

    Each kind of claims defines its queries. A text with named products or quotients can have spurious models, which
    match no real situation. A spurious model is evidence neither against the guarantee nor against the code.
    """

    def __init__(self, claim: Claim, pool: Pool, wrong: Mutant | None = None) -> None:
        self.claim = claim
        self.wrong = wrong
        self.title = f"{claim.subjects[0].rocketmq_name}, mutant {wrong.name}" if wrong else claim.id
        self.encodings: tuple[Any, ...] = (wrong.encoding,) if wrong else claim.encodings
        self.questions: list[Question] = []
        self.minimal = self.replays = True
        self.gave_up = ""
        self.spurious = False
        """Whether a model of the last query was spurious."""
        self._pool = pool

    @abstractmethod
    def sizes(self) -> Iterable[Size]:
        """Return the sizes to try, smallest first."""

    @abstractmethod
    def named(self, size: Size, bound: Any = None) -> str:
        """Return the name of the query, unique within its claim.

        ``bound`` is an additional constraint that some kinds of claims use; None for no such constraint.
        """

    @abstractmethod
    def text(self, size: Size, bound: Any = None) -> str:
        """Return an SMT-LIB text, satisfiable exactly if the guarantee is violated at ``size``."""

    @abstractmethod
    def replay(self, model: Mapping[str, int], asked: Question, size: Size, bound: Any = None) -> None:
        """Run the client's code on a solver's model, and record whether it violates the guarantee."""

    @abstractmethod
    async def smallest(self, size: Size) -> Counterexample | None:
        """Return the smallest counterexample of that size, after the solvers found a violation."""

    def explored(self) -> Schedule | None:
        """Return the shortest schedule that breaks the claim, empty if there is none.

        None if this kind of claims has no schedules.
        """
        return None

    @property
    @abstractmethod
    def limit(self) -> int:
        """Return the largest number of consumers (the first part of a size) that is tried."""

    async def ask(self, size: Size, bound: Any = None) -> Question:
        """Ask the solvers for a violation at that size, and replay every model that they find."""
        name = self.named(size, bound)
        with within(f"writing the text of {name}"):
            text = self.text(size, bound)
        question = Question(name, text, await self.answers(text))
        self.questions.append(question)
        for answer in question.answers:
            if answer.outcome is Outcome.SAT:
                self.replay(answer.model, question, size, bound)
        return question

    async def answers(self, text: str) -> tuple[Answer, ...]:
        """Return the answers of all solvers to an SMT-LIB text."""
        return await self._pool.ask_all(text)


async def search(looking: Looking) -> Search:
    """Search for the smallest counterexample, from the smallest size on.

    Models that the solvers find are replayed.
    """
    try:
        example = await _found(looking)
    except OutOfTime as error:
        example, looking.gave_up = None, str(error)
    return Search(tuple(looking.questions), example, looking.minimal, looking.replays, looking.limit, looking.gave_up)


async def _found(looking: Looking) -> Counterexample | None:
    for size in looking.sizes():
        looking.spurious = False
        found = await looking.ask(size)
        if found.outcome is Outcome.SAT:
            example = await looking.smallest(size)
            if example or not looking.spurious:
                return example
        looking.minimal &= found.outcome is Outcome.UNSAT
    return None


async def violation(looking: Looking) -> Question | None:
    """Return the query at the first size at which all solvers find a violation.

    Used for mutants: no client code exists that could replay their models.
    """
    for size in looking.sizes():
        text = looking.text(size)
        question = Question(f"violation-{'-'.join(map(str, size))}", text, await looking.answers(text))
        if question.outcome is Outcome.SAT:
            return question
    return None
