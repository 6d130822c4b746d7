"""Replay of a counterexample on the client's code, from the actions that its trace records."""

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

__all__ = ["NotARun", "Ran", "Recipe", "Replayable", "Runs", "integer", "of_schedules", "of_timed_runs"]

Recipe = Mapping[str, Any]
"""Replay data as JSON values, of a whole trace or of one step."""


class NotARun(Exception):
    """The trace records something that cannot be replayed; the message says why."""


@dataclass(frozen=True)
class Ran:
    """Result of a replay."""

    example: Counterexample
    """The part that was replayed; its sentence is empty where that part breaks no guarantee."""
    stopped: str = ""
    """Why the replay stopped early; empty when it reached the end."""


@dataclass(frozen=True)
class Replayable:
    """How one kind of claims writes and replays its traces."""

    recipe: Callable[[Claim, Counterexample], tuple[Recipe, Sequence[Recipe]]]
    """``recipe(claim, example)``: replay data of the whole trace, and of each step after the first state."""
    run: Callable[[Claim, Recipe, Sequence[Recipe]], Ran]
    """``run(claim, whole, steps)``: the replay. Raises ``NotARun``."""


@dataclass(frozen=True)
class Runs:
    """How a kind whose counterexamples are schedules runs and checks them."""

    around: tuple[int, int]
    """Numbers of consumers and of queues."""
    run: Callable[[Claim, Schedule, Sequence[int]], Any]
    """``run(claim, schedule, times)``: the result of the client's code; raises ``Impossible``."""
    premises: Callable[[Claim, Schedule, Sequence[int]], Sequence[z3.BoolRef]]
    """For each action a term that says it can follow the earlier ones under the claim's premises."""
    opens: Callable[[Claim], Mapping[str, Sequence[str]]]
    """``opens(claim)``: action -> the names of its nondeterministic choices."""
    values: Callable[[Claim, Sequence[int]], tuple[int, ...]]
    """``values(claim, times)``: the values that identify the counterexample."""
    timed: bool = True


def integer(recipe: Recipe, name: str, least: int = 0, most: int = 2**53) -> int:
    """The integer ``name`` of a recipe, between ``least`` and ``most``. Raises ``NotARun``."""
    value = recipe.get(name)
    if type(value) is not int or not least <= value <= most:
        raise NotARun(f"{name!r} is no whole number from {least} to {most}")
    return value


def of_timed_runs(
    runs: TimedRuns, opens: Mapping[str, Sequence[str]], limits: Sequence[int] | None = None
) -> Replayable:
    """Replay of counterexamples of a search; ``limits``: values that identify runs without a clock, instead of
    times."""

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


def of_schedules(runs: Runs) -> Replayable:
    """Replay of schedules: each step records one action."""

    def recipe(claim: Claim, example: Counterexample) -> tuple[Recipe, Sequence[Recipe]]:
        return {}, [_step(seen, timed=runs.timed) for seen in example.group.seen]

    def run(claim: Claim, whole: Recipe, steps: Sequence[Recipe]) -> Ran:
        opens = runs.opens(claim)
        schedule = tuple(_happens(step, opens) for step in steps)
        times = [integer(step, "at") for step in steps] if runs.timed else []
        if not schedule:
            raise NotARun("it has no step")
        last, stopped, excluded = 0, "", getattr(claim.world, "excludes", ())
        for done, possible in enumerate(runs.premises(claim, schedule, times), start=1):
            stopped = _stops(runs, claim, schedule[:done], times[:done])
            if schedule[done - 1].action in excluded or (not stopped and not truth(possible)):
                stopped = "the premises of the claim exclude it"
            if stopped:
                break
            last = done
        found = runs.run(claim, schedule[:last], times[:last])
        sentence = "" if stopped else claim.guarantee.violation(found) or ""
        return Ran(Counterexample(*runs.around, runs.values(claim, times), found, sentence, last), stopped)

    return Replayable(recipe, run)


def _stops(runs: Runs, claim: Claim, schedule: Schedule, times: Sequence[int]) -> str:
    """Why the last of these actions cannot follow the others; empty when it can."""
    try:
        runs.run(claim, schedule, times)
    except Impossible:
        return "the client's code does not do that then"
    except (AttributeError, AssertionError, LookupError, TypeError, ValueError) as error:
        # A schedule that no search has produced can call the model's code in states that its actions rule out.
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
