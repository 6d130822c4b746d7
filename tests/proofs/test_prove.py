"""Claims judged end to end: proofs, counterexamples, premises, mutants, stability."""

import asyncio
from collections.abc import Callable
from dataclasses import replace

import pytest

from rebalance_proofs.model.allocation import STRATEGIES
from rebalance_proofs.model.premises.same_cid_all import SAME_CID_ALL
from rebalance_proofs.model.terms.values import Mutant
from rebalance_proofs.model.worlds.groups import AGREED, Groups
from rebalance_proofs.proofs import limit, texts
from rebalance_proofs.proofs.allocation.claims import GUARANTEES, dependence, promise
from rebalance_proofs.proofs.certified.found import wanted
from rebalance_proofs.proofs.claim import Claim, Verdict
from rebalance_proofs.proofs.ledger import LEDGER, select
from rebalance_proofs.proofs.obligation import Obligation, Statement
from rebalance_proofs.proofs.prove import Options, prove, prove_claim
from rebalance_proofs.proofs.results import ClaimResult
from rebalance_proofs.proofs.solvers import SOLVERS, Outcome
from rebalance_proofs.report.kinds import shown, smallest
from tests.each import each
from tests.proofs.mutants import all_mutants, broken
from tests.proofs.own_strategies import CHOSEN, LAST_FIRST, never_ends
from tests.proofs.solvers.pools import Said, Scripted, said
from tests.report.long import not_sought

AVG, CIRCLE = STRATEGIES[:2]
(DISJOINT,) = select(["allocation.avg.disjoint"])
(REFUTED,) = select(["allocation.circle.contiguous"])
GROUPS = [claim for claim in LEDGER if isinstance(claim.world, Groups)]
"""Claims about what a strategy gives the consumers of a group."""
WITH_MUTANTS = [*dict.fromkeys(strategy for claim in GROUPS for strategy in claim.subjects if strategy.mutants)]
MUTANTS = all_mutants(*WITH_MUTANTS)
OWN_CASES = select(["allocation.room.listed", "allocation.hash.successor", "allocation.nearby.disjoint"])
"""About strategies with an encoding of their own, in cases of their own."""

own_case = pytest.mark.parametrize("claim", OWN_CASES, ids=lambda claim: claim.id)


PROOFS_ALONE = Options(jobs=1, teeth=False, width=False)


def with_override(override: Callable[[str, str], Said | None]) -> Scripted:
    """Both solvers in this process; but ``override(solver, text)`` answers where it is not None."""

    def answer(solver: str, text: str) -> Said:
        overridden = override(solver, text)
        if overridden is not None:
            return overridden
        outcome, model, _ = SOLVERS[solver].solve(text, seconds=20)
        return said(outcome, **model)

    return Scripted(lambda text: [answer(solver, text) for solver in ("z3", "cvc5")])


def judged(claim: Claim) -> ClaimResult:
    """By both solvers, in this process."""
    return asyncio.run(prove_claim(claim, with_override(lambda solver, text: None), PROOFS_ALONE))


@each("claim", LEDGER, ids=lambda claim: claim.id, within="proved")
def test_ledger_has_the_expected_verdicts(claim: Claim, proved: dict[str, ClaimResult]) -> None:
    result = proved[claim.id]
    assert (result.verdict, result.green) == (claim.expected, True)
    for question in result.questions:
        assert [answer.solver for answer in question.answers] == (["z3", "cvc5"] if question.model is None else ["z3"])
    if claim.expected is Verdict.PROVED:
        assert {step.name for step in result.obligations} >= {step.name for step in claim.obligations}
        assert all(step.proved and step.satisfiable and step.replays for step in result.obligations)
        assert result.search is None
    else:
        assert result.search.counterexample.sentence == result.reason


STEPS = {
    (strategy, step): f"{strategy.name} {step.name}"
    for claim in GROUPS
    if claim.expected is Verdict.PROVED
    for strategy in claim.subjects[:1]
    for step in (*claim.obligations, *claim.lemmas)
}
"""Of the whole ledger; those about transitions are tried in ``transition/test_obligations.py``."""


@each(("strategy", "step"), STEPS, ids=STEPS.values())
def test_every_obligation_is_proved_by_one_solver(strategy, step) -> None:
    """In this process, without any other check."""
    assert SOLVERS["z3"].solve(texts.proof("test", step, strategy.encoding), seconds=20)[0] is Outcome.UNSAT


@each("claim", [one for one in LEDGER if one.expected is Verdict.REFUTED], ids=lambda one: one.id, within="proved")
def test_documents_show_the_counterexamples_of_a_run(claim: Claim, proved: dict[str, ClaimResult]) -> None:
    """The ledger and the findings are written without a solver."""
    with not_sought():
        shortest = smallest(claim)
    told, found = (
        (example.size, example.departures, example.values, example.sentence, shown(claim).lines(claim, example))
        for example in (shortest, proved[claim.id].search.counterexample)
    )
    assert told == found


def test_formulas_to_be_certified_are_those_of_the_proof(proved: dict[str, ClaimResult]) -> None:
    for result in proved.values():
        if result.verdict is Verdict.PROVED:
            assert wanted(result.claim) == {one.name: one.proof.text for one in result.obligations}


def test_proof_with_a_lemma_proves_the_lemma(proved: dict[str, ClaimResult]) -> None:
    names = {claim_id: [step.name for step in result.obligations] for claim_id, result in proved.items()}
    assert names["allocation.avg.disjoint"] == ["exclusive", "lemma.monotone"]
    assert names["allocation.avg.idle"].count("lemma.monotone") == 1


@each(("strategy", "mutant"), MUTANTS.values(), ids=[broken(*pair).id for pair in MUTANTS.values()], within="proved")
def test_every_mutant_breaks_its_named_claim(strategy, mutant, proved: dict[str, ClaimResult]) -> None:
    """A mutant that names no proved claim would never be tried."""
    tried = {result.name: result for result in proved[broken(strategy, mutant).id].mutants}
    result = tried[mutant.name]
    assert result.noticed_by
    assert result.violation.outcome is Outcome.SAT
    assert result.killed


@each(("strategy", "mutant"), MUTANTS.values(), ids=MUTANTS)
def test_every_mutant_fails_an_obligation_of_its_claim(strategy, mutant) -> None:
    """For the complete ledger, with one solver in this process."""
    texts_of = (texts.proof(mutant.name, step, mutant.encoding) for step in broken(strategy, mutant).obligations)
    assert any(SOLVERS["z3"].solve(text, seconds=20)[0] is Outcome.SAT for text in texts_of)


@each("claim", LEDGER, ids=lambda claim: claim.id, within="proved")
def test_mutants_are_tried_where_their_claim_is_proved(claim: Claim, proved) -> None:
    pinned_here = [mutant.name for mutant in claim.mutants]
    tried = proved[claim.id].mutants
    assert [result.name for result in tried] == (pinned_here if claim.expected is Verdict.PROVED else [])
    assert all(result.killed for result in tried)


def test_every_strategy_has_uniquely_named_mutants() -> None:
    assert {*STRATEGIES} < {*WITH_MUTANTS}
    for strategy in WITH_MUTANTS:
        names = [mutant.name for mutant in strategy.mutants]
        assert names
        assert len(set(names)) == len(names)


def test_results_are_reported_immediately_and_returned_in_order() -> None:
    told: list[ClaimResult] = []
    claims = select(["allocation.circle.contiguous", "allocation.avg.disjoint", "allocation.circle.disjoint"])
    results = asyncio.run(prove(claims, Options(), told.append))
    assert [result.claim.id for result in results] == [claim.id for claim in claims]
    assert sorted(map(id, told)) == sorted(map(id, results))


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("claim", [DISJOINT, REFUTED], ids=lambda claim: claim.id)
def test_one_solver_gives_the_same_verdict(claim: Claim, solver: str) -> None:
    (result,) = asyncio.run(prove([claim], Options(solvers=(solver,), jobs=1)))
    assert result.verdict is claim.expected
    assert {answer.solver for question in result.questions for answer in question.answers} == {solver}


def test_contradictory_assumption_is_vacuous() -> None:
    def state(e, v):
        return Statement({"q is positive": v.q > 0, "q is negative": v.q < 0}, v.q == 7)

    result = judged(replace(DISJOINT, obligations=(Obligation("empty", "Nothing.", ("q",), state),)))
    assert result.verdict is Verdict.VACUOUS
    assert result.reason == "empty: its assumptions could not be shown satisfiable"


def test_correct_mutant_survives() -> None:
    right = replace(AVG.mutants[1], name="right", encoding=AVG.encoding)
    assert right.breaks == "disjoint"
    result = judged(promise(replace(AVG, mutants=(right,)), DISJOINT.guarantee))
    assert (result.verdict, result.reason) == (Verdict.VACUOUS, "the mutant right survives")
    (tried,) = result.mutants
    assert (tried.noticed_by, tried.violation) == ((), None)


@own_case
def test_correct_mutant_of_a_sized_world_survives(claim: Claim) -> None:
    (strategy,) = claim.subjects
    right = replace(strategy.mutants[0], name="right", encoding=strategy.encoding, breaks=claim.guarantee.name)
    small = replace(claim.world, bound=(2, 2))
    result = judged(replace(claim, world=small, subjects=(replace(strategy, mutants=(right,)),)))
    assert (result.verdict, result.reason) == (Verdict.VACUOUS, "the mutant right survives")
    (tried,) = result.mutants
    assert (tried.noticed_by, tried.violation) == ((), None)


@own_case
def test_contradictory_assumption_of_a_sized_world_is_vacuous(claim: Claim) -> None:
    def unmet(e, v):
        statement = step.state(e, v)
        return Statement({**statement.given, "nothing": v.q > v.q}, statement.then)

    *others, step = claim.obligations
    variables = tuple(dict.fromkeys(("q", *step.variables)))
    result = judged(replace(claim, obligations=(*others, replace(step, variables=variables, state=unmet))))
    assert result.verdict is Verdict.VACUOUS
    assert result.reason == f"{step.name}: its assumptions could not be shown satisfiable"


@own_case
def test_wrong_expectation_of_a_sized_world_is_reported(claim: Claim) -> None:
    small = replace(claim.world, bound=(2, 2))
    result = judged(replace(claim, world=small, holds=False))
    assert (result.verdict, result.green) == (Verdict.PROVED, False)
    assert result.search.counterexample is None
    assert [question.name for question in result.search.questions] == [
        f"consumers-{n}-queues-{q}" for n in (1, 2) for q in (1, 2)
    ]


def test_unprovable_obligation_gives_no_proof() -> None:
    def state(e, v):
        return Statement({"there are queues": v.q >= 1}, v.q * v.q > v.q)

    result = judged(replace(DISJOINT, obligations=(Obligation("wrong", "q < q * q.", ("q",), state),)))
    assert result.verdict is Verdict.UNKNOWN
    assert result.search.counterexample is None


def test_claim_wrongly_expected_to_hold_is_refuted() -> None:
    result = judged(replace(REFUTED, holds=True))
    assert (result.verdict, result.green) == (Verdict.REFUTED, False)


def test_claim_wrongly_expected_to_fail_is_proved() -> None:
    result = judged(replace(DISJOINT, holds=False))
    assert (result.verdict, result.green) == (Verdict.PROVED, False)
    assert result.search.counterexample is None


OVERRIDES = {
    "cvc5 gives up": (lambda solver, text: "unknown" if solver == "cvc5" else None, Verdict.UNKNOWN),
    "z3 crashes": (lambda solver, text: "crash" if solver == "z3" else None, Verdict.UNKNOWN),
    "cvc5 times out": (lambda solver, text: "timeout" if solver == "cvc5" else None, Verdict.TIMEOUT),
    "both time out": (lambda solver, text: "timeout", Verdict.TIMEOUT),
    "cvc5 says sat to everything": (lambda solver, text: "sat" if solver == "cvc5" else None, Verdict.DISAGREE),
    "both say unsat to everything": (lambda solver, text: "unsat", Verdict.VACUOUS),
}


@pytest.mark.parametrize(("override", "verdict"), OVERRIDES.values(), ids=OVERRIDES)
def test_failing_solver_fails_the_claim(override, verdict: Verdict) -> None:
    assert asyncio.run(prove_claim(DISJOINT, with_override(override), PROOFS_ALONE)).verdict is verdict


def test_lemma_counts_for_the_verdict() -> None:
    def override(solver: str, text: str) -> str | None:
        return "unknown" if "lemma.monotone\n" in text and "QF_NIA" in text else None

    result = asyncio.run(prove_claim(DISJOINT, with_override(override), PROOFS_ALONE))
    assert (result.verdict, result.reason) == (Verdict.UNKNOWN, "lemma.monotone: z3 said unknown")


def test_unstable_variant_is_reported() -> None:
    def override(solver: str, text: str) -> str | None:
        return "unknown" if solver == "cvc5" and text.startswith("; variant 2\n") else None

    pool = with_override(override)
    result = asyncio.run(prove_claim(DISJOINT, pool, replace(PROOFS_ALONE, stability=3)))
    assert result.verdict is Verdict.UNKNOWN
    assert sorted(seed for seed in pool.seeds if seed) == [1, 1, 2, 2, 3, 3], "for the claim and for the lemma"
    assert result.reason == "exclusive is not stable: exclusive.variant-2 in cvc5: unknown"


def test_avg_disjointness_is_stable() -> None:
    (result,) = asyncio.run(prove([DISJOINT], replace(PROOFS_ALONE, stability=3)))
    assert result.verdict is Verdict.PROVED
    assert [(step.variants, step.unstable) for step in result.obligations] == [(3, ()), (3, ())]


@pytest.mark.slow
def test_every_proof_is_stable_under_twenty_variants() -> None:
    provable = [claim for claim in LEDGER if claim.expected is Verdict.PROVED]
    for result in asyncio.run(prove(provable, Options(stability=20, teeth=False, width=False))):
        assert (result.claim.id, result.verdict, result.reason) == (result.claim.id, Verdict.PROVED, "")
        assert {step.variants for step in result.obligations} == {20}


def test_agreed_is_the_assumption_of_guarantees() -> None:
    for strategy in STRATEGIES:
        promised = [claim for claim in GROUPS if claim.subjects == (strategy,) and not claim.world.sized]
        plain = [claim for claim in promised if claim.id.startswith("allocation.") and not claim.world.dropped]
        assert {claim.guarantee.name for claim in plain} == strategy.holds | strategy.fails
        assert {claim.world for claim in plain} == {AGREED}


GUARANTEE = {guarantee.name: guarantee for guarantee in GUARANTEES}


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("disjoint", "exclusive: replaying the model of its assumptions"),
        ("contiguous", "between: replaying the model of its assumptions"),
    ],
)
def test_endless_code_is_unknown(name: str, what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    claim = promise(replace(CIRCLE, allocate=never_ends, mutants=()), GUARANTEE[name])
    pool = with_override(lambda solver, text: None)
    asyncio.run(prove_claim(promise(CIRCLE, GUARANTEE[name]), pool, PROOFS_ALONE))
    monkeypatch.setattr(limit, "SECONDS", 1.0)
    result = asyncio.run(prove_claim(claim, pool, PROOFS_ALONE))
    assert (result.verdict, result.reason) == (Verdict.UNKNOWN, f"{what} took more than 1 s of computing")


def test_endless_encoding_mutant_is_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    """Encodings can be written by users, and are tried after the proof."""
    wrong = Mutant("endless", "It never ends.", replace(CIRCLE.encoding, owns=never_ends), breaks="disjoint")
    claim = promise(replace(CIRCLE, name="own", mutants=(wrong,)), GUARANTEE["disjoint"])
    monkeypatch.setattr(limit, "SECONDS", 1.0)
    said = {teeth: asyncio.run(prove([claim], replace(PROOFS_ALONE, teeth=teeth)))[0] for teeth in (False, True)}
    assert {result.verdict for result in said.values()} == {Verdict.UNKNOWN}
    assert said[False].reason == "judging allocation.own.disjoint took more than 1 s of computing"
    assert said[True].reason == "exclusive: mutation test took more than 1 s of computing"


def test_correct_code_with_a_chosen_divisor_is_not_rejected() -> None:
    """For a claim that is proved, one that fails, and one that is not proved."""
    pool = with_override(lambda solver, text: None)
    claims = [promise(CHOSEN, GUARANTEE[name]) for name in ("disjoint", "covers", "contiguous", "balanced")]
    claims.append(dependence((CHOSEN,), GUARANTEE["covers"], SAME_CID_ALL))
    results = [asyncio.run(prove_claim(claim, pool, PROOFS_ALONE)) for claim in claims]
    assert [result.verdict for result in results] == [
        Verdict.PROVED,
        Verdict.PROVED,
        Verdict.REFUTED,
        Verdict.UNKNOWN,
        Verdict.REFUTED,
    ]
    assert "a model does not replay. It may be spurious" in results[3].reason


def test_owner_of_the_remainder_does_not_matter_for_balance() -> None:
    pool = with_override(lambda solver, text: None)
    claims = [promise(LAST_FIRST, GUARANTEE[name]) for name in ("balanced", "idle", "served", "shares")]
    results = [asyncio.run(prove_claim(claim, pool, PROOFS_ALONE)) for claim in claims]
    assert [result.verdict for result in results] == [Verdict.PROVED] * 3 + [Verdict.REFUTED]
    assert results[3].reason == "c0 has 0 queues; its share is 1."


def test_default_options_use_both_solvers_mutants_and_vacuity_checks():
    standard = Options()
    assert (standard.solvers, standard.teeth, standard.width) == (("z3", "cvc5"), True, True)
    assert set(standard.solvers) == set(SOLVERS)
