"""Bounded model checking: the same terms, unrolled, with actions and choices unknown."""

import z3

from rebalance_proofs.model.pulls.actions import PullsEncoding
from rebalance_proofs.model.pulls.state import Said, State, nothing
from rebalance_proofs.proofs.pulls.guarantees import Bad
from rebalance_proofs.proofs.pulls.troubles import Troubles
from rebalance_proofs.proofs.pulls.variables import SAID
from tests.proofs.unrolled import choose, named


def fewest(encoding: PullsEncoding, world: Troubles, bad: Bad, most: int) -> int | None:
    """The fewest actions after which it is so, with any limit and any times; None where it takes more than ``most``."""
    limit, me = z3.Int("limit"), nothing()
    solver = z3.Solver()
    solver.add(limit >= 0)
    for step in range(1, most + 1):
        action = z3.Int(f"action{step}")
        flags = {name: z3.Bool(f"{name}{step}") for name in SAID if name != "span"}
        said = Said(**flags, span=z3.Int(f"span{step}"))
        before = State(named(me, f"me{step}", solver), limit)
        after = before.me
        for number, name in enumerate(world.actions):
            turn = getattr(encoding, name)(before, said)
            can = z3.And(turn.can, world.allows(encoding, name, before, said))
            solver.add(z3.Implies(action == number, can))
            after = choose(action == number, turn.after.me, after)
        solver.add(0 <= action, action < len(world.actions))
        me = named(after, f"after{step}", solver)
        solver.push()
        solver.add(bad(State(me, limit)))
        found = solver.check()
        solver.pop()
        assert found != z3.unknown
        if found == z3.sat:
            return step
    return None
