"""Bounded model checking: the same terms, unrolled, with actions, choices and times unknown."""

from dataclasses import replace

import z3

from rebalance_proofs.model.registry.actions import RegistryEncoding
from rebalance_proofs.model.registry.limits import DEFAULTS
from rebalance_proofs.model.registry.state import Said, State, nobody
from rebalance_proofs.proofs.registry.guarantees import Bad
from rebalance_proofs.proofs.registry.membership import Membership
from rebalance_proofs.proofs.registry.variables import SAID
from tests.proofs.unrolled import choose, named


def fewest(encoding: RegistryEncoding, world: Membership, bad: Bad, most: int) -> int | None:
    """The fewest actions, the last look included, after which it is so, with limits as shipped and any times; None
    where it takes more than ``most``."""
    limits, now = DEFAULTS.terms(), z3.IntVal(0)
    state = State(now, nobody(now))
    solver = z3.Solver()
    for step in range(1, most + 1):
        at = z3.Int(f"at{step}")
        solver.add(world.waits(state, at, limits))
        before = replace(state, now=at)
        solver.push()
        solver.add(bad(before, limits))
        found = solver.check()
        solver.pop()
        assert found != z3.unknown
        if found == z3.sat:
            return step
        action, after = z3.Int(f"action{step}"), before.me
        said = Said(**{name: z3.Bool(f"{name}{step}") for name in SAID})
        for number, name in enumerate(world.actions):
            turn = getattr(encoding, name)(before, said, limits)
            can = z3.And(turn.can, world.allows(name, before, said, limits))
            solver.add(z3.Implies(action == number, can))
            after = choose(action == number, turn.after.me, after)
        solver.add(0 <= action, action < len(world.actions))
        state = State(at, named(after, f"me{step}", solver))
    return None
