"""Premises that hold for a few sizes only are detected by the vacuity check."""

import asyncio
from dataclasses import replace

import pytest

from rebalance_proofs.model.allocation import STRATEGIES
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.transition.clients import V5_2
from rebalance_proofs.proofs.allocation.disjoint import EXCLUSIVE
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.proofs.obligation import Obligation, Statement
from rebalance_proofs.proofs.solvers import Answer, Outcome
from rebalance_proofs.proofs.solvers.answer import Covered
from rebalance_proofs.proofs.solvers.pool import Pool
from rebalance_proofs.proofs.vacuity.ask import NARROW, width
from rebalance_proofs.proofs.vacuity.goals import Draw, VacuityCheck

AVG = STRATEGIES[0]
(EXACT,) = [claim for claim in LEDGER if claim.id == "transition.java_v5_2.exact"]
SHARED_EXACT = EXACT.obligations[0]


def narrowed(obligation: Obligation, say) -> Obligation:
    """The obligation with one more premise: ``say(v)``."""

    def state(encoding, v):
        right = obligation.state(encoding, v)
        return Statement(dict(right.given) | {"one premise more": say(v)}, right.then)

    return replace(obligation, state=state)


def asked(strategy, *obligations: Obligation, solvers=("z3", "cvc5"), seed=3) -> list[VacuityCheck]:
    """How wide they are."""

    async def ask() -> list[VacuityCheck]:
        async with Pool(solvers, jobs=1) as pool:
            one_by_one = (width(strategy.name, step, strategy.encoding, pool, Draw(seed)) for step in obligations)
            return list(await asyncio.gather(*one_by_one))

    return asyncio.run(ask())


FEW = {
    "at most 100 queues": (AVG, EXCLUSIVE, lambda v: v.q <= 100, "q beyond the bound"),
    "neighbours only": (AVG, EXCLUSIVE, lambda v: v.j == v.i + 1, "i far above j"),
    "in one order only": (AVG, EXCLUSIVE, lambda v: v.i < v.j, "i far above j"),
    "the first position only": (AVG, EXCLUSIVE, lambda v: v.p == 0, "p beyond the bound"),
    "no pull is very old": (V5_2, SHARED_EXACT, lambda v: v.pull_age <= 500_000, "pull_age beyond the bound"),
    "no lite pull": (V5_2, SHARED_EXACT, lambda v: v.kind <= 1, "used as lite pull"),
    "nothing is cached": (V5_2, SHARED_EXACT, lambda v: v.cached == 0, "cached = 1"),
}


@pytest.fixture(scope="module")
def found() -> dict[str, VacuityCheck]:
    avg = [name for name, (subject, *_) in FEW.items() if subject is AVG]
    others = [name for name in FEW if name not in avg]
    widths = {}
    for names in (avg, others):
        steps = [narrowed(FEW[name][1], FEW[name][2]) for name in names]
        widths |= zip(names, asked(FEW[names[0]][0], *steps), strict=True)
    return widths


@pytest.mark.parametrize("name", FEW)
def test_narrow_assumption_is_detected_by_name(name: str, found) -> None:
    *_, goal = FEW[name]
    assert not found[name].wide
    assert any(said.startswith(goal) for said in found[name].narrower)


@pytest.mark.parametrize("solver", ["z3", "cvc5"])
def test_real_obligations_pass_the_vacuity_check(solver: str) -> None:
    for strategy, step in ((AVG, EXCLUSIVE), (V5_2, SHARED_EXACT)):
        (one,) = asked(strategy, step, solvers=(solver,))
        assert one.wide
        assert one.met
        assert not one.excluded


def test_vacuity_check_stops_when_all_exclusions_have_reasons() -> None:
    """The first size is enough; another excluded goal would lead to the next size."""
    (unread,) = {step for claim in LEDGER for step in claim.obligations if step.name == "unread"}
    (one,) = asked(AVG, unread, solvers=("z3",))
    assert (one.wide, dict(one.excluded)) == (True, NARROW["unread"])
    assert len(one.sizes) == 1


def test_contradictory_assumptions_fail_the_vacuity_check() -> None:
    (one,) = asked(AVG, narrowed(EXCLUSIVE, lambda v: smt.And(v.q < 0, v.q > 0)))
    assert not one.wide
    assert not one.met


class Liar:
    """A pool whose solver gives a model that is none."""

    solvers = ("z3",)

    async def shared(self, key, make):
        return await make()

    async def cover(self, text, flags) -> Covered:
        model = dict.fromkeys(EXCLUSIVE.variables, 10**12)
        return Covered((model,), (), Answer("z3", Outcome.SAT, 0.0, model))


def test_claimed_model_is_replayed() -> None:
    one = asyncio.run(width("avg", EXCLUSIVE, AVG.encoding, Liar(), Draw(1)))
    assert not one.met
    assert one.open


class Alone(Liar):
    """A pool whose first solver says that nothing can be met, and whose other one gives up."""

    async def cover(self, text, flags) -> Covered:
        return Covered((), tuple(flag for group in flags for flag in group), Answer("z3", Outcome.UNSAT, 0.0))

    async def ask_all(self, text) -> tuple[Answer, ...]:
        return (Answer("z3", Outcome.UNSAT, 0.0), Answer("cvc5", Outcome.UNKNOWN, 0.0))


def test_exclusion_needs_all_solvers() -> None:
    one = asyncio.run(width("avg", EXCLUSIVE, AVG.encoding, Alone(), Draw(1)))
    assert not one.excluded
    assert one.open
    assert [answer.solver for answer in one.question.answers] == ["z3", "cvc5"]


def test_random_sizes_depend_on_the_seed_only() -> None:
    assert Draw(1) == Draw(1)
    assert Draw(1).sizes == Draw(1).sizes != Draw(2).sizes
    for seed in range(50):
        drawn = Draw(seed)
        assert all(size > drawn.bound > 10**9 - 1 for pair in drawn.sizes for size in pair)
        assert max(map(max, drawn.sizes)) <= 10**30


def test_intended_exclusions_only_become_fewer() -> None:
    names = {step.name for claim in LEDGER for step in claim.obligations}
    assert {*NARROW} <= names
    assert sum(map(len, NARROW.values())) == 75  # who makes it less writes how many are left
    assert all(why and not why.endswith(".") for goals in NARROW.values() for why in goals.values())
