"""Proofs about subscriptions notice each conjunct of the invariant, and the code keeps what is promised."""

import random
from dataclasses import replace

import pytest
import z3

from rebalance_proofs.model.possible import Impossible
from rebalance_proofs.model.subscriptions.client import MQClientInstance, MQClientInstanceV2
from rebalance_proofs.model.subscriptions.clients import CLIENTS, PLAIN, PULLS_AT_ONCE, PULLS_LATER, WITH_V2
from rebalance_proofs.model.subscriptions.limits import Limits
from rebalance_proofs.model.subscriptions.state import IDLE
from rebalance_proofs.proofs.subscriptions import guarantees
from rebalance_proofs.proofs.subscriptions.claims import claims
from rebalance_proofs.proofs.subscriptions.members import FORGOTTEN, FREE, ONLY_ONE, QUICK, ROOM, SKIPPED
from rebalance_proofs.proofs.subscriptions.observed import does
from rebalance_proofs.proofs.subscriptions.schedule import MOVES

each_client = pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.name)


def conjuncts_of(claim):
    promise = guarantees.promise_of(claim)
    return promise.conjuncts(claim.subjects[0], claim.world)


PROVED = [claim for claim in claims() if claim.holds and guarantees.sought(claim)]
CONJUNCTS = [pytest.param(claim, name, id=f"{claim.id}-{name}") for claim in PROVED for name in conjuncts_of(claim)]


def fails(obligation, of) -> bool:
    statement = obligation.statement(of)
    solver = z3.Solver()
    solver.add(*statement.given.values(), z3.Not(statement.then))
    return solver.check() != z3.unsat


@pytest.mark.parametrize(("claim", "name"), CONJUNCTS)
def test_no_conjunct_can_be_left_out(claim, name):
    client = claim.subjects[0]
    less = {one: conjunct for one, conjunct in conjuncts_of(claim).items() if one != name}
    promise = replace(guarantees.promise_of(claim), conjuncts=lambda client, world: less)
    assert any(fails(one, client.encoding) for one in guarantees._obligations(promise, client, claim.world))


def walk(member, limits: Limits, source: random.Random, world) -> None:
    """Anything that can happen there, in any order, as long as the limits have it; no pull is refused too late."""
    longest = limits.beat if world in (FREE, QUICK) else limits.period + 2 * limits.beat
    often = [move for move in MOVES if move.action in ("pulls", "firsts", "ticks", "sends", "arrives", "ends")]
    apart = limits.apart * (2 if world == ONLY_ONE else 1)
    for _ in range(200):
        client = member.client
        until = client.next if client.at == IDLE else min(client.next, client.began + limits.beat)
        if world in (ROOM, ONLY_ONE):
            until = min(until, member.heard + limits.apart)
            if member.refused and not member.refuses:
                until = min(until, member.opened + limits.retry)
        if source.random() < 0.3:
            member.now = source.choice((until, source.randint(member.now, until)))
        move = source.choice(often if source.random() < 0.95 else MOVES)
        if not allowed(member, move, limits, world):
            continue
        try:
            does(member, move)
        except Impossible:
            continue
        if world in (ROOM, ONLY_ONE):
            assert not member.refused or member.now < member.first + apart
        elif world == QUICK:
            assert not member.barred
        else:
            assert not member.refused or member.asked <= member.moved + longest


def allowed(member, move, limits: Limits, world) -> bool:
    said = dict(move.said)
    late = member.now > member.heard + limits.retry
    if world == ONLY_ONE and move.action in ("others", "prints"):
        return not said.get("same") and not said.get("topic") and (late or move.action == "prints")
    if move.action == "others":
        return said["topic"] or (world == ROOM and late)
    if move.action == "raises":
        free = member.client.at == IDLE and not (world == QUICK and member.fresh)
        return world not in (ROOM, ONLY_ONE) and (world not in (FREE, QUICK) or free)
    if move.action == "firsts":
        return world == QUICK
    return move.action not in ("posts", "forgets") or (move.action == "forgets" and world == FORGOTTEN)


def limits_from(source: random.Random) -> Limits:
    period = source.randint(2, 30)
    beat, retry, apart = source.randint(0, period - 1), source.randint(0, 10), source.randint(0, 60)
    return Limits(period, beat=beat, retry=retry, apart=apart, delay=beat + source.randint(1, 10))


WALKS = [(client, FREE) for client in (PLAIN, WITH_V2)] + [(PLAIN, world) for world in (SKIPPED, FORGOTTEN, ROOM)]
WALKS += [(WITH_V2, ONLY_ONE), (PULLS_LATER, QUICK)]


@pytest.mark.parametrize(("client", "world"), WALKS, ids=lambda one: one.name)
def test_the_code_keeps_what_is_promised_whatever_the_limits_are(client, world):
    for seed in range(200):
        source = random.Random(seed)
        limits = limits_from(source)
        walk(client.member(limits), limits, source, world)


class Forgetful(MQClientInstance):
    """A client that sends the version with which it was started."""

    def made(self, data):
        return replace(data, subscriptions=tuple(replace(one, sub_version=0) for one in data.subscriptions))


@pytest.mark.parametrize("world", [FREE, SKIPPED, FORGOTTEN], ids=lambda world: world.name)
def test_such_a_walk_notices_a_client_that_sends_old_versions(world):
    late = 0
    for seed in range(100):
        source = random.Random(seed)
        limits = limits_from(source)
        try:
            walk(replace(PLAIN, made=Forgetful).member(limits), limits, source, world)
        except AssertionError:
            late += 1
    assert late


class Late(MQClientInstance):
    """A client whose periodic heartbeats come three ms later than they should."""

    def scheduled(self, now: int) -> None:
        super().scheduled(now)
        self.next += 3


@pytest.mark.parametrize("world", [SKIPPED, FORGOTTEN], ids=lambda world: world.name)
def test_such_a_walk_notices_a_client_that_is_late(world):
    late = 0
    for seed in range(200):
        source = random.Random(seed)
        limits = limits_from(source)
        try:
            walk(replace(PLAIN, made=Late).member(limits), limits, source, world)
        except AssertionError:
            late += 1
    assert late


class Trusting(MQClientInstanceV2):
    """A client that does not hear that the group's subscriptions have changed."""

    def answered(self, sent, answer):
        super().answered(sent, replace(answer, sub_change=False))


@pytest.mark.parametrize(
    ("client", "world"),
    [(replace(WITH_V2, made=Trusting), ONLY_ONE), (PULLS_AT_ONCE, QUICK)],
    ids=("trusting", "pulls-at-once"),
)
def test_such_a_walk_notices_what_claims_about_these_worlds_exclude(client, world):
    late = 0
    for seed in range(200):
        source = random.Random(seed)
        limits = limits_from(source)
        try:
            walk(client.member(limits), limits, source, world)
        except AssertionError:
            late += 1
    assert late


@each_client
def test_every_claim_of_a_client_is_about_its_releases(client):
    assert client.releases[-1] == ("4.9.8" if client is PULLS_AT_ONCE else "5.3.3")
    assert ("5.1.2" in client.releases) != client.fingerprints or client is PULLS_AT_ONCE
    assert client.delays == (client is PULLS_LATER)
