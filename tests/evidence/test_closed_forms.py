"""Closed forms equal correct enumerations, and a wrong enumeration is detected."""

from dataclasses import replace
from itertools import product

import pytest

from rebalance_proofs.evidence.required import cases, sweeps
from rebalance_proofs.evidence.required.sweeps import swept, together
from rebalance_proofs.model.transition.clients import CLIENTS, V5_2, VARIANTS
from rebalance_proofs.model.worlds.groups import AGREED
from rebalance_proofs.model.worlds.joins import JOINS
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.proofs.transition.scenario import Scenario
from rebalance_proofs.proofs.transition.search import count_cases
from rebalance_proofs.spark_enum.allocation.group_check import GroupCheck, checks
from rebalance_proofs.spark_enum.allocation.space import AT_PLACE, NUMBER_SUM, POSITIONS, RESULTS, Space
from rebalance_proofs.spark_enum.allocation.sweep import sweep
from rebalance_proofs.spark_enum.bounds import QUICK, Bounds, thorough
from rebalance_proofs.spark_enum.jobs import here
from rebalance_proofs.spark_enum.transition import space, witness
from rebalance_proofs.spark_enum.transition.bounds import QUICK as QUICK_TRANSITIONS
from rebalance_proofs.spark_enum.transition.bounds import TransitionBounds
from rebalance_proofs.spark_enum.transition.laboratory import Laboratory
from tests.each import each

CHECKS = checks(LEDGER)
USED = [(client, mode) for client in (*CLIENTS, *VARIANTS) for mode in client.modes]


def small(world):
    """A bound at which its space has few groups."""
    bound = (3, 3)
    while sweeps.groups(world, bound) > 400:
        bound = (bound[0] - 1, bound[1]) if bound[0] > bound[1] else (bound[0], bound[1] - 1)
    return bound


def expected(world, bound):
    """Everything that is reckoned of a space."""
    groups = sweeps.groups(world, bound)
    return groups, groups, *(form(world, bound) for form in (sweeps.number_sum, sweeps.results, sweeps.positions))


def found(check, bound):
    """The same of a sweep."""
    (swept_,) = here([sweep(Space(check.world, *bound), check)])
    return swept_.counted, *(swept_.numbers[name] for name in (AT_PLACE, NUMBER_SUM, RESULTS, POSITIONS))


@each("check", CHECKS, ids=lambda check: f"{check.world.name}-{check.subjects[0].name}")
def test_closed_form_equals_the_size_of_the_space(check):
    bound = small(check.world)
    assert found(check, bound) == expected(check.world, bound)


@pytest.mark.parametrize(
    "bounds", [Bounds(), QUICK, thorough(Bounds()), Bounds(consumers=3, queues=2), replace(QUICK, groups=50)]
)
def test_closed_form_bounds_equal_the_enumerated_bounds(bounds):
    for check in CHECKS:
        space = bounds.space(check.world)
        assert swept(check.world, bounds) == (space.max_consumers, space.max_queues)
        assert together(check.world, bounds) == space.together
        assert sweeps.groups(check.world, swept(check.world, bounds), space.together) == space.groups
        assert sweeps.sizes(swept(check.world, bounds), space.together) == list(space.sizes)


SIZED = {check.world.name: check.world for check in CHECKS if check.world.sized and not check.world.usual}


@each("world", SIZED.values(), ids=lambda world: world.name)
def test_space_is_enumerated_completely_only_if_it_fits(world):
    size = min(world.bound[0], 3), min(world.bound[1], 2)
    whole = sweeps.groups(world, size)
    for groups in (whole, whole - 1, 0):
        bounds = Bounds(*size, groups=groups)
        space = bounds.space(world)
        assert swept(world, bounds) == (space.max_consumers, space.max_queues)
        assert (swept(world, bounds) == size) is (groups == whole)


FAULTS = {
    "the last number of queues is left out": {
        "sizes": property(lambda s: tuple(product(range(1, s.max_consumers + 1), range(1, s.max_queues))))
    },
    "the first number of queues is left out": {
        "sizes": property(lambda s: tuple(product(range(1, s.max_consumers + 1), range(2, s.max_queues + 1))))
    },
    "one number further": {"decode": lambda s, number: DECODE(s, min(number + 1, s.groups - 1))},
    "one number back": {"decode": lambda s, number: DECODE(s, max(number - 1, 0))},
    "two groups exchanged": {"decode": lambda s, number: DECODE(s, {1: 2, 2: 1}.get(number, number))},
}
DECODE = Space.decode


@pytest.mark.parametrize("world", [AGREED, JOINS], ids=lambda world: world.name)
@pytest.mark.parametrize("fault", FAULTS)
def test_wrong_decoding_of_a_space_is_detected(fault, world, monkeypatch):
    check = next(check for check in CHECKS if check.world is world)
    assert found(check, (3, 3)) == expected(world, (3, 3))
    for name, wrong in FAULTS[fault].items():
        monkeypatch.setattr(Space, name, wrong)
    assert found(GroupCheck(world, check.subjects, ()), (3, 3)) != expected(world, (3, 3))


@pytest.mark.parametrize("client", [*CLIENTS, *VARIANTS], ids=lambda client: client.name)
@pytest.mark.parametrize("bounds", [TransitionBounds(), QUICK_TRANSITIONS])
def test_number_of_one_queue_cases_is_computed(client, bounds):
    assert cases.singles(client, bounds) == witness.singles(client, bounds).size


@pytest.mark.parametrize("left_out", [0, -1])
def test_number_of_one_queue_cases_drops_with_a_mode(left_out):
    """Otherwise as many modes have the user-defined store as have the default one."""
    (client,) = (one for one in CLIENTS if one.name == "java_v5_2")
    fewer = replace(client, modes=tuple(mode for mode in client.modes if mode is not client.modes[left_out]))
    assert cases.singles(fewer, TransitionBounds()) == witness.singles(fewer, TransitionBounds()).size


@each(("client", "mode"), USED, ids=lambda part: part.name)
def test_numbers_of_mode_and_exception_cases_are_computed(client, mode):
    assert cases.of_mode(client, mode) == space.of_mode(client, mode).size
    assert cases.thrown(client, mode) == len(Laboratory(client, mode).others)


def test_departures_are_counted_like_cases():
    assert cases.departures([1, 2, 3], 4) == [1, 6, 11, 6, 0]
    for claim in [claim for claim in LEDGER if claim.kind == Scenario.kind][::9]:
        client, mode = claim.subjects[0], claim.world.modes[0]
        others = [len(client.values(known, mode.own_store)) - 1 for _, known in claim.world.unknowns(2)]
        if claim.guarantee.name != "renewed":
            told = [count_cases(claim.world, client, mode, 2, more) for more in range(4)]
            assert cases.departures(others, 3) == told


def test_variable_with_one_value_is_not_counted():
    mode = V5_2.modes[0]
    assert cases.product(V5_2, mode.own_store, {}) == cases.product(V5_2, mode.own_store, {"static": 5})
