"""MACHINE_ROOM as terms: which queues it selects and who owns them, compared with each client's code."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rebalance_proofs.model.allocation.machine_room import (
    KINDS,
    MACHINE_ROOM,
    ROOM_GO,
    ROOM_RUST,
    ROOMS,
    go_rule,
    java_rule,
    rust_rule,
    shape,
)
from rebalance_proofs.model.allocation.machine_room import ROOM_ENCODING as ROOM
from rebalance_proofs.model.allocation.machine_room_others import MACHINE_ROOM_GO, MACHINE_ROOM_RUST
from rebalance_proofs.model.group import client_ids
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.kernel import compile_kernel
from rebalance_proofs.model.terms.simplified import simplify
from tests.model.allocation.rooms import queues_on, room_shares

CLIENTS = (MACHINE_ROOM, MACHINE_ROOM_GO, MACHINE_ROOM_RUST)
each_client = pytest.mark.parametrize("strategy", CLIENTS, ids=lambda strategy: strategy.name)


def keeps(strategy, broker_name):
    """One queue on that broker is taken by one consumer."""
    return room_shares(strategy, ROOMS, [broker_name], ["c0"]) == [[0]]


def kept_by(encoding):
    """The kinds that are kept, by the terms."""
    return {kind for kind in range(len(KINDS)) if smt.is_true(simplify(encoding.keeps(smt.IntVal(kind))))}


@cache
def kernel(encoding):
    names = ("p", "c", "i", "position", "kept", "rank")
    p, c, i, position, kept, rank = smt.Ints(" ".join(names))
    return compile_kernel(names, encoding.takes(p, c, i, position, kept == 1, rank))


@pytest.mark.parametrize("kind", range(len(KINDS)), ids=KINDS)
@each_client
def test_encoding_selects_the_kinds_that_the_client_selects(strategy, kind):
    assert (kind in kept_by(strategy.encoding)) is keeps(strategy, KINDS[kind])


def test_each_client_has_its_own_room_encoding():
    assert [strategy.encoding for strategy in CLIENTS] == [ROOM, ROOM_GO, ROOM_RUST]
    assert len({frozenset(kept_by(strategy.encoding)) for strategy in CLIENTS}) == len(CLIENTS)


NAMES = st.text("r@b1", max_size=6) | st.lists(st.sampled_from(["room1", "room2", "@", "b"]), max_size=6).map("".join)


@pytest.mark.parametrize(
    ("strategy", "rule"),
    [(MACHINE_ROOM, java_rule), (MACHINE_ROOM_GO, go_rule), (MACHINE_ROOM_RUST, rust_rule)],
    ids=["java", "go", "rust"],
)
@given(name=NAMES)
def test_room_rule_equals_the_client_for_any_name(strategy, rule, name):
    numbers = map(smt.IntVal, shape(name, ROOMS))
    assert smt.is_true(simplify(rule(*numbers))) is keeps(strategy, name)


@pytest.mark.parametrize(
    ("name", "expected"),
    [("room1@b", (1, 0, 1)), ("room1@b@@", (3, 2, 1)), ("@b", (1, 0, 0)), ("room1", (0, 0, 1)), ("room2@", (1, 1, 0))],
)
def test_features_of_a_name_are_counted(name, expected):
    assert shape(name, ROOMS) == expected


@given(NAMES)
def test_every_broker_name_is_of_a_listed_kind(broker_name):
    """As far as any client distinguishes them."""
    kinds = {tuple(keeps(strategy, name) for strategy in CLIENTS) for name in KINDS}
    assert tuple(keeps(strategy, broker_name) for strategy in CLIENTS) in kinds


@each_client
@given(kinds=st.lists(st.integers(0, len(KINDS) - 1), min_size=1, max_size=12), c=st.integers(1, 6))
def test_room_encoding_equals_the_client(strategy, kinds, c):
    found = room_shares(strategy, ROOMS, [KINDS[kind] for kind in kinds], client_ids(c))
    kept = np.array([kind in kept_by(strategy.encoding) for kind in kinds])
    positions, indexes = np.arange(len(kinds)), np.arange(c)[:, None]
    ranks = np.cumsum(kept) - kept
    (taken,) = kernel(strategy.encoding)(kept.sum(), c, indexes, positions, kept.astype(int), ranks)
    assert [list(np.flatnonzero(row)) for row in taken] == [sorted(share) for share in found]


@each_client
def test_room_of_the_claims_has_the_plain_kind(strategy):
    assert [queue.broker_name for queue in strategy.queues(3)] == [KINDS[0]] * 3
    assert keeps(strategy, KINDS[0])
    assert strategy.allocate("c0", queues_on([KINDS[0]]), ["c0"]) == queues_on([KINDS[0]])
