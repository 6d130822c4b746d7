"""Wrong ways to keep offsets: each has to be noticed by a claim."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import z3

from rebalance_proofs.model.offsets.actions import OffsetsEncoding
from rebalance_proofs.model.offsets.state import Said, State, Turn
from rebalance_proofs.model.terms.mutant import Mutant
from rebalance_proofs.model.terms.truth import NO

__all__ = ["mutants"]


def mutants(right: OffsetsEncoding) -> Iterator[Mutant]:
    """Those of a client."""

    def records_the_pull(state: State, said: Said) -> Turn:
        return replace(right.empty(state, said), can=state.me.present)

    def takes_the_next(state: State, said: Said) -> Turn:
        turn = right.adds(state, said)
        me = turn.after.me
        return _but(turn, next=z3.If(me.present, me.next + 1, me.next))

    def drops_failures(state: State, said: Said) -> Turn:
        return _but(right.fails(state, said), cached=NO)

    def commits_more(state: State, said: Said) -> Turn:
        turn = right.commits(state, said)
        queue = turn.after.queue
        return replace(turn, after=replace(turn.after, queue=replace(queue, committed=queue.committed + 1)))

    def begins_before(state: State, said: Said) -> Turn:
        turn = right.asks(state, said)
        answer = turn.after.me.answer
        return _but(turn, answer=z3.If(answer > 0, answer - 1, answer))

    def remembers_less(state: State, said: Said) -> Turn:
        turn = right.adds(state, said)
        memory = turn.after.me.memory
        return _but(turn, memory=z3.If(memory > 0, 0, memory))

    wrong = (
        (
            "records-the-pull",
            "Whenever a pull finds nothing, its offset is recorded, whatever messages the entry has.",
            replace(right, empty=records_the_pull),
            "not-skipped",
        ),
        (
            "takes-the-next",
            "A consumer begins one message too late.",
            replace(right, adds=takes_the_next),
            "not-skipped",
        ),
        (
            "drops-failures",
            "A message that was not consumed is taken out.",
            replace(right, fails=drops_failures),
            "not-skipped",
        ),
        ("commits-more", "The broker notes one message more.", replace(right, commits=commits_more), "not-skipped"),
        (
            "begins-before",
            "The broker answers one message less than is committed.",
            replace(right, asks=begins_before),
            "only-uncommitted",
        ),
        (
            "remembers-less",
            "A consumer remembers the queue's first offset, wherever it begins.",
            replace(right, adds=remembers_less),
            "back-at-most",
        ),
    )
    yield from (Mutant(*one) for one in wrong)


def _but(turn: Turn, **me: Any) -> Turn:
    """The same, with these of the consumer's fields."""
    return replace(turn, after=replace(turn.after, me=replace(turn.after.me, **me)))
