"""Make a scenario smaller while its runs still show the same problem."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from rebalance_proofs.recorded.live.scenario import Scenario
from rebalance_proofs.recorded.live.step import Join, Step, Together
from rebalance_proofs.recorded.live.valid import check

QUICKER = 2.0
"""Pauses between steps that are longer than this, in seconds, are halved as well."""


def shrunk(scenario: Scenario, finds: Callable[[Scenario], bool], tries: int) -> Scenario:
    """Return the smallest scenario found within ``tries`` runs for which ``finds`` is true.

    Return the original if no smaller one works. A real group does not always behave the same, so a smaller scenario
    that shows no problem in one run is discarded.
    """
    best = scenario
    left = tries
    progress = True
    while progress:
        progress = False
        for candidate in smaller(best):
            if not left:
                return best
            left -= 1
            if finds(candidate):
                best, progress = candidate, True
                break
    return best


def smaller(scenario: Scenario) -> Iterator[Scenario]:
    """Yield valid scenarios with fewer steps, the smallest first, then with one pause halved."""
    steps = scenario.steps
    size = len(steps)
    while size:
        for begin in range(0, len(steps) - size + 1):
            yield from _sensible(scenario, (*steps[:begin], *steps[begin + size :]))
        size = size // 2 if size > 3 else size - 1
    for place, step in enumerate(steps):
        if step.then > QUICKER:
            halved = replace(step, then=round(step.then / 2, 1))
            yield from _sensible(scenario, (*steps[:place], halved, *steps[place + 1 :]))


def _sensible(scenario: Scenario, steps: tuple[Step, ...]) -> Iterator[Scenario]:
    """Yield the scenario with its steps replaced by ``steps``, if it is valid.

    Steps for consumers that never join are left out.
    """
    joined = {name for step in steps if isinstance(step, Join) for name in step.members}
    kept = tuple(step for step in (_of(joined, step) for step in steps) if step)
    members = {name: member for name, member in scenario.members.items() if name in joined}
    made = replace(scenario, steps=kept, members=members)
    try:
        check(made)
    except ValueError:
        return
    yield made


def _of(joined: set[str], step: Step) -> Step | None:
    """Return the step restricted to consumers in ``joined``; None if the step has none of them."""
    if isinstance(step, Together) or not step.members:
        return step
    left = tuple(name for name in step.members if name in joined)
    if not left:
        return None
    other: dict[str, Any] = {"of": left}
    return step if left == step.members else replace(step, **other)
