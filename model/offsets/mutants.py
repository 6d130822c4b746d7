"""Wrong ways to keep offsets: each has to be noticed by a claim."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import z3

from rebalance_proofs.model.offsets.encoding import Java, OffsetsEncoding, Orderly
from rebalance_proofs.model.offsets.state import Said, State, Turn
from rebalance_proofs.model.terms.mutant import Mutant
from rebalance_proofs.model.terms.truth import NO
from rebalance_proofs.model.transition.numbers import NO_OFFSET

__all__ = ["mutants", "mutants_in_order", "mutants_of_a_loop"]


def mutants(right: Java) -> Iterator[Mutant]:
    """Those of a client with a concurrent listener."""

    def forgives(state: State, said: Said) -> Turn:
        return _but(right.ends(state, said), cached=state.me.cached)

    yield from mutants_of_a_loop(right)
    yield Mutant(
        "consumes-again",
        "A message that was consumed stays with its entry, and is consumed again.",
        replace(right, ends=forgives),
        "hand-over",
    )
    yield _taken_out(right)


def _taken_out(right: Java) -> Mutant:
    def takes_out(state: State, said: Said) -> Turn:
        return _but(right.returns_interrupted(state, said), cached=NO)

    return Mutant(
        "taken-out",
        "A message is taken out though its listener's thread has been interrupted.",
        replace(right, returns_interrupted=takes_out),
        "finished.heeded",
    )


def mutants_of_a_loop(right: OffsetsEncoding) -> Iterator[Mutant]:
    """Those of a client whose listener is no ordered one."""

    def takes_the_next(state: State, said: Said) -> Turn:
        turn = right.adds(state, said)
        me = turn.after.me
        return _but(turn, next=z3.If(me.present, me.next + 1, me.next))

    def begins_before(state: State, said: Said) -> Turn:
        turn = right.asks(state, said)
        answer = turn.after.me.answer
        return _but(turn, answer=z3.If(answer > 0, answer - 1, answer))

    yield from _common(right)
    yield Mutant(
        "takes-the-next",
        "A consumer begins one message too late.",
        replace(right, adds=takes_the_next),
        "not-skipped",
    )
    yield Mutant(
        "begins-before",
        "The broker answers one message less than is committed.",
        replace(right, asks=begins_before),
        "only-uncommitted",
    )


def mutants_in_order(right: Orderly, careless: Orderly | None) -> Iterator[Mutant]:
    """Those of a client with an ordered one; ``careless``: the same without a look at the first pull's answer, where
    the client looks at it."""

    def fixes_the_next(state: State, said: Said) -> Turn:
        turn = right.fixes(state, said)
        me = turn.after.me
        return _but(turn, next=z3.If(me.fixed, me.next + 1, me.next))

    def fixes_before(state: State, said: Said) -> Turn:
        turn = right.fixes(state, said)
        me = turn.after.me
        before = z3.And(me.fixed, me.next > 0)
        less = {name: z3.If(before, getattr(me, name) - 1, getattr(me, name)) for name in ("began", "stands", "next")}
        return _but(turn, **less)

    def forgets_first(state: State, said: Said) -> Turn:
        forgotten = replace(state, me=replace(state.me, memory=z3.IntVal(NO_OFFSET)))
        return right.revokes(forgotten, said)

    def lets_go(state: State, said: Said) -> Turn:
        return _but(right.ends(state, said), noting=NO)

    yield from _common(right)
    wrong = (
        (
            "fixes-the-next",
            "The first pull begins one message too late.",
            replace(right, fixes=fixes_the_next),
            "not-skipped",
        ),
        (
            "fixes-before",
            "The first pull begins one message before what is committed.",
            replace(right, fixes=fixes_before),
            "only-uncommitted",
        ),
        (
            "forgets-first",
            "The offset of a queue that is taken away is forgotten before it is sent.",
            replace(right, revokes=forgets_first),
            "one-batch",
        ),
        (
            "lets-go",
            "When the listener has returned, nothing is noted, and the next batch is begun.",
            replace(right, ends=lets_go),
            "one-batch",
        ),
    )
    yield from (Mutant(*one) for one in wrong)
    if careless is not None:
        sentence = "Where the first pull has no answer it pulls from nowhere."
        yield Mutant("careless", sentence, replace(right, fixes=careless.fixes), "from-an-offset")


def _common(right: OffsetsEncoding) -> Iterator[Mutant]:
    def records_the_pull(state: State, said: Said) -> Turn:
        return replace(right.empty(state, said), can=state.me.present)

    def drops_failures(state: State, said: Said) -> Turn:
        return _but(right.fails(state, said), cached=NO)

    def commits_more(state: State, said: Said) -> Turn:
        turn = right.commits(state, said)
        queue = turn.after.queue
        return replace(turn, after=replace(turn.after, queue=replace(queue, committed=queue.committed + 1)))

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
            "drops-failures",
            "A message that was not consumed is taken out.",
            replace(right, fails=drops_failures),
            "not-skipped",
        ),
        ("commits-more", "The broker notes one message more.", replace(right, commits=commits_more), "not-skipped"),
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
