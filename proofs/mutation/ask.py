"""Mutation tests of an obligation, by recorded models or by models of solvers."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from rebalance_proofs.model.subject import Subject
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.kernel import compile_kernel
from rebalance_proofs.model.terms.smt import BoolTerm
from rebalance_proofs.model.terms.values import Mutant
from rebalance_proofs.proofs import texts
from rebalance_proofs.proofs.limit import stepwise
from rebalance_proofs.proofs.models.ask import can_be, is_known, solvers_find
from rebalance_proofs.proofs.models.evaluated import Evaluated
from rebalance_proofs.proofs.mutation.free import asked as asked_parts
from rebalance_proofs.proofs.mutation.free import freed, untouched
from rebalance_proofs.proofs.mutation.result import Bite, MutationTest
from rebalance_proofs.proofs.obligation import Obligation
from rebalance_proofs.proofs.question import Question
from rebalance_proofs.proofs.solvers import Outcome
from rebalance_proofs.proofs.solvers.pool import Pool
from rebalance_proofs.proofs.vacuity.goals import FINITE

# Obligations that no mutant breaks, and that are exempted for a reason.
# The lists may only become shorter. Keys are names of obligations, or a subject and a name if mutants do break other
# obligations of that name.

ANY_RING = "rings with the same nodes choose the same node, for any rule of choice"
ONE_NODE_MORE = "after a node is added, it takes the queue or the queue's owner stays, for any rule of choice"
NUMBERS = "about the closed form, which is not part of the encoding"
BOTH = "about the nodes that both rings choose, for any rule of choice"
BEGINNING = "about rings that have no nodes yet"
KEPT = "about the number of selected queues before another one, for any rule of selection"
CODE = "about the client's code alone; tests apply mutants to the code"
SHARED = "about one consumer's state and shared state, for any behaviour of the client"
LOOP = "about any loop that visits mqAll once, for any rule of selection"

WEAK: Mapping[str, str] = {}
"""Obligation -> reason, if it fails for some encodings, although no known mutant breaks it."""

STRUCTURAL: Mapping[str, str] = {
    f"{ring} {name}": why
    for ring in ("hash", "hash-go")
    for name, why in (
        ("same.base", ANY_RING),
        ("same.step", ANY_RING),
        ("exclusive", "a ring chooses one node for a queue, for any rule of choice"),
        ("owner.step", ONE_NODE_MORE),
    )
}
"""Obligation -> reason, if it holds for any functions as the encoding's parts."""

LEMMA: Mapping[str, str] = {
    "lemma.monotone": "about products of integers",
    "lemma.loop": "about any iteration of any loop over any table",
    "rank.base": KEPT,
    "rank.step": KEPT,
    "filter.base": LOOP,
    "filter.step": LOOP,
    "join.base": BEGINNING,
    "joins.base": BEGINNING,
    "part.base": BEGINNING,
    "join.only-takes": BOTH,
    "joins.only-takes": BOTH,
    "part.takes": BOTH,
    "nearest.unique": "about the order of hash values, not about the chosen consumer",
    "spread": "about products of integers",
    "moved.base": NUMBERS,
    "ends": NUMBERS,
    "next": NUMBERS,
    "steps": NUMBERS,
    "same": NUMBERS,
    "kept.none": NUMBERS,
    "kept.next": NUMBERS,
    "kept.fewest": NUMBERS,
    "refuses": CODE,
    "unlisted": CODE,
    "paths": CODE,
    "path.inside": CODE,
    "avg path-2.element": "this path appends nothing",
    "initiation": SHARED,
    "time-passes": SHARED,
    "others-take": SHARED,
    "others-give-back": SHARED,
    "own-lock": SHARED,
    "let-go": SHARED,
    "two-initiation": SHARED,
    "two-lose": SHARED,
    "one-runs": SHARED,
    "given-back": SHARED,
    "others-act": SHARED,
    "back-initiation": SHARED,
    "back-others-act": SHARED,
    "not-skipped": SHARED,
    "finished": SHARED,
    "only-uncommitted": SHARED,
    "back-at-most": SHARED,
    "one-batch": SHARED,
    "from-an-offset": SHARED,
    "hand-over": SHARED,
    "reset-sent": SHARED,
    "since-added": SHARED,
    "since-pulled": SHARED,
    "settles": SHARED,
    "woken": SHARED,
    "no-sooner": SHARED,
    "at-most-one": SHARED,
    "one-at-a-time": SHARED,
    "unwoken": SHARED,
    "still-calm": SHARED,
    "changes-exactly": SHARED,
    "not-at-rest": SHARED,
    "refused-no-longer": SHARED,
    "refused-no-more": SHARED,
    "answered-soon": SHARED,
    "answered-at-last": SHARED,
    "first-let-through": SHARED,
    "own-found": SHARED,
    "posted-found": SHARED,
    "all-found": SHARED,
    "scan-at-last": SHARED,
    "quiet-java_v5_0": "about the other client; its own claims apply mutants to this obligation",
}
"""Obligation -> reason, if it uses no part of the encoding."""

PATH = re.compile(r"^path-\d+")
"""Pattern of a path's number in an obligation's name.

An exempted obligation is exempted for all paths.
"""
PINNED = {Bite.WEAK: WEAK, Bite.STRUCTURAL: STRUCTURAL, Bite.LEMMA: LEMMA}


def pinned(bite: Bite, subject: str, name: str) -> str:
    """Return why an obligation is exempted from mutation tests; empty if it is not.

    ``subject`` is the strategy or client, ``name`` the obligation's name.
    """
    known = PINNED[bite]
    return next((known[key] for key in (f"{subject} {name}", name, PATH.sub("path", name)) if key in known), "")


# Random search for numbers of queues and consumers at which a mutant fails an obligation.
# The result is a hint for the solvers, not yet an answer.

SAMPLES = 30_000
RANGES = {"q": (1, 13), "c": (1, 7)}
OTHERS = (-1, 13)


def failing_size(obligation: Obligation, encoding: Any) -> Mapping[str, int] | None:
    """Return numbers of queues and consumers at which the obligation fails for the encoding.

    Only variables of the obligation have numbers. None if none are found.
    """
    statement = obligation.statement(encoding)
    fails = smt.And(*statement.given.values(), smt.Not(statement.then))
    drawn = np.random.default_rng(0)
    values = {name: _drawn(name, drawn) for name in obligation.variables}
    (found,) = compile_kernel(list(values), fails)(*values.values())
    places = np.flatnonzero(np.broadcast_to(found, SAMPLES))
    if not places.size:
        return None
    return {name: int(values[name][places[0]]) for name in RANGES if name in values}


def _drawn(name: str, drawn: np.random.Generator) -> np.ndarray:
    if name in FINITE:
        return drawn.choice(np.array(FINITE[name]), SAMPLES)
    return drawn.integers(*RANGES.get(name, OTHERS), SAMPLES)


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
