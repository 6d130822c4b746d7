"""Client code in the place of an encoding's actions, run on numerals: for actions of a state, choices and limits."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import z3

from rebalance_proofs.proofs.numerals import number, numeral, value

__all__ = ["observed"]

Values = dict[str, Any]


def observed(
    turn: Callable[[z3.BoolRef, Any], Any], act: Callable[..., Values | None]
) -> Callable[[Any, Any, Any], Any]:
    """An action ``(state, said, limits)`` of an encoding that runs client code; all arguments must be numerals.

    ``act(now, me, said, limits)`` maps the state ``me`` to its successor, both as dictionaries by field name; it
    returns None where the action is not possible. ``turn(can, after)`` makes the action's result.
    """

    def part(state: Any, said: Any, limits: Any) -> Any:
        given = type(limits)(**{one: number(term) for one, term in vars(limits).items()})
        found = act(number(state.now), _values(state.me), _values(said), given)
        if found is None:
            return turn(z3.BoolVal(False), state)
        me = type(state.me)(**{one: numeral(told) for one, told in found.items()})
        return turn(z3.BoolVal(True), replace(state, me=me))

    return part


def _values(of: Any) -> Values:
    return {name: value(term) for name, term in vars(of).items()}
