"""Bounded model checking: the same terms, unrolled, with actions, choices and times unknown."""

from dataclasses import fields

import z3

from rebalance_proofs.model.ordered.clients import OrderedClient
from rebalance_proofs.model.ordered.state import NOBODY, Lock, Said, State, nothing
from rebalance_proofs.proofs.ordered.circumstances import RESTART, Circumstances
from rebalance_proofs.proofs.ordered.examples import example
from rebalance_proofs.proofs.ordered.inductive import ACTIONS, can_wait
from tests.proofs.unrolled import choose, named


def fewest(client: OrderedClient, world: Circumstances, most: int) -> int | None:
    """The fewest actions after which both listeners run, at any times in ms; None where it takes more than ``most``."""
    limits = example(client, world).terms()
    now = z3.IntVal(0)
    consumers = [nothing(client_id, now) for client_id in world.client_ids]
    lock = Lock(z3.IntVal(NOBODY), now)
    solver = z3.Solver()
    for step in range(1, most + 1):
        at, action, second = z3.Int(f"t{step}"), z3.Int(f"action{step}"), z3.Bool(f"second{step}")
        said = Said(**{field.name: z3.Bool(f"{field.name}{step}") for field in fields(Said)})
        before = [State(now, consumer, lock) for consumer in consumers]
        solver.add(*(can_wait(one, at, limits) for one in before))
        solver.add(*(world.waits(client.encoding.listed(one), one, at, limits) for one in before))
        if step == 1:
            solver.add(z3.Not(second))
        me = named(choose(second, consumers[1], consumers[0]), f"me{step}", solver)
        state = State(at, me, lock)
        after, held = me, lock
        for number, name in enumerate(ACTIONS):
            turn = getattr(client.encoding, name)(state, said, limits)
            solver.add(
                z3.Implies(action == number, z3.And(turn.can, world.allows(client.encoding, name, state, said, limits)))
            )
            after = choose(action == number, turn.after.me, after)
            held = choose(action == number, turn.after.lock, held)
        restarts = action == len(ACTIONS)
        held = choose(restarts, Lock(z3.IntVal(NOBODY), held.updated), held)
        solver.add(0 <= action, action < len(ACTIONS) + (0 if world.keeps(RESTART) else 1))
        after, lock = named(after, f"after{step}", solver), named(held, f"lock{step}", solver)
        consumers = [choose(second, consumers[0], after), choose(second, after, consumers[1])]
        now = at
        solver.push()
        solver.add(consumers[0].runs, consumers[1].runs)
        found = solver.check()
        solver.pop()
        assert found != z3.unknown
        if found == z3.sat:
            return step
    return None
