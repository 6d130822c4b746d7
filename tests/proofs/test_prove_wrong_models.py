"""A model that is wrong on one side: an encoding that is not the code's, or code that is not the encoding's.

The solvers prove things about the encoding. The code comes in where models are replayed on it; what happens at other
sizes only the enumerator can see.
"""

import asyncio
from collections.abc import Callable
from dataclasses import replace

import pytest

from model.allocation import STRATEGIES, Strategy
from model.premises import AGREED, PREMISES
from proofs.allocation import GUARANTEES, dependence, promise
from proofs.claim import Claim, Verdict
from proofs.prove import Options, prove
from proofs.results import ClaimResult
from spark_enum.check import Check
from spark_enum.space import Space

GUARANTEE = {guarantee.name: guarantee for guarantee in GUARANTEES}


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
    return asyncio.run(prove(claims, Options()))


def mismatch(strategy: Strategy, max_consumers: int = 4, max_queues: int = 4) -> str | None:
    """The first thing that the enumerator has to say."""
    checked = Check(AGREED, (strategy,), GUARANTEES)(Space(AGREED, max_consumers, max_queues))
    return next((found.mismatch for found in checked if found.mismatch), None)


def test_the_enumerator_finds_nothing_in_the_right_models() -> None:
    assert [mismatch(strategy) for strategy in STRATEGIES] == [None] * len(STRATEGIES)


def test_a_wrong_encoding_comes_out_as_disagreement() -> None:
    """Its own named guarantee fails in a group in which the right code keeps it."""
    claims = [
        promise(replace(strategy, name=mutant.name, encoding=mutant.encoding, mutants=()), GUARANTEE[mutant.breaks])
        for strategy in STRATEGIES
        for mutant in strategy.mutants
    ]
    for result in judged(*claims):
        assert (result.claim.id, result.verdict) == (result.claim.id, Verdict.DISAGREE)
        assert "not replay" in result.reason


def test_the_enumerator_sees_every_wrong_encoding(pinned) -> None:
    """Also under guarantees that the wrong encoding keeps, which the solvers rightly prove about it."""
    strategy, mutant = pinned
    assert f"{strategy.name} at q = " in mismatch(replace(strategy, encoding=mutant.encoding))


@by_strategy
def test_code_without_results_does_not_meet_the_premises_of_a_proof(strategy: Strategy) -> None:
    (result,) = judged(promise(gives_nothing(strategy), GUARANTEE["disjoint"]))
    assert result.verdict is Verdict.DISAGREE
    assert result.reason == "exclusive: the model of the premises does not replay"


@pytest.mark.parametrize(("name", "keeps"), [("disjoint", gives_nothing), ("covers", gives_all)])
def test_code_that_keeps_what_the_encoding_breaks_does_not_replay(name: str, keeps) -> None:
    claims = [
        dependence((keeps(strategy),), GUARANTEE[name], premise)
        for strategy in STRATEGIES
        for premise in PREMISES
        if premise.strategies == 1
    ]
    for result in judged(*claims):
        assert (result.claim.id, result.verdict) == (result.claim.id, Verdict.DISAGREE)
        assert "not replay" in result.reason


@by_strategy
@pytest.mark.parametrize("wrong", WRONG_CODE, ids=lambda wrong: wrong.__name__)
def test_the_enumerator_sees_wrong_code(strategy: Strategy, wrong: Callable[[Strategy], Strategy]) -> None:
    assert f"{strategy.name} at q = " in mismatch(wrong(strategy))


@by_strategy
def test_what_is_wrong_at_larger_sizes_only_the_enumerator_sees(strategy: Strategy) -> None:
    """No model that the solvers give has that many queues: their verdict alone would be green."""
    wrong = drops_last(strategy, from_queues=9)
    held = [promise(wrong, GUARANTEE[name]) for name in sorted(strategy.holds)]
    assert {result.verdict for result in judged(*held)} == {Verdict.PROVED}
    assert mismatch(wrong, max_queues=8) is None
    assert f"{strategy.name} at q = 9, c = 1, index 0: " in mismatch(wrong, max_queues=9)
