"""Proofs about offsets notice each conjunct of the invariant; merged generations are the same."""

import pytest
import z3

from rebalance_proofs.model.offsets.clients import BY_LOOP, CONCURRENT, ORDERLY
from rebalance_proofs.model.offsets.encoding import OffsetsEncoding
from rebalance_proofs.model.offsets.ways import Way
from rebalance_proofs.model.transition.generations import GENERATIONS
from rebalance_proofs.proofs.offsets import guarantees
from rebalance_proofs.proofs.offsets.acting import acting
from rebalance_proofs.proofs.offsets.arrived import arrived
from rebalance_proofs.proofs.offsets.brokers import (
    ARRIVING,
    ARRIVING_IN_ORDER,
    COMMITTED,
    COMMITTED_STEADY,
    HANDED_OVER,
    HEEDED,
    HEEDED_IN_ORDER,
    IN_TURN,
    IN_TURN_STEADY,
    REPLACED,
    REPLACED_FIRST,
    RESET,
    RESET_IN_ORDER,
    ordered,
)
from rebalance_proofs.proofs.offsets.brokers import BY_LOOP as LOOPING
from rebalance_proofs.proofs.offsets.finished import finished
from rebalance_proofs.proofs.offsets.handed_over import handed_over
from rebalance_proofs.proofs.offsets.invariant import (
    back_at_most,
    from_an_offset,
    not_skipped,
    only_uncommitted,
)
from rebalance_proofs.proofs.offsets.one_batch import one_batch
from rebalance_proofs.proofs.offsets.reset import reset_sent
from rebalance_proofs.proofs.offsets.variables import flags, said_of, state_of, unknowns
from tests.proofs.differing import differing

V5, V5_ORDERLY, (NODE,) = CONCURRENT[-1], ORDERLY[-1], BY_LOOP
INVARIANTS = {
    guarantees.NOT_SKIPPED: not_skipped,
    guarantees.ONLY_UNCOMMITTED: only_uncommitted,
    guarantees.BACK_AT_MOST: back_at_most,
    guarantees.ONE_BATCH: one_batch,
    guarantees.FROM_AN_OFFSET: from_an_offset,
    guarantees.HAND_OVER: handed_over,
    guarantees.FINISHED: finished,
    guarantees.RESET_SENT: reset_sent,
    guarantees.SINCE_ADDED: arrived(lambda queue: queue.had),
    guarantees.SINCE_PULLED: arrived(lambda queue: queue.begun),
}
COMMITTED_IN_ORDER = ordered(COMMITTED)
PROVED = [
    *((V5, COMMITTED, one) for one in (guarantees.NOT_SKIPPED, guarantees.ONLY_UNCOMMITTED)),
    (V5, COMMITTED_STEADY, guarantees.BACK_AT_MOST),
    (V5, HANDED_OVER, guarantees.HAND_OVER),
    (V5, HEEDED, guarantees.FINISHED),
    (V5, REPLACED, guarantees.NOT_SKIPPED),
    (V5, REPLACED_FIRST, guarantees.NOT_SKIPPED),
    (V5, RESET, guarantees.RESET_SENT),
    (V5_ORDERLY, RESET_IN_ORDER, guarantees.RESET_SENT),
    (CONCURRENT[0], ARRIVING, guarantees.SINCE_ADDED),
    (ORDERLY[0], ARRIVING_IN_ORDER, guarantees.SINCE_PULLED),
    *((NODE, LOOPING, one) for one in (guarantees.NOT_SKIPPED, guarantees.ONLY_UNCOMMITTED, guarantees.BACK_AT_MOST)),
    (V5_ORDERLY, COMMITTED_IN_ORDER, guarantees.NOT_SKIPPED),
    (V5_ORDERLY, COMMITTED_IN_ORDER, guarantees.ONLY_UNCOMMITTED),
    (V5_ORDERLY, COMMITTED_IN_ORDER, guarantees.FROM_AN_OFFSET),
    (V5_ORDERLY, HEEDED_IN_ORDER, guarantees.FINISHED),
    (V5_ORDERLY, IN_TURN, guarantees.BACK_AT_MOST),
    (V5_ORDERLY, IN_TURN_STEADY, guarantees.ONE_BATCH),
]
TO_REPLAY = {("not-skipped", "held"), ("back-at-most", "answers")}
TO_REPLAY |= {("finished", "held"), ("reset-sent", "held")}
TO_REPLAY |= {("from-an-offset", "held"), ("from-an-offset", "answers")}
"""What ordered consumption is proved without; but then a model of the premises may be a state of no consumer's code."""
CONJUNCTS = [
    pytest.param(client, world, guarantee, name, id=f"{client.name}-{world.name}-{guarantee.name}-{name}")
    for client, world, guarantee in PROVED
    for name in INVARIANTS[guarantee](world)
    if not (client.way is Way.ORDERLY and (guarantee.name, name) in TO_REPLAY)
]


def fails(obligation, of) -> bool:
    statement = obligation.statement(of)
    solver = z3.Solver()
    solver.add(*statement.given.values(), z3.Not(statement.then))
    return solver.check() != z3.unsat


@pytest.mark.parametrize(("client", "world", "guarantee", "name"), CONJUNCTS)
def test_no_conjunct_can_be_left_out(client, world, guarantee, name):
    def without(world):
        return {one: conjunct for one, conjunct in INVARIANTS[guarantee](world).items() if one != name}

    bad = {
        **guarantees.BAD_IN_ORDER,
        **guarantees.BAD_HANDED,
        **guarantees.BAD_FINISHING,
        **guarantees.BAD_LATER,
        **guarantees.BAD_OF_RESETS,
    }
    proved = guarantees._proved(guarantee.name, guarantee.sentence, without, bad[guarantee.name])
    assert any(fails(obligation, client.encoding) for obligation in proved(world))


def differ(one: OffsetsEncoding, other: OffsetsEncoding, way: Way) -> list[str]:
    """The actions in which they do, of a push consumer with the store that is shipped."""
    v = unknowns()
    state, said = state_of(v), said_of(v)
    return differing(
        acting(way),
        lambda name: (getattr(one, name)(state, said), getattr(other, name)(state, said)),
        flags(v).values(),
        "me",
        "queue",
    )


@pytest.mark.parametrize(
    ("client", "older"),
    [(client, older) for client in (*CONCURRENT, *ORDERLY) for older in client.generations[:-1]],
    ids=lambda one: getattr(one, "name", None) or one.releases[0],
)
def test_generations_that_are_taken_as_one_do_the_same(client, older):
    assert differ(client.encoding_of(older), client.encoding, client.way) == []


def test_a_difference_would_be_seen():
    v4_9, v5 = (client.encoding for client in CONCURRENT)
    assert differ(v4_9, v5, Way.CONCURRENTLY) == ["adds"]
    v4_9, v5_0, v5_2 = (client.encoding for client in ORDERLY)
    assert differ(v4_9, v5_0, Way.ORDERLY) == ["adds", "fixes"]
    assert differ(v5_0, v5_2, Way.ORDERLY) == ["revokes", "retires"]


@pytest.mark.parametrize("clients", [CONCURRENT, ORDERLY], ids=["concurrent", "ordered"])
def test_every_release_that_was_read_is_one_clients(clients):
    releases = [release for client in clients for one in client.generations for release in one.releases]
    assert sorted(releases) == sorted(release for one in GENERATIONS for release in one.releases)
