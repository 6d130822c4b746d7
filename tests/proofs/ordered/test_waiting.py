"""Longest wait of a shutdown, to the millisecond, and the resulting state."""

from dataclasses import replace

import pytest

from rebalance_proofs.model.machine.run import Happens
from rebalance_proofs.model.machines.ordered import assumptions
from rebalance_proofs.model.machines.ordered import claims as page
from rebalance_proofs.model.machines.ordered.actions import CLIENTS, GO, OLDER, V4_9, V5_0, V5_2, OrderedClient
from rebalance_proofs.model.machines.ordered.assumptions import IN_TIME, PROMPT, SHUT_TOO_SOON, enough, happens, least
from rebalance_proofs.model.machines.ordered.claims import is_kept
from rebalance_proofs.model.machines.ordered.state import DEFAULTS
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.solver import Solver, unsat
from rebalance_proofs.proofs.kinds import KINDS
from rebalance_proofs.proofs.machine.declared import guarantee
from rebalance_proofs.proofs.machine.kind import explored
from rebalance_proofs.proofs.machine.run import ran, unrolled
from rebalance_proofs.proofs.ordered.two import CONFIGURATION

claims = KINDS["ordered"].claims
JAVA = (V4_9, V5_0, V5_2)
each_java = pytest.mark.parametrize("client", JAVA, ids=lambda client: client.name)


def is_enough(client: OrderedClient, wait: int) -> bool:
    return enough(client.rules, replace(DEFAULTS, wait=wait)) is True


@each_java
def test_least_wait_is_exact_to_the_millisecond(client):
    wait = least(client.rules, DEFAULTS)
    assert wait is not None
    assert is_enough(client, wait)
    assert not is_enough(client, wait - 1)


def test_one_listener_call_is_never_enough_by_default():
    assert {client.name: least(client.rules, DEFAULTS) for client in (*JAVA, GO)} == {
        "java_v4_9": 18_551,
        "java_v5_0": 65_001,
        "java_v5_2": 65_001,
        "go": None,
    }
    assert not any(is_enough(client, DEFAULTS.listener + 1) for client in CLIENTS)


def made(client: OrderedClient, name: str, world):
    return guarantee("ordered", client, name).obligations(world)


def failing(obligations, client: OrderedClient) -> set[str]:
    found = set()
    for obligation in obligations:
        statement = obligation.statement(client.encoding)
        solver = Solver()
        solver.add(*statement.given.values(), smt.Not(statement.then))
        if solver.check() != unsat:
            found.add(obligation.name)
    return found


@each_java
def test_proof_needs_each_millisecond_of_the_wait(client, monkeypatch):
    def a_little_less(rules, limits):
        return enough(rules, limits.but(wait=limits.wait + 1))

    for module in (assumptions, page):
        monkeypatch.setattr(module, "enough", a_little_less)
    exclusive = guarantee("ordered", client, "exclusive")
    assert "gives_back" in failing(exclusive.made(exclusive.induction(IN_TIME)), client)


@each_java
def test_no_shutdown_conjunct_is_superfluous(client):
    exclusive = guarantee("ordered", client, "exclusive")
    whole = exclusive.induction(IN_TIME)
    told = {"shutting", "requests"} | (set() if client.rules.renews_on else {"last-lock"})
    assert told <= {one.name for one in whole.invariant}
    for name in told:
        left = replace(whole, invariant=tuple(one for one in whole.invariant if one.name != name))
        assert failing(exclusive.made(left), client), name


@pytest.mark.parametrize("client", [one for one in CLIENTS if one not in OLDER], ids=lambda client: client.name)
def test_too_short_wait_leads_to_two_listeners(client):
    assert not failing(made(client, "exact-wait", SHUT_TOO_SOON), client)


def test_sufficient_wait_is_not_refuted_by_exactness(monkeypatch):
    monkeypatch.setattr(assumptions, "enough", lambda rules, limits: enough(rules, limits.but(wait=limits.wait - 1)))
    again = guarantee.__wrapped__("ordered", V5_2, "exact-wait")
    assert failing(again.obligations(SHUT_TOO_SOON), V5_2) == {"waits"}


RELOCKED = (
    happens(0, "locks", True),
    happens(0, "adds", True),
    happens(0, "shuts"),
    happens(0, "gives_back"),
    happens(0, "unlocked", False),
    happens(0, "renews", True),
    happens(0, "clears"),
)
"""As it was seen of a 5.3.3: its locks are taken again between their return and the end of its shutdown."""


@pytest.mark.parametrize("client", [V5_0, V5_2], ids=lambda client: client.name)
def test_released_lock_is_taken_again_from_5_0_on(client):
    (claim,) = (claim for claim in claims() if claim.subjects == (client,) and claim.world is PROMPT)
    schedule = explored(CONFIGURATION, client.encoding, claim)
    assert schedule is not None
    assert [one.action for one in schedule] == [one.action for one in RELOCKED]
    found = ran(CONFIGURATION, client, PROMPT, DEFAULTS, RELOCKED, range(7))
    assert is_kept(found.end, DEFAULTS)
    assert allowed(client, RELOCKED)


def test_run_is_impossible_without_the_second_renewer():
    """No earlier model had it."""
    alone = replace(V5_2, rules=replace(V5_2.rules, renews_on=False))
    assert not allowed(alone, RELOCKED)
    assert not allowed(V4_9, RELOCKED)
    (claim,) = (claim for claim in claims() if claim.subjects == (V4_9,) and claim.world is PROMPT)
    assert explored(CONFIGURATION, V4_9.encoding, claim) is None
    assert failing(made(V4_9, "given-back", PROMPT), V4_9) == set()


def allowed(client: OrderedClient, schedule: tuple[Happens, ...]) -> bool:
    times = range(len(schedule))
    found = unrolled(CONFIGURATION, client, client.encoding, PROMPT, DEFAULTS, schedule, times)
    return all(map(smt.is_true, found.constraints.values()))


def test_each_release_conjunct_is_needed():
    given_back = guarantee("ordered", V4_9, "given-back")
    whole = given_back.induction(PROMPT)
    for one in page.ALL_GIVEN_BACK:
        left = replace(whole, invariant=tuple(other for other in whole.invariant if other is not one))
        assert failing(given_back.made(left), V4_9), one.name
