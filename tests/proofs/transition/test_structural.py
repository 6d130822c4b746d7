"""Claims about transitions that follow from others, for any transition of a client."""

from dataclasses import fields
from types import SimpleNamespace

import pytest

from rebalance_proofs.model.client.effects import (
    DROP,
    IN,
    LOCK,
    OUT,
    PERSIST,
    PULL_REQUEST,
    REMOVE_OFFSET,
    SCHEDULE_UNLOCK,
    UNLOCK,
)
from rebalance_proofs.model.client.environment import OK
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.solver import Solver, sat, unsat
from rebalance_proofs.model.transition.clients import CLIENTS
from rebalance_proofs.model.transition.step import Asked, Entry, Slot, Step, Thrown, TransitionEncoding
from rebalance_proofs.proofs.obligation import Obligation, Statement
from rebalance_proofs.proofs.structural import FOLLOWS, STRUCTURAL
from rebalance_proofs.proofs.transition.scenario import Action
from tests.proofs.transition.random_cases import CLAIMS

KNOWN = {claim.id: claim for claim in CLAIMS}


REMOVAL = ((DROP,), (REMOVE_OFFSET,), (PERSIST,), (OUT,), (UNLOCK,), (SCHEDULE_UNLOCK, 20_000), (REMOVE_OFFSET,))
ADDITION = ((IN,), (LOCK, OK), (REMOVE_OFFSET,), (PULL_REQUEST,))
"""What a promise speaks of, in no good order."""


def any_step(entry: Entry, asked: Asked, thrown: Thrown) -> Step:
    """Any outcome at all for that queue, the same whenever it is asked for."""
    queue = entry.present.fingerprint

    def unknown(part: str, like: smt.Term) -> smt.Term:
        return smt.Const(f"{part} of {queue}", like.sort)

    after, former = (
        Entry(**{field.name: unknown(f"{which} {field.name}", getattr(entry, field.name)) for field in fields(Entry)})
        for which in ("after", "former")
    )
    flags = ("out", "entered", "changed", "denied", "removing_throws", "adding_throws")
    told = {name: unknown(name, entry.present) for name in flags}
    removal, addition = (
        tuple(
            Slot(unknown(f"{number} {name}", entry.present), name, tuple(details)) for number, (name, *details) in named
        )
        for named in (enumerate(REMOVAL), enumerate(ADDITION, len(REMOVAL)))
    )
    return Step(removal, addition, after, former, **told)


ANY = TransitionEncoding(any_step, lambda thrown, own_store: smt.BoolVal(True), lambda entry: None, lambda *_: None)


def holds(statement: Statement) -> smt.BoolTerm:
    return smt.Implies(smt.And(*statement.given.values()), statement.then)


def of_queue(step: Obligation, queue: int) -> smt.BoolTerm:
    """What the obligation says of one of several queues."""
    own = {name: smt.Int(name + (f"_{queue + 1}" if queue and name not in SHARED else "")) for name in step.variables}
    return holds(step.state(ANY, SimpleNamespace(**own)))


SHARED = ("kind", "order", "orderly", "broadcasting", "own_store", "where", "retry")


@pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.name)
def test_partition_follows_from_exact_tables(client):
    claim = KNOWN[f"transition.{client.name}.partition"]
    (other,) = FOLLOWS[claim.id].claims
    exact = next(step for step in KNOWN[other].obligations if step.name == "exact")
    known = [of_queue(exact, queue) for queue in range(2)]
    for step in claim.obligations:
        if step.name != "quiet":  # of the client's terms alone, in either claim
            solver = Solver()
            solver.add(*known, smt.Not(holds(step.statement(ANY))))
            assert solver.check() == unsat, step.name
            without = Solver()
            without.add(smt.Not(holds(step.statement(ANY))))
            assert without.check() == sat, step.name


def test_no_proved_transition_claim_holds_for_any_transition():
    for claim in CLAIMS:
        steps = [step for step in claim.obligations if not step.abstract and claim.world.action is Action.REBALANCES]
        statements = [step.statement(ANY) for step in steps]
        if statements:
            solver = Solver()
            solver.add(smt.Or([smt.Not(holds(statement)) for statement in statements]))
            assert (solver.check() == unsat) is (claim.id in STRUCTURAL), claim.id
