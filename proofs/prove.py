"""Judge claims with the solvers: proofs, smallest counterexamples, and checks of proofs.

Checks of proofs are mutation tests (a wrong encoding must fail) and vacuity checks (the assumptions allow enough
cases).
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from rebalance_proofs.model.terms.values import Mutant
from rebalance_proofs.proofs import texts
from rebalance_proofs.proofs.claim import Claim, Verdict
from rebalance_proofs.proofs.judges import can_fork, judged_by
from rebalance_proofs.proofs.kinds import KINDS
from rebalance_proofs.proofs.limit import OutOfTime, stepwise, within
from rebalance_proofs.proofs.models.ask import can_be
from rebalance_proofs.proofs.models.evaluated import Evaluated
from rebalance_proofs.proofs.models.known import Models, recorded
from rebalance_proofs.proofs.mutation.ask import teeth
from rebalance_proofs.proofs.mutation.free import untouched
from rebalance_proofs.proofs.named import truth
from rebalance_proofs.proofs.obligation import Obligation
from rebalance_proofs.proofs.question import Question
from rebalance_proofs.proofs.results import ClaimResult, MutantResult, ObligationResult, Search
from rebalance_proofs.proofs.search import search, violation
from rebalance_proofs.proofs.smt.linear import MONOTONE
from rebalance_proofs.proofs.smt.text import variant
from rebalance_proofs.proofs.solvers import Outcome
from rebalance_proofs.proofs.solvers.kept import Kept
from rebalance_proofs.proofs.solvers.pool import Pool
from rebalance_proofs.proofs.vacuity.ask import width
from rebalance_proofs.proofs.vacuity.goals import Draw


@dataclass(frozen=True)
class Options:
    """Settings of a run of the solvers."""

    solvers: tuple[str, ...] = ("z3", "cvc5")
    jobs: int = 2
    timeout: float = 20.0
    """CPU seconds after which a solver is killed."""
    stability: int = 0
    """Number of reworded variants of each proof's SMT-LIB text to prove, too.

    They show that a proof does not depend on names or on the order of formulas.
    """
    seed: int = 0
    """Seed for the random cases that the vacuity check draws."""
    teeth: bool = True
    """Whether to run the mutation tests of each obligation."""
    width: bool = True
    """Whether to run the vacuity check: are the assumptions of an obligation too narrow?"""
    explore: bool = False
    """Whether to search for runs that break a claim even if none are expected."""
    models: Models = field(default_factory=recorded)
    """Recorded models; one that makes a query's formulas true replaces the solvers' answer."""
    answers: Kept | None = None
    """Solver answers of earlier runs, which replace queries with the same text.

    Answers of this run are added. None to store nothing.
    """


STANDARD = Options()
VALUES = 12
"""Number of values of a model that a reason prints."""
AT_ONCE = 4
"""Number of claims that are judged concurrently per solver process.

They are enough to keep it busy, and few enough to share common terms.
"""


async def prove(
    claims: Sequence[Claim],
    options: Options,
    on_result: Callable[[ClaimResult], None] = lambda result: None,
    on_spare: Callable[[], None] = lambda: None,
) -> list[ClaimResult]:
    """Judge the claims, several at once.

    ``on_result`` receives each result as soon as it is complete. ``on_spare`` is called when a core becomes idle
    while other claims are still judged; see ``judged_by``.
    """
    found: dict[int, ClaimResult] = {}

    def told(result: ClaimResult) -> None:
        found[id(result.claim)] = result
        on_result(result)

    if options.jobs > 1 and len(claims) > 1 and can_fork():
        kept = options.answers
        alone = replace(options, jobs=1, answers=kept and kept.another())
        for one in await judged_by(partial(_prove, alone), claims, options.jobs, told, on_spare):
            if kept:
                kept.count(one)
    else:
        await _prove(options, iter([claims, ()]).__next__, told)
    return [found[id(claim)] for claim in claims]


async def _prove(
    options: Options, more: Callable[[], Sequence[Claim]], told: Callable[[ClaimResult], None]
) -> Kept | None:
    """Judge the claims that ``more()`` returns until it returns none.

    ``told`` is called with each result. Return the cache of solver answers, if there is one.
    """
    several = asyncio.Semaphore(AT_ONCE * options.jobs)

    async def one(claim: Claim, pool: Pool) -> None:
        try:
            told(await prove_claim(claim, pool, options))
        finally:
            several.release()

    try:
        async with (
            Pool(options.solvers, options.jobs, options.timeout, kept=options.answers) as pool,
            asyncio.TaskGroup() as group,
        ):
            while some := more():
                for claim in some:
                    await several.acquire()
                    group.create_task(one(claim, pool))
    except ExceptionGroup as errors:
        raise errors.exceptions[0] from None
    return options.answers


async def prove_claim(claim: Claim, pool: Pool, options: Options = STANDARD) -> ClaimResult:
    """Judge one claim with the solvers. Work that takes too long gives UNKNOWN."""
    obligations: list[ObligationResult] = []
    try:
        return await stepwise(f"judging {claim.id}", _judged(claim, obligations, pool, options))
    except OutOfTime as error:
        return ClaimResult(claim, Verdict.UNKNOWN, str(error), tuple(obligations))


async def _judged(claim: Claim, obligations: list[ObligationResult], pool: Pool, options: Options) -> ClaimResult:
    """Judge one claim.

    The result of each obligation is appended to ``obligations`` as soon as it is complete, so that it is available if
    the time limit ends the work.
    """
    asking = _Asking(claim, pool, options)
    for step in claim.obligations:
        obligations.append(await asking.obligation(claim.id, step))
    if any(texts.uses_lemmas(result.proof.text) for result in obligations):
        obligations.append(await asking.obligation("lemma", MONOTONE))
    for lemma in claim.lemmas:
        obligations.append(await asking.obligation("lemma", lemma))
    proved = bool(obligations) and all(result.proved for result in obligations)
    found, looking = None, KINDS[claim.kind].looking(claim, pool)
    searched = not proved or claim.expected is Verdict.REFUTED
    if searched:
        found = await search(looking)
    mutants: tuple[MutantResult, ...] = ()
    if proved:
        mutants = tuple([await _mutant(claim, mutant, pool) for mutant in claim.mutants])
    verdict, reason = judge(obligations, found, mutants)
    explored = looking.explored() if searched or options.explore else None
    return ClaimResult(claim, verdict, reason, tuple(obligations), mutants, found, explored=explored)


def judge(
    obligations: Sequence[ObligationResult], found: Search | None, mutants: Sequence[MutantResult]
) -> tuple[Verdict, str]:
    """Return the verdict, with a reason unless the verdict alone explains it.

    The gravest finding decides: a contradiction first.
    """
    disagreement = _disagreement(obligations, found, mutants)
    if disagreement:
        return Verdict.DISAGREE, disagreement
    questions = [result.proof for result in obligations] + list(found.questions if found else ())
    proved = bool(obligations) and all(result.proved for result in obligations)
    if found and found.counterexample:
        if proved:
            return Verdict.DISAGREE, "every obligation is proved, yet there is a counterexample"
        if found.minimal:
            return Verdict.REFUTED, found.counterexample.sentence
        unshown = _gave_up(questions) or found.gave_up
        return Verdict.UNKNOWN, unshown or "the counterexample was not shown to be the smallest"
    if not proved:
        ended = _gave_up(questions, Outcome.TIMEOUT)
        if ended:
            return Verdict.TIMEOUT, ended
        why = _gave_up(questions) or (found.gave_up if found else "")
        limit = found.limit if found else 0
        none = f"no proof, and no counterexample with up to {limit} consumers{_fails(obligations)}"
        return Verdict.UNKNOWN, why or none
    if found and found.gave_up:
        return Verdict.UNKNOWN, found.gave_up
    for result in obligations:
        if result.satisfiable is None:
            return Verdict.VACUOUS, f"{result.name}: its assumptions could not be shown satisfiable"
        if result.teeth and not result.teeth.shown:
            return Verdict.VACUOUS, f"{result.name}: {result.teeth.missing}"
        if result.width and not result.width.wide:
            return Verdict.VACUOUS, f"{result.name}: its assumptions exclude the case: {result.width.narrower[0]}"
    for mutant in mutants:
        if not mutant.killed:
            return Verdict.VACUOUS, f"the mutant {mutant.name} survives"
    for result in obligations:
        if result.unstable:
            return Verdict.UNKNOWN, f"{result.name} is not stable: {result.unstable[0]}"
    return Verdict.PROVED, ""


def _fails(obligations: Sequence[ObligationResult]) -> str:
    """Describe the first obligation that solvers refute, at the values of their model; empty if there is none."""
    for result in obligations:
        models = [answer.model for answer in result.proof.answers if answer.outcome is Outcome.SAT and answer.model]
        if not result.proved and models:
            values = sorted(models[0].items(), key=lambda item: item[1] == 0)  # zeros are the least surprising
            shown = ", ".join(f"{name} = {value}" for name, value in values[:VALUES])
            return f". {result.name} is not proved: it fails for {shown}{', ...' if len(values) > VALUES else ''}"
    return ""


def _disagreement(
    obligations: Sequence[ObligationResult], found: Search | None, mutants: Sequence[MutantResult]
) -> str:
    """Describe a contradiction between solvers, reworded texts or the client's code.

    Empty if there is none.
    """
    parts: list[ObligationResult | MutantResult] = [*obligations, *mutants]
    asked = [question for part in parts for question in part.questions]
    for question in (*asked, *(found.questions if found else ())):
        if question.contradictory:
            said = ", ".join(f"{answer.solver} says {answer.outcome}" for answer in question.answers)
            return f"{question.name}: {said}"
    for result in obligations:
        for question in result.unproved:
            if result.proved and any(answer.outcome is Outcome.SAT for answer in question.answers):
                return f"{result.name} is proved, but not in another wording: {result.unstable[0]}"
        if result.instances.false:
            return f"{result.name}: an instance of a lemma is false: {result.instances.false}"
        if result.satisfiable and not result.replays:
            return f"{result.name}: the model of its assumptions does not replay"
    if found and not found.replays:
        return "a counterexample does not replay on the concrete implementation"
    return ""


def _gave_up(questions: Sequence[Question], how: Outcome | None = None) -> str:
    """Return a solver's explanation for a query that it left undecided; empty if there is none.

    If ``how`` is given, only queries with that outcome count.
    """
    for question in questions:
        for answer in question.answers:
            undecided = answer.outcome not in (Outcome.SAT, Outcome.UNSAT)
            if undecided and how in (None, answer.outcome):
                return f"{question.name}: {answer.reason or answer.outcome}"
    return ""


@dataclass(frozen=True)
class _Asking:
    """The solver queries about the obligations of one claim."""

    claim: Claim
    pool: Pool
    options: Options

    @property
    def known(self) -> Evaluated:
        """Return the recorded models of the claim's first subject."""
        return self.options.models.of(self.claim.kind, self.claim.subjects[0])

    async def obligation(self, subject: str, step: Obligation) -> ObligationResult:
        """Return the result for one obligation.

        It has the proof, a model of the assumptions, the answers for reworded variants, and the proof checks.
        """
        about, pool = self.claim.subjects[0], self.pool
        wrong = KINDS[self.claim.kind].wrong(about, self.claim.mutants)
        encoding = about.encoding
        with within(f"{step.name}: writing its text"):
            text = texts.proof(self._title(subject, step), step, encoding)
        proof = Question(step.name, text, await pool.ask_all(text))
        proved = proof.outcome is Outcome.UNSAT
        met, replays = await self._premises(self._title(subject, step), step, proved)
        bites = proved and self.options.teeth
        asked = proved and self.options.width
        return ObligationResult(
            step.name,
            step.sentence,
            proof,
            met,
            replays,
            await self._unproved(step, text),
            variants=self.options.stability,
            instances=texts.instances(step, encoding),
            teeth=await teeth(step, about, wrong, pool, self.known) if bites else None,
            width=await width(about.name, step, encoding, pool, Draw(self.options.seed)) if asked else None,
        )

    async def _unproved(self, step: Obligation, text: str) -> tuple[Question, ...]:
        """Return queries with reworded variants of the proof's text that were not proved."""
        unproved = []
        for number in range(1, self.options.stability + 1):
            reworded = variant(text, number)
            answers = await self.pool.ask_all(reworded, seed=number)
            asked = Question(f"{step.name}.variant-{number}", reworded, answers)
            if asked.outcome is not Outcome.UNSAT:
                unproved.append(asked)
        return tuple(unproved)

    def _title(self, subject: str, step: Obligation) -> str:
        """Return the title in the first line of an obligation's SMT-LIB texts.

        It is ``subject`` for obligations with their own logic, else the client or strategy. Claims that share an
        obligation then have equal texts, which are solved once.
        """
        return subject if step.logic else self.claim.subjects[0].rocketmq_name

    async def _premises(self, title: str, step: Obligation, proved: bool) -> tuple[Question | None, bool]:
        """Find a model of the assumptions, and check that the client's code meets them.

        A recorded model is used, or a model at the first size that has one. If the obligation is proved, the code
        must meet its conclusion too. Return the query with the model (None if there is none), and the result of the
        check.
        """
        subject = self.claim.subjects[0]
        given = tuple(step.statement(subject.encoding).given.values())
        sized = ((texts.premises(title, step, subject.encoding, size), texts.fixed(step, size)) for size in texts.SIZES)
        found = await can_be(f"{step.name}.premises", given, sized, self.pool, self.known)
        if not found.satisfiable:
            return None, False
        with within(f"{step.name}: replaying the model of its assumptions"):
            code = None if step.abstract else KINDS[self.claim.kind].observed(subject)
            return found, code is None or _met(step, code, _model(found), conclusion=proved)


def _model(found: Question) -> Mapping[str, int]:
    """Return the model of the query: the evaluated one, else the first solver's."""
    said = (answer.model for answer in found.answers if answer.outcome is Outcome.SAT)
    return next(said) if found.model is None else found.model


def _met(obligation: Obligation, code: Any, model: Mapping[str, int], *, conclusion: bool) -> bool:
    """Return whether the assumptions are true for the client's code at the numbers of ``model``.

    If ``conclusion`` is true, the conclusion must be true too.
    """
    values = {name: model.get(name, 0) for name in obligation.variables}
    statement = obligation.statement(code, values)
    return all(map(truth, (*statement.given.values(), *([statement.then] if conclusion else ()))))


async def _mutant(claim: Claim, mutant: Mutant, pool: Pool) -> MutantResult:
    """Check whether a mutant breaks the claim's obligations, and violates the guarantee.

    A mutant is an encoding of the client with one deliberate error.
    """
    looking = KINDS[claim.kind].looking(claim, pool, mutant)
    right = claim.subjects[0]
    attempts = []
    for obligation in claim.obligations:
        # Obligations that the mutant does not change were already checked.
        same = not obligation.logic and (
            untouched(obligation, right.encoding, mutant.encoding) or obligation.same(right.encoding, mutant.encoding)
        )
        title, encoding = (right.rocketmq_name, right.encoding) if same else (looking.title, mutant.encoding)
        text = texts.proof(title, obligation, encoding)
        attempts.append(Question(obligation.name, text, await pool.ask_all(text)))
    return MutantResult(mutant.name, mutant.sentence, tuple(attempts), await violation(looking))
