"""Random walks of the clients' code beside its machine: whatever happens in them, nothing bad comes of it."""

import random
from bisect import bisect_left
from dataclasses import replace

import pytest

from rebalance_proofs.model.machine.code import does
from rebalance_proofs.model.machine.copies import Copies
from rebalance_proofs.model.possible import Impossible
from rebalance_proofs.model.settling.clients import CLIENTS
from rebalance_proofs.model.settling.limits import Limits
from rebalance_proofs.proofs.machine.kind import ProvedByInduction
from rebalance_proofs.proofs.settling.claims import claims
from rebalance_proofs.proofs.settling.configuration import CONFIGURATION
from tests.machines.registered import CLAIMS

PROVED = [pair for pair in CLAIMS if pair[1].holds and isinstance(pair[1].guarantee, ProvedByInduction)]


def walk(configuration, client, claim, limits, source) -> bool:
    """Whether something was bad."""
    of, world, bad = configuration.machine, claim.world, configuration.bad(claim)
    begun = of.first(of.state.blank(), limits, client)
    copies = Copies.begun(world.first(begun, limits), configuration.copies, twins=world.twins)
    made = client.code.objects(limits, copies.numbers)
    if copies.views[0] != begun:
        for one, view in zip(made, copies.views, strict=True):
            client.code.put(one, view, of.choices.blank())
    moves = configuration.tried(claim, [own for move in configuration.moves for own in configuration.whose(move)])
    for _ in range(120):
        if configuration.clock and source.random() < 0.3:
            last = min(latest(world, view, limits) for view in copies.views)
            copies = copies.at_time(source.choice((last, source.randint(copies.views[0].now, last))))
        move = source.choice(moves)
        who, choices = configuration.acting(move), configuration.chosen(move, limits)
        state = copies.view(who)
        if world.lets(move.action, state, choices, limits):
            try:
                done = does(of, client.code, client, made[who], move.action, state, choices, limits)
            except Impossible:
                continue
            copies = copies.acted(who, done)
        if any(bad(view, limits) for view in copies.views):
            return True
    return False


def latest(world, state, limits) -> int:
    """Until when time can pass, within 40 ms."""
    times = range(state.now + 1, state.now + 40)
    return state.now + bisect_left(times, True, key=lambda until: not world.waits(state, until, limits))


def limits_of(kind, world, source):
    """Any that the premises allow, so small that walks come to their end."""
    while True:
        limits = kind.numbers({name: source.randint(0, 20) for name in kind.__dataclass_fields__})
        if all(world.given(limits).values()):
            return limits


@pytest.mark.parametrize(("machine", "claim"), [pytest.param(*pair, id=pair[1].id) for pair in PROVED])
def test_the_code_keeps_what_is_promised_whatever_the_limits_are(machine, claim):
    for seed in range(20 if machine.large else 100):
        source, of = random.Random(seed), machine.of(claim)
        limits = limits_of(of.machine.limits, claim.world, source)
        assert not walk(of, claim.subjects[0], claim, limits, source), (seed, limits)


class Slower:
    """A client whose thread waits for three ms longer than it is told to."""

    def __init__(self, client) -> None:
        self.least = client.least
        self.code = replace(client.code, made=lambda limits: client.made(limits.but(wait=limits.wait + 3)))


@pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.name)
def test_such_a_walk_notices_a_thread_that_waits_too_long(client):
    claim = next(one for one in claims() if one.subjects == (client,) and one.guarantee.name == "settles")
    late = 0
    for seed in range(100):
        source = random.Random(seed)
        limits = Limits(wait=source.randint(5, 30), least=source.randint(0, 5), loop=source.randint(1, 10))
        late += walk(CONFIGURATION, Slower(client), claim, limits, source)
    assert late
