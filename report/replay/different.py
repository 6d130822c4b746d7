"""Differences between a state in a trace and a replayed state, value by value."""

import json
from collections.abc import Iterator
from typing import Any

MISSING = object()


def different(told: Any, state: Any, where: str = "", by: str = "in the client's code") -> Iterator[str]:
    """Yield a sentence for each value that differs between the trace (``told``) and the replay (``state``).

    True and 1 differ. ``where`` is the path of the value, ``by`` names the source of ``state``.
    """
    if isinstance(told, dict) and isinstance(state, dict):
        for name in dict.fromkeys((*state, *told)):
            yield from different(
                told.get(name, MISSING), state.get(name, MISSING), f"{where}.{name}" if where else name, by
            )
    elif isinstance(told, list) and isinstance(state, list) and len(told) == len(state):
        for place, (one, other) in enumerate(zip(told, state, strict=True)):
            yield from different(one, other, f"{where}[{place}]", by)
    elif type(told) is not type(state) or told != state:
        yield f"`{where}` is {_short(told)} in the trace, and {_short(state)} {by}"


def _short(value: Any) -> str:
    if value is MISSING:
        return "missing"
    words = json.dumps(value, ensure_ascii=False)
    return words if len(words) <= 80 else f"{words[:79]}…"
