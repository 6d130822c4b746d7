"""Comparison of what the client's code did with the client's terms."""

from collections.abc import Hashable
from typing import Any

import z3

from rebalance_proofs.model.client.effects import Effect
from rebalance_proofs.model.client.environment import FAILS, THROWS
from rebalance_proofs.model.transition.drivers import NOW
from rebalance_proofs.model.transition.numbers import FAILED, THROWN
from rebalance_proofs.model.transition.step import Slot, Step
from rebalance_proofs.proofs.code.terms import Number, Truth
from rebalance_proofs.proofs.code.transition.turn import Outcome

__all__ = ["Comparison"]


class Comparison:
    """Comparison of many outcomes with one step; common parts are stated once."""

    def __init__(self, step: Step) -> None:
        self._step = step
        self._effects: dict[tuple[Hashable, ...], z3.BoolRef] = {}

    def same(self, outcome: Outcome) -> z3.BoolRef:
        """The condition that effects, their order, and the state afterwards are those of the step."""
        step, after = self._step, self._step.after
        thrown = z3.Or(step.removing_throws, step.adding_throws)
        found = [self._done(outcome.effects), after.memory == _number(outcome.memory)]
        if outcome.changed is None:
            found.append(thrown)
        else:
            found += [z3.Not(thrown), step.changed == _truth(outcome.changed)]
        entry = outcome.entry
        if entry is None:
            return z3.And(*found, z3.Not(after.present))
        return z3.And(
            *found,
            after.present,
            after.dropped == _truth(entry.dropped),
            after.locked == _truth(entry.locked),
            after.pull_age == NOW - _number(entry.last_pull_timestamp),
            after.lock_age == NOW - _number(entry.last_lock_timestamp),
            after.consume_lock == _number(entry.consume_lock),
            after.cached == (_number(entry.cached) > 0),
            after.tries == _number(entry.try_unlock_times),
            after.fresh == _truth(outcome.fresh),
        )

    def _done(self, effects: tuple[Effect, ...]) -> z3.BoolRef:
        key = tuple((name, *map(_key, details)) for name, _, *details in effects)
        if key not in self._effects:
            self._effects[key] = _sequence(self._step.slots, effects)
        return self._effects[key]


def _sequence(slots: tuple[Slot, ...], effects: tuple[Effect, ...]) -> z3.BoolRef:
    """The condition that the slots whose effects happen are exactly these effects, in this order."""
    behind = [z3.BoolVal(False)] * len(effects) + [z3.BoolVal(True)]
    for slot in reversed(slots):
        here = [z3.And(_is(slot, effect), behind[place + 1]) for place, effect in enumerate(effects)]
        here.append(z3.BoolVal(False))
        behind = [z3.If(slot.happens, one, other) for one, other in zip(here, behind, strict=True)]
    return behind[0]


def _is(slot: Slot, effect: Effect) -> z3.BoolRef:
    name, _, *details = effect
    if (name, len(details)) != (slot.name, len(slot.details)):
        return z3.BoolVal(False)
    return z3.And([_detail(term, found) for term, found in zip(slot.details, details, strict=True)])


def _detail(expected: Any, found: Any) -> z3.BoolRef:
    if z3.is_expr(expected) or isinstance(found, Number):
        answers = {THROWS: THROWN, FAILS: FAILED}
        given = answers.get(found, found) if isinstance(found, str) else found
        number = None if isinstance(given, str) or isinstance(expected, str) else _number(given)
        return z3.BoolVal(False) if number is None else number == expected
    return z3.BoolVal(expected == found)


def _key(detail: Any) -> Hashable:
    return ("term", str(detail.term)) if isinstance(detail, Number) else detail


def _number(value: int | Number) -> z3.ArithRef:
    return value.term if isinstance(value, Number) else z3.IntVal(value)


def _truth(value: bool | Truth) -> z3.BoolRef:
    return value.condition if isinstance(value, Truth) else z3.BoolVal(value)
