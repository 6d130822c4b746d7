"""Rows of columns decode to the behaviour of the client's code, in the words of the model's own runs."""

import pickle
import random

import pytest

from rebalance_proofs.model.transition.clients import NODE, V4_9, V5_0
from rebalance_proofs.model.transition.drivers import NOW
from rebalance_proofs.model.transition.rounds import run
from rebalance_proofs.model.transition.variables import CONSUMER, QUEUE, ROUND, Case
from rebalance_proofs.spark_enum.transition.columns import (
    ADDING,
    EVER,
    IN_ADDITION,
    IN_REMOVAL,
    NOTHING,
    OTHERS,
    QUIET,
    REMOVING,
    phase_of,
    possible,
    step_kernel,
    told,
)
from rebalance_proofs.spark_enum.transition.space import NAMES, of_mode
from tests.spark_enum.transition.every import each_client, each_use


@each_use
def test_kernel_agrees_with_a_run_of_the_case(client, mode):
    random.seed(1)
    space = of_mode(client, mode)
    layout, kernel = step_kernel(client)
    for numbers in space.cases(random.sample(range(space.size), 150)):
        row = [int(column) for column in kernel(*(numbers[name] for name in NAMES), *NOTHING)]
        consumer, queue, asked = ({v.name: numbers[v.name] for v in known} for known in (CONSUMER, QUEUE, ROUND))
        found = run(client, mode, Case(consumer, (queue,), ((asked,),)))
        (watched,) = found.last.queues
        outcome = layout.outcome(row, watched.queue)
        assert outcome.effects == told(watched.effects)
        assert (outcome.phase != QUIET) == bool(found.last.thrown)
        assert outcome.phase == phase_of(found.last.thrown)
        assert found.last.thrown or outcome.changed == found.last.changed
        after = outcome.became.after
        assert (after is None) == (watched.after is None)
        if after:
            held = watched.after
            assert (after[0], after[1], after[-1]) == (held.dropped, held.locked, held.tries)
            assert outcome.became.fresh == held.fresh
            assert outcome.became.fresh or after[2:4] == (NOW - queue["pull_age"], NOW - queue["lock_age"])


def test_possible_exceptions_of_other_queues_are_listed():
    assert possible(V5_0.encoding, 1) == OTHERS == (NOTHING, EVER, ADDING, REMOVING)
    assert possible(V4_9.encoding, 1) == possible(NODE.encoding, 0) == (NOTHING, ADDING, REMOVING)
    assert possible(V4_9.encoding, 0) == possible(V5_0.encoding, 0) == (NOTHING,)


@each_client
def test_layout_contains_no_terms(client):
    layout, _ = step_kernel(client)
    assert pickle.loads(pickle.dumps(layout)) == layout
    assert len(layout.columns) == layout.rest + 6


@pytest.mark.parametrize(
    ("thrown", "phase"),
    [
        ("", QUIET),
        ("persist", IN_REMOVAL),
        ("scripted update", IN_REMOVAL),
        ("readOffset", IN_ADDITION),
        ("admin", IN_ADDITION),
    ],
)
def test_exception_has_its_phase(thrown, phase):
    assert phase_of(thrown) == phase
