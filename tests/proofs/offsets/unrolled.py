"""Bounded model checking: the same terms, unrolled, with actions and choices unknown."""

import z3

from rebalance_proofs.model.offsets.encoding import OffsetsEncoding
from rebalance_proofs.model.offsets.state import NONE, Said, State, nothing
from rebalance_proofs.model.terms.truth import NO
from rebalance_proofs.proofs.offsets.brokers import Brokers
from rebalance_proofs.proofs.offsets.guarantees import Bad
from rebalance_proofs.proofs.offsets.schedule import alone, happening, not_alone
from rebalance_proofs.proofs.offsets.situation import unconsumed
from rebalance_proofs.proofs.offsets.variables import SAID
from tests.proofs.unrolled import choose, named


def fewest(encoding: OffsetsEncoding, world: Brokers, bad: Bad, most: int) -> int | None:
    """The fewest actions after which it is so, of one message at any offset; None where it takes more than ``most``.

    Of several commits, or offsets to be recorded, any one may be looked at, as long as it is one.
    """
    names = [name for name in happening(world.way) if name in world.actions]
    message, where = z3.Ints("message where")
    absent = not_alone(world.way)
    committed = message if world.committed else z3.IntVal(NONE)
    copied = committed if world.copied else z3.IntVal(NONE)
    queue = unconsumed(committed, message, copied=copied, arrives=world.later)
    consumers = [nothing(), nothing()]
    solver = z3.Solver()
    solver.add(*world.given(State(consumers[0], queue, message, where)).values())
    for step in range(1, most + 1):
        action, second = z3.Int(f"action{step}"), z3.Bool(f"second{step}")
        flags = {name: z3.Bool(f"{name}{step}") for name in SAID if name not in ("offset", *absent)}
        said = Said(**flags, **dict.fromkeys(absent, NO), offset=message + 1)
        if step == 1:
            solver.add(z3.Not(second))
        me = named(choose(second, consumers[1], consumers[0]), f"me{step}", solver)
        state = State(me, queue, message, where)
        after, shared = me, queue
        for number, name in enumerate(names):
            turn = getattr(encoding, name)(state, said)
            allowed = z3.And(world.allows(name, state, said), alone(name, state, said, world.way))
            solver.add(z3.Implies(action == number, z3.And(turn.can, allowed)))
            after = choose(action == number, turn.after.me, after)
            shared = choose(action == number, turn.after.queue, shared)
        solver.add(0 <= action, action < len(names))
        after, queue = named(after, f"after{step}", solver), named(shared, f"queue{step}", solver)
        consumers = [choose(second, consumers[0], after), choose(second, after, consumers[1])]
        solver.push()
        solver.add(z3.Or([bad(State(consumer, queue, message, where)) for consumer in consumers]))
        found = solver.check()
        solver.pop()
        assert found != z3.unknown
        if found == z3.sat:
            return step
    return None
