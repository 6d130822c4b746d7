"""A registry that is wrong in one part alone (``proofs.teeth.slips``)."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

from rebalance_proofs.model.registry.actions import Act, RegistryEncoding
from rebalance_proofs.model.registry.limits import Limits
from rebalance_proofs.model.registry.state import Member, Said, State, Turn
from rebalance_proofs.model.terms.mutant import Mutant
from rebalance_proofs.model.terms.truth import NO, YES
from rebalance_proofs.proofs.registry.schedule import ACTIONS
from rebalance_proofs.proofs.teeth.slips import as_mutants

__all__ = ["slips"]


@cache
def slips(encoding: RegistryEncoding) -> tuple[Mutant, ...]:
    """Whatever happens, something is so then that is not."""

    def all_with(change: Callable[[Member], Member]) -> RegistryEncoding:
        wrong: dict[str, Any] = {name: _then(getattr(encoding, name), change) for name in ACTIONS}
        return replace(encoding, **wrong)

    return as_mutants(
        (
            "forgets-all",
            "Whatever happens, the member lives then, and is not listed.",
            all_with(lambda me: replace(me, alive=YES, known=YES, others=YES, mine=NO, old=NO, at=me.at - 1)),
        ),
        (
            "keeps-all",
            "Whatever happens, the member is gone then, and listed twice.",
            all_with(
                lambda me: replace(
                    me, alive=NO, died=YES, running=YES, mine=YES, old=YES, old_at=me.old_at - 99, stale=YES, seen=NO
                )
            ),
        ),
        (
            "is-late",
            "Whatever happens, nobody has scanned, sent, or polled then.",
            all_with(lambda me: replace(me, scanned=me.scanned - 1, flushed=me.flushed - 1, polled=me.polled - 1)),
        ),
    )


def _then(act: Act, change: Callable[[Member], Member]) -> Act:
    def wrong(state: State, said: Said, limits: Limits) -> Turn:
        turn = act(state, said, limits)
        return replace(turn, after=replace(turn.after, me=change(turn.after.me)))

    return wrong
