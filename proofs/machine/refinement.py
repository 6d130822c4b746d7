"""That the client's code does what its machine says, whatever the numbers are: the code run on unknown ones.

The code goes one way at each condition, and every way is gone in a run of its own. In each, it has to refuse exactly
what the action's guard refuses, and to come to the fields that the action comes to.
"""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from types import SimpleNamespace
from typing import Any

import z3

from rebalance_proofs.model.machine.code import Code
from rebalance_proofs.model.machine.machine import act_of
from rebalance_proofs.model.machine.record import C, L, R, S, V, flags, ghosts
from rebalance_proofs.model.machine.values import term
from rebalance_proofs.model.possible import Impossible
from rebalance_proofs.proofs.code.run import Run
from rebalance_proofs.proofs.code.terms import Number, Truth
from rebalance_proofs.proofs.code.terms import term as number_term
from rebalance_proofs.proofs.machine.configuration import Configuration
from rebalance_proofs.proofs.machine.induction import about
from rebalance_proofs.proofs.obligation import Obligation, Statement

__all__ = ["refinement"]

Fields = Mapping[str, object]


def refinement(configuration: Configuration[S, C, L, V], client: Any, name: str) -> Obligation:
    """For one action: the code does it where the machine does, and nowhere else, and they come to the same.

    Where the machine alone says when it happens: the code does it then. What the code knows nothing of changes no field
    that the client keeps.
    """
    machine, code = configuration.machine, client.code
    kept = [one for one in configuration.own if one not in ghosts(machine.state)]

    def state(encoding: Any, v: SimpleNamespace) -> Statement:
        given = configuration.given(v)
        turn = act_of(encoding, name)(*given)
        guard, agrees = term(turn.can), []
        for run, found in _ways(code, name, given):
            same = z3.Not(guard)
            if found is not None:
                seen = {one: _term(found[one]) if one in found else getattr(given[0], one) for one in kept}
                same = z3.And(guard, *(getattr(turn.after, one) == value for one, value in seen.items()))
            agrees.append(z3.Implies(run.condition, same))
        asked = {"it is possible": guard} if name not in code.calls or name in code.unguarded else {}
        form = configuration.form(given[0], given[2]) | configuration.named(given[0])
        form |= {"an object can be in that state": term(code.fits(given[0]))}
        return Statement(configuration.truths(v) | form | asked, z3.And(agrees))

    return about(configuration, f"code.{name}", f"{machine.actions[name].sentence} So does the code.", state)


def _ways(code: Code[S, C, L, Any], name: str, given: tuple[S, C, L]) -> Iterator[tuple[Run, Fields | None]]:
    """Each run with the fields that the client keeps after it; None where the code does not do that."""
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
    """The same record for code to compute with."""
    known = flags(type(record))
    return type(record)(**{one: (Truth if one in known else Number)(run, value) for one, value in vars(record).items()})


def _term(value: object) -> z3.ExprRef:
    if isinstance(value, Truth):
        return value.condition
    return z3.BoolVal(value) if isinstance(value, bool) else number_term(value)
