"""Models with one wrong side: an encoding that is not the code's, or code that is not the encoding's.

The solvers prove things about the encoding. The code matters where models are replayed on it; differences at other
sizes only the enumerator can see.
"""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from itertools import product

import pytest

from rebalance_proofs.model.allocation import STRATEGIES, Strategy
from rebalance_proofs.model.premises import PREMISES
from rebalance_proofs.model.worlds.groups import AGREED, Groups
from rebalance_proofs.proofs.allocation.claims import GUARANTEES, dependence, promise
from rebalance_proofs.proofs.claim import Claim, Verdict
from rebalance_proofs.proofs.ledger import select
from rebalance_proofs.proofs.prove import Options, prove
from rebalance_proofs.proofs.results import ClaimResult
from rebalance_proofs.spark_enum.allocation.group_check import GroupCheck
from rebalance_proofs.spark_enum.allocation.space import Configuration, Space
from tests.each import each
from tests.proofs.mutants import all_mutants, broken, mutated

GUARANTEE = {guarantee.name: guarantee for guarantee in GUARANTEES}
OWN_CASES = select(
    [
        "allocation.room.listed",
        "allocation.room-rust.listed",
        "allocation.room-go.disjoint",
        *(f"allocation.hash.{name}" for name in ("disjoint", "covers", "successor", "monotone")),
        "allocation.nearby.home",
        "allocation.nearby.covers",
        "allocation.nearby-hash.covers",
    ]
)
"""Claims about strategies with an encoding of their own."""


def drops_last(right: Strategy, from_queues: int = 1) -> Strategy:
    """The last queue is given to nobody, where there are that many queues."""

    def allocate(current_cid, mq_all, cid_all):
        taken = right.allocate(current_cid, mq_all, cid_all)
        return [queue for queue in taken if len(mq_all) < from_queues or queue != mq_all[-1]]

    return replace(right, allocate=allocate, mutants=())


def gives_nothing(right: Strategy) -> Strategy:
    """Nobody gets anything."""
    return replace(right, allocate=lambda current_cid, mq_all, cid_all: [], mutants=())


def gives_all(right: Strategy) -> Strategy:
    """Everybody gets everything."""
    return replace(right, allocate=lambda current_cid, mq_all, cid_all: list(mq_all), mutants=())


def reverses(right: Strategy) -> Strategy:
    """The right queues in the wrong order."""
    return replace(right, allocate=lambda *view: right.allocate(*view)[::-1], mutants=())


def repeats(right: Strategy) -> Strategy:
    """Each queue twice."""
    return replace(right, allocate=lambda *view: [queue for queue in right.allocate(*view) for _ in "12"], mutants=())


WRONG_CODE: tuple[Callable[[Strategy], Strategy], ...] = (drops_last, gives_nothing, gives_all, reverses, repeats)

by_strategy = pytest.mark.parametrize("strategy", STRATEGIES, ids=lambda strategy: strategy.name)


def judged(*claims: Claim) -> list[ClaimResult]:
    return asyncio.run(prove(claims, Options(jobs=1, teeth=False, width=False)))


def mismatch(strategy: Strategy, max_consumers: int = 4, max_queues: int = 4) -> str | None:
    """The first thing that the enumerator has to say."""
    checked = GroupCheck(AGREED, (strategy,), GUARANTEES)(Space(AGREED, max_consumers, max_queues))
    return next((found.mismatch for found in checked if found.mismatch), None)


def test_enumerator_finds_no_difference_in_correct_models() -> None:
    assert [mismatch(strategy) for strategy in STRATEGIES] == [None] * len(STRATEGIES)


MUTANTS = all_mutants(*STRATEGIES, *(claim.subjects[0] for claim in OWN_CASES))
WRONG_ENCODINGS = {name: mutated(*pair) for name, pair in MUTANTS.items()}
"""Each claim that a mutant has to break, about the mutant and the right code."""
SLOW = {name for name, pair in MUTANTS.items() if broken(*pair).id == "allocation.hash.monotone"}
"""That the right code has no violation at the size at which the wrong encoding has one: in 140,000 groups."""


def test_wrong_encoding_is_a_disagreement() -> None:
    """Its own named guarantee fails in a group where the correct code has it; one encoding per strategy."""
    claims = {MUTANTS[name][0].name: claim for name, claim in WRONG_ENCODINGS.items() if name not in SLOW}
    assert {*claims} >= {"avg", "circle", "room", "hash", "nearby", "nearby-hash"}
    disagree(*claims.values())


@pytest.mark.slow
def test_every_wrong_encoding_is_a_disagreement() -> None:
    disagree(*(claim for name, claim in WRONG_ENCODINGS.items() if name not in SLOW))


@pytest.mark.slow
def test_wrong_encoding_with_three_consumers_is_a_disagreement() -> None:
    assert SLOW
    disagree(*(WRONG_ENCODINGS[name] for name in SLOW))


def disagree(*claims: Claim) -> None:
    assert claims
    for result in judged(*claims):
        assert (result.claim.id, result.verdict) == (result.claim.id, Verdict.DISAGREE)
        assert "not replay" in result.reason


@each("claim", WRONG_ENCODINGS.values(), ids=WRONG_ENCODINGS)
def test_enumerator_notices_every_wrong_encoding(claim: Claim) -> None:
    """Also under guarantees that the wrong encoding satisfies, which the solvers correctly prove of it."""
    assert claim_mismatch(claim)


def claim_mismatch(claim: Claim) -> str | None:
    """The first thing that the enumerator has to say about the groups of a claim that are small enough for this test.

    Chunk by chunk, so that it ends with the first.
    """
    sizes = [size for size in product(range(1, 5), range(1, 5)) if _few(claim.world, *size)]
    for n, q in sizes:
        groups = [Configuration(n, q, values) for values in claim.world.all_values(n, q)]
        for found in GroupCheck(claim.world, claim.subjects, (claim.guarantee,))(groups):
            if found.mismatch:
                return found.mismatch
    return None


def _few(world: Groups, n: int, q: int) -> bool:
    consumers, queues = world.bound
    return n <= consumers and q <= queues and world.groups(n, q) <= 1_100


@pytest.mark.parametrize("claim", OWN_CASES, ids=lambda claim: claim.id)
def test_enumerator_finds_no_difference_in_correct_sized_models(claim: Claim) -> None:
    assert claim_mismatch(claim) is None


@pytest.mark.parametrize("claim", OWN_CASES, ids=lambda claim: claim.id)
def test_wrong_code_of_a_sized_world_is_detected(claim: Claim) -> None:
    """By the enumerator, and by the solvers, whose models do not replay.

    On a ring, whose nodes the solvers go through one by one, code without results replays models of empty rings.
    """
    wrong = replace(claim, subjects=(without_results(claim.subjects[0]),))
    assert claim_mismatch(wrong)
    if claim.id != "allocation.hash.monotone":
        (result,) = judged(wrong)
        assert result.verdict is Verdict.DISAGREE
        assert "not replay" in result.reason


def without_results(right: Strategy) -> Strategy:
    """However it is configured."""
    return replace(gives_nothing(right), configure=right.configure and (lambda **arguments: lambda *view: []))


@by_strategy
def test_code_without_results_fails_the_assumptions(strategy: Strategy) -> None:
    (result,) = judged(promise(gives_nothing(strategy), GUARANTEE["disjoint"]))
    assert result.verdict is Verdict.DISAGREE
    assert result.reason == "exclusive: the model of its assumptions does not replay"


@pytest.mark.parametrize(("name", "keeps"), [("disjoint", gives_nothing), ("covers", gives_all)])
def test_code_that_holds_where_the_encoding_fails_does_not_replay(name: str, keeps) -> None:
    claims = [
        dependence((keeps(strategy),), GUARANTEE[name], world)
        for strategy in STRATEGIES
        for world in PREMISES
        if world.subjects == 1 and f"{name}.without-{world.name}" not in strategy.unclaimed
    ]
    for result in judged(*claims):
        assert (result.claim.id, result.verdict) == (result.claim.id, Verdict.DISAGREE)
        assert "not replay" in result.reason


@by_strategy
@pytest.mark.parametrize("wrong", WRONG_CODE, ids=lambda wrong: wrong.__name__)
def test_enumerator_notices_wrong_code(strategy: Strategy, wrong: Callable[[Strategy], Strategy]) -> None:
    assert f"{strategy.name} at q = " in mismatch(wrong(strategy))


@by_strategy
def test_error_at_larger_sizes_is_detected_by_the_enumerator_only(strategy: Strategy) -> None:
    """No model from the solvers has that many queues: their verdict alone would be green."""
    wrong = drops_last(strategy, from_queues=9)
    held = [promise(wrong, GUARANTEE[name]) for name in sorted(strategy.holds)]
    assert {result.verdict for result in judged(*held)} == {Verdict.PROVED}
    assert mismatch(wrong, max_queues=8) is None
    assert f"{strategy.name} at q = 9, c = 1, index 0: " in mismatch(wrong, max_queues=9)
