"""Obligations that a client's code and terms have the same effects on a queue.

There is one obligation per mode of use (such as push or pull), over all paths through the code.
"""

from collections.abc import Hashable
from functools import cache, partial
from types import SimpleNamespace
from typing import Any

from rebalance_proofs.model.client.effects import Effect
from rebalance_proofs.model.client.environment import FAILS, THROWS
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.transition.client import Client, Mode
from rebalance_proofs.model.transition.drivers import NOW
from rebalance_proofs.model.transition.numbers import FAILED, THROWN
from rebalance_proofs.model.transition.step import Slot, Step, TransitionEncoding
from rebalance_proofs.model.transition.variables import CONSUMER, MODE, QUEUE, ROUND, possible, values_of
from rebalance_proofs.model.transition.view import table_of
from rebalance_proofs.proofs.code.run import Run, Unsupported
from rebalance_proofs.proofs.code.terms import Number, Truth
from rebalance_proofs.proofs.code.transition.turn import Outcome, offset_or_error, turn
from rebalance_proofs.proofs.obligation import Obligation, Statement

# Comparison of the effects of the client's code with the client's terms.


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


UNKNOWNS = tuple(variable.name for known in (QUEUE, ROUND, CONSUMER) for variable in known)
MOST = 20_000
"""The largest number of paths through a rebalance of one queue."""

Answers = tuple[bool, ...]
Outcomes = dict[Answers, tuple[list[smt.BoolTerm], Outcome]]


def obligation(client: Client, mode: Mode) -> Obligation:
    """Return the obligation that code and terms agree in one mode of use.

    It covers any state of the queue and any answers. The table has no other queue.
    """
    sentence = (
        f"{client.rocketmq_name}, {mode.name}: code and terms have the same effects on a queue, in the same order."
    )
    return Obligation(mode.slug, sentence, UNKNOWNS, partial(_state, client, mode), logic="QF_LIA")


@cache
def outcomes(client: Client, mode: Mode) -> Outcomes:
    """Return the conditions and the outcome of each path through a rebalance of one queue.

    The keys are the branches of a path, in the order of evaluation: whether each condition is true.
    """
    found: Outcomes = {}
    waiting: list[Answers] = [()]
    while waiting:
        run = Run(waiting.pop())
        outcome = turn(run, client, mode)
        if run.guards:
            raise Unsupported("a division, or an index, in a rebalance")
        found[run.turning.answers] = run.turning.conditions, outcome
        waiting += run.turning.others
        if len(found) > MOST:
            raise Unsupported(f"more than {MOST} paths through a rebalance")
    return found


def _state(client: Client, mode: Mode, encoding: TransitionEncoding, v: SimpleNamespace) -> Statement:
    given = {
        "state and answers are in range": smt.And(
            [formula for known in (QUEUE, ROUND, CONSUMER) for formula in possible(known, values_of(v, known, 0))]
        ),
        "stored is an offset, or one of four other answers": offset_or_error(v.stored),
    }
    used = {one.name: smt.IntVal(getattr(mode, one.name)) for one in MODE}
    unknown = SimpleNamespace(**{name: smt.Int(name) for name in UNKNOWNS}, **used)
    (view,) = table_of(encoding, unknown, queues=1, rounds=1).views
    then = tree(outcomes(client, mode), Comparison(view.steps[0]))
    return Statement(given, smt.substitute(then, *((smt.Int(name), value) for name, value in vars(v).items())))


def tree(found: Outcomes, comparison: Comparison) -> smt.BoolTerm:
    """Return a decision tree over the paths' conditions, in the order of the code.

    A leaf compares a path's outcome with the terms. Raises ``KeyError`` if a path is missing.
    """
    ways = {
        answers[:place]: condition
        for answers, (conditions, _) in found.items()
        for place, condition in enumerate(conditions)
    }

    def below(answers: Answers) -> smt.BoolTerm:
        if answers in found:
            return comparison.same(found[answers][1])
        condition = ways[answers]
        yes, no = below((*answers, True)), below((*answers, False))
        return yes if yes is no else smt.If(condition, yes, no)

    return below(())
