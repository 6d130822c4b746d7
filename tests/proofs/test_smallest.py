"""Smallest counterexamples: the solvers find those of brute force, and a model counts only if it replays."""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import pytest

from rebalance_proofs.model.allocation import STRATEGIES
from rebalance_proofs.model.allocation.consistent_hash import CONSISTENT_HASH
from rebalance_proofs.model.allocation.strategy import AllocationError
from rebalance_proofs.model.premises import PREMISES
from rebalance_proofs.model.premises.same_order import SAME_ORDER
from rebalance_proofs.model.worlds.groups import AGREED, Groups
from rebalance_proofs.model.worlds.ring_views import RINGS_OF_1
from rebalance_proofs.proofs import limit, texts
from rebalance_proofs.proofs.allocation.covers import COVERS
from rebalance_proofs.proofs.allocation.disjoint import DISJOINT
from rebalance_proofs.proofs.allocation.lists import CONTIGUOUS
from rebalance_proofs.proofs.allocation.search import LIMIT, LookingAtGroups, first_violation, queues, violated
from rebalance_proofs.proofs.allocation.stated import stated
from rebalance_proofs.proofs.claim import Claim, Verdict
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.proofs.results import ClaimResult, Counterexample, Search
from rebalance_proofs.proofs.search import search, violation
from rebalance_proofs.proofs.solvers import Outcome
from tests.each import each
from tests.proofs.own_strategies import CHOSEN, never_ends
from tests.proofs.solvers.pools import Scripted, said

REFUTED = [c for c in LEDGER if c.expected is Verdict.REFUTED and isinstance(c.world, Groups)]
AVG, CIRCLE = STRATEGIES[:2]
DISTINCT_IDS = PREMISES[0]
QUEUES = 5
"""Every counterexample of the ledger has fewer queues than this. A sized premise's bound ends the search."""

by_claim = each("claim", REFUTED, ids=lambda claim: claim.id, within="proved")


def brute_force(claim: Claim, sizes: Iterator[tuple[int, int]]):
    found = (first_violation(claim.guarantee, claim.world, claim.subjects, n, q) for n, q in sizes)
    return next((example for example in found if example), None)


@by_claim
def test_smallest_size_equals_brute_force(claim: Claim, proved: dict[str, ClaimResult]) -> None:
    found = proved[claim.id].search
    example = found.counterexample
    assert found.minimal
    assert found.replays
    queues = claim.world.bound[1] + 1 if claim.world.sized else QUEUES
    sizes = ((n, q) for n in range(1, example.consumers + 1) for q in range(1, queues))
    assert told(example) == told(brute_force(claim, sizes))


def told(example: Counterexample) -> tuple:
    """All but the group, in which a strategy may have been configured anew."""
    return example.consumers, example.queues, example.values, example.sentence


@by_claim
def test_sentence_describes_the_shown_group(claim: Claim, proved: dict[str, ClaimResult]) -> None:
    example = proved[claim.id].search.counterexample
    assert (len(example.group.consumers), len(example.group.queues)) == (example.consumers, example.queues)
    assert violated(claim.guarantee, example.group) == example.sentence


@by_claim
def test_every_model_violates_the_guarantee_concretely(claim: Claim, proved: dict[str, ClaimResult]) -> None:
    replayed = 0
    for question in proved[claim.id].search.questions:
        n, *fewer = map(int, question.name.split("-")[1::2])
        symbolic = claim.world.symbolic(claim.encodings, n, *(fewer if claim.world.sized else ()))
        for answer in question.answers:
            if answer.outcome is not Outcome.SAT:
                continue
            assignment = {str(variable): answer.model.get(str(variable), 0) for variable in symbolic.variables}
            q, values = claim.world.configuration(n, assignment)
            assert q == queues(symbolic, assignment)
            assert violated(claim.guarantee, claim.world.group(claim.subjects, n, q, values))
            replayed += 1
    assert replayed >= 2, "both solvers found something"


def searched(answers: Callable | Sequence, guarantee=CONTIGUOUS, world=AGREED, strategy=CIRCLE, limit=3) -> Search:
    """The search with a pool that answers as told."""
    return asyncio.run(search(looking(guarantee, world, strategy, Scripted(answers), limit)))


def looking(guarantee, world, strategy, pool, limit=LIMIT) -> LookingAtGroups:
    found = LookingAtGroups(stated("test", (strategy,), guarantee, world, holds=False), pool)
    found.most_consumers = limit
    return found


def test_search_continues_to_the_fewest_queues() -> None:
    found = searched([["unsat"], [said("sat", q=9), said("sat", q=7)], [said("sat", q=4)], ["unsat"]])
    assert [question.name for question in found.questions] == [
        "consumers-1",
        "consumers-2",
        "consumers-2-queues-6",
        "consumers-2-queues-3",
    ]
    assert (found.counterexample.consumers, found.counterexample.queues) == (2, 4)
    assert (found.minimal, found.replays) == (True, True)


def test_one_queue_ends_the_search() -> None:
    found = searched([["unsat"], [said("sat", q=1, p=0, same0=1)]], DISJOINT, DISTINCT_IDS, AVG)
    assert len(found.questions) == 2
    assert (found.minimal, found.replays, found.counterexample.queues) == (True, True, 1)


@pytest.mark.parametrize(
    "answers",
    [
        pytest.param([["unknown"], [said("sat", q=3)], ["unsat"]], id="fewer consumers are undecided"),
        pytest.param([["unsat"], [said("sat", q=9)], ["timeout"]], id="fewer queues are undecided"),
        pytest.param([["unsat", "unknown"], [said("sat", q=3)], ["unsat"]], id="one solver is undecided"),
    ],
)
def test_undecided_search_is_not_minimal(answers: list) -> None:
    found = searched(answers)
    assert found.counterexample
    assert (found.minimal, found.replays) == (False, True)


@pytest.mark.parametrize(
    "answers",
    [
        pytest.param([[said("sat", q=3)], ["unsat"]], id="one consumer has all positions"),
        pytest.param([["unsat"], [said("sat", q=3), said("sat", q=2)], ["unsat"]], id="one of two solvers is wrong"),
        pytest.param([["unsat"], [said("sat", q=9)], [said("sat", q=2)], ["unsat"]], id="the smaller one is wrong"),
    ],
)
def test_model_that_does_not_replay_is_reported(answers: list) -> None:
    assert not searched(answers).replays


def test_violation_outside_the_enumeration_is_reported() -> None:
    """The premise's digits omit the group that its terms and its replay have."""
    nowhere = replace(AGREED, admits=lambda n, q, values: False)
    found = searched([("unsat", "unsat"), (said("sat", q=3), said("sat", q=3)), ("unsat", "unsat")], world=nowhere)
    assert found.counterexample is None
    assert not found.replays


@pytest.mark.parametrize(("answer", "minimal"), [("unsat", True), ("unknown", False), ("crash", False)])
def test_search_without_a_counterexample_ends_at_the_limit(answer: str, minimal: bool) -> None:
    found = searched(lambda text: [answer, answer])
    assert (found.counterexample, found.minimal, found.limit) == (None, minimal, 3)
    assert len(found.questions) == 3


@pytest.mark.parametrize(
    ("answers", "name"),
    [
        ([["sat", "sat"]], "violation-1"),
        ([["unsat", "unsat"], ["sat", "sat"]], "violation-2"),
        ([["sat", "unsat"], ["sat", "unknown"], ["sat", "sat"]], "violation-3"),
    ],
)
def test_violation_needs_all_solvers(answers: list, name: str) -> None:
    question = asyncio.run(violation(looking(DISJOINT, AGREED, AVG, Scripted(answers))))
    assert question.name == name


def test_missing_violation_within_the_limit_is_unsat() -> None:
    pool = Scripted(lambda text: ["unsat", "unsat"])
    assert asyncio.run(violation(looking(DISJOINT, AGREED, AVG, pool, limit=2))) is None


GAP = said("sat", **{"node0-0": 9, "node1-0": 5, "queue0": 3, "queue1": 7, "queue2": 1, "p": 0})
"""A ring on which c1 has queues 0 and 2, and c0 has queue 1."""
SIZES = ["1-1", "1-2", "1-3", "2-1", "2-2", "2-3"]


def searched_around_rings(answers: dict[str, list], otherwise: tuple[str, str] = ("unsat", "unsat")) -> Search:
    """The search for a gap, size by size; ``answers`` is by (number of consumers)-(number of queues)."""
    rest = iter([answers.get(size, otherwise) for size in SIZES])
    return searched(lambda text: next(rest), CONTIGUOUS, RINGS_OF_1, CONSISTENT_HASH)


def test_sized_worlds_are_searched_size_by_size() -> None:
    found = searched_around_rings({"2-3": [GAP, GAP]})
    assert [question.name for question in found.questions] == [
        f"consumers-{n}-queues-{q}" for n in (1, 2) for q in (1, 2, 3)
    ]
    example = found.counterexample
    assert (example.consumers, example.queues) == (2, 3)
    assert (found.minimal, found.replays, found.limit) == (True, True, 2)


def test_search_ends_with_the_first_violating_size() -> None:
    found = searched_around_rings({"1-2": ["sat", "sat"]})
    assert len(found.questions) == 2
    assert not found.replays, "one consumer has all positions"


@pytest.mark.parametrize(
    ("answer", "replays"), [(("unknown", "unsat"), True), (("timeout", "timeout"), True), (("sat", "unknown"), False)]
)
def test_undecided_smaller_size_prevents_minimality(answer, replays) -> None:
    """The model of the only solver that has one is tried too."""
    found = searched_around_rings({"1-3": list(answer), "2-3": [GAP, GAP]})
    assert found.counterexample
    assert (found.minimal, found.replays) == (False, replays)


def test_every_solvers_ring_model_must_replay() -> None:
    ascending = said("sat", **{"node0-0": 9, "node1-0": 5, "queue0": 1, "queue1": 3, "queue2": 7, "p": 0})
    found = searched_around_rings({"2-3": [GAP, ascending]})
    assert (found.counterexample is not None, found.replays) == (True, False)


@pytest.mark.parametrize(("answer", "minimal"), [("unsat", True), ("unknown", False), ("crash", False)])
def test_ring_search_without_a_counterexample_ends_at_the_bound(answer: str, minimal: bool) -> None:
    found = searched_around_rings({}, (answer, answer))
    assert (found.counterexample, found.minimal, found.limit) == (None, minimal, 2)
    assert len(found.questions) == len(SIZES)


@pytest.mark.parametrize(
    ("size", "name"), [("1-1", "violation-1-1"), ("2-2", "violation-2-2"), ("2-3", "violation-2-3"), ("9-9", None)]
)
def test_wrong_ring_is_searched_size_by_size(size: str, name: str | None) -> None:
    rest = iter([("sat", "sat") if other == size else ("sat", "unsat") for other in SIZES])
    pool = Scripted(lambda text: next(rest))
    question = asyncio.run(violation(looking(DISJOINT, RINGS_OF_1, CONSISTENT_HASH, pool)))
    assert (question and question.name) == name


@pytest.fixture
def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Time limit that a test can wait for."""
    monkeypatch.setattr(limit, "SECONDS", 0.2)


def in_opposite_orders(q: int) -> tuple[str, dict[str, int]]:
    """Two consumers, and a queue that is the first for one and the last for the other."""
    return said("sat", q=q, p=0, second_p=q - 1, order0=0, order1=1)


def test_large_model_is_replayed_and_halved() -> None:
    answers = [["unsat"], [in_opposite_orders(92)], ["unsat"], [in_opposite_orders(60)], *[["unsat"]] * 9]
    found = searched(answers, DISJOINT, SAME_ORDER)
    assert [question.name for question in found.questions[:5]] == [
        "consumers-1",
        "consumers-2",
        "consumers-2-queues-46",
        "consumers-2-queues-69",
        "consumers-2-queues-59",
    ]
    assert (found.minimal, found.replays, found.counterexample.queues) == (True, True, 60)


def test_group_beyond_memory_is_not_built() -> None:
    found = searched([["unsat"], [in_opposite_orders(10**30)], *[["unsat"]] * 200], DISJOINT, SAME_ORDER)
    assert (found.counterexample, found.replays) == (None, True)
    assert found.gave_up == "the smallest model of 2 consumers has more than the 10,000 queues that are tried"


def test_model_beyond_memory_leads_to_a_small_one() -> None:
    answers = [["unsat"], [in_opposite_orders(10**30)], [in_opposite_orders(2)], ["unsat"]]
    found = searched(answers, DISJOINT, SAME_ORDER)
    assert (found.counterexample.queues, found.minimal, found.replays, found.gave_up) == (2, True, True, "")


def test_endless_code_is_ended(hurry) -> None:
    found = searched([[said("sat", q=3)]], strategy=replace(CIRCLE, allocate=never_ends))
    assert (found.counterexample, found.replays, len(found.questions)) == (None, True, 1)
    assert found.gave_up == (
        "replaying a model of 1 consumers on the concrete implementation took more than 0.2 s of computing"
    )


def test_huge_space_is_abandoned(hurry) -> None:
    """Of 40! orders none is wrong for a client that assigns every queue once, and then nothing."""
    calls = Counter()

    def allocate(current_cid, mq_all, cid_all):
        calls[current_cid] += 1
        return list(mq_all) if calls[current_cid] == 1 else []

    once = replace(CIRCLE, allocate=allocate)
    found = searched([["unsat"], [in_opposite_orders(40)], *[["unsat"]] * 9], DISJOINT, SAME_ORDER, once)
    assert (found.counterexample, found.replays) == (None, True)
    assert found.gave_up == "enumerating the groups of 2 consumers and 40 queues took more than 0.2 s of computing"


def test_model_with_named_quotients_is_inconclusive() -> None:
    wrong = said("sat", q=1, p=0, **{"(p mod (c - q))": 2})
    found = searched([["unsat"], ["unsat"], [wrong]], COVERS, strategy=CHOSEN)
    assert not texts.exact(found.questions[-1].text)
    assert (found.counterexample, found.minimal, found.replays) == (None, False, True)
    assert found.gave_up.startswith(
        "consumers-3: a model does not replay. It may be spurious, because products or quotients"
    )


def test_named_quotients_lead_to_a_concrete_search() -> None:
    """Two of three consumers have two non-adjacent queues only with at least four queues."""
    found = searched([["unsat"], ["unsat"], [said("sat", q=2, p=0)], ["unsat"]], CONTIGUOUS, strategy=CHOSEN)
    assert (found.counterexample.consumers, found.counterexample.queues) == (3, 4)
    assert (found.minimal, found.replays) == (True, True)


def test_wrong_terms_are_not_excused_by_named_quotients() -> None:
    """With the real quotients the model satisfies the encoding; the code does otherwise."""
    nothing = replace(CHOSEN, allocate=lambda *view: [])
    model = said("sat", q=4, p=0, first=0, between=1, last=3)
    found = searched([["unsat"], ["unsat"], [model], ["unsat"]], CONTIGUOUS, strategy=nothing)
    assert not found.replays


def test_throwing_client_has_no_queues() -> None:
    def throws(current_cid, mq_all, cid_all):
        if current_cid == "c1":
            raise AllocationError("mqAll is null or mqAll empty")
        return AVG.allocate(current_cid, mq_all, cid_all)

    group = AGREED.group((replace(AVG, allocate=throws),), 2, 2, ())
    assert violated(COVERS, group) == "queue 1 has no consumer."
    assert violated(DISJOINT, group) is None


def test_first_violation_has_the_least_digits() -> None:
    example = first_violation(DISJOINT, DISTINCT_IDS, (AVG,), 3, 3)
    assert example.values == (0, 1)
    assert example.sentence == violated(DISJOINT, example.group)
