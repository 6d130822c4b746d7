"""The smallest counterexample: fewest consumers first, then fewest queues, each step decided by the solvers."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

import z3

from model.allocation.strategy import Encoding, Strategy
from model.group import Group
from model.premises import Premise
from model.premises.premise import SymbolicGroup
from proofs import texts
from proofs.guarantee import Guarantee
from proofs.question import Question
from proofs.results import Counterexample, Search
from proofs.solvers import Outcome
from proofs.solvers.pool import Pool

LIMIT = 4
"""Largest number of consumers tried. Every premise known so far is refuted with three or fewer."""


async def search(
    subject: str,
    guarantee: Guarantee,
    premise: Premise,
    strategies: Sequence[Strategy],
    pool: Pool,
    limit: int = LIMIT,
) -> Search:
    """Looks for it with 1, 2, ... ``limit`` consumers and any number of queues, and replays what the solvers find."""
    if premise.sized:
        return await _search_sizes(subject, guarantee, premise, strategies, pool)
    questions: list[Question] = []
    minimal = True
    encodings = tuple(strategy.encoding for strategy in strategies)
    for n in range(1, limit + 1):
        group = premise.symbolic(encodings, n)
        found = await _ask(questions, subject, guarantee, premise, group, None, pool)
        if found.outcome is Outcome.UNSAT:
            continue
        if found.outcome is not Outcome.SAT:
            minimal = False
            continue
        replays = True
        while found.outcome is Outcome.SAT:
            replays &= all(_replays(guarantee, premise, strategies, n, answer.model, group) for answer in found.answers)
            bound = min(queues(group, answer.model) for answer in found.answers)
            if bound <= 1:
                break
            found = await _ask(questions, subject, guarantee, premise, group, bound - 1, pool)
        minimal &= found.outcome in (Outcome.SAT, Outcome.UNSAT)
        example = first_violation(guarantee, premise, strategies, n, bound)
        return Search(tuple(questions), example, minimal, replays and example is not None, limit)
    return Search(tuple(questions), None, minimal, True, limit)


async def _search_sizes(
    subject: str, guarantee: Guarantee, premise: Premise, strategies: Sequence[Strategy], pool: Pool
) -> Search:
    """The same where every queue has unknowns of its own: one question a size, up to the premise's bound."""
    questions: list[Question] = []
    minimal = True
    encodings = tuple(strategy.encoding for strategy in strategies)
    for n, q in sizes_within(premise.bound):
        group = premise.symbolic(encodings, n, q)
        text = texts.counterexample(subject, guarantee, premise, group)
        found = Question(f"consumers-{n}-queues-{q}", text, await pool.ask_all(text))
        questions.append(found)
        if found.outcome is Outcome.SAT:
            replays = all(_replays(guarantee, premise, strategies, n, answer.model, group) for answer in found.answers)
            example = first_violation(guarantee, premise, strategies, n, q)
            return Search(tuple(questions), example, minimal, replays and example is not None, premise.bound[0])
        minimal &= found.outcome is Outcome.UNSAT
    return Search(tuple(questions), None, minimal, True, premise.bound[0])


async def violation(
    subject: str, guarantee: Guarantee, premise: Premise, encodings: Sequence[Encoding], pool: Pool, limit: int = LIMIT
) -> Question | None:
    """The first group size at which all solvers find a violation, for an encoding without a concrete implementation."""
    sizes = sizes_within(premise.bound) if premise.sized else ((n,) for n in range(1, limit + 1))
    for size in sizes:
        group = premise.symbolic(encodings, *size)
        text = texts.counterexample(subject, guarantee, premise, group)
        question = Question(f"violation-{'-'.join(map(str, size))}", text, await pool.ask_all(text))
        if question.outcome is Outcome.SAT:
            return question
    return None


def sizes_within(bound: tuple[int, int]) -> Iterator[tuple[int, int]]:
    """(consumers, queues) of every group within the bound: fewest consumers first, then fewest queues."""
    consumers, queues = bound
    return product(range(1, consumers + 1), range(1, queues + 1))


async def _ask(
    questions: list[Question],
    subject: str,
    guarantee: Guarantee,
    premise: Premise,
    group: SymbolicGroup,
    queues_at_most: int | None,
    pool: Pool,
) -> Question:
    text = texts.counterexample(subject, guarantee, premise, group, queues_at_most)
    bound = "" if queues_at_most is None else f"-queues-{queues_at_most}"
    question = Question(f"consumers-{len(group.members)}{bound}", text, await pool.ask_all(text))
    questions.append(question)
    return question


def queues(group: SymbolicGroup, assignment: Mapping[str, int]) -> int:
    """How many queues the group has under an assignment."""
    substitution = [(z3.Int(name), z3.IntVal(value)) for name, value in assignment.items()]
    return z3.simplify(z3.substitute(group.queues, substitution)).as_long()


def _replays(
    guarantee: Guarantee,
    premise: Premise,
    strategies: Sequence[Strategy],
    n: int,
    model: Mapping[str, int],
    symbolic: SymbolicGroup,
) -> bool:
    assignment = {str(variable): model.get(str(variable), 0) for variable in symbolic.variables}
    q, values = premise.configuration(n, assignment)
    return violated(guarantee, premise.group(strategies, n, q, values)) is not None


def violated(guarantee: Guarantee, group: Group) -> str | None:
    """What is wrong with the results that the concrete implementation computes for this group, None when nothing is."""
    return guarantee.violation(group, group.results())


def first_violation(
    guarantee: Guarantee, premise: Premise, strategies: Sequence[Strategy], n: int, q: int
) -> Counterexample | None:
    """The first group of n consumers and q queues, in the order of their digits, that violates the guarantee."""
    for values in premise.all_values(n, q):
        group = premise.group(strategies, n, q, values)
        sentence = violated(guarantee, group)
        if sentence is not None:
            return Counterexample(n, q, values, group, sentence)
    return None
