"""Rely-guarantee: a consumer changes shared fields only in ways that others rely on.

Each consumer of a group is a copy of the machine. The other copies can be of the same client or of another one.
"""

from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import Any

from rebalance_proofs.model.machine.copies import ME, OTHER, Others, of_another
from rebalance_proofs.model.machine.machine import MACHINE, act_of
from rebalance_proofs.model.machine.record import C, L, S, V, naming, shared
from rebalance_proofs.model.machine.values import And, Bool, If, Implies, Not, Or, Value, term
from rebalance_proofs.model.terms.kernel import unknowns
from rebalance_proofs.proofs.machine.induction import Induction, about
from rebalance_proofs.proofs.obligation import Obligation, Statement, truth_values


def rely(
    doing: Induction[S, C, L, V],
    relied_on: Sequence[Others[S, L]],
    name: str = "rely",
    sentence: str = "Another copy leaves the shared state unchanged or changes it in a permitted way.",
) -> Obligation:
    """Return the obligation that ``doing`` changes shared fields only as ``relied_on`` allows.

    Changes by each action are compared from the viewpoint of another copy. Raises ``ValueError`` if a description in
    ``relied_on`` depends on more than shared fields.
    """
    of, record = doing.configuration, doing.configuration.machine.state
    whoever = [f"{one}_other" for one in naming(record)]

    def seen(state: S, v: SimpleNamespace) -> dict[str, Value]:
        """Return the shared fields from the viewpoint of the relying copy.

        A field that identifies a third copy means "another copy" to both.
        """
        found: dict[str, Value] = {one: getattr(state, one) for one in shared(record)}
        for one in naming(record):
            found[one] = of_another(getattr(state, one), If(getattr(v, f"{one}_other") == 1, OTHER, ME))
        return found

    def state(encoding: Any, v: SimpleNamespace) -> Statement:
        mine, choices, limits = of.given(v)
        # Only the shared fields of the relying copy's state may be used: all others are fresh unknowns.
        world, before = doing.world.beside(encoding), record.symbols(ELSEWHERE).but(**seen(mine, v))
        before = before.but(**{one: getattr(mine, one) for one in of.clock})
        same: list[Bool] = []
        for act, action in of.machine.actions.items():
            if action.by != MACHINE or not action.has(doing.variant) or act in world.excludes:
                continue
            turn = act_of(encoding, act)(mine, choices, limits)
            can, after = And(turn.guard, world.permits(act, mine, choices, limits)), seen(turn.after, v)
            ways = [_so(before, {}, after)]
            for others in relied_on:
                opened = before.but(**{one: after[one] for one in others.opens})
                owned = others.owned(mine, limits, acting=True)
                guard, changes = others.acts(before, opened, limits, owned)
                ways.append(And(guard, _so(before, changes, after)))
                if others.owner:
                    same.append(Implies(And(can, owned), Not(others.owner[1](turn.after, limits))))
            same.append(Implies(can, Or(*ways)))
        then = term(And(*same))
        if any(one.startswith(ELSEWHERE) for one in unknowns(then)):
            raise ValueError(f"{name}: the actions of others depend on more than shared fields")
        return Statement(doing.well(v) | truth_values(v, *whoever) | of.named(mine), then)

    return about(of, name, sentence, state, *whoever)


ELSEWHERE = "elsewhere."


def _so(before: S, changes: Mapping[str, Value], after: Mapping[str, Value]) -> Bool:
    """Return the condition that applying ``changes`` to the shared fields gives ``after``.

    Fields without a change must be as in ``before``.
    """
    return And(*(value == changes.get(one, getattr(before, one)) for one, value in after.items()))
