"""Breadth-first exploration of all states of a small model; waiting is free."""

from collections.abc import Callable, Hashable, Iterable
from typing import Any

After = Callable[[Any], Iterable[tuple[str, Any]]]
Later = Callable[[Any], Any]


def shortest(
    first: Hashable, after: After, bad: Callable[[Any], bool], later: Later = lambda s: None, most: int = 99
) -> tuple[str, ...] | None:
    """Return the actions of a shortest run to a bad state; None if no run reaches one.

    ``later(state)``: the state one tick later, or None if no time may pass. Raises ``RuntimeError`` if the exploration
    needs more than ``most`` actions.
    """
    causes: dict[Any, tuple[Any, str]] = {first: (None, "")}
    level = [first]
    for _ in range(most + 1):
        for state in level:  # grows: states reached by waiting belong to the same level
            if bad(state):
                return _actions(causes, state)
            waited = later(state)
            if waited is not None and waited not in causes:
                causes[waited] = state, ""
                level.append(waited)
        ahead = []
        for state in level:
            for name, reached in after(state):
                if reached not in causes:
                    causes[reached] = state, name
                    ahead.append(reached)
        if not ahead:
            return None
        level = ahead
    raise RuntimeError(f"more than {most} actions")


def _actions(causes: dict[Any, tuple[Any, str]], state: Any) -> tuple[str, ...]:
    names = []
    while state is not None:
        state, name = causes[state]
        names.append(name)
    return tuple(name for name in reversed(names) if name)


def nearest(
    first: Hashable,
    after: After,
    left: Callable[[Any], float],
    later: Later,
    most: float = float("inf"),
) -> tuple[str, ...] | None:
    """As ``shortest``, for bad states with ``left(state)`` 0; tries promising states first.

    ``left(state)``: at most the number of actions to a bad state; infinite if none can be reached. One action or tick
    lessens it by at most 1 or 0. Runs of more than ``most`` actions are not tried.
    """
    causes: dict[Any, tuple[Any, str]] = {}
    lengths = {first: 0}
    tried: dict[int, list[tuple[Any, Any, str]]] = {int(left(first)): [(first, None, "")]}
    while tried:
        total = min(tried)
        batch = tried[total]
        while batch:
            state, before, name = batch.pop()
            if state in causes:
                continue
            causes[state] = before, name
            length = lengths[state]
            if not left(state):
                return _actions(causes, state)
            waited = later(state)
            steps = ([] if waited is None else [("", waited, 0)]) + [(one, then, 1) for one, then in after(state)]
            for one, then, cost in steps:
                away = length + cost + left(then)
                if (
                    then not in causes
                    and away <= most
                    and away != float("inf")
                    and length + cost < lengths.get(then, 10**6)
                ):
                    lengths[then] = length + cost
                    tried.setdefault(int(away), []).append((then, state, one))
        del tried[total]
    return None
