"""That the proofs about pull requests notice what their conjuncts say, and that releases taken as one are one."""

import pytest
import z3

from rebalance_proofs.model.pulls.actions import encoding
from rebalance_proofs.model.pulls.clients import CLIENTS
from rebalance_proofs.model.transition import java
from rebalance_proofs.proofs.pulls import invariant
from rebalance_proofs.proofs.pulls.guarantees import (
    BAD,
    DIES,
    HAS_REQUEST,
    HEALED,
    HITS_OWN_ENTRY,
    LETS_GO,
    ONE_REQUEST,
    REPAIRS_WHILE_HELD,
    RESTS,
    proved,
)
from rebalance_proofs.proofs.pulls.inductive import ACTIONS
from rebalance_proofs.proofs.pulls.troubles import CONNECTED, NO_ERROR, PROMPT, QUERIED, QUIET, RUNNING, WHATEVER
from rebalance_proofs.proofs.pulls.variables import flags, said_of, state_of, unknowns
from tests.proofs.differing import differing

LAST = CLIENTS[-1]
INVARIANTS = {
    ONE_REQUEST: (invariant.one_request, CONNECTED),
    HAS_REQUEST: (invariant.has_request, QUIET),
    HEALED: (invariant.healed, NO_ERROR),
    DIES: (invariant.dies, QUERIED),
    HITS_OWN_ENTRY: (invariant.own_only, PROMPT),
    REPAIRS_WHILE_HELD: (invariant.while_held, PROMPT),
    RESTS: (invariant.rests, WHATEVER),
    LETS_GO: (invariant.lets_go, RUNNING),
}
CONJUNCTS = [(guarantee, name) for guarantee, (made, _) in INVARIANTS.items() for name in made]


def fails(obligation, of) -> bool:
    statement = obligation.statement(of)
    solver = z3.Solver()
    solver.add(*statement.given.values(), z3.Not(statement.then))
    return solver.check() != z3.unsat


@pytest.mark.parametrize(("guarantee", "name"), CONJUNCTS, ids=lambda one: getattr(one, "name", one))
def test_no_conjunct_can_be_left_out(guarantee, name):
    made, world = INVARIANTS[guarantee]
    without = {one: conjunct for one, conjunct in made.items() if one != name}
    obligations = proved(without, BAD[guarantee.name])
    assert any(fails(obligation, LAST.encoding) for obligation in obligations(world))


def differ(one, other) -> list[str]:
    v = unknowns()
    state, said = state_of(v), said_of(v)
    given = [*flags(v).values(), invariant.form(state)]
    return differing(
        ACTIONS, lambda name: (getattr(one, name)(state, said), getattr(other, name)(state, said)), given, "me"
    )


@pytest.mark.parametrize(
    ("client", "older"),
    [(client, older) for client in CLIENTS for older in client.generations[:-1]],
    ids=lambda one: getattr(one, "name", None) or one.releases[0],
)
def test_generations_that_are_taken_as_one_do_the_same(client, older):
    assert differ(encoding(java.encoding(older.rules).step, client.rules), client.encoding) == []


@pytest.mark.parametrize(
    ("older", "newer", "actions"),
    [
        (0, 1, ["breaks"]),
        (1, 2, ["hooks", "overtime"]),
        (2, 3, ["errs"]),
    ],
)
def test_releases_differ_in_what_their_rules_say(older, newer, actions):
    assert differ(CLIENTS[older].encoding, CLIENTS[newer].encoding) == actions
