"""Comparison of the effects of the client's code with the client's terms."""

from collections.abc import Hashable
from typing import Any

from rebalance_proofs.model.client.effects import Effect
from rebalance_proofs.model.client.environment import FAILS, THROWS
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.transition.drivers import NOW
from rebalance_proofs.model.transition.numbers import FAILED, THROWN
from rebalance_proofs.model.transition.step import Slot, Step
from rebalance_proofs.proofs.code.terms import Number, Truth
from rebalance_proofs.proofs.code.transition.turn import Outcome


class Comparison:
    """Comparison of the outcomes of many paths with the same terms.

    Common parts are built once.
    """

    def __init__(self, step: Step) -> None:
        self._step = step
        self._effects: dict[tuple[Hashable, ...], smt.BoolTerm] = {}

    def same(self, outcome: Outcome) -> smt.BoolTerm:
        """Return the condition that the outcome agrees with the terms.

        The effects, their order and the final state must be equal.
        """
        step, after = self._step, self._step.after
        thrown = smt.Or(step.removing_throws, step.adding_throws)
        found = [self._done(outcome.effects), after.memory == _number(outcome.memory)]
        if outcome.changed is None:
            found.append(thrown)
        else:
            found += [smt.Not(thrown), step.changed == _truth(outcome.changed)]
        entry = outcome.entry
        if entry is None:
            return smt.And(*found, smt.Not(after.present))
        return smt.And(
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

    def _done(self, effects: tuple[Effect, ...]) -> smt.BoolTerm:
        key = tuple((name, *map(_key, details)) for name, _, *details in effects)
        if key not in self._effects:
            self._effects[key] = _sequence(self._step.slots, effects)
        return self._effects[key]


def _sequence(slots: tuple[Slot, ...], effects: tuple[Effect, ...]) -> smt.BoolTerm:
    """Return the condition that exactly ``effects`` happen, in this order."""
    behind = [smt.BoolVal(False)] * len(effects) + [smt.BoolVal(True)]
    for slot in reversed(slots):
        here = [smt.And(_is(slot, effect), behind[place + 1]) for place, effect in enumerate(effects)]
        here.append(smt.BoolVal(False))
        behind = [smt.If(slot.happens, one, other) for one, other in zip(here, behind, strict=True)]
    return behind[0]


def _is(slot: Slot, effect: Effect) -> smt.BoolTerm:
    name, _, *details = effect
    if (name, len(details)) != (slot.name, len(slot.details)):
        return smt.BoolVal(False)
    return smt.And([_detail(term, found) for term, found in zip(slot.details, details, strict=True)])


def _detail(expected: Any, found: Any) -> smt.BoolTerm:
    if smt.is_expr(expected) or isinstance(found, Number):
        answers = {THROWS: THROWN, FAILS: FAILED}
        given = answers.get(found, found) if isinstance(found, str) else found
        number = None if isinstance(given, str) or isinstance(expected, str) else _number(given)
        return smt.BoolVal(False) if number is None else number == expected
    return smt.BoolVal(expected == found)


def _key(detail: Any) -> Hashable:
    return ("term", str(detail.term)) if isinstance(detail, Number) else detail


def _number(value: int | Number) -> smt.IntTerm:
    return value.term if isinstance(value, Number) else smt.IntVal(value)


def _truth(value: bool | Truth) -> smt.BoolTerm:
    return value.condition if isinstance(value, Truth) else smt.BoolVal(value)
