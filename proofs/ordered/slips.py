"""An ordered consumer that is wrong in one part alone (``proofs.teeth.slips``)."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import z3

from rebalance_proofs.model.client.environment import DENIED
from rebalance_proofs.model.ordered.actions import Act, OrderedEncoding
from rebalance_proofs.model.ordered.limits import Limits
from rebalance_proofs.model.ordered.state import Consumer, Said, State, Turn
from rebalance_proofs.model.terms.mutant import Mutant
from rebalance_proofs.model.terms.truth import NO, YES
from rebalance_proofs.model.transition.numbers import LOCKS
from rebalance_proofs.model.transition.step import Asked, Entry, Step, Thrown
from rebalance_proofs.proofs.ordered.inductive import ACTIONS
from rebalance_proofs.proofs.teeth.slips import as_mutants

__all__ = ["slips"]


@cache
def slips(encoding: OrderedEncoding) -> tuple[Mutant, ...]:
    """Whatever happens, a listener runs then for which the lock was never checked; and others."""
    runs_on: dict[str, Any] = {
        name: _then(getattr(encoding, name), lambda me: replace(me, runs=YES, since=me.since + 1, unlocking=YES))
        for name in ACTIONS
    }

    def hurries(state: State, said: Said, limits: Limits) -> Turn:
        turn = encoding.starts(state, said, limits)
        return replace(turn, can=z3.And(turn.can, state.now - state.me.stamp < limits.client))

    def fills(entry: Entry, asked: Asked, thrown: Thrown) -> Step:
        step = encoding.step(entry, asked, thrown)
        denied = asked.lock == LOCKS.index(DENIED)
        return replace(step, after=replace(step.after, cached=z3.Or(step.after.cached, denied)))

    keeps: dict[str, Any] = {name: _keeps(getattr(encoding, name)) for name in ACTIONS}
    again: dict[str, Any] = {
        name: _then(getattr(encoding, name), lambda me: replace(me, twice=YES, left=me.left + 1)) for name in ACTIONS
    }
    return as_mutants(
        ("runs-on", "Whatever happens, a listener runs then.", replace(encoding, **runs_on)),
        (
            "again",
            "Whatever happens, the listener is called twice, and its entry has left later than now.",
            replace(encoding, **again),
        ),
        (
            "keeps",
            "Whatever happens, the lock that was given back at the shutdown is the consumer's.",
            replace(encoding, **keeps),
        ),
        ("forgets", "No lock is ever asked for once more.", replace(encoding, listed=lambda state: NO)),
        ("hurries", "The listener is not called in the last moment.", replace(encoding, starts=hurries)),
        ("fills", "Where a lock is denied, messages come.", replace(encoding, step=fills)),
    )


def _then(act: Act, change: Callable[[Consumer], Consumer]) -> Act:
    def wrong(state: State, said: Said, limits: Limits) -> Turn:
        turn = act(state, said, limits)
        return replace(turn, after=replace(turn.after, me=change(turn.after.me)))

    return wrong


def _keeps(act: Act) -> Act:
    def wrong(state: State, said: Said, limits: Limits) -> Turn:
        turn = act(state, said, limits)
        me = replace(turn.after.me, yielded=YES, stopping=NO, unlocking=NO)
        return replace(turn, after=replace(turn.after, me=me, lock=replace(turn.after.lock, holder=me.client_id)))

    return wrong
