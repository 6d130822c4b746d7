"""Vectorized successors of many groups agree with the model's of each."""

from collections import Counter
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from rebalance_proofs.spark_enum.explorer.in_memory import SortedInMemory
from rebalance_proofs.spark_enum.explorer.levels import levels
from rebalance_proofs.spark_enum.explorer.model import Changed, Move
from rebalance_proofs.spark_enum.explorer.product import Product
from rebalance_proofs.spark_enum.explorer.standard import SUBJECTS
from rebalance_proofs.spark_enum.explorer.subject import Settings

SOME = 400
"""States that are compared one by one."""


def some_states(product):
    """Of a few levels, in order."""
    store = SortedInMemory(product.numbering.order(1))
    found = []
    for level in levels(product, store):
        found.append(store.order.states(store.level(level.number, range(1))))
        if sum(map(len, found)) > 20 * SOME:
            break
    every = np.concatenate(found)
    chosen = np.random.default_rng(5).choice(every, min(SOME, len(every)), replace=False)
    return np.sort(chosen)


def by_tables(product, states):
    counts = np.zeros(len(product.moves), dtype=np.int64)
    after = Counter()
    for one in product.successors(states, counts):
        after.update(one.tolist())
    return after, counts.tolist()


def one_by_one(product, states):
    after, moves = Counter(), Counter()
    for state in states.tolist():
        for move, then in product.following(state):
            moves[move] += 1
            after[then] += 1
    return after, [moves[move] for move in product.moves]


@pytest.mark.parametrize("name", SUBJECTS)
def test_actions_of_each_group_are_found(name):
    subject = SUBJECTS[name]
    alike(Product(subject.build(Settings(2, 2, faults=tuple(subject.faults)[:1]))))


@pytest.mark.slow
@pytest.mark.parametrize("name", SUBJECTS)
def test_actions_of_each_group_are_found_with_all_faults(name):
    subject = SUBJECTS[name]
    # A third queue of ordered groups takes long.
    queues = 2 if name == "ordered" else 3
    alike(Product(subject.build(Settings(2, queues, faults=tuple(subject.faults)))))


def test_failing_and_branching_actions_are_found():
    """Action both raises two queues if both can rise; one raises a queue, or lowers it after turns."""

    def after(turned, move):
        if move.name == "turns":
            return Changed(not turned, (None, None))
        if move.name == "both":
            return None if turned else Changed(turned, ("up", "up"))
        letter = "down" if turned else "up"
        return Changed(turned, tuple(letter if queue == move.queue else None for queue in range(2)))

    def step(by, rows):
        return ((rows + by >= 0) & (rows + by <= 2))[:, 0], rows + np.int8(by)

    moves = (Move("turns"), Move("both"), Move("one", None, 0), Move("one", None, 1))
    acts = {"up": partial(step, 1), "down": partial(step, -1)}
    model = replace(
        SUBJECTS["lock-lite"].build(Settings()),
        columns=("number",),
        begin=np.zeros((1, 1), dtype=np.int8),
        acts=acts,
        members=False,
        moves=moves,
        after=after,
        flags={},
        watches=(),
    )
    product = Product(model)
    states = some_states(product)
    assert len(states) == 2 * 3 * 3
    assert one_by_one(product, states)[1] == [18, 4, 12, 12]
    alike(product)


def alike(product):
    """What leaves a group as it is may be missing; it is counted all the same."""
    states = some_states(product)
    found, moves = Counter(), Counter()
    for state in states.tolist():
        after = list(product.following(state))
        moves.update(move for move, _ in after)
        others = Counter(then for _, then in after if then != state)
        one = by_tables(product, np.array([state], dtype=product.numbering.dtype))[0]
        assert {then: many for then, many in one.items() if then != state} == others
        found.update(one)
    assert by_tables(product, states) == (found, [moves[move] for move in product.moves])


def test_successors_do_not_depend_on_the_order_of_groups():
    product = Product(SUBJECTS["lock-lite"].build(Settings()))
    states = some_states(product)
    mixed = np.random.default_rng(6).permutation(states)
    assert by_tables(product, mixed) == by_tables(product, states)


def test_empty_set_of_groups_has_no_successors():
    product = Product(SUBJECTS["lock-lite"].build(Settings()))
    assert sum(map(len, product.successors(np.zeros(0, dtype=product.numbering.dtype)))) == 0


def test_split_and_joined_group_is_unchanged():
    product = Product(SUBJECTS["lock-lite"].build(Settings()))
    states = some_states(product)
    assert (product.whole(*product.parts(states)) == states).all()
