"""The three visited sets (bitmap, sorted, on disk) give the same levels."""

from functools import cache

import numpy as np
import pytest

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.machines.offsets.actions import CONCURRENT
from rebalance_proofs.model.machines.ordered.actions import V5_2
from rebalance_proofs.spark_enum.explorer.closure import Numbering
from rebalance_proofs.spark_enum.explorer.exploration import LEAST, MEMORY, explored
from rebalance_proofs.spark_enum.explorer.in_memory import MARKS, MarkedInMemory, SortedInMemory, in_memory
from rebalance_proofs.spark_enum.explorer.levels import levels
from rebalance_proofs.spark_enum.explorer.models import ordered as of_ordered
from rebalance_proofs.spark_enum.explorer.models.concurrent import concurrent
from rebalance_proofs.spark_enum.explorer.models.lock_lite import lock_lite
from rebalance_proofs.spark_enum.explorer.models.ordered import ordered
from rebalance_proofs.spark_enum.explorer.product import Product
from rebalance_proofs.spark_enum.explorer.standard import SUBJECTS
from rebalance_proofs.spark_enum.explorer.store import Full, all_states

MODELS = {
    "lock-lite": lambda: lock_lite(AVERAGELY, 2, 3),
    "concurrent": lambda: concurrent(CONCURRENT[-1], AVERAGELY, 2, 1),
    "ordered": lambda: ordered(V5_2, AVERAGELY, 2, 1, frozenset({of_ordered.CRASH})),
}
made = cache(lambda name: Product(MODELS[name]()))
STORES = {
    "marked": lambda numbering: MarkedInMemory(numbering, piece=100),
    "sorted in one part": lambda numbering: SortedInMemory(numbering.order(1)),
    "sorted": lambda numbering: SortedInMemory(numbering.order(8), piece=100),
}


def gone_through(product, store, states=None):
    told = [
        (one.number, one.states, one.digest, one.wrong, one.often, None if one.counts is None else one.counts.tolist())
        for one in levels(product, store, states)
    ]
    return told, np.sort(all_states(store, len(told) - 1)).tolist()


@pytest.mark.parametrize("name", MODELS)
def test_all_stores_have_the_same_levels(name, tmp_path):
    product = made(name)
    marked, *others = (gone_through(product, store(product.numbering)) for store in STORES.values())
    assert others == [marked, marked]
    with explored(product, {}, LEAST, tmp_path) as exploration:
        assert sum(level.digest for level in exploration.levels()) == sum(digest for _, _, digest, *_ in marked[0])


@pytest.mark.parametrize("name", STORES)
def test_levels_can_begin_with_any_states(name):
    product = made("lock-lite")
    _, every = gone_through(product, MarkedInMemory(product.numbering))
    some = np.array(every[::7], dtype=product.numbering.dtype)
    told, found = gone_through(product, STORES[name](product.numbering), some)
    assert told[0][1] == len(some)
    assert set(some.tolist()) < set(found) <= set(every)
    assert (told, found) == gone_through(product, SortedInMemory(product.numbering.order(4)), some)


@pytest.mark.parametrize(
    ("numbers", "most", "kind"),
    [
        (MARKS, None, MarkedInMemory),
        (MARKS + 2, None, SortedInMemory),
        (1000, 2000, MarkedInMemory),
        (1000, 1998, SortedInMemory),
    ],
)
def test_bitmap_uses_at_most_half_of_the_memory(numbers, most, kind):
    assert isinstance(in_memory(Numbering(2, numbers // 2, 1), most), kind)


@pytest.mark.parametrize(
    ("name", "told", "marked"),
    [
        ("concurrent", {}, True),
        ("ordered", {"client": "5.2"}, True),
        ("lock-lite", {"consumers": 3, "queues": 4}, True),
        ("ordered", {"client": "4.9.8"}, False),
        ("lock-lite", {"consumers": 3, "queues": 4, "messages": 3}, False),
    ],
)
def test_default_groups_use_a_bitmap_and_larger_ones_do_not(name, told, marked):
    """With two consumers and two queues, except for the given settings, and the default of ``--memory``."""
    subject = SUBJECTS[name]
    numbers = Product(subject.build(subject.settings(**told))).numbering.numbers
    assert (2 * numbers <= MEMORY * 5 // 8) == marked


def test_memory_is_bitmap_levels_and_successors():
    product = made("lock-lite")
    store = MarkedInMemory(product.numbering)
    most = 0
    for level in levels(product, store):
        levels_ = 4 * sum(len(store.level(number, range(1))) for number in range(level.number + 1))
        assert store.takes == product.numbering.numbers + levels_
        most = max(most, level.states)
    assert most > 1000
    assert [*store.handed_over(0)] == []
    assert store.takes == 0


def gone_into(known, product, store):
    for level in levels(product, store):
        known.append(level.states)


@pytest.mark.parametrize("most", [0, 5_000, 40_000])
def test_levels_are_passed_on_completely_at_the_memory_limit(most):
    product = made("lock-lite")
    for store in (
        MarkedInMemory(product.numbering, product.numbering.numbers + most),
        SortedInMemory(product.numbering.order(8), most),
    ):
        known = []
        with pytest.raises(Full):
            gone_into(known, product, store)
        assert [len(keys) for keys in store.handed_over(len(known))] == known
