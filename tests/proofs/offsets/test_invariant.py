"""That the proofs about offsets notice what their conjuncts say, and that generations taken as one are one."""

from dataclasses import fields

import pytest
import z3

from rebalance_proofs.model.offsets.actions import OffsetsEncoding, encoding
from rebalance_proofs.model.offsets.clients import CLIENTS
from rebalance_proofs.model.transition import java
from rebalance_proofs.model.transition.generations import GENERATIONS
from rebalance_proofs.proofs.offsets import guarantees
from rebalance_proofs.proofs.offsets.brokers import COMMITTED
from rebalance_proofs.proofs.offsets.invariant import back_at_most, not_skipped, only_uncommitted
from rebalance_proofs.proofs.offsets.variables import flags, said_of, state_of, unknowns

V5_2 = CLIENTS[-1]
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
    assert any(fails(obligation, V5_2.encoding) for obligation in proved(COMMITTED))


def differing(one: OffsetsEncoding, other: OffsetsEncoding) -> list[str]:
    """Actions that do not do the same in some state of a push consumer with the store that is shipped."""
    v, found = unknowns(), []
    state, said = state_of(v), said_of(v)
    for field in fields(OffsetsEncoding):
        if field.name == "step":
            continue
        turns = [getattr(e, field.name)(state, said) for e in (one, other)]
        same = [turns[0].can == turns[1].can]
        for part in ("me", "queue"):
            left, right = (vars(getattr(turn.after, part)) for turn in turns)
            same += [z3.Implies(turns[0].can, left[name] == right[name]) for name in left]
        solver = z3.Solver()
        solver.add(*flags(v).values(), z3.Not(z3.And(same)))
        if solver.check() != z3.unsat:
            found.append(field.name)
    return found


@pytest.mark.parametrize(
    ("client", "older"),
    [(client, older) for client in CLIENTS for older in client.generations[:-1]],
    ids=lambda one: getattr(one, "name", None) or one.releases[0],
)
def test_generations_that_are_taken_as_one_do_the_same(client, older):
    assert differing(encoding(java.encoding(older.rules).step), client.encoding) == []


def test_a_difference_would_be_seen():
    v4_9, v5_0, _ = (client.encoding for client in CLIENTS)
    assert differing(v4_9, v5_0) == ["adds"]


def test_every_release_that_was_read_is_one_clients():
    releases = [release for client in CLIENTS for one in client.generations for release in one.releases]
    assert sorted(releases) == sorted(release for one in GENERATIONS for release in one.releases)
