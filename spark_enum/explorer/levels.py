"""Breadth-first search, level by level and part by part, which also finds the bad states."""

from collections.abc import Iterator

import numpy as np

from rebalance_proofs.spark_enum.explorer.product import Product, States
from rebalance_proofs.spark_enum.explorer.store import Level, Store, digest, distinct

__all__ = ["Level", "expanded", "levels", "next_level", "settled", "started"]


def started(product: Product, store: Store, states: States | None = None) -> Level:
    """Store and return the first level: the initial state, or the given states."""
    begin = Level(0)
    first = np.array([product.start] if states is None else states, dtype=store.order.dtype)
    for part, keys in store.cut(distinct(store.order.keys(first))):
        store.keep(0, part, keys)
        begin.adds(_told(product, store, 0, keys))
    store.done(begin)
    return begin


def expanded(product: Product, store: Store, level: int, part: range) -> np.ndarray:
    """Store the successors of a part of a level; return how often each move is possible there."""
    counts = np.zeros(len(product.moves), dtype=np.int64)
    keys = store.level(level, part)
    for begin in range(0, len(keys), store.piece):
        states = store.order.states(keys[begin : begin + store.piece])
        store.follow(level, part, np.concatenate(product.successors(states, counts)))
    return counts


def settled(product: Product, store: Store, level: int, part: range) -> Level:
    """Store a part of a new level: those successors of the last level that no level contains yet.

    Return the totals of that part.
    """
    found = store.followers(level - 1, part)
    keys = distinct(np.concatenate(found)) if found else np.zeros(0, dtype=store.order.dtype)
    fresh = store.unseen(part, keys)
    store.keep(level, part, fresh)
    return _told(product, store, level, fresh)


def levels(product: Product, store: Store, states: States | None = None) -> Iterator[Level]:
    """Yield all levels, computed in this process.

    The last level has no states, but the counts of moves in the level before. The first level has the initial state, or
    the given states.
    """
    level = started(product, store, states)
    yield level
    while level.states:
        level = next_level(product, store, level.number + 1)
        yield level


def next_level(product: Product, store: Store, number: int) -> Level:
    """Compute the level with that number in this process, and return its totals."""
    level = Level(number, counts=np.zeros(len(product.moves), dtype=np.int64))
    for part in store.expanding(number - 1):
        level.counts += expanded(product, store, number - 1, part)
    for part in store.settling(number):
        level.adds(settled(product, store, number, part))
    store.done(level)
    return level


def _told(product: Product, store: Store, number: int, keys: np.ndarray) -> Level:
    level = Level(number)
    for begin in range(0, len(keys), store.piece):
        states = store.order.states(keys[begin : begin + store.piece])
        wrong = product.wrong(states)
        least = {name: int(found.min()) for name, found in wrong.items()}
        often = {name: len(found) for name, found in wrong.items()}
        level.adds(Level(number, len(states), digest(states), least, often))
    return level
