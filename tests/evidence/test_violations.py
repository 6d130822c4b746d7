"""Tests of guarantees on concrete results reject the mutants that the solvers refuted."""

from dataclasses import replace

import pytest

from rebalance_proofs.evidence.gathered import violation_tests
from rebalance_proofs.model.transition.client import BROADCAST, ORDERLY, PUSH
from rebalance_proofs.model.transition.clients import NODE, V4_9, V5_2
from rebalance_proofs.proofs.allocation import mistaken as groups
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.proofs.results import ClaimResult
from rebalance_proofs.proofs.transition import kind as rounds
from rebalance_proofs.proofs.transition.scenario import Scenario
from rebalance_proofs.proofs.transition.search import cases, run_case

NAMES = [
    "allocation.avg.sublist",
    "allocation.avg.balanced",
    "allocation.hash.successor",
    "allocation.room.unread.without-same-subscription",
    "code.avg",
    "code.room-go",
    "growth.avg.appended",
    "joins.hash.several",
    "movement.avg.bound",
    "movement.avg.moved",
    "topics.kafka-range.tilt",
    "transition.node.changed",
    "transition.node.exact",
    "transition.java_v5_2.late-unlock.push-orderly-as-shipped",
    "transition.java_v5_2.renewed.push-orderly.when-its-topic-is-not-static",
    "transition.java_v4_9.partition",
]
"""One claim of each kind that reads results in another way, and those whose tests once could find nothing unnoticed."""


@pytest.fixture(scope="module")
def results(proved) -> dict[str, ClaimResult]:
    """Results by claim id."""
    return {name: proved[name] for name in NAMES}


@pytest.mark.parametrize("name", NAMES)
def test_each_mutant_violates_its_guarantee(name, results):
    found = violation_tests([results[name]])
    assert found
    assert len(found) == len(results[name].claim.mutants)
    assert all(test.noticed and test.said for test in found), found


@pytest.mark.parametrize("name", NAMES)
def test_violation_test_without_findings_is_detected(name, results):
    result = results[name]
    silent = replace(result.claim.guarantee, violation=lambda *_: None)
    found = violation_tests([replace(result, claim=replace(result.claim, guarantee=silent))])
    assert found
    assert not any(test.noticed for test in found)
    assert {test.said for test in found} == {"it reported nothing"}


@pytest.mark.parametrize("name", NAMES)
def test_correct_encoding_passes_the_violation_tests(name, results):
    """The same models, with the proved encoding in place of the mutant's."""
    claim = results[name].claim
    read = rounds.mistaken if isinstance(claim.world, Scenario) else groups.sentence
    right = replace(claim.mutants[0], encoding=claim.subjects[0].encoding)
    for mutant in results[name].mutants:
        size = [int(part) for part in mutant.violation.name.split("-")[1:]]
        for answer in mutant.violation.answers:
            assert read(claim, right, answer.model, size) is None


def test_mutant_without_a_solvers_refutation_is_reported(results):
    result = results["movement.avg.moved"]
    (mutant,) = result.mutants
    (test,) = violation_tests([replace(result, mutants=(replace(mutant, violation=None),))])
    assert not test.noticed


def test_raising_violation_test_has_not_noticed(results):
    result = results["movement.avg.moved"]

    def raises(*_):
        raise ValueError("no such queue")

    wrong = replace(result.claim, guarantee=replace(result.claim.guarantee, violation=raises))
    (test,) = violation_tests([replace(result, claim=wrong)])
    assert (test.noticed, test.said) == (False, "it raised ValueError: no such queue")


def _first_of(client, name):
    return next(claim for claim in LEDGER if claim.subjects == (client,) and claim.guarantee.name == name)


@pytest.mark.parametrize(
    ("client", "mode", "promise"),
    [
        pytest.param(NODE, PUSH, "exact", id="node"),
        pytest.param(NODE, BROADCAST, "idempotent", id="node-twice"),
        pytest.param(V4_9, ORDERLY, "exact", id="java-ordered"),
        pytest.param(V4_9, PUSH.with_own_store(), "changed", id="java-own-store"),
        pytest.param(V5_2, ORDERLY, "unsubscribed-lock", id="java-unsubscribed"),
        pytest.param(V5_2, ORDERLY, "renewed", id="java-renewed"),
        pytest.param(V4_9, ORDERLY, "late-unlock", id="java-put-off"),
        pytest.param(V5_2, PUSH, "partition", id="java-apart"),
    ],
)
def test_rounds_by_the_terms_equal_rounds_of_the_code(client, mode, promise):
    """In cases close to a benign round, of one queue and of two, the inspected values are equal."""
    scenario = _first_of(client, promise).world
    compared = 0
    for queues, departures, parts in ((1, 0, 1), (1, 1, 1), (1, 2, 11), (2, 0, 1), (2, 1, 3)):
        for case in cases(scenario, client, mode, queues, departures, 0, parts):
            if not scenario.admits(case, mode):
                continue
            by_code = run_case(scenario, client, mode, case)
            by_terms = rounds.rounds_of(client, client.encoding, scenario, mode, case)
            compared += 1
            for one, other in zip(by_code.rounds, by_terms.rounds, strict=True):
                assert one.changed == other.changed
                assert bool(one.thrown) == bool(other.thrown)
                told = [_without_errors(seen) for seen in one.queues]
                assert told == list(other.queues)
    assert compared > 10


def _without_errors(seen):
    """What only the user is told is no effect of the terms."""
    return replace(seen, effects=tuple(effect for effect in seen.effects if effect[0] != "error"))
