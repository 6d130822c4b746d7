"""How a counterexample is run once more on the client's code, from what its trace says was done."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import z3

from rebalance_proofs.model.possible import Impossible
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.happens import Happens, Schedule
from rebalance_proofs.proofs.numerals import truth
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.proofs.timed_search import TimedRuns

__all__ = ["Again", "NotARun", "Ran", "Recipe", "Runs", "integer", "of_schedules", "of_timed_runs"]

Recipe = Mapping[str, Any]
"""What there is to know, in JSON: of the whole run, or of one step."""


class NotARun(Exception):
    """What a trace says was done is nothing that can be tried; the sentence says why."""


@dataclass(frozen=True)
class Ran:
    """What the code has done."""

    example: Counterexample
    """As far as it goes; its sentence is empty where nothing is broken then."""
    stopped: str = ""
    """Why it goes no further; empty where it came to the end."""


@dataclass(frozen=True)
class Again:
    """Of one kind of claims."""

    recipe: Callable[[Claim, Counterexample], tuple[Recipe, Sequence[Recipe]]]
    """Of the whole, and of each step behind the first state."""
    run: Callable[[Claim, Recipe, Sequence[Recipe]], Ran]
    """``run(claim, whole, steps)``: raises ``NotARun``."""


@dataclass(frozen=True)
class Runs:
    """Of a kind whose counterexamples are schedules."""

    around: tuple[int, int]
    """So many consumers, and so many queues."""
    run: Callable[[Claim, Schedule, Sequence[int]], Any]
    """``run(claim, schedule, times)``: what the code does; raises ``Impossible``."""
    premises: Callable[[Claim, Schedule, Sequence[int]], Sequence[z3.BoolRef]]
    """Of each action that it is possible after the others by the terms, under the claim's premises."""
    opens: Callable[[Claim], Mapping[str, Sequence[str]]]
    """Each action that there is, and the names of what it leaves open."""
    values: Callable[[Claim, Sequence[int]], tuple[int, ...]]
    """What the counterexample is named by."""
    timed: bool = True


def integer(recipe: Recipe, name: str, least: int = 0, most: int = 2**53) -> int:
    """A whole number of a recipe. Raises ``NotARun``."""
    value = recipe.get(name)
    if type(value) is not int or not least <= value <= most:
        raise NotARun(f"{name!r} is no whole number from {least} to {most}")
    return value


def of_timed_runs(runs: TimedRuns, opens: Mapping[str, Sequence[str]], limits: Sequence[int] | None = None) -> Again:
    """Those whose search knows how they are run; ``limits``: of runs without a clock, in the place of times."""

    def known(times: Sequence[int]) -> Sequence[int]:
        return times if limits is None else limits

    def premises(claim: Claim, schedule: Schedule, times: Sequence[int]) -> Sequence[z3.BoolRef]:
        found = runs.reached(claim.subjects[0].encoding, claim, schedule, list(map(z3.IntVal, known(times))))
        return list(found.constraints.values())[-len(schedule) :]

    def run(claim: Claim, schedule: Schedule, times: Sequence[int]) -> Any:
        return runs.run(claim, schedule, known(times))

    def values(claim: Claim, times: Sequence[int]) -> tuple[int, ...]:
        return tuple(known(times))

    return of_schedules(Runs(runs.around, run, premises, lambda claim: opens, values, timed=limits is None))


def of_schedules(runs: Runs) -> Again:
    """What is done stands at each step."""

    def recipe(claim: Claim, example: Counterexample) -> tuple[Recipe, Sequence[Recipe]]:
        return {}, [_step(seen, timed=runs.timed) for seen in example.group.seen]

    def run(claim: Claim, whole: Recipe, steps: Sequence[Recipe]) -> Ran:
        opens = runs.opens(claim)
        schedule = tuple(_happens(step, opens) for step in steps)
        times = [integer(step, "at") for step in steps] if runs.timed else []
        if not schedule:
            raise NotARun("it has no step")
        last, stopped = 0, ""
        for done, possible in enumerate(runs.premises(claim, schedule, times), start=1):
            stopped = _stops(runs, claim, schedule[:done], times[:done])
            if not stopped and not truth(possible):
                stopped = "the premises of the claim exclude it"
            if stopped:
                break
            last = done
        found = runs.run(claim, schedule[:last], times[:last])
        sentence = "" if stopped else claim.guarantee.violation(found) or ""
        return Ran(Counterexample(*runs.around, runs.values(claim, times), found, sentence, last), stopped)

    return Again(recipe, run)


def _stops(runs: Runs, claim: Claim, schedule: Schedule, times: Sequence[int]) -> str:
    """Why the last of these actions is not done after the others; empty where it is."""
    try:
        runs.run(claim, schedule, times)
    except Impossible:
        return "the client's code does not do that then"
    except (AttributeError, AssertionError, LookupError, TypeError, ValueError) as error:
        # A schedule that nobody has explored can bring the model's code to what its actions do not ask for.
        return f"the client's code cannot do that then ({type(error).__name__})"
    return ""


def _step(seen: Any, *, timed: bool) -> Recipe:
    done: Happens = seen.happens
    found = {"who": done.who, "action": done.action, "said": dict(done.said)}
    return found | {"at": seen.at} if timed else found


def _happens(step: Recipe, opens: Mapping[str, Sequence[str]]) -> Happens:
    action, said, who = step.get("action"), step.get("said"), integer(step, "who", 0, 1)
    if not isinstance(action, str) or action not in opens:
        raise NotARun(f"there is no action {action!r}")
    if not isinstance(said, dict) or set(said) != set(opens[action]):
        raise NotARun(f"of the action {action!r} it does not say {', '.join(opens[action]) or 'nothing'}")
    if not all(type(value) is bool for value in said.values()):
        raise NotARun(f"what it says of the action {action!r} is neither true nor false")
    return Happens(who, action, tuple((name, said[name]) for name in opens[action]))
