"""Subscriptions that are wrong in one part alone (``proofs.teeth.slips``)."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

from rebalance_proofs.model.subscriptions.actions import Act, SubscriptionsEncoding
from rebalance_proofs.model.subscriptions.limits import Limits
from rebalance_proofs.model.subscriptions.state import Said, State, Subscription, Turn
from rebalance_proofs.model.terms.mutant import Mutant
from rebalance_proofs.model.terms.truth import NO, YES
from rebalance_proofs.proofs.subscriptions.inductive import ACTIONS
from rebalance_proofs.proofs.teeth.slips import as_mutants

__all__ = ["slips"]


@cache
def slips(encoding: SubscriptionsEncoding) -> tuple[Mutant, ...]:
    """Whatever happens, something is so then that is not."""

    def all_with(change: Callable[[Subscription], Subscription]) -> SubscriptionsEncoding:
        wrong: dict[str, Any] = {name: _then(getattr(encoding, name), change) for name in ACTIONS}
        return replace(encoding, **wrong)

    return as_mutants(
        (
            "goes-wrong",
            "Whatever happens, everything has happened then that must not.",
            all_with(lambda me: replace(me, odd=YES, stirred=YES, lost=YES, missed=YES, barred=YES)),
        ),
        (
            "is-long-ago",
            "Whatever happens, nothing has come for long.",
            all_with(lambda me: replace(me, changed=me.heard - 1, left=me.heard, moved=me.moved - 1, refused=YES)),
        ),
        (
            "lets-through",
            "Whatever happens, the next pull is let through.",
            all_with(lambda me: replace(me, has=YES, version=me.mine, refused=NO)),
        ),
    )


def _then(act: Act, change: Callable[[Subscription], Subscription]) -> Act:
    def wrong(state: State, said: Said, limits: Limits) -> Turn:
        turn = act(state, said, limits)
        return replace(turn, after=replace(turn.after, me=change(turn.after.me)))

    return wrong
