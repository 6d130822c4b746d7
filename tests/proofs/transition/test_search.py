"""Smallest counterexamples of claims about transitions: fewest queues, then fewest deviations from the defaults."""

import asyncio
from dataclasses import replace
from types import SimpleNamespace

import pytest

from rebalance_proofs.model.transition.client import ORDERLY, PULLS, PUSH
from rebalance_proofs.model.transition.clients import NODE, V4_9, V5_0, V5_2
from rebalance_proofs.model.transition.rounds import Rounds
from rebalance_proofs.model.transition.variables import CONSUMER, QUEUE, ROUND
from rebalance_proofs.proofs.claim import Claim, Verdict
from rebalance_proofs.proofs.ledger import select
from rebalance_proofs.proofs.search import search, violation
from rebalance_proofs.proofs.solvers import Outcome
from rebalance_proofs.proofs.transition.circumstances import benignly, ordered, pushing, unlocks_arrive
from rebalance_proofs.proofs.transition.entries import EXACT, KEPT, MARKED
from rebalance_proofs.proofs.transition.locks import LISTENER, UNLOCKED
from rebalance_proofs.proofs.transition.scenario import Scenario, exactly, numbers_of
from rebalance_proofs.proofs.transition.search import (
    Bound,
    LookingAtTables,
    cases,
    count_cases,
    first_violation,
    run_case,
)
from tests.model.transition.handmade import case
from tests.proofs.solvers.pools import Scripted
from tests.proofs.transition.in_process import both, judged, searched
from tests.proofs.transition.random_cases import CLAIMS

REFUTED = [claim for claim in CLAIMS if claim.expected is Verdict.REFUTED]

SIZES = {
    "transition.java_v4_9.kept.push": (1, 1),
    "transition.java_v5_0.unlocked.push-orderly.when-unlocks-arrive": (1, 2),
    "transition.java_v5_2.unlocked.push-orderly": (1, 2),
    "transition.java_v5_2.listener.push-orderly": (1, 3),
    "transition.java_v5_2.no-stray-lock.push-orderly.when-unlocks-arrive": (1, 2),
    "transition.java_v5_2.stray-lock-freed.push-orderly-as-shipped.when-unlocks-arrive": (1, 3),
    "transition.java_v4_9.late-unlock.push-orderly-as-shipped": (1, 2),
    "transition.java_v5_2.persisted.clustering-as-shipped": (1, 2),
    "transition.java_v5_0.persisted.broadcasting-as-shipped": (1, 1),
    "transition.java_v5_2.returns.push-orderly-as-shipped": (1, 2),
    "transition.java_v5_2.returns.own-store": (1, 2),
    "transition.java_v4_9_1.knows-lock.push-orderly": (1, 1),
    "transition.java_v5_2.unsubscribed-offset": (1, 0),
    "transition.java_v5_2.heals.pull-and-lite-pull": (1, 2),
    "transition.node.persisted.clustering": (1, 2),
    "transition.node.marked.clustering": (2, 3),
    "transition.java_v5_0+java_v5_2.same.push-orderly-as-shipped": (1, 3),
    "transition.java_v4_9+java_v5_0.same.push-and-lite-pull-clustering-as-shipped": (1, 2),
}
"""Queues and departures."""
OF_TWO_QUEUES = {
    "transition.java_v4_9.marked.own-store": (2, 3),
    "transition.java_v5_0.pulls.push-own-store": (2, 3),
    "transition.java_v5_2.pulls.push-own-store": (2, 3),
    "transition.java_v4_9+java_v5_0.same.own-store": (2, 3),
}
"""Going through all cases takes seconds."""


def claim_of(claim_id: str) -> Claim:
    (found,) = select([claim_id], CLAIMS)
    return found


@pytest.mark.parametrize(("claim_id", "size"), SIZES.items(), ids=SIZES)
def test_sizes_of_smallest_counterexamples(claim_id, size):
    found = searched(claim_of(claim_id))
    example = found.counterexample
    assert (example.queues, example.departures) == size
    assert example.size == (1, *size)
    assert (found.minimal, found.replays) == (True, True)
    assert example.group.case.departures == example.departures
    assert len(example.group.case.queues) == example.queues
    assert claim_of(claim_id).guarantee.violation(example.group) == example.sentence
    assert all(question.outcome in (Outcome.SAT, Outcome.UNSAT) for question in found.questions)


@pytest.mark.slow
@pytest.mark.parametrize(("claim_id", "size"), OF_TWO_QUEUES.items(), ids=OF_TWO_QUEUES)
def test_sizes_of_smallest_counterexamples_with_two_queues(claim_id, size):
    test_sizes_of_smallest_counterexamples(claim_id, size)


@pytest.mark.slow
@pytest.mark.parametrize("claim", REFUTED, ids=lambda claim: claim.id)
def test_no_smaller_case_breaks_the_guarantee(claim):
    """The first one in the order of enumeration, in any mode; every mode has one."""
    client, scenario = claim.subjects[0], claim.world
    smallest = []
    for mode in scenario.modes:
        sizes = range(1, scenario.most_queues + 1)
        found = (first_violation(claim.guarantee, scenario, client, mode, queues) for queues in sizes)
        example = next(one for one in found if one)
        assert scenario.admits(example.group.case, mode)
        assert example.group.mode is mode
        assert claim.guarantee.violation(run_case(scenario, client, mode, example.group.case)) == example.sentence
        assert example.sentence.endswith(".")
        smallest.append(example.size)
    pinned = (SIZES | OF_TWO_QUEUES).get(claim.id)
    assert pinned is None or min(smallest) == (1, *pinned)


def failures(rounds: Rounds) -> int:
    """How many answers of all rounds are not the benign ones."""
    answers = [known for known in ROUND if known.name != "in_set"]
    told = [asked for round_ in rounds.case.rounds for asked in round_]
    return sum(asked[known.name] != known.benign for asked in told for known in answers)


def test_shortest_counterexample_has_the_fewest_failures():
    broken = SimpleNamespace(violation=lambda rounds: rounds.case.departures == 2 and failures(rounds) and "It fails.")
    found = first_violation(broken, Scenario((PUSH,)), V5_2, PUSH, 1)
    assert (found.departures, failures(found.group)) == (2, 1)


def test_guarantee_that_one_mode_keeps_is_not_refuted():
    """The pull of a push consumer can be overdue, that of a pull consumer never is."""
    claim = claim_of("transition.java_v5_2.kept.push")
    mixed = replace(claim, world=Scenario((PUSH, *PULLS)))
    found = searched(mixed)
    assert found.counterexample is None
    assert [question.name for question in found.questions] == [
        "queues-1",
        "push-queues-1",
        "pull-queues-1",
        "pull-queues-2",
    ]
    assert found.replays
    assert judged(mixed).verdict is Verdict.UNKNOWN


def test_guarantee_that_every_mode_breaks_is_refuted():
    """Both of Node's modes; the smaller one counts."""
    found = searched(claim_of("transition.node.kept"))
    assert [question.name for question in found.questions] == [
        "queues-1",
        "push-queues-1",
        "push-broadcasting-queues-1",
        "queues-1-departures-1",
        "queues-1-departures-0",
    ]
    assert found.counterexample.size == (1, 1, 1)


def test_proved_claim_has_no_counterexample_with_two_queues():
    claim = claim_of("transition.java_v5_2.offset-kept")
    found = searched(claim)
    assert [(question.name, question.outcome) for question in found.questions] == [
        ("queues-1", Outcome.UNSAT),
        ("queues-2", Outcome.UNSAT),
    ]
    assert (found.counterexample, found.limit) == (None, 2)


MUTANTS = {
    ("java_v5_2", "passes-over"): (V5_2, MARKED, lambda client: Scenario((ORDERLY,))),
    ("java_v5_2", "keeps-lock"): (V5_2, UNLOCKED, unlocks_arrive),
    ("java_v4_9", "forces"): (V4_9, LISTENER, ordered),
    ("java_v5_0", "expires-always"): (V5_0, KEPT, lambda client: Scenario(PULLS[:1])),
    ("node", "left-in-table"): (NODE, EXACT, benignly),
}


@pytest.mark.parametrize(("name", "told"), MUTANTS.items(), ids=map("-".join, MUTANTS))
def test_wrong_encoding_does_not_replay(name, told):
    """The terms are a mutant's; the code is correct."""
    client, promise, scenario = told
    (mutant,) = [mutant for mutant in client.mutants if mutant.name == name[1]]
    wrong = replace(client, encoding=mutant.encoding)
    claim = replace(LISTENER_CLAIM, subjects=(wrong,), guarantee=promise, world=scenario(client))
    found = asyncio.run(search(LookingAtTables(claim, Scripted(both))))
    assert not found.replays


def test_wrong_transition_encoding_is_a_disagreement():
    claim = claim_of("transition.java_v5_2.marked")
    (mutant,) = [mutant for mutant in V5_2.mutants if mutant.name == "passes-over"]
    wrong = (replace(V5_2, encoding=mutant.encoding, mutants=()),)
    result = judged(replace(claim, world=Scenario((PUSH,)), subjects=wrong))
    assert (result.verdict, result.reason) == (
        Verdict.DISAGREE,
        "a counterexample does not replay on the concrete implementation",
    )


def test_wrong_transition_code_is_a_disagreement():
    """The terms of 5.2 differ from the code of 4.9."""
    wrong = replace(LISTENER_CLAIM, subjects=(replace(V4_9, encoding=V5_2.encoding, mutants=()),))
    result = judged(wrong)
    assert result.verdict is Verdict.DISAGREE
    assert not result.search.replays


LISTENER_CLAIM = replace(claim_of("transition.java_v5_2.listener.push-orderly"), world=Scenario((ORDERLY,)))
MODEL = {"consume_lock": 1, "lock_age": 20_001, "in_set": 0, "orderly": 1, "order": 1}
FOUND = [("sat", MODEL), ("sat", MODEL)]


def scripted(*answers):
    """The search for the listener's claim, with a pool that answers so."""
    rest = iter(answers)
    return searched(LISTENER_CLAIM, lambda text: next(rest))


def test_search_asks_for_equal_and_for_fewer_departures():
    found = scripted(FOUND, FOUND, ["unsat", "unsat"])
    assert [question.name for question in found.questions] == [
        "queues-1",
        "queues-1-departures-3",
        "queues-1-departures-2",
    ]
    assert (found.minimal, found.replays, found.counterexample.departures) == (True, True, 3)


@pytest.mark.parametrize("place", [1, 2])
@pytest.mark.parametrize("answer", [["unknown", "unsat"], ["timeout", "timeout"], [("sat", MODEL), "unsat"]], ids=str)
def test_undecided_transition_search_is_not_minimal(answer, place):
    answers = [FOUND, FOUND, ["unsat", "unsat"]]
    answers[place] = answer
    found = scripted(*answers)
    assert found.counterexample
    assert not found.minimal


def test_code_violation_without_a_formula_violation_is_no_replay():
    found = scripted(FOUND, ["unsat", "unsat"], ["unsat", "unsat"])
    assert (found.minimal, found.replays) == (False, False)


@pytest.mark.parametrize(
    "change",
    [{"lock_age": 20_000}, {"in_set": 1}, {"consume_lock": 0}, {"mine": 0, "in_set": 1}, {"present": 0}],
    ids=str,
)
def test_inadmissible_model_does_not_replay(change):
    found = scripted([("sat", MODEL), ("sat", MODEL | change)], FOUND, ["unsat", "unsat"])
    assert not found.replays


def test_second_queue_is_searched_if_one_breaks_nothing():
    found = scripted(["unsat", "unsat"], ["unsat", "unsat"])
    assert [question.name for question in found.questions] == ["queues-1", "queues-2"]
    assert found.counterexample is None


@pytest.mark.parametrize(
    ("answers", "name"),
    [
        ([["sat", "sat"]], "violation-1"),
        ([["sat", "unsat"], ["sat", "sat"]], "violation-2"),
        ([["unsat", "unsat"], ["sat", "unknown"]], None),
    ],
)
def test_transition_violation_needs_all_solvers(answers, name):
    claim = LISTENER_CLAIM
    question = asyncio.run(violation(LookingAtTables(claim, Scripted(answers))))
    assert (question and question.name) == name


@pytest.mark.parametrize("client", [V5_2, NODE], ids=lambda client: client.name)
def test_cases_are_visited_once_by_departures(client):
    scenario = Scenario((ORDERLY,), rounds=2)
    for departures in range(3):
        found = [*cases(scenario, client, ORDERLY, 1, departures)]
        assert {each.departures for each in found} == {departures}
        assert len({str(each) for each in found}) == len(found) == count_cases(scenario, client, ORDERLY, 1, departures)
        apart = [str(each) for part in range(3) for each in cases(scenario, client, ORDERLY, 1, departures, part, 3)]
        assert sorted(apart) == sorted(map(str, found))


def test_one_departure_is_one_relevant_value():
    known = [*CONSUMER, *QUEUE, *QUEUE, *ROUND, *ROUND]
    others = sum(len(NODE.values(variable, 0)) - 1 for variable in known)
    assert count_cases(Scenario((PUSH,)), NODE, PUSH, 2, 1) == others
    assert all(
        state[name] == numbers_of({}, 1, 1).queues[0][name]
        for each in cases(Scenario((PUSH,)), NODE, PUSH, 1, 2)
        for state in each.queues
        for name in NODE.ignores & {*state}
    )


def test_first_violation_is_the_smallest():
    example = first_violation(KEPT, pushing(V5_2), V5_2, PUSH, 1)
    assert example.group.case == case([{"pull_age": 120_001}], [[{}]])
    assert first_violation(KEPT, replace(pushing(V5_2), limits=(exactly("pull_age", 0),)), V5_2, PUSH, 1) is None


def test_text_names_the_requested_bound():
    claim = LISTENER_CLAIM
    asked = LookingAtTables(claim, Scripted([])).text((2,), Bound(ORDERLY, 3))
    first, second, *_ = asked.splitlines()
    assert (
        first == f"; {claim.id}, push orderly / a table of 2 queues, at most 3 deviations from a round without failures"
    )
    assert second == f"; {claim.guarantee.sentence}: sat = broken"
    assert "lock_age_2" in asked
    assert "orderly" not in asked.split("(set-logic")[1].replace("push orderly", "")
