"""Clients with the same machine, in all actions or in those of a claim."""

from rebalance_proofs.model.machine.values import Or, term
from rebalance_proofs.model.machines import receiving
from rebalance_proofs.model.machines.pulls import actions as pulls
from rebalance_proofs.model.machines.registry import actions as registry
from rebalance_proofs.model.machines.subscriptions import actions as subscriptions
from rebalance_proofs.proofs.ledger import LEDGER, select
from rebalance_proofs.proofs.smt.text import Assertion, render
from rebalance_proofs.proofs.solvers.answer import Outcome
from rebalance_proofs.proofs.solvers.z3_ import Z3
from rebalance_proofs.report.claims.mark import Mark
from rebalance_proofs.report.claims.seen import seen
from rebalance_proofs.report.conformance import How
from rebalance_proofs.report.kinds import shown
from rebalance_proofs.report.reality.differs import same_machine, twins

V5_3_0, V5_3_3 = pulls.CLIENTS[2:4]


def test_clients_that_differ_in_claims_only_are_one_machine():
    assert same_machine(subscriptions.PLAIN, subscriptions.PULLS_AT_ONCE)
    assert same_machine(registry.ALL, registry.SILENT)
    assert not same_machine(registry.ALL, registry.GREETING)
    assert not same_machine(registry.ALL, subscriptions.PLAIN)


def test_clients_that_differ_in_one_action_are_equal_without_it():
    assert not same_machine(V5_3_0, V5_3_3)
    assert same_machine(V5_3_0, V5_3_3, {"errs"})
    assert not same_machine(V5_3_0, V5_3_3, {"hooks"})


def test_claim_with_premises_that_distinguish_clients_has_no_equal_client():
    (alike,) = select(["pulls.java_v5_3_0.dies"])
    (apart,) = select(["pulls.java_v5_3_0.one-request"])
    assert [one.id for one in twins(alike, ["java_v5_3_3", "java_v9"])] == ["pulls.java_v5_3_3.dies"]
    assert twins(alike, ["java_v4_9_to_5_1"]) == []
    assert twins(alike, [alike.subjects[0].name]) == [], "a claim is no twin of itself"
    assert "errs" not in apart.world.excludes
    assert twins(apart, ["java_v5_3_3"]) == []


def _carried():
    marked = ((claim, seen(claim)) for claim in LEDGER if shown(claim).groups)
    return [(claim, one) for claim, one in marked if one.mark is Mark.ALIKE]


def test_every_transferred_mark_is_proved():
    """A solver finds no state, choices and limits in which an allowed action does otherwise."""
    carried = _carried()
    assert len(carried) > 10
    clients = set()
    for claim, one in carried:
        (other,) = select([one.same_as])
        assert one.how is How.SAME
        assert seen(other).mark in (Mark.SEEN, Mark.FEW, Mark.TESTED, Mark.ACCEPTED)
        assert (other.world, other.holds) == (claim.world, claim.holds)
        clients.add((claim.subjects[0].name, other.subjects[0].name, frozenset(claim.world.excludes)))
    by_name = {client.name: client for client in (*pulls.CLIENTS, *receiving.CLIENTS)}
    for first, second, excluded in clients:
        for action in by_name[first].machine.actions:
            if action not in excluded:
                assert not _differs(by_name[first], by_name[second], action), (first, second, action)


def test_different_action_is_found():
    assert _differs(V5_3_0, V5_3_3, "errs")


def _differs(one, other, action):
    machine = one.machine
    state, choices, limits = machine.state.symbols(), machine.choices.symbols("c."), machine.limits.symbols("lim.")
    first, second = (machine.turn(action, client, state, choices, limits) for client in (one, other))
    elsewhere = Or(False, *(value != getattr(second.after, name) for name, value in vars(first.after).items()))
    condition = Or(first.guard != second.guard, elsewhere) if first.guard is not second.guard else elsewhere
    outcome, _, _ = Z3.solve(render(action, [Assertion(action, term(condition))]))
    assert outcome in (Outcome.SAT, Outcome.UNSAT)
    return outcome is Outcome.SAT


def test_transferred_marks_do_not_count_as_seen():
    assert all(one.mark is not Mark.SEEN and not one.shows and not one.events for _, one in _carried())
