"""A rebalance thread that is wrong in one part alone (``proofs.teeth.slips``)."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import z3

from rebalance_proofs.model.settling.actions import Act, SettlingEncoding
from rebalance_proofs.model.settling.limits import Limits
from rebalance_proofs.model.settling.state import Said, Service, State, Turn
from rebalance_proofs.model.terms.mutant import Mutant
from rebalance_proofs.model.terms.truth import NO, YES
from rebalance_proofs.proofs.settling.inductive import ACTIONS
from rebalance_proofs.proofs.teeth.slips import as_mutants

__all__ = ["slips"]


@cache
def slips(encoding: SettlingEncoding) -> tuple[Mutant, ...]:
    """Whatever happens, something is so then that is not."""

    def all_with(change: Callable[[Service], Service]) -> SettlingEncoding:
        wrong: dict[str, Any] = {name: _then(getattr(encoding, name), change) for name in ACTIONS}
        return replace(encoding, **wrong)

    return as_mutants(
        (
            "owes-more",
            "Whatever happens, the change has to have been seen before.",
            all_with(lambda me: replace(me, changed=YES, right=NO, due=me.last - 1)),
        ),
        (
            "is-late",
            "Whatever happens, the last rebalance has not ended yet.",
            all_with(lambda me: replace(me, last=me.last + me.began + me.since + 99)),
        ),
        (
            "is-nowhere",
            "Whatever happens, the thread is nowhere then.",
            all_with(lambda me: replace(me, at=z3.IntVal(-1))),
        ),
        (
            "began-later",
            "Whatever happens, a rebalance runs that begins before the last one ended.",
            all_with(lambda me: replace(me, at=z3.IntVal(5), began=me.last - 1)),
        ),
    )


def _then(act: Act, change: Callable[[Service], Service]) -> Act:
    def wrong(state: State, said: Said, limits: Limits) -> Turn:
        turn = act(state, said, limits)
        return replace(turn, after=replace(turn.after, me=change(turn.after.me)))

    return wrong
