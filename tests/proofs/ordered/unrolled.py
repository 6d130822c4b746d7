"""Bounded model checking: the same terms, unrolled, with actions, choices and times unknown, of two consumers."""

from dataclasses import replace

from rebalance_proofs.model.machine.copies import Copies
from rebalance_proofs.model.machine.machine import act_of
from rebalance_proofs.model.machine.values import term
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.solver import Solver, sat, unknown
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.ordered.two import CONFIGURATION
from tests.proofs.unrolled import choose, named


def fewest(claim: Claim, most: int) -> int | None:
    """The fewest actions after which both listeners run, at any times in ms; None where it takes more than ``most``."""
    of, client = CONFIGURATION.machine, claim.subjects[0]
    world, limits = claim.world.beside(client.encoding), CONFIGURATION.of_claim(claim)[0].terms()
    first = of.begun(limits, client).terms()
    copies = Copies.begun(first, 2, twins=world.twins)
    actions = [name for name in of.actions if name not in world.excludes]
    solver = Solver()
    for step in range(1, most + 1):
        at, action, second = smt.Int(f"t{step}"), smt.Int(f"action{step}"), smt.Bool(f"second{step}")
        choices = of.choices.symbols(f"{step}.")
        solver.add(*(term(world.waits(view, at, limits)) for view in copies.views))
        copies = copies.at_time(at)
        if step == 1:
            solver.add(smt.Not(second))
        state = named(choose(second, copies.view(1), copies.view(0)), f"me{step}", solver)
        after = state
        for number, name in enumerate(actions):
            turn = act_of(client.encoding, name)(state, choices, limits)
            can = smt.And(term(turn.guard), term(world.permits(name, state, choices, limits)))
            solver.add(smt.Implies(action == number, can))
            after = choose(action == number, turn.after, after)
        solver.add(0 <= action, action < len(actions))
        after = named(after, f"after{step}", solver)
        one, other = copies.acted(0, after), copies.acted(1, after)
        states = tuple(choose(second, *pair) for pair in zip(other.states, one.states, strict=True))
        copies = replace(copies, states=tuple(named(s, f"s{step}.{who}", solver) for who, s in enumerate(states)))
        solver.push()
        solver.add(*(s.runs for s in copies.states))
        found = solver.check()
        solver.pop()
        assert found != unknown
        if found == sat:
            return step
    return None
