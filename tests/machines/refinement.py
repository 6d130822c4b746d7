"""Refinement: a client's code does the same as the machine that models it, for all numbers.

The proof executes the code symbolically: the code branches at each condition, and every path is executed. On each
path, the code must refuse the action exactly where the action's guard is false, and otherwise reach the action's
successor state.
"""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from types import SimpleNamespace
from typing import Any

from rebalance_proofs.model.machine.client import Code
from rebalance_proofs.model.machine.machine import act_of
from rebalance_proofs.model.machine.record import C, L, R, S, V, flags, ghosts
from rebalance_proofs.model.machine.values import term
from rebalance_proofs.model.possible import Impossible
from rebalance_proofs.model.terms import smt
from rebalance_proofs.proofs.code.run import Run
from rebalance_proofs.proofs.code.terms import Number, Truth
from rebalance_proofs.proofs.code.terms import term as number_term
from rebalance_proofs.proofs.machine.configuration import Configuration
from rebalance_proofs.proofs.machine.induction import about
from rebalance_proofs.proofs.obligation import Obligation, Statement

Fields = Mapping[str, object]


def refinement(configuration: Configuration[S, C, L, V], client: Any, name: str) -> Obligation:
    """Return the obligation that the code performs an action exactly where its guard is true.

    The successor state must be the same. For an action without a guard in the code, the guard is an assumption. For
    an action that the code does not have, no field that the client stores changes.
    """
    machine, code = configuration.machine, client.code
    kept = [one for one in configuration.own if one not in ghosts(machine.state)]

    def stated(encoding: Any, v: SimpleNamespace) -> Statement:
        given = state, _, limits = configuration.given(v)
        turn = act_of(encoding, name)(*given)
        guard, agrees = term(turn.guard), []
        for run, found in _ways(code, name, given):
            same = smt.Not(guard)
            if found is not None:
                seen = {one: _term(found[one]) if one in found else getattr(state, one) for one in kept}
                same = smt.And(guard, *(getattr(turn.after, one) == value for one, value in seen.items()))
            agrees.append(smt.Implies(run.condition, same))
        asked = {"the action is possible": guard} if name not in code.calls or name in code.unguarded else {}
        form = configuration.form(state, limits) | configuration.named(state)
        form |= {"an object can be in the state": term(code.form(state, limits))}
        return Statement(configuration.truths(v) | form | asked, smt.And(agrees))

    return about(configuration, f"code.{name}", f"{machine.actions[name].sentence} So does the code.", stated)


def _ways(code: Code[S, C, L, Any], name: str, given: tuple[S, C, L]) -> Iterator[tuple[Run, Fields | None]]:
    """Yield each path of the code, with the fields read after it.

    The fields are None if the code refuses the action.
    """
    waiting: list[tuple[bool, ...]] = [()]
    while waiting:
        run = Run(waiting.pop())
        state, choices, limits = _unknown(run, given[0]), _unknown(run, given[1]), _unknown(run, given[2])
        made = code.made(limits)
        code.put(made, state, choices)
        found: Fields | None = None
        with suppress(Impossible):
            if name in code.calls:
                code.calls[name](made, state, choices)
            found = {**vars(state), **code.seen(made)}
        yield run, found
        waiting += run.turning.others


def _unknown(run: Run, record: R) -> R:
    """Return the record with symbolic values, with which the code can compute."""
    known = flags(type(record))
    return type(record)(**{one: (Truth if one in known else Number)(run, value) for one, value in vars(record).items()})


def _term(value: object) -> smt.Term:
    if isinstance(value, Truth):
        return value.condition
    return smt.BoolVal(value) if isinstance(value, bool) else number_term(value)
