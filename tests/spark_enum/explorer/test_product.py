"""Tables of a group agree with its model, and entries that were not computed are never looked up."""

from collections import Counter
from functools import cache

import numpy as np
import pytest

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.allocation.averagely_by_circle import AVERAGELY_BY_CIRCLE
from rebalance_proofs.model.machines.offsets.actions import CONCURRENT
from rebalance_proofs.model.machines.ordered.actions import V4_9, V5_2
from rebalance_proofs.spark_enum.explorer import settled
from rebalance_proofs.spark_enum.explorer.closure import UNKNOWN
from rebalance_proofs.spark_enum.explorer.in_memory import SortedInMemory
from rebalance_proofs.spark_enum.explorer.levels import levels
from rebalance_proofs.spark_enum.explorer.model import Plain, State
from rebalance_proofs.spark_enum.explorer.models import concurrent as of_concurrent
from rebalance_proofs.spark_enum.explorer.models import ordered as of_ordered
from rebalance_proofs.spark_enum.explorer.models.concurrent import concurrent
from rebalance_proofs.spark_enum.explorer.models.lock_lite import lock_lite
from rebalance_proofs.spark_enum.explorer.models.ordered import ordered
from rebalance_proofs.spark_enum.explorer.product import Product

MODELS = {
    "lock-lite": lambda: lock_lite(AVERAGELY, 2, 2),
    "lock-lite, 3 queues": lambda: lock_lite(AVERAGELY_BY_CIRCLE, 2, 3),
    "concurrent": lambda: concurrent(CONCURRENT[-1], AVERAGELY, 2, 2),
    "concurrent, faults": lambda: concurrent(CONCURRENT[0], AVERAGELY, 1, 2, frozenset(of_concurrent.FAULTS)),
    "ordered": lambda: ordered(V5_2, AVERAGELY, 2, 2, frozenset({of_ordered.CRASH})),
    "ordered, faults": lambda: ordered(V4_9, AVERAGELY, 1, 2, frozenset(of_ordered.FAULTS)),
}
LARGE = {
    "concurrent, 3 queues": lambda: concurrent(CONCURRENT[-1], AVERAGELY, 2, 3),
    "ordered, 3 queues": lambda: ordered(V5_2, AVERAGELY, 2, 3, frozenset({of_ordered.CRASH})),
}
SOME = 80


@cache
def made(name):
    """A product, and all its states."""
    product = Product((MODELS | LARGE)[name]())
    return product, all_states(product)


def all_states(product, first=None):
    store = SortedInMemory(product.numbering.order(8))
    many = [level.number for level in levels(product, store, first) if level.states]
    return np.concatenate(
        [store.order.states(store.level(level, part)) for level in many for part in store.expanding(level)]
    )


def unknown(product, states):
    """Where a move asks in one of the states for what was not worked out."""
    members, queues = product.parts(states)
    found = []
    for place, numbers in enumerate(queues):
        many = len(product.queue.rows)
        pairs = np.unique(members * many + numbers)
        for move, turns in zip(product.moves, product.members.after, strict=True):
            letters = [turn[1].letters[place] if turn else None for turn in turns]
            for letter in set(letters) - {None}:
                of = np.array([one == letter for one in letters])
                at = pairs[of[pairs // many]] % many
                found += [(str(move), letter)] * bool((product.queue.after[letter][at] == UNKNOWN).any())
    return found


def plain_of(product, state):
    members, numbers = product.parts(np.array([state], dtype=product.numbering.dtype))
    return State(
        product.members.states[int(members[0])],
        tuple(np.ascontiguousarray(product.queue.rows[int(one[0])]).tobytes() for one in numbers),
    )


@pytest.mark.parametrize("name", MODELS)
def test_missing_table_entries_are_never_looked_up(name):
    product, states = made(name)
    assert unknown(product, states) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", LARGE)
def test_missing_table_entries_of_a_large_group_are_never_looked_up(name):
    product, states = made(name)
    assert unknown(product, states) == []


def some_of(states):
    return states[:: max(1, len(states) // SOME)].tolist()


def differing(product, states):
    """The first state in which tables and model do not say the same; None where there is none."""
    plain = Plain(product.model)
    for state in states:
        wanted = [(str(move), then) for move, then in plain.following(plain_of(product, state))]
        if [(str(move), plain_of(product, after)) for move, after in product.following(state)] != wanted:
            return state
        counts = np.zeros(len(product.moves), dtype=np.int64)
        after = np.concatenate(product.successors(np.array([state], dtype=product.numbering.dtype), counts))
        names = [str(move) for move, count in zip(product.moves, counts.tolist(), strict=True) for _ in range(count)]
        if sorted(names) != sorted(name for name, _ in wanted):
            return state
        # A move that changes nothing need not be told of.
        here = plain_of(product, state)
        told = Counter(plain_of(product, one) for one in after.tolist())
        others = Counter(then for _, then in wanted if then != here)
        if told - Counter({here: told[here]}) != others or (told[here] and here not in {then for _, then in wanted}):
            return state
    return None


@pytest.mark.parametrize("name", MODELS)
def test_successors_agree_with_the_model(name):
    product, states = made(name)
    assert differing(product, some_of(states)) is None


@pytest.mark.slow
@pytest.mark.parametrize("name", MODELS)
def test_successors_of_every_state_agree_with_the_model(name):
    product, states = made(name)
    assert differing(product, states.tolist()) is None


@pytest.mark.slow
@pytest.mark.parametrize("name", ["concurrent", "ordered"])
def test_missing_table_entries_are_never_looked_up_while_settling(name):
    product, states = made(name)
    explored = []

    def noted(quiet, store, first=None):
        explored.append((quiet, first))
        return levels(quiet, store, first)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(settled, "levels", noted)
        settled.settled(product, lambda: states)
    assert explored
    for quiet, first in explored[:2]:
        assert unknown(quiet, all_states(quiet, first)) == []


@pytest.mark.parametrize("name", ["lock-lite", "concurrent", "ordered"])
def test_missing_table_entry_is_detected(name):
    product, states = made(name)
    letter = "gives0"
    table = product.queue.after[letter]
    _, queues = product.parts(states)
    at = next(number for number in np.unique(queues[0]).tolist() if table[number] >= 0 and table[number] != number)
    before = table[at]
    table[at] = UNKNOWN
    try:
        assert ("rebalances c0", letter) in unknown(product, states)
        broken = Product(product.model, queue=product.queue)
        _, (numbers, *_) = broken.parts(states)
        assert differing(broken, states[numbers == at].tolist()) is not None
    finally:
        table[at] = before
