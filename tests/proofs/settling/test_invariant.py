"""That the proofs about settling notice what their conjuncts say, and that what is promised is kept by the code."""

import random
from dataclasses import replace

import pytest
import z3

from rebalance_proofs.model.possible import Impossible
from rebalance_proofs.model.settling.clients import CLIENTS
from rebalance_proofs.model.settling.limits import Limits
from rebalance_proofs.model.settling.state import WAITS
from rebalance_proofs.proofs.settling import guarantees, invariant
from rebalance_proofs.proofs.settling.notices import ANY, SUCCEEDS, TIMELY
from rebalance_proofs.proofs.settling.schedule import MOVES, told

V4_9, V5_2 = CLIENTS
each_client = pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.name)
PROVED = [
    *((client, guarantees.settles, invariant.settles, SUCCEEDS) for client in CLIENTS),
    *((client, guarantees.woken, invariant.soon, TIMELY) for client in CLIENTS),
    (V5_2, guarantees.apart, invariant.apart, ANY),
]
CONJUNCTS = [
    pytest.param(client, made, conjuncts, world, name, id=f"{client.name}-{made(client).name}-{name}")
    for client, made, conjuncts, world in PROVED
    for name in conjuncts(client)
]


def fails(obligation, of) -> bool:
    statement = obligation.statement(of)
    solver = z3.Solver()
    solver.add(*statement.given.values(), z3.Not(statement.then))
    return solver.check() != z3.unsat


@pytest.mark.parametrize(("client", "made", "conjuncts", "world", "name"), CONJUNCTS)
def test_no_conjunct_can_be_left_out(client, made, conjuncts, world, name):
    guarantee = made(client)
    less = {one: conjunct for one, conjunct in conjuncts(client).items() if one != name}
    bad = {"settles": guarantees._late, "woken": guarantees._unanswered(client), "apart": guarantees._too_soon}
    proved = guarantees._proved(guarantee.name, guarantee.sentence, client, less, bad[guarantee.name])
    assert any(fails(obligation, client.encoding) for obligation in proved(world))


def walk(client, limits: Limits, source: random.Random, *, timely: bool) -> None:
    """Anything that can happen, in any order, as long as the limits have it; nothing is late."""
    consumer = client.consumer(limits)
    period = max(limits.wait, limits.least if client.least else 0)
    for _ in range(120):
        service = consumer.service
        if source.random() < 0.3 and not service.wakers:
            until = consumer.now
            if consumer.runs:
                until = consumer.began + limits.loop
            elif service.at == WAITS and service.wait_point.count:
                until = service.since + service.real_wait_interval
            consumer.now = source.choice((until, source.randint(consumer.now, until)))
        move = source.choice(MOVES)
        between = timely and service.at == 1 and move.action in ("notifies", "stirs")
        if move.action == "fails" or between:
            continue
        try:
            getattr(consumer, move.action)(**told(dict(move.said)))
        except Impossible:
            continue
        if consumer.changed is not None and not consumer.right:
            assert consumer.now <= consumer.changed + 2 * limits.loop + period
        if timely and consumer.heard is not None and not consumer.right:
            assert consumer.now <= consumer.heard + 2 * limits.loop + (limits.least if client.least else 0)


@each_client
@pytest.mark.parametrize("timely", [False, True])
def test_the_code_keeps_what_is_promised_whatever_the_limits_are(client, timely):
    for seed in range(300):
        source = random.Random(seed)
        limits = Limits(wait=source.randint(0, 30), least=source.randint(0, 30), loop=source.randint(0, 10))
        walk(client, limits, source, timely=timely)


class Slower:
    """A client whose thread waits for three ms longer than it is told to."""

    def __init__(self, client) -> None:
        self.client, self.least = client, client.least

    def consumer(self, limits: Limits):
        return self.client.consumer(replace(limits, wait=limits.wait + 3))


@each_client
def test_such_a_walk_notices_a_thread_that_waits_too_long(client):
    late = 0
    for seed in range(100):
        source = random.Random(seed)
        limits = Limits(wait=source.randint(5, 30), least=source.randint(0, 5), loop=source.randint(1, 10))
        try:
            walk(Slower(client), limits, source, timely=False)
        except AssertionError:
            late += 1
    assert late
