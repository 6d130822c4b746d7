"""A consumer that is wrong about pull requests in one part alone (``proofs.teeth.slips``)."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

from rebalance_proofs.model.pulls.actions import Act, PullsEncoding
from rebalance_proofs.model.pulls.state import Consumer, Said, State, Turn
from rebalance_proofs.model.terms.mutant import Mutant
from rebalance_proofs.model.terms.truth import NO, YES
from rebalance_proofs.proofs.pulls.inductive import ACTIONS
from rebalance_proofs.proofs.teeth.slips import as_mutants

__all__ = ["slips"]


@cache
def slips(encoding: PullsEncoding) -> tuple[Mutant, ...]:
    """Whatever happens, something is so then that it does not do."""

    def all_with(me: Callable[[Consumer], Consumer]) -> PullsEncoding:
        wrong: dict[str, Any] = {name: _then(getattr(encoding, name), me) for name in ACTIONS}
        return replace(encoding, **wrong)

    return as_mutants(
        (
            "has-two-more",
            "Whatever happens, the queue has an entry then with two requests more.",
            all_with(lambda me: replace(me, present=YES, waiting=me.waiting + 2)),
        ),
        (
            "has-none",
            "Whatever happens, the queue has a live entry without a request then.",
            all_with(lambda me: replace(me, present=YES, dropped=NO, waiting=me.waiting * 0, pulling=me.pulling * 0)),
        ),
        (
            "goes-wrong",
            "Whatever happens, everything has happened then that must not.",
            all_with(lambda me: replace(me, ended=YES, late=YES, hit=YES, wrote=YES, begun=YES, stale=YES)),
        ),
    )


def _then(act: Act, me: Callable[[Consumer], Consumer]) -> Act:
    def wrong(state: State, said: Said) -> Turn:
        turn = act(state, said)
        return replace(turn, after=replace(turn.after, me=me(turn.after.me)))

    return wrong
