"""One queue beside others that throw."""

from itertools import product

import pytest

from rebalance_proofs.model.transition.client import BROADCAST, ORDERLY, PUSH
from rebalance_proofs.model.transition.clients import NODE, V4_9, V5_0, V5_2
from rebalance_proofs.spark_enum.transition.columns import (
    IN_ADDITION,
    IN_REMOVAL,
    OTHERS,
    QUIET,
    asks_again,
    step_kernel,
)
from rebalance_proofs.spark_enum.transition.laboratory import (
    Laboratory,
    flags,
    flags_table,
    seen_by_code,
    seen_by_terms,
)
from rebalance_proofs.spark_enum.transition.space import NAMES, of_mode
from tests.spark_enum.transition.every import each_use, letters_of

OWN = PUSH.with_own_store()
NODE_GOES = ["drop", "out", "persist", "updateOffsetRPC", "rmOff"]


def numbers(client, mode, **given):
    """A letter that is benign but for what is given."""
    (found,) = of_mode(client, mode).cases(letters_of(client, mode).traces[:1])
    return found | given


def names(effects):
    return [effect[0] for effect in effects]


def test_exceptions_of_other_queues_are_numbered():
    assert Laboratory(V4_9, OWN).others == (0, 2, 3)
    assert Laboratory(V5_0, OWN).others == (0, 1, 2, 3)
    pulls = [mode for mode in V5_2.modes if mode.kind == 1]
    assert [Laboratory(V5_2, mode).others for mode in pulls] == [(0,)] * 2 + [(0, 2, 3)] * 2
    shipped = [mode for mode in V4_9.modes if not mode.own_store]
    assert {Laboratory(client, mode).others for client in (V4_9, V5_0) for mode in shipped} == {(0,)}
    assert Laboratory(NODE, PUSH).others == (0, 2, 3)
    assert Laboratory(NODE, BROADCAST).others == (0,)


def test_removed_queue_that_returns_has_its_steps():
    overdue = {"pull_age": 120_001}
    for client, mode, marks, removal, addition, rest in (
        (V4_9, OWN, ["drop", "persist", "rmOff", "out"], [], ["rmOff", "readOff", "in"], ["pull"]),
        (V5_0, OWN, ["drop"], ["persist", "rmOff", "out"], ["rmOff", "readOff", "in"], ["pull"]),
        (
            NODE,
            PUSH,
            ["drop", "out", "persist", "updateOffsetRPC", "rmOff"],
            [],
            ["queryOffsetRPC", "readOff", "in", "pull"],
            [],
        ),
    ):
        found = Laboratory(client, mode).alone(numbers(client, mode, **overdue))
        assert [names(turn) for turn in found.turns[0]] == [marks, removal, addition, rest]
        assert [names(turn) for turn in found.turns[2]] == [marks, removal, [], []]
        assert names(found.effects(3)) == ([] if client is not V5_0 else ["drop"])
        assert found.changed
        assert found.phase == QUIET
    ever = Laboratory(V5_0, OWN).alone(numbers(V5_0, OWN, **overdue)).turns[1]
    assert [names(turn) for turn in ever] == [["drop"], ["persist", "rmOff", "out"], ["rmOff", "readOff", "in"], []]


def test_throwing_queue_has_its_phase():
    going = Laboratory(V5_0, OWN).alone(numbers(V5_0, OWN, in_set=0, persist=2))
    assert (going.phase, going.changed) == (IN_REMOVAL, False)
    coming = Laboratory(V5_0, OWN).alone(numbers(V5_0, OWN, present=0, stored=-9))
    assert (coming.phase, coming.changed) == (IN_ADDITION, False)
    denied = Laboratory(V5_2, ORDERLY).alone(numbers(V5_2, ORDERLY, present=0, lock=1))
    assert names(denied.again) == ["rebLater"]


@each_use
def test_terms_of_a_step_agree_with_every_behaviour(client, mode):
    laboratory, asks = Laboratory(client, mode), bool(asks_again(client))
    layout, kernel = step_kernel(client)
    for letter in of_mode(client, mode).cases(letters_of(client, mode).behaviours):
        alone = laboratory.alone(letter, place=1)
        for others in laboratory.others:
            row = [int(column) for column in kernel(*(letter[name] for name in NAMES), *OTHERS[others])]
            outcome = layout.outcome(row, alone.queue)
            assert seen_by_terms(outcome, others, asks) == seen_by_code(alone, others, asks)


@pytest.mark.parametrize(
    ("phases", "order", "expected"),
    [
        ((QUIET, QUIET, QUIET), (0, 1, 2), (0, 0, 0, QUIET)),
        ((QUIET, IN_REMOVAL, QUIET), (0, 1, 2), (2, 2, 3, IN_REMOVAL)),
        ((QUIET, IN_ADDITION, QUIET), (0, 1, 2), (1, 1, 2, IN_ADDITION)),
        ((QUIET, IN_ADDITION, QUIET), (2, 1, 0), (2, 1, 1, IN_ADDITION)),
        ((IN_REMOVAL, IN_ADDITION), (0, 1), (2, 3, IN_REMOVAL)),
        ((IN_ADDITION, IN_REMOVAL), (0, 1), (2, 2, IN_REMOVAL)),
        ((IN_REMOVAL, IN_REMOVAL), (0, 1), (2, 3, IN_REMOVAL)),
    ],
)
def test_exception_affects_the_queues_after_it(phases, order, expected):
    assert flags(phases, order) == expected


@pytest.mark.parametrize("backwards", [False, True])
@pytest.mark.parametrize("queues", [2, 3])
def test_table_of_flags_lists_every_combination(queues, backwards):
    table = flags_table(queues, backwards)
    order = list(range(queues))[:: -1 if backwards else 1]
    for phases in product((QUIET, IN_REMOVAL, IN_ADDITION), repeat=queues):
        place = sum(phase * 3**number for number, phase in enumerate(phases))
        assert tuple(table[place]) == flags(phases, order)
    assert len(table) == 3**queues
