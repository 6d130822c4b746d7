"""Replay a run of a machine (a model of client and broker code) from the actions in its trace."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rebalance_proofs.model.machine.happens import Happens, Schedule
from rebalance_proofs.model.machine.record import C, L, S, V
from rebalance_proofs.model.possible import Impossible
from rebalance_proofs.model.terms import smt
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.machine.configuration import Configuration
from rebalance_proofs.proofs.machine.kind import timed_runs
from rebalance_proofs.proofs.numerals import truth
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.proofs.timed_search import TimedRuns
from rebalance_proofs.report.replayable import NotARun, Ran, Recipe, Replayable, integer


def again(configured: Callable[[Claim], Configuration[S, C, L, V]]) -> Replayable:
    """Return the functions that replay the traces of a kind of claims.

    ``configured(claim)`` returns the machine, clients and assumptions of a claim.
    """

    def recipe(claim: Claim, example: Counterexample) -> tuple[Recipe, Sequence[Recipe]]:
        timed = bool(configured(claim).clock)
        return {}, [_step(seen, timed=timed) for seen in example.group.seen]

    def run(claim: Claim, whole: Recipe, steps: Sequence[Recipe]) -> Ran:
        of = configured(claim)
        runs, limits = timed_runs(of), tuple(vars(of.examples).values())
        schedule = tuple(_happens(step, of.opens) for step in steps)
        times = tuple(integer(step, "at") for step in steps) if of.clock else ()
        if not schedule:
            raise NotARun("there is no step")

        def known(count: int) -> tuple[int, ...]:
            return times[:count] if of.clock else limits

        values = known(len(schedule))
        reached = runs.reached(claim.subjects[0].encoding, claim, schedule, list(map(smt.IntVal, values)))
        last, stopped = 0, ""
        for done, possible in enumerate(list(reached.constraints.values())[-len(schedule) :], start=1):
            stopped = _stops(runs, claim, schedule[:done], known(done))
            if schedule[done - 1].action in claim.world.excludes or (not stopped and not truth(possible)):
                stopped = "the claim's assumptions exclude it"
            if stopped:
                break
            last = done
        found = runs.run(claim, schedule[:last], known(last))
        sentence = "" if stopped else claim.guarantee.violation(found) or ""
        return Ran(Counterexample(*runs.around, values, found, sentence, last), stopped)

    return Replayable(recipe, run)


def _stops(runs: TimedRuns, claim: Claim, schedule: Schedule, times: Sequence[int]) -> str:
    """Return why the last action of ``schedule`` cannot follow the others in the model.

    Empty if it can.
    """
    try:
        runs.run(claim, schedule, times)
    except Impossible:
        return "the client's code does not do this at that time"
    except Exception as error:
        # A schedule from outside can call the model's code in states that its actions rule out.
        return f"the client's code cannot do this at that time ({type(error).__name__})"
    return ""


def _step(seen: Any, *, timed: bool) -> Recipe:
    done: Happens = seen.happens
    found = {"who": done.who, "action": done.action, "said": dict(done.said)}
    return found | {"at": seen.at} if timed else found


def _happens(step: Recipe, opens: Mapping[str, Sequence[str]]) -> Happens:
    action, said, who = step.get("action"), step.get("said"), integer(step, "who", 0, 1)
    if not isinstance(action, str) or action not in opens:
        raise NotARun(f"unknown action {action!r}")
    if not isinstance(said, dict) or set(said) != set(opens[action]):
        raise NotARun(f"the action {action!r} has other choices than {', '.join(opens[action]) or 'none'}")
    if not all(type(value) is bool for value in said.values()):
        raise NotARun(f"a choice of the action {action!r} is neither true nor false")
    return Happens(who, action, tuple((name, said[name]) for name in opens[action]))
