"""The smallest counterexample: fewest consumers first, then fewest queues, each step decided by the solvers."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import TypeVar

import z3

from rebalance_proofs.model.allocation.strategy import Encoding, Strategy
from rebalance_proofs.model.group import Group
from rebalance_proofs.model.worlds.groups import Groups, SymbolicGroup
from rebalance_proofs.proofs import texts
from rebalance_proofs.proofs.guarantee import Guarantee
from rebalance_proofs.proofs.limit import OutOfTime, within
from rebalance_proofs.proofs.observed import number, truth
from rebalance_proofs.proofs.question import Question
from rebalance_proofs.proofs.results import Counterexample, Search
from rebalance_proofs.proofs.solvers import Outcome
from rebalance_proofs.proofs.solvers.pool import Pool

Term = TypeVar("Term", bound=z3.ExprRef)

LIMIT = 4
"""Largest number of consumers tried. Every premise known so far is refuted with three or fewer."""
FEW = 32
"""From a model with so many queues more than the fewest possible, the number is halved rather than reduced by one."""
LARGEST = 10_000
"""Groups of more queues are not made: a list of as many queues as an unbounded model may have fits in no memory."""


async def search(
    subject: str,
    guarantee: Guarantee,
    world: Groups,
    strategies: Sequence[Strategy],
    pool: Pool,
    limit: int = LIMIT,
) -> Search:
    """Looks for it with 1, 2, ... ``limit`` consumers and any number of queues, and replays what the solvers find."""
    looking = _Looking(subject, guarantee, world, strategies, pool)
    most = world.bound[0] if world.sized else limit
    try:
        example = await (_sized if world.sized else _unsized)(looking, most)
    except OutOfTime as error:
        example, looking.gave_up = None, str(error)
    return Search(tuple(looking.questions), example, looking.minimal, looking.replays, most, looking.gave_up)


async def _unsized(looking: "_Looking", limit: int) -> Counterexample | None:
    for n in range(1, limit + 1):
        group = looking.group(n)
        found = await looking.ask(group)
        if found.outcome is not Outcome.SAT:
            looking.minimal &= found.outcome is Outcome.UNSAT
            continue
        fewest, bound = 1, looking.replay(found, group)
        while fewest < bound:
            fewer = bound - 1 if bound - fewest < FEW else (fewest + bound) // 2
            found = await looking.ask(group, fewer)
            if found.outcome is Outcome.SAT:
                bound = min(fewer, looking.replay(found, group))
            elif found.outcome is Outcome.UNSAT:
                fewest = fewer + 1
            else:
                looking.minimal = False
                break
        example = looking.first(n, bound)
        if example or not looking.spurious:
            return example
        looking.minimal = False
    return None


async def _sized(looking: "_Looking", most: int) -> Counterexample | None:
    """The same where every queue has unknowns of its own: one question a size, up to the premise's bound."""
    for n, q in sizes_within((most, looking.world.bound[1])):
        group = looking.group(n, q)
        found = await looking.ask(group)
        if found.outcome is Outcome.SAT:
            looking.replay(found, group)
            example = looking.first(n, q)
            if example or not looking.spurious:
                return example
        looking.minimal &= found.outcome in (Outcome.SAT, Outcome.UNSAT)
    return None


class _Looking:
    """The questions of one search, and what became of the models.

    A text in which products or quotients are named can have models that are none of the group's. Such a one says
    nothing, neither against the guarantee nor against the code.
    """

    def __init__(
        self, subject: str, guarantee: Guarantee, world: Groups, strategies: Sequence[Strategy], pool: Pool
    ) -> None:
        self.world = world
        self.questions: list[Question] = []
        self.minimal = self.replays = True
        self.gave_up = ""
        self.confirmed = 0
        """Of the last group: the fewest queues of a model that replays; 0 when none does."""
        self.spurious = False
        """Of the last group: a model was none of its own."""
        self._subject, self._guarantee, self._strategies, self._pool = subject, guarantee, strategies, pool

    def group(self, *size: int) -> SymbolicGroup:
        """The next one, of so many consumers (and queues)."""
        self.confirmed, self.spurious = 0, False
        with within(f"writing down a group of {size[0]} consumers"):
            return self.world.symbolic(tuple(strategy.encoding for strategy in self._strategies), *size)

    async def ask(self, group: SymbolicGroup, queues_at_most: int | None = None) -> Question:
        """Asks for a violation."""
        n = len(group.members)
        with within(f"writing the text about {n} consumers"):
            text = texts.counterexample(self._subject, self._guarantee, self.world, group, queues_at_most)
        q = number(group.queues) if self.world.sized else queues_at_most
        name = f"consumers-{n}{'' if q is None else f'-queues-{q}'}"
        self.questions.append(Question(name, text, await self._pool.ask_all(text)))
        return self.questions[-1]

    def replay(self, found: Question, group: SymbolicGroup) -> int:
        """The fewest queues of the solvers' models; each is tried on the concrete implementation."""
        numbers = []
        for answer in found.answers:
            q = queues(group, answer.model)
            numbers.append(q)
            if q > LARGEST:
                continue
            if self._violates(answer.model, group):
                self.confirmed = min(q, self.confirmed or q)
            elif texts.exact(found.text) or is_model(self._guarantee, group, answer.model):
                self.replays = False
            else:
                self.spurious = True
                self.gave_up = (
                    f"{found.name}: a model does not replay, and does not have to: products or quotients of unknowns "
                    "are named in the text"
                )
        return min(numbers)

    def _violates(self, model: Mapping[str, int], symbolic: SymbolicGroup) -> bool:
        n = len(symbolic.members)
        assignment = {str(variable): model.get(str(variable), 0) for variable in symbolic.variables}
        with within(f"replaying a model of {n} consumers on the concrete implementation"):
            q, values = self.world.configuration(n, assignment)
            return violated(self._guarantee, self.world.group(self._strategies, n, q, values)) is not None

    def first(self, n: int, q: int) -> Counterexample | None:
        """The first violation of q queues; where the model of q was none, of more: up to one that replays.

        Up to the premise's bound when none does. So what is found is the smallest all the same.
        """
        if q > LARGEST:
            self.gave_up = f"the smallest model of {n} consumers has more than the {LARGEST:,} queues that are tried"
            return None
        most = (self.confirmed or self.world.bound[1]) if self.spurious and not self.world.sized else q
        for size in range(q, max(q, most) + 1):
            with within(f"going through the groups of {n} consumers and {size} queues"):
                example = first_violation(self._guarantee, self.world, self._strategies, n, size)
            if example:
                return example
        self.replays &= self.spurious
        return None


def is_model(guarantee: Guarantee, group: SymbolicGroup, model: Mapping[str, int]) -> bool:
    """The group that the solver found violates the guarantee with real products and quotients."""
    values = {str(variable): 0 for variable in group.variables} | dict(model)
    return all(truth(_at(formula, values)) for formula in (*group.constraints, guarantee.violated(group)))


async def violation(
    subject: str, guarantee: Guarantee, world: Groups, encodings: Sequence[Encoding], pool: Pool, limit: int = LIMIT
) -> Question | None:
    """The first group size at which all solvers find a violation, for an encoding without a concrete implementation."""
    sizes = sizes_within(world.bound) if world.sized else ((n,) for n in range(1, limit + 1))
    for size in sizes:
        group = world.symbolic(encodings, *size)
        text = texts.counterexample(subject, guarantee, world, group)
        question = Question(f"violation-{'-'.join(map(str, size))}", text, await pool.ask_all(text))
        if question.outcome is Outcome.SAT:
            return question
    return None


def sizes_within(bound: tuple[int, int]) -> Iterator[tuple[int, int]]:
    """(consumers, queues) of every group within the bound: fewest consumers first, then fewest queues."""
    consumers, queues = bound
    return product(range(1, consumers + 1), range(1, queues + 1))


def queues(group: SymbolicGroup, assignment: Mapping[str, int]) -> int:
    """How many queues the group has under an assignment."""
    return number(_at(group.queues, assignment))


def _at(term: Term, assignment: Mapping[str, int]) -> Term:
    return z3.substitute(term, [(z3.Int(name), z3.IntVal(value)) for name, value in assignment.items()])


def violated(guarantee: Guarantee, group: Group) -> str | None:
    """What is wrong with the results that the concrete implementation computes for this group, None when nothing is."""
    return guarantee.violation(group, group.results())


def first_violation(
    guarantee: Guarantee, world: Groups, strategies: Sequence[Strategy], n: int, q: int
) -> Counterexample | None:
    """The first group of n consumers and q queues, in the order of their digits, that violates the guarantee."""
    for values in world.all_values(n, q):
        group = world.group(strategies, n, q, values)
        sentence = violated(guarantee, group)
        if sentence is not None:
            return Counterexample(n, q, values, group, sentence)
    return None
