"""Bounded model checking of a machine: the same terms, unrolled, with actions, choices and times or limits unknown."""

from rebalance_proofs.model.machine.machine import act_of
from rebalance_proofs.model.machine.record import flags, shared
from rebalance_proofs.model.machine.values import term
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.solver import Solver, sat, unknown
from tests.proofs.unrolled import choose, named


def fewest(configuration, claim, most: int) -> int | None:
    """Fewest actions to a bad state; None if it takes more than ``most``. A final observation counts as an action."""
    of, client, world = configuration.machine, claim.subjects[0], claim.world
    looks = configuration.looks
    limits = configuration.of_claim(claim)[0].terms() if configuration.clock else of.limits.symbols()
    solver = Solver()
    solver.add(*map(term, world.given(limits).values()))
    state = of.begun(limits, client).terms()
    actions = [action for action in of.actions if action not in world.excludes]
    for step in range(1, most + 1):
        before = state
        if configuration.clock:
            time = smt.Int(f"t{step}")
            solver.add(term(world.waits(state, time, limits)))
            before = state.at_time(time)
        solver.push()
        if looks:
            solver.add(term(configuration.bad(claim)(before, limits)))
        chosen, choices, after = smt.Int(f"action{step}"), of.choices.symbols(f"{step}."), before
        steps = []
        for number, name in enumerate(actions):
            turn = act_of(client.encoding, name)(before, choices, limits)
            can = smt.And(term(turn.guard), term(world.permits(name, before, choices, limits)))
            steps.append(smt.Implies(chosen == number, can))
            after = choose(chosen == number, turn.after, after)
        steps.append(smt.And(0 <= chosen, chosen < len(actions)))
        if not looks:
            solver.add(*steps, term(configuration.bad(claim)(after, limits)))
        found = solver.check()
        solver.pop()
        assert found != unknown
        if found == sat:
            return step
        solver.add(*steps)
        state = named(after, f"state{step}", solver)
    return None


def fewest_of_copies(configuration, claim, most: int) -> int | None:
    """Fewest actions to a bad state of several copies without a clock, among the moves that explorations try.

    By symmetry, the copy that acts first is the first copy.
    """
    of, client, world = configuration.machine, claim.subjects[0], claim.world
    limits, solver = of.limits.symbols(), Solver()
    solver.add(*map(term, world.given(limits).values()))
    first = world.first(of.begun(limits, client).terms(), limits)
    copies, aside = [first] * configuration.copies, {*configuration.aside(claim), *world.excludes}
    moves = configuration.tried(claim, [own for move in configuration.moves for own in configuration.whose(move)])
    tried = list(dict.fromkeys(move.action for move in moves if move.action not in aside))
    told = {name for move in moves for name, value in move.said if value}
    for step in range(1, most + 1):
        action, who = smt.Int(f"action{step}"), smt.Int(f"who{step}")
        chosen = of.choices.symbols(f"{step}.").but(**dict.fromkeys(flags(of.choices) - told, False))
        chosen = chosen.but(**configuration.numbers(limits))
        before = copies[-1]
        for place, one in enumerate(copies[:-1]):
            before = choose(who == place, one, before)
        before = named(before, f"me{step}", solver)
        solver.add(0 <= who, who < (1 if step == 1 else len(copies)), 0 <= action, action < len(tried))
        after = before
        for number, name in enumerate(tried):
            turn = act_of(client.encoding, name)(before, chosen, limits)
            can = smt.And(term(turn.guard), term(world.lets(name, before, chosen, limits)))
            solver.add(smt.Implies(action == number, can))
            after = choose(action == number, turn.after, after)
        after = named(after, f"after{step}", solver)
        all_have = {name: getattr(after, name) for name in shared(of.state)}
        copies = [choose(who == place, after, one.but(**all_have)) for place, one in enumerate(copies)]
        bad = smt.Or([term(configuration.bad(claim)(one, limits)) for one in copies])
        found = solver.check(bad)
        assert found != unknown
        if found == sat:
            return step
    return None
