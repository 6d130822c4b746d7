"""Longest wait of a shutdown, to the millisecond, and the state that it leaves behind."""

from dataclasses import replace

import pytest
import z3

from rebalance_proofs.model.ordered.clients import CLIENTS, GO, OLDER, V4_9, V5_0, V5_2, OrderedClient
from rebalance_proofs.model.ordered.limits import DEFAULTS
from rebalance_proofs.proofs.happens import Happens
from rebalance_proofs.proofs.ordered import exact, exclusive, given_back, waiting
from rebalance_proofs.proofs.ordered.circumstances import IN_TIME, PROMPT, SHUT_TOO_SOON
from rebalance_proofs.proofs.ordered.run import run
from rebalance_proofs.proofs.ordered.schedule import happens
from rebalance_proofs.proofs.ordered.search import explored
from rebalance_proofs.proofs.ordered.situation import situation
from rebalance_proofs.proofs.ordered.waiting import enough, least

JAVA = (V4_9, V5_0, V5_2)
each_java = pytest.mark.parametrize("client", JAVA, ids=lambda client: client.name)


def is_enough(client: OrderedClient, wait: int) -> bool:
    return z3.is_true(z3.simplify(enough(client.rules, replace(DEFAULTS, wait=wait).terms())))


@each_java
def test_the_least_wait_is_enough_and_a_millisecond_less_is_not(client):
    wait = least(client.rules, DEFAULTS)
    assert wait is not None
    assert is_enough(client, wait)
    assert not is_enough(client, wait - 1)


def test_one_call_is_never_enough_as_shipped():
    assert {client.name: least(client.rules, DEFAULTS) for client in (*JAVA, GO)} == {
        "java_v4_9": 18_551,
        "java_v5_0": 65_001,
        "java_v5_2": 65_001,
        "go": None,
    }
    assert not any(is_enough(client, DEFAULTS.listener + 1) for client in CLIENTS)


def failing(obligations, client: OrderedClient) -> set[str]:
    found = set()
    for obligation in obligations:
        statement = obligation.statement(client.encoding)
        solver = z3.Solver()
        solver.add(*statement.given.values(), z3.Not(statement.then))
        if solver.check() != z3.unsat:
            found.add(obligation.name)
    return found


@each_java
def test_the_proof_needs_each_millisecond_of_the_wait(client, monkeypatch):
    def a_little_less(rules, limits):
        return enough(rules, replace(limits, wait=limits.wait + 1))

    for module in ("circumstances", "invariant"):
        monkeypatch.setattr(f"rebalance_proofs.proofs.ordered.{module}.enough", a_little_less)
    assert "gives_back" in failing(exclusive.made(client, IN_TIME), client)


@each_java
def test_no_conjunct_about_a_shutdown_is_there_for_nothing(client, monkeypatch):
    whole = exclusive.invariant(client)
    told = {"shutting", "requests"} | (set() if client.rules.renews_on else {"last-lock"})
    assert told <= set(whole)
    for name in told:
        left = {other: conjunct for other, conjunct in whole.items() if other != name}
        with monkeypatch.context() as patched:
            patched.setattr(exclusive, "invariant", lambda client, left=left, **options: left)
            assert failing(exclusive.made(client, IN_TIME), client), name


@pytest.mark.parametrize("client", [one for one in CLIENTS if one not in OLDER], ids=lambda client: client.name)
def test_whatever_wait_is_too_short_comes_to_two_listeners(client):
    assert not failing(exact.waits(client, SHUT_TOO_SOON), client)


def test_a_wait_that_is_enough_is_not_refused_by_what_is_exact(monkeypatch):
    monkeypatch.setattr(
        exact, "enough", lambda rules, limits: waiting.enough(rules, replace(limits, wait=limits.wait - 1))
    )
    assert failing(exact.waits(V5_2, SHUT_TOO_SOON), V5_2) == {"waits"}


RELOCKED = (
    happens(0, "locks", True),
    happens(0, "adds", True),
    happens(0, "shuts"),
    happens(0, "gives_back"),
    happens(0, "returned", False),
    happens(0, "renews", True),
    happens(0, "clears"),
)
"""As it was seen of a 5.3.3: its locks are taken again between their return and the end of its shutdown."""


@pytest.mark.parametrize("client", [V5_0, V5_2], ids=lambda client: client.name)
def test_from_5_0_on_a_lock_that_was_given_back_is_taken_again(client):
    schedule = explored(client.encoding, client, PROMPT)
    assert schedule is not None
    assert [one.action for one in schedule] == [one.action for one in RELOCKED]
    assert run(client, PROMPT, RELOCKED, range(7), DEFAULTS).left_behind
    assert allowed(client, RELOCKED)


def test_without_the_second_renewer_that_run_is_refused():
    """Which no model had before."""
    alone = replace(V5_2, rules=replace(V5_2.rules, renews_on=False))
    assert not allowed(alone, RELOCKED)
    assert not allowed(V4_9, RELOCKED)
    assert explored(V4_9.encoding, V4_9, PROMPT) is None
    assert failing(given_back.obligations(V4_9), V4_9) == set()


def allowed(client: OrderedClient, schedule: tuple[Happens, ...]) -> bool:
    times = list(map(z3.IntVal, range(len(schedule))))
    found = situation(client.encoding, PROMPT, DEFAULTS, schedule, times)
    return all(map(z3.is_true, found.constraints.values()))


def test_each_conjunct_about_what_is_given_back_is_needed(monkeypatch):
    for name in given_back.CONJUNCTS:
        left = {other: conjunct for other, conjunct in given_back.CONJUNCTS.items() if other != name}
        with monkeypatch.context() as patched:
            patched.setattr(given_back, "CONJUNCTS", left)
            assert failing(given_back.obligations(V4_9), V4_9), name
