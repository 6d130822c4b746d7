"""Mutation tests of an obligation, by recorded models or by models of solvers."""

from collections.abc import Iterable, Sequence

from rebalance_proofs.model.subject import Subject
from rebalance_proofs.model.terms.mutant import Mutant
from rebalance_proofs.model.terms.smt import BoolTerm
from rebalance_proofs.proofs import texts
from rebalance_proofs.proofs.limit import stepwise
from rebalance_proofs.proofs.models.ask import can_be, is_known, solvers_find
from rebalance_proofs.proofs.models.evaluated import Evaluated
from rebalance_proofs.proofs.mutation.free import freed
from rebalance_proofs.proofs.mutation.pinned import pinned
from rebalance_proofs.proofs.mutation.result import Bite, MutationTest
from rebalance_proofs.proofs.mutation.sampled import RANGES, failing_size
from rebalance_proofs.proofs.mutation.untouched import asked as asked_parts
from rebalance_proofs.proofs.mutation.untouched import untouched
from rebalance_proofs.proofs.obligation import Obligation
from rebalance_proofs.proofs.question import Question
from rebalance_proofs.proofs.solvers import Outcome
from rebalance_proofs.proofs.solvers.pool import Pool

SIZES = (*texts.SIZES, (5, 2), (8, 3), (4, 4), (9, 4), (2, 3), (12, 5))
"""Sizes (queues, consumers) at which encodings of unknown functions are tried.

With numerals, SMT-LIB texts are exact.
"""
OUTSIDE = ((5, -2), (-3, 2), (0, 3), (-7, -3))
"""Further sizes (queues, consumers), for obligations without their assumptions.

They are no valid numbers of queues and consumers, which only the assumptions exclude.
"""


async def teeth(
    obligation: Obligation, subject: Subject, wrong: Sequence[Mutant], pool: Pool, known: Evaluated
) -> MutationTest:
    """Find the first mutant in ``wrong`` that breaks the obligation.

    A recorded model shows that, or else a solver's model. Claims that share an obligation and the order of mutants
    share the result, because the queries do not depend on which claim comes first.
    """
    key = ("teeth", subject.name, obligation, tuple(mutant.name for mutant in wrong))
    what = f"{obligation.name}: mutation test"
    return await pool.shared(key, lambda: stepwise(what, _teeth(obligation, subject, wrong, pool, known)))


async def _teeth(
    obligation: Obligation, subject: Subject, wrong: Sequence[Mutant], pool: Pool, known: Evaluated
) -> MutationTest:
    free = freed(subject.encoding).encoding
    name, speaks = obligation.name, bool(asked_parts(obligation, subject.encoding))
    touching = [mutant for mutant in wrong if not untouched(obligation, subject.encoding, mutant.encoding)]
    by, broken = await _broken(obligation, subject, touching if speaks else (), pool, known)
    fails = await _anyhow(f"{name}.free", obligation, free, pool, known) if speaks else None
    if fails and broken:
        return MutationTest(Bite.TEETH, by, "", fails, broken)
    could = fails if fails and fails.satisfiable else None
    asked = could
    if asked is None:
        asked = await _anyhow(f"{name}.alone", obligation, free, pool, known, premises=False)
        if not asked.satisfiable or (fails and fails.outcome is not Outcome.UNSAT):
            return MutationTest(Bite.NONE, "", "", asked, None)
    bite = Bite.WEAK if could else Bite.STRUCTURAL if speaks else Bite.LEMMA
    return MutationTest(bite, "", pinned(bite, subject.name, name), asked, None)


async def _broken(
    obligation: Obligation, subject: Subject, wrong: Sequence[Mutant], pool: Pool, known: Evaluated
) -> tuple[str, Question | None]:
    """Find a mutant for which the obligation fails in an evaluated model.

    Return its name and the query with the model; empty and None if there is none.
    """
    name = f"{obligation.name}.wrong"
    for mutant in wrong:
        found = is_known(name, _fails(obligation, mutant.encoding), known)
        if found:
            return mutant.name, found
    sized = RANGES.keys() & obligation.variables
    for mutant in wrong:
        fixed = failing_size(obligation, mutant.encoding) if sized else {}
        if fixed is None:
            continue
        title = f"{subject.rocketmq_name}, wrong: {mutant.name}"
        text = texts.refuting(title, obligation, mutant.encoding, tuple(fixed.items()))
        found = await solvers_find(name, _fails(obligation, mutant.encoding), [(text, fixed)], pool, known)
        if found.model is not None:
            return mutant.name, found
    return "", None


def _fails(obligation: Obligation, encoding: object, *, premises: bool = True) -> list[BoolTerm]:
    """Return formulas that are all true exactly where the obligation fails."""
    return list(texts.negated(obligation, encoding, premises=premises).values())


def _sizes(obligation: Obligation, sizes: Iterable[tuple[int, int]]) -> list[dict[str, int]]:
    """Return the sizes as values of the obligation's variables, each once.

    A number that is no variable of the obligation is left out.
    """
    found = []
    for size in sizes:
        fixed = texts.fixed(obligation, size)
        if fixed not in found:
            found.append(fixed)
    return found


async def _anyhow(
    name: str, obligation: Obligation, free: object, pool: Pool, known: Evaluated, *, premises: bool = True
) -> Question:
    """Ask whether the obligation can fail for unknown functions at one of the sizes.

    ``premises``: keep the obligation's assumptions. Without them, the sizes in ``OUTSIDE`` are tried too.
    """
    title = "unknown functions in place of the encoding" if premises else "without its assumptions"
    sizes = _sizes(obligation, SIZES if premises else (*SIZES, *OUTSIDE))
    asked = (
        (texts.refuting(title, obligation, free, tuple(fixed.items()), premises=premises), fixed) for fixed in sizes
    )
    return await can_be(name, _fails(obligation, free, premises=premises), asked, pool, known)
