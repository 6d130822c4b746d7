"""Code in the place of an encoding's parts, on numerals: of parts that take a state, what is said, and limits."""

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
    """The part ``(state, said, limits)``, all of whose arguments have to be numerals, and which gives a ``turn``.

    ``act(now, me, said, limits)``: the state that the code makes of ``me``, both by the names of its fields; None when
    it does not do that now.
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
