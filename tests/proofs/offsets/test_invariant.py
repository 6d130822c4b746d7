"""That the proofs about offsets notice what their conjuncts say, and that generations taken as one are one."""

import pytest
import z3

from rebalance_proofs.model.offsets.actions import OffsetsEncoding, encoding
from rebalance_proofs.model.offsets.clients import CLIENTS
from rebalance_proofs.model.transition import java
from rebalance_proofs.model.transition.generations import GENERATIONS
from rebalance_proofs.proofs.offsets import guarantees
from rebalance_proofs.proofs.offsets.brokers import COMMITTED
from rebalance_proofs.proofs.offsets.inductive import ACTIONS
from rebalance_proofs.proofs.offsets.invariant import back_at_most, not_skipped, only_uncommitted
from rebalance_proofs.proofs.offsets.variables import flags, said_of, state_of, unknowns
from tests.proofs.differing import differing

V5 = CLIENTS[-1]
INVARIANTS = {
    guarantees.NOT_SKIPPED: not_skipped,
    guarantees.ONLY_UNCOMMITTED: only_uncommitted,
    guarantees.BACK_AT_MOST: back_at_most,
}
CONJUNCTS = [(guarantee, name) for guarantee, made in INVARIANTS.items() for name in made(COMMITTED)]


def fails(obligation, of) -> bool:
    statement = obligation.statement(of)
    solver = z3.Solver()
    solver.add(*statement.given.values(), z3.Not(statement.then))
    return solver.check() != z3.unsat


@pytest.mark.parametrize(("guarantee", "name"), CONJUNCTS, ids=lambda one: getattr(one, "name", one))
def test_no_conjunct_can_be_left_out(guarantee, name):
    def without(world):
        return {one: conjunct for one, conjunct in INVARIANTS[guarantee](world).items() if one != name}

    proved = guarantees._proved(guarantee.name, guarantee.sentence, without, guarantees.BAD[guarantee.name])
    assert any(fails(obligation, V5.encoding) for obligation in proved(COMMITTED))


def differ(one: OffsetsEncoding, other: OffsetsEncoding) -> list[str]:
    """The actions in which they do, of a push consumer with the store that is shipped."""
    v = unknowns()
    state, said = state_of(v), said_of(v)
    return differing(
        ACTIONS,
        lambda name: (getattr(one, name)(state, said), getattr(other, name)(state, said)),
        flags(v).values(),
        "me",
        "queue",
    )


@pytest.mark.parametrize(
    ("client", "older"),
    [(client, older) for client in CLIENTS for older in client.generations[:-1]],
    ids=lambda one: getattr(one, "name", None) or one.releases[0],
)
def test_generations_that_are_taken_as_one_do_the_same(client, older):
    assert differ(encoding(java.encoding(older.rules).step), client.encoding) == []


def test_a_difference_would_be_seen():
    v4_9, v5 = (client.encoding for client in CLIENTS)
    assert differ(v4_9, v5) == ["adds"]


def test_every_release_that_was_read_is_one_clients():
    releases = [release for client in CLIENTS for one in client.generations for release in one.releases]
    assert sorted(releases) == sorted(release for one in GENERATIONS for release in one.releases)
