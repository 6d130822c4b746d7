"""Scenarios admit exactly the cases that their formulas describe."""

import random
from dataclasses import replace
from itertools import islice
from types import SimpleNamespace

import numpy as np
import pytest

from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.kernel import compile_kernel
from rebalance_proofs.model.terms.simplified import simplify
from rebalance_proofs.model.transition.client import LITES, ORDERLY, ORDERLY_BROADCAST, PULLS, PUSH, Client, Mode
from rebalance_proofs.model.transition.clients import CLIENTS, NODE
from rebalance_proofs.model.transition.rounds import run
from rebalance_proofs.model.transition.variables import CONSUMER, MODE, QUEUE, ROUND, Case, name_of
from rebalance_proofs.proofs.transition.circumstances import benignly, everywhere, given_back, pushing, twice
from rebalance_proofs.proofs.transition.entries import RETURNS, quiet
from rebalance_proofs.proofs.transition.scenario import Action, Limit, Scenario, exactly, numbers_of
from rebalance_proofs.proofs.transition.search import run_case
from tests.each import each
from tests.model.transition.handmade import case as handmade
from tests.model.transition.random_cases import assignment
from tests.proofs.transition.random_cases import CLAIMS, admitted, evaluated

KNOWN = {variable.name: variable for variable in (*CONSUMER, *QUEUE, *ROUND)}
SCENARIOS: dict[str, tuple[tuple[Client, ...], Scenario]] = {
    claim.id: (claim.subjects, claim.world)
    for claim in {(claim.subjects, claim.world): claim for claim in reversed(CLAIMS)}.values()
}
"""By the id of the first claim that is made in it."""
UNSUBSCRIBING = {name: found for name, found in SCENARIOS.items() if found[1].action is Action.UNSUBSCRIBES}
TRIED = 120

each_scenario = each(("clients", "scenario"), SCENARIOS.values(), ids=SCENARIOS)


def any_case(scenario: Scenario, queues: int, source: random.Random) -> Case:
    """Values of every kind; not often the scenario's."""
    drawn = next(admitted(replace(scenario, limits=()), queues, source))[1]
    groups = [drawn.consumer, *drawn.queues, *(asked for row in drawn.rounds for asked in row)]
    for _ in range(source.choice((0, 0, 1, 2))):
        group = source.choice(groups)
        name = source.choice([*group])
        group[name] = source.choice(KNOWN[name].values)
    return drawn


@each_scenario
@each("queues", [1, 2])
def test_admitted_cases_satisfy_the_formulas(clients, scenario, queues):
    source = random.Random(queues)
    modes = (*scenario.modes, PUSH, ORDERLY, PUSH.with_own_store(), *PULLS)
    cases = [(source.choice(modes), any_case(scenario, queues, source)) for _ in range(TRIED // 2)]
    cases += islice(admitted(scenario, queues, source), TRIED // 2)
    used = {known(mode) for mode in scenario.modes}
    said = evaluated(scenario, queues, lambda v: smt.And([*scenario.given(v, queues).values()]), cases)
    assert said == [known(mode) in used and scenario.admits(case, mode) for mode, case in cases]
    assert all(said[TRIED // 2 :])
    assert not all(said)


def known(mode: Mode) -> tuple[int, ...]:
    """The mode without its name."""
    return tuple(getattr(mode, variable.name) for variable in MODE)


@each_scenario
def test_assignment_encodes_its_mode_and_case(clients, scenario):
    for queues in (1, 3):
        for mode, case in islice(admitted(scenario, queues, random.Random(queues)), 10):
            values = assignment(mode, case)
            assert {*values} == {*scenario.names(queues)}
            assert numbers_of(values, queues, scenario.rounds) == case
            assert known(scenario.mode_of(values)) == known(mode)


@each_scenario
def test_quiet_scenario_has_no_exceptions(clients, scenario):
    """Also among three queues: the obligation about one is enough."""
    assert scenario.quiet is None or 0 <= scenario.quiet < scenario.rounds
    assert scenario.loud == (scenario.rounds if scenario.quiet is None else scenario.quiet)
    if scenario.quiet is None:
        return
    for client in clients:
        for mode, case in islice(admitted(scenario, 3, random.Random(client.name)), 25):
            found = run_case(scenario, client, mode, case)
            assert [each.thrown for each in found.rounds[scenario.quiet :]] == [""] * (scenario.rounds - scenario.quiet)


@each_scenario
def test_scenario_has_words(clients, scenario):
    assert scenario.modes
    assert {*scenario.modes} <= {*clients[0].modes} | ({ORDERLY_BROADCAST} if "before" in scenario.used else set())
    assert bool(scenario.limits) >= bool(scenario.name and not scenario.foreign)
    assert scenario.name == scenario.name.replace(" ", "-")
    assert all(phrase == phrase.strip(" .;") for phrase in (*scenario.assumes, scenario.when))
    assert bool(scenario.when) <= bool(scenario.assumes)
    assert all(limit.round is None or 0 <= limit.round < scenario.rounds for limit in scenario.limits)
    assert (scenario.dropped, scenario.sized, scenario.otherwise) == (False, True, "")
    assert scenario.subjects == len(clients)


@each(("clients", "scenario"), UNSUBSCRIBING.values(), ids=UNSUBSCRIBING)
def test_single_queue_equals_a_table_of_one_queue(clients, scenario):
    """No proved claim is about users who unsubscribe, but a later one may be."""
    v = SimpleNamespace(**{name: smt.Int(name) for name in (*scenario.names(1), *scenario.thrown_names())})
    (alone,) = scenario.table(clients[0].encoding, v, 1).views
    assert str(scenario.view(clients[0].encoding, v)) == str(alone)


def test_missing_values_of_an_assignment_are_benign():
    calm = numbers_of({}, 2, 2)
    assert calm == handmade([{}, {}], [[{}, {}], [{}, {}]])
    assert calm.departures == 0
    some = numbers_of({"retry": 1, "present_2": 0, "lock_again": 3, "in_set_2_again": 0}, 2, 2)
    assert some == handmade([{}, {"present": 0}], [[{}, {}], [{"lock": 3}, {"in_set": 0}]], retry=1)
    assert some.departures == 4


def test_foreign_mode_is_refused():
    scenario = Scenario((PUSH, *LITES))
    assert scenario.mode_of({"kind": 0}) is PUSH
    assert scenario.mode_of({"kind": 2, "broadcasting": 1}) is LITES[1]
    for values in ({"kind": 1}, {"kind": 0, "order": 1}):
        with pytest.raises(StopIteration):
            scenario.mode_of(values)


@each(
    ("limit", "inside", "outside"),
    [
        (Limit("stored", 0), [0, 9], [-1, -9]),
        (Limit("lock", highest=2), [0, 2], [3]),
        (exactly("persist", 0), [0], [-1, 1]),
        (Limit("where", 1, 2), [1, 2], [0, 3]),
    ],
)
def test_limit_equals_its_formula(limit, inside, outside):
    for kind in range(3):
        for value in (*inside, *outside):
            formula = simplify(limit.formula(smt.IntVal(value), smt.IntVal(kind)))
            assert smt.is_true(formula) is limit.admits(value, Mode("", kind=kind)) is (value in inside)


def test_push_only_limit_applies_to_push_consumers():
    limit = Limit("pull_age", highest=5, passive_only=True)
    for mode in (PUSH, *PULLS, *LITES):
        for value in (5, 6):
            meant = simplify(limit.formula(smt.IntVal(value), smt.IntVal(mode.kind)))
            assert smt.is_true(meant) is limit.admits(value, mode) is (value == 5 or mode is not PUSH)


def test_limit_of_a_round_applies_to_that_round():
    scenario = Scenario((PUSH,), limits=(exactly("in_set", 0, round_=0), exactly("in_set", 1, round_=1)), rounds=2)
    assert scenario.admits(handmade([{}], [[{"in_set": 0}], [{}]]), PUSH)
    assert not scenario.admits(handmade([{}], [[{}], [{}]]), PUSH)
    assert not scenario.admits(handmade([{}], [[{"in_set": 0}], [{"in_set": 0}]]), PUSH)


def test_absent_entry_has_only_an_offset():
    scenario = Scenario((PUSH,))
    assert scenario.admits(handmade([{"present": 0, "memory": 9}], [[{}]]), PUSH)
    assert not scenario.admits(handmade([{"present": 0, "dropped": 1}], [[{}]]), PUSH)


def test_foreign_topic_queues_are_assigned_only_if_allowed():
    foreign = handmade([{"mine": 0}], [[{}]])
    assert not Scenario((PUSH,)).admits(foreign, PUSH)
    assert Scenario((PUSH,), foreign=True).admits(foreign, PUSH)


def test_fixed_set_is_the_same_in_all_rounds():
    moves = handmade([{}], [[{}], [{"in_set": 0}]])
    assert Scenario((PUSH,), rounds=2).admits(moves, PUSH)
    assert not Scenario((PUSH,), rounds=2, same_set=True).admits(moves, PUSH)


def test_lite_consumers_have_no_deprecated_settings():
    deprecated = handmade([{}], [[{}]], where=3)
    assert Scenario((PUSH,)).admits(deprecated, PUSH)
    assert not Scenario(LITES).admits(deprecated, LITES[0])


@pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.name)
def test_exceptions_of_others_are_named_in_loud_rounds(client):
    names = ("thrown_removing", "thrown_adding", "thrown_ever")
    assert everywhere(client).thrown_names() == names
    assert replace(everywhere(client), rounds=2).thrown_names() == (*names, *(f"{name}_again" for name in names))
    assert given_back(client).thrown_names() == names
    assert twice(client).thrown_names() == ()
    v = SimpleNamespace(**{name: smt.Int(name) for name in names}, own_store=smt.IntVal(1))
    possible, flags = given_back(client).thrown(client.encoding, v)
    (told,) = possible.values()
    assert len(flags) == 2
    kernel = compile_kernel(names, told)
    rows = np.array(np.meshgrid(*[range(-1, 3)] * 3)).reshape(3, -1)
    allowed = {tuple(row) for row in rows.T[np.broadcast_to(kernel(*rows)[0], rows.shape[1])].tolist()}
    assert {(0, 0, 0), (0, 1, 1), (1, 1, 1)} <= allowed <= {(0, 0, 0), (0, 0, 1), (0, 1, 1), (1, 1, 1)}
    assert ((0, 0, 1) in allowed) is (client in CLIENTS[1:3])
    assert all(smt.is_false(flag) for flag in vars(flags[1]).values())


def test_unknowns_are_those_of_mode_consumer_and_queues():
    scenario = Scenario((ORDERLY,), rounds=2)
    assert len(scenario.names(3)) == len(MODE) + len(CONSUMER) + 3 * (len(QUEUE) + 2 * len(ROUND))
    assert quiet(replace(pushing(CLIENTS[0]), quiet=0)).variables == pushing(CLIENTS[0]).names(1)


def test_limits_of_one_queue_do_not_limit_others():
    """Otherwise a proof would be about tables in which every queue is removed and assigned again."""
    scenario = given_back(NODE)
    case = numbers_of({"in_set": 0, "present_2": 0, "in_set_2": 0, "in_set_2_again": 0}, 2, 2)
    assert scenario.admits(case, PUSH)
    assert scenario.meant(run(NODE, PUSH, case)).meant == (True, False)
    v = SimpleNamespace(**{name: smt.Int(name) for name in (*scenario.names(2), *scenario.thrown_names())})
    assert {*scenario.about(v)} == {"the claim is about this queue"}
    (_, no_throws) = RETURNS.obligations(scenario)
    assert no_throws.name == "quiet"
    assert not {*scenario.about(v)} & {*no_throws.statement(NODE.encoding).given}


def test_claims_about_every_queue_distinguish_none():
    scenario = benignly(NODE)
    found = scenario.meant(run(NODE, PUSH, numbers_of({}, 2, 1)))
    assert (found.meant, scenario.about(SimpleNamespace())) == ((), {})
    assert scenario.meant(replace(found, meant=(True, False))).meant == ()


def test_vacuity_check_covers_the_second_queue():
    """The same values, and large numbers: its variables are not used as flags."""
    scenario = everywhere(NODE)
    v = SimpleNamespace(**{name: smt.Int(name) for name in scenario.names(2)})
    words = [words.split(" ", 1) for words, _ in scenario.goals(v, 10**9)]
    for known in (*QUEUE, *ROUND):
        first, second = (name_of(known.name, queue, 0 if known in ROUND else None) for queue in (0, 1))
        asked = [rest for name, rest in words if name == first]
        assert asked == [rest for name, rest in words if name == second] != [], known.name
