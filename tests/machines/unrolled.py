"""Bounded model checking of a machine: the same terms, unrolled, with actions, choices and times or limits unknown."""

import z3

from rebalance_proofs.model.machine.machine import act_of
from rebalance_proofs.model.machine.record import flags, names
from rebalance_proofs.model.machine.values import term
from tests.proofs.unrolled import choose, named


def symbols(record, suffix=""):
    known = flags(record)
    return record(**{name: (z3.Bool if name in known else z3.Int)(f"{name}{suffix}") for name in names(record)})


def fewest(configuration, claim, most: int) -> int | None:
    """The fewest actions after which it is so; None where it takes more than ``most``. A look in the end is one."""
    of, client, world = configuration.machine, claim.subjects[0], claim.world
    limits = configuration.examples.terms() if configuration.clock else symbols(of.limits)
    solver = z3.Solver()
    solver.add(*map(term, world.given(limits).values()))
    state = of.begun(limits, client).terms()
    actions = [action for action in of.actions if action not in world.excludes]
    for step in range(1, most + 1):
        before = state
        if configuration.clock:
            time = z3.Int(f"t{step}")
            solver.add(term(world.waits(state, time, limits)))
            before = state.at_time(time)
        solver.push()
        if configuration.clock:
            solver.add(term(configuration.bad(claim)(before, limits)))
        chosen, choices, after = z3.Int(f"action{step}"), symbols(of.choices, step), before
        steps = []
        for number, name in enumerate(actions):
            turn = act_of(client.encoding, name)(before, choices, limits)
            can = z3.And(term(turn.can), term(world.permits(name, before, choices, limits)))
            steps.append(z3.Implies(chosen == number, can))
            after = choose(chosen == number, turn.after, after)
        steps.append(z3.And(0 <= chosen, chosen < len(actions)))
        if not configuration.clock:
            solver.add(*steps, term(configuration.bad(claim)(after, limits)))
        found = solver.check()
        solver.pop()
        assert found != z3.unknown
        if found == z3.sat:
            return step
        solver.add(*steps)
        state = named(after, f"state{step}", solver)
    return None
