"""Mutation tests of an obligation, asked of the solvers."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from rebalance_proofs.model.subject import Subject
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.mutant import Mutant
from rebalance_proofs.proofs import texts
from rebalance_proofs.proofs.limit import stepwise
from rebalance_proofs.proofs.mutation.free import freed
from rebalance_proofs.proofs.mutation.pinned import pinned
from rebalance_proofs.proofs.mutation.result import Bite, MutationTest
from rebalance_proofs.proofs.mutation.sampled import failing_size
from rebalance_proofs.proofs.mutation.untouched import asked as asked_parts
from rebalance_proofs.proofs.mutation.untouched import untouched
from rebalance_proofs.proofs.numerals import truth
from rebalance_proofs.proofs.obligation import Obligation
from rebalance_proofs.proofs.question import Question
from rebalance_proofs.proofs.solvers import Answer, Outcome
from rebalance_proofs.proofs.solvers.pool import Pool

SIZES = (*texts.SIZES, (5, 2), (8, 3), (4, 4), (9, 4), (2, 3), (12, 5))
"""Numbers of queues and consumers at which unknown functions are tried; with numerals, texts are exact."""
OUTSIDE = ((5, -2), (-3, 2), (0, 3), (-7, -3))
"""Further sizes that are no valid numbers of queues and consumers, for obligations without their premises."""


async def teeth(obligation: Obligation, subject: Subject, wrong: Sequence[Mutant], pool: Pool) -> MutationTest:
    """The mutants among ``wrong`` that the obligation about the subject notices; they are tried in their order.

    Claims that share an obligation and the order of mutants share the answer: the questions do not depend on which
    claim comes first.
    """
    key = ("teeth", subject.name, obligation, tuple(mutant.name for mutant in wrong))
    what = f"{obligation.name}: trying what it notices"
    return await pool.shared(key, lambda: stepwise(what, _teeth(obligation, subject, wrong, pool)))


async def _teeth(obligation: Obligation, subject: Subject, wrong: Sequence[Mutant], pool: Pool) -> MutationTest:
    free = freed(subject.encoding).encoding
    name, speaks = obligation.name, bool(asked_parts(obligation, subject.encoding))
    by, broken = await _broken(obligation, subject, wrong if speaks else (), pool)
    known = await _refuted(f"{name}.free", _anyhow(obligation, free), pool) if speaks else None
    if known and broken:
        return MutationTest(Bite.TEETH, by, "", known, broken)
    could = known if known and _sat(known) else None
    asked = could
    if asked is None:
        asked = await _refuted(f"{name}.alone", _anyhow(obligation, free, premises=False), pool)
        if not _sat(asked) or (known and known.outcome is not Outcome.UNSAT):
            return MutationTest(Bite.NONE, "", "", asked, None)
    bite = Bite.WEAK if could else Bite.STRUCTURAL if speaks else Bite.LEMMA
    return MutationTest(bite, "", pinned(bite, subject.name, name), asked, None)


def _sat(question: Question) -> bool:
    return any(answer.outcome is Outcome.SAT for answer in question.answers)


async def _broken(
    obligation: Obligation, strategy: Subject, wrong: Sequence[Mutant], pool: Pool
) -> tuple[str, Question | None]:
    """The first mutant for which the obligation fails, by a model that replays."""
    for mutant in wrong:
        if untouched(obligation, strategy.encoding, mutant.encoding):
            continue  # the proof covers it
        subject = f"{strategy.rocketmq_name}, wrong: {mutant.name}"
        sized = {"q", "c"} & set(obligation.variables)
        fixed = failing_size(obligation, mutant.encoding) if sized else {}
        if fixed is None:
            continue
        text = texts.refuting(subject, obligation, mutant.encoding, tuple(fixed.items()))
        answers = await _first_sat(text, pool)
        for answer in answers:
            if answer.outcome is Outcome.SAT and _fails(obligation, mutant.encoding, {**answer.model, **fixed}):
                return mutant.name, Question(f"{obligation.name}.wrong", text, answers)
    return "", None


async def _first_sat(text: str, pool: Pool) -> tuple[Answer, ...]:
    """All solvers' answers if the first one says sat, else only that of the first, to save time."""
    first = await pool.ask(pool.solvers[0], text)
    return await pool.ask_all(text) if first.outcome is Outcome.SAT else (first,)


def _fails(obligation: Obligation, encoding: object, values: Mapping[str, int]) -> bool:
    """Whether the premises hold at these numbers, and the conclusion does not."""
    statement = obligation.statement(encoding, {name: values.get(name, 0) for name in obligation.variables})
    meant = [*statement.given.values(), smt.Not(statement.then)]
    return all(map(truth, meant))


def _sizes(obligation: Obligation, sizes: Iterable[tuple[int, int]]) -> list[dict[str, int]]:
    """Each size once, restricted to the numbers that are variables of the obligation."""
    found = []
    for size in sizes:
        fixed = texts.fixed(obligation, size)
        if fixed not in found:
            found.append(fixed)
    return found


def _anyhow(obligation: Obligation, free: object, *, premises: bool = True) -> Iterator[str]:
    """Texts of the obligation about unknown functions, one for each size; without premises also at ``OUTSIDE``."""
    title = "anything in the place of its encoding" if premises else "without its premises"
    for fixed in _sizes(obligation, SIZES if premises else (*SIZES, *OUTSIDE)):
        yield texts.refuting(title, obligation, free, tuple(fixed.items()), premises=premises)


async def _refuted(name: str, sized: Iterable[str], pool: Pool) -> Question:
    """The first text that the first solver finds satisfiable, or else the last text; with all solvers' answers."""
    for text in sized:
        first = await pool.ask(pool.solvers[0], text)
        if first.outcome is Outcome.SAT:
            break
    return Question(name, text, await pool.ask_all(text))
