"""Random walks of the clients' code in parallel with its machine never reach a bad state."""

import random
from bisect import bisect_left
from dataclasses import replace

import pytest

from rebalance_proofs.model.machine.client import does
from rebalance_proofs.model.machine.copies import Copies
from rebalance_proofs.model.machine.values import truth
from rebalance_proofs.model.machines.settling.actions import CLIENTS
from rebalance_proofs.model.machines.subscriptions.actions import PLAIN, PULLS_AT_ONCE, WITH_V2
from rebalance_proofs.model.possible import Impossible
from rebalance_proofs.model.subscriptions import MQClientInstance, MQClientInstanceV2
from rebalance_proofs.proofs.machine.kind import ProvedByInduction
from tests.machines.registered import CLAIMS
from tests.machines.test_machines import beside_others

FEW, FEWER = 15, 5
"""Walks for the first claim of each guarantee and of each client; for other claims."""
PROVED = [pair for pair in CLAIMS if pair[1].holds and isinstance(pair[1].guarantee, ProvedByInduction)]


def walk(configuration, client, claim, limits, source, often) -> bool:
    """Whether a random walk reaches a bad state. ``often``: actions chosen for nine of ten steps, if there are any."""
    of, bad = configuration.machine, configuration.bad(claim)
    reached = all if configuration.every(claim) else any
    world = claim.world.beside(claim.subjects[0].encoding)
    begun = of.begun(limits, client)
    copies = Copies.begun(world.first(begun, limits), configuration.copies, twins=world.twins)
    made = client.code.objects(limits, copies.numbers)
    if copies.views[0] != begun:
        for one, view in zip(made, copies.views, strict=True):
            client.code.put(one, view, of.choices.blank())
    moves = [move for move in configuration.moves if move.action not in world.excludes]
    moves = configuration.tried(claim, [own for move in moves for own in configuration.whose(move)])
    frequent = [move for move in moves if move.action in often]
    for _ in range(200):
        if configuration.clock and source.random() < 0.3:
            last = min(latest(world, view, limits) for view in copies.views)
            copies = copies.at_time(source.choice((last, source.randint(copies.views[0].now, last))))
        move = source.choice(frequent if frequent and source.random() < 0.9 else moves)
        who, choices = configuration.acting(move), configuration.chosen(move, limits)
        state = copies.view(who)
        if world.lets(move.action, state, choices, limits):
            try:
                done = does(of, client.code, client, made[who], move.action, state, choices, limits)
            except Impossible:
                continue
            copies = copies.acted(who, done)
        if reached(bad(view, limits) for view in copies.views):
            return True
    return False


def latest(world, state, limits) -> int:
    """Latest time to which the world lets time pass, 40 ms ahead at most."""
    times = range(state.now + 1, state.now + 40)
    return state.now + bisect_left(times, True, key=lambda until: not world.waits(state, until, limits))


def limits_of(configuration, claim, source):
    """Random limits that the claim is about, small enough for walks to exceed them."""
    asked = claim.guarantee.induction(claim.world).asked
    kind = configuration.machine.limits
    while True:
        limits = kind.numbers({name: source.randint(0, 20) for name in kind.__dataclass_fields__})
        if all(truth(so) for so in (claim.world.given(limits) | asked(limits)).values()):
            return limits


def bad_walks(machine, client, claim, many: int = 50) -> int:
    """Number of random walks that reach a bad state, of ``many``; for a large machine, of a tenth, but at least one."""
    found, of = 0, machine.of(claim)
    for seed in range(max(1, many // 10) if machine.large else many):
        source = random.Random(seed)
        found += walk(of, client, claim, limits_of(of, claim, source), source, machine.often)
    return found


@pytest.mark.parametrize("many", [None, pytest.param(1000, marks=pytest.mark.slow)])
@pytest.mark.parametrize(("machine", "claim"), [pytest.param(*pair, id=pair[1].id) for pair in PROVED])
def test_random_walks_of_the_code_keep_the_guarantees(machine, claim, many):
    few = FEWER if beside_others(PROVED)(machine, claim) else FEW
    assert not bad_walks(machine, claim.subjects[0], claim, many or few)


class Slower:
    """Client whose thread waits 3 ms longer than its limit."""

    def __init__(self, client) -> None:
        self.least, self.parks = client.least, client.parks
        self.code = replace(client.code, made=lambda limits: client.made(limits.but(wait=limits.wait + 3)))


class Forgetful(MQClientInstance):
    """Client that always sends the version with which it was started."""

    def made(self, data):
        return replace(data, subscriptions=tuple(replace(one, sub_version=0) for one in data.subscriptions))


class Late(MQClientInstance):
    """Client whose periodic heartbeats come 3 ms late."""

    def scheduled(self, now: int) -> None:
        super().scheduled(now)
        self.next += 3


class Trusting(MQClientInstanceV2):
    """Client that ignores the answer that the group's subscriptions have changed."""

    def answered(self, sent, answer):
        super().answered(sent, replace(answer, sub_change=False))


SUBSCRIPTIONS = "subscriptions.java_v4_9_to_v5_3"
NOTICED = [
    *(pytest.param(Slower(client), f"settling.{client.name}.settles", id=client.name) for client in CLIENTS),
    *(
        pytest.param(replace(PLAIN, made=Forgetful), f"{SUBSCRIPTIONS}.{name}", id=f"forgetful-{name}")
        for name in ("accepted-soon", "accepted", "accepted.forgotten")
    ),
    *(
        pytest.param(replace(PLAIN, made=Late), f"{SUBSCRIPTIONS}.{name}", id=f"late-{name}")
        for name in ("accepted", "accepted.forgotten")
    ),
    pytest.param(
        replace(WITH_V2, made=Trusting), "subscriptions.java_v5_1_3_heartbeat_v2.answered-later", id="trusting"
    ),
    pytest.param(PULLS_AT_ONCE, "subscriptions.java_v5_0_to_v5_3.first-pull", id="pulls-at-once"),
]


@pytest.mark.parametrize(("client", "name"), NOTICED)
def test_random_walk_notices_a_wrong_client(client, name):
    (pair,) = (one for one in PROVED if one[1].id == name)
    # A thread that parks can go on at any time, so few walks wait for long.
    assert bad_walks(pair[0], client, pair[1]) or bad_walks(pair[0], client, pair[1], 400)
