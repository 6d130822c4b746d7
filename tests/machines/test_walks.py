"""Random walks of the clients' code beside its machine: whatever happens in them, nothing bad comes of it."""

import random
from bisect import bisect_left
from dataclasses import replace

import pytest

from rebalance_proofs.model.machine.code import does
from rebalance_proofs.model.possible import Impossible
from rebalance_proofs.model.settling.clients import CLIENTS
from rebalance_proofs.model.settling.limits import Limits
from rebalance_proofs.proofs.machine.kind import ProvedByInduction
from rebalance_proofs.proofs.settling.claims import claims
from rebalance_proofs.proofs.settling.configuration import CONFIGURATION
from tests.machines.registered import CLAIMS

PROVED = [pair for pair in CLAIMS if pair[1].holds and isinstance(pair[1].guarantee, ProvedByInduction)]


def walk(configuration, client, claim, limits, source, rare=()) -> bool:
    """Whether something was bad."""
    aside = {*configuration.aside(claim), *claim.world.excludes}
    actions = [name for name in configuration.machine.actions if name not in aside]
    ways = {name: [move for move in configuration.moves if move.action == name] for name in actions}
    of, world, bad = configuration.machine, claim.world, configuration.bad(claim)
    state, made = of.begun(limits, client), client.code.made(limits)
    for _ in range(120):
        if configuration.clock and source.random() < 0.3:
            last = latest(world, state, limits)
            state = state.but(now=source.choice((last, source.randint(state.now, last))))
        name = source.choice(actions)
        if name in rare and source.random() < 0.8:
            continue
        permitted = [
            choices
            for choices in (configuration.chosen(move, limits) for move in ways[name])
            if world.permits(name, state, choices, limits)
        ]
        if permitted:
            try:
                state = does(of, client.code, client, made, name, state, source.choice(permitted), limits)
            except Impossible:
                continue
        if bad(state, limits):
            return True
    return False


def latest(world, state, limits) -> int:
    """Until when time can pass, within 40 ms."""
    times = range(state.now + 1, state.now + 40)
    return state.now + bisect_left(times, True, key=lambda until: not world.waits(state, until, limits))


def limits_of(kind, world, source):
    """Any that the premises have, so small that walks come to their end."""
    while True:
        limits = kind.numbers({name: source.randint(0, 20) for name in kind.__dataclass_fields__})
        if all(world.given(limits).values()):
            return limits


@pytest.mark.parametrize(("machine", "claim"), [pytest.param(*pair, id=pair[1].id) for pair in PROVED])
def test_the_code_keeps_what_is_promised_whatever_the_limits_are(machine, claim):
    for seed in range(100):
        source = random.Random(seed)
        limits = limits_of(machine.configuration.machine.limits, claim.world, source)
        assert not walk(machine.configuration, claim.subjects[0], claim, limits, source, machine.rare), (seed, limits)


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
