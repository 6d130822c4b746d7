"""Settling of a group: found, not found, and equal to plain code."""

from dataclasses import replace
from itertools import count

import numpy as np
import pytest

from rebalance_proofs.spark_enum.explorer import settled as settling
from rebalance_proofs.spark_enum.explorer.in_memory import SortedInMemory
from rebalance_proofs.spark_enum.explorer.levels import levels
from rebalance_proofs.spark_enum.explorer.product import Product
from rebalance_proofs.spark_enum.explorer.standard import SUBJECTS
from rebalance_proofs.spark_enum.explorer.store import all_states


def states_of(product):
    store = SortedInMemory(product.numbering.order(4))
    many = sum(level.states > 0 for level in levels(product, store))
    return all_states(store, many)


def product_of(name, **told):
    subject = SUBJECTS[name]
    return Product(subject.build(subject.settings(**told)))


def by_plain_code(product):
    """In how many rounds all is right, from every state: each round as a set of states."""
    model = product.model
    now = {(state, frozenset()) for state in states_of(product).tolist()}
    for rounds in count():
        reached, fresh, after = set(now), list(now), set()
        while fresh:
            state, shared = fresh.pop()
            for move, then in product.following(state):
                if not move.daily:
                    continue
                done = shared | {move.who} if move.name == model.rebalance else shared
                over = done and done >= model.ids(members(product, then))
                if over and move.name == model.rebalance:
                    after.add((then, frozenset()))
                elif (then, done) not in reached:
                    reached.add((then, done))
                    fresh.append((then, done))
        if all(is_right(product, state) for state, _ in reached | after):
            return rounds
        now = after | {(state, frozenset()) for state, _ in reached if not model.ids(members(product, state))}


def members(product, state):
    return product.group(state)[0]


def is_right(product, state):
    _, numbers = product.parts(np.array([state]))
    for queue, (number,) in enumerate(numbers):
        flag = product.model.right.wrong(members(product, state), queue)
        if flag and product.queue.flags[flag][number]:
            return False
    return True


@pytest.mark.parametrize("told", [{"queues": 1}, {"queues": 1, "faults": ("crash", "lost-notification")}])
def test_rounds_equal_those_of_plain_code(told):
    product = product_of("concurrent", **told)
    found = settling.settled(product, lambda: states_of(product))
    assert found.within == by_plain_code(product) == 1
    assert found.counted == "rounds"


def test_group_with_a_consumer_that_never_rebalances_is_not_settled():
    product = product_of("concurrent", queues=1)
    moves = [move for move in product.model.moves if str(move) != "rebalances c1"]
    idle = Product(replace(product.model, moves=moves))
    found = settling.settled(idle, lambda: states_of(idle))
    assert (found.within, found.most) == (None, 0)


def test_group_with_a_clock_that_can_stop_is_not_settled():
    product = product_of("ordered", queues=1)
    moves = [move for move in product.model.moves if move.name != "renews"]
    idle = Product(replace(product.model, moves=moves))
    found = settling.settled(idle, lambda: states_of(idle))
    assert (found.within, found.most) == (None, 0)


def test_rebalance_that_leaves_a_queue_unchanged_is_detected():
    product = product_of("concurrent", queues=1)
    keeps = dict(product.model.acts)
    for who in range(2):
        keeps[f"gives{who}"] = lambda rows: (np.ones(len(rows), dtype=bool), rows)
    wrong = Product(replace(product.model, acts=keeps))
    found = settling.settled(wrong, lambda: states_of(wrong))
    assert found.within is None
    assert found.most == settling.LONGEST


def test_model_without_a_settled_condition_is_refused():
    product = product_of("lock-lite")
    with pytest.raises(ValueError, match="does not say what is right"):
        settling.settled(product, lambda: states_of(product))
