"""A consumer that is wrong about offsets in one part alone (``proofs.teeth.slips``)."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

from rebalance_proofs.model.offsets.encoding import Act, OffsetsEncoding, acts
from rebalance_proofs.model.offsets.state import Consumer, Queue, Said, State, Turn
from rebalance_proofs.model.terms.mutant import Mutant
from rebalance_proofs.model.terms.truth import NO, YES
from rebalance_proofs.proofs.teeth.slips import as_mutants

__all__ = ["slips"]


@cache
def slips(encoding: OffsetsEncoding) -> tuple[Mutant, ...]:
    """Whatever happens, something is so then that it does not do."""

    def all_with(
        me: Callable[[Consumer], Consumer], queue: Callable[[Queue], Queue] = lambda queue: queue
    ) -> OffsetsEncoding:
        wrong: dict[str, Any] = {name: _then(act, me, queue) for name, act in acts(encoding).items()}
        return replace(encoding, **wrong)

    return as_mutants(
        (
            "remembers-more",
            "Whatever happens, more is in memory then.",
            all_with(lambda me: replace(me, memory=me.memory + 99)),
        ),
        (
            "sends-less",
            "Whatever happens, an offset is sent then that is below the beginning.",
            all_with(lambda me: replace(me, sending=YES, sent=me.origin - 1)),
        ),
        (
            "is-given",
            "Whatever happens, messages are with an entry that there is not.",
            all_with(lambda me: replace(me, present=NO, cached=YES)),
        ),
        (
            "undoes",
            "Whatever happens, nothing is consumed then.",
            all_with(lambda me: me, lambda queue: replace(queue, consumed=NO, given=NO)),
        ),
    )


def _then(act: Act, me: Callable[[Consumer], Consumer], queue: Callable[[Queue], Queue]) -> Act:
    def wrong(state: State, said: Said) -> Turn:
        turn = act(state, said)
        after = replace(turn.after, me=me(turn.after.me), queue=queue(turn.after.queue))
        return replace(turn, after=after)

    return wrong
