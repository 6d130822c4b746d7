"""Mutants of the machine, each wrong in one thing: ``WRONG`` break a client's guarantee, ``SLIPS`` are noticed by
proofs alone."""

from collections.abc import Callable
from dataclasses import replace

from rebalance_proofs.model.machine.machine import Turn
from rebalance_proofs.model.machine.mutants import Wrong
from rebalance_proofs.model.machine.values import And, If
from rebalance_proofs.model.offsets.state import Choices, Limits, Offsets, Variant
from rebalance_proofs.model.offsets.ways import Way
from rebalance_proofs.model.transition.numbers import NO_OFFSET

__all__ = ["SLIPS", "WRONG", "careless"]

Mistake = Wrong[Offsets, Choices, Limits, Variant]


def _of(*ways: Way) -> Callable[[Variant], bool]:
    return lambda client: client.way in ways


def _fixes_before(s: Offsets, c: Choices, lim: Limits, turn: Turn[Offsets]) -> Turn[Offsets]:
    after = turn.after
    less = {name: getattr(after, name) - 1 for name in ("began", "stands", "next")}
    return replace(turn, after=after.where(And(after.fixed, after.next > 0), **less))


WRONG = (
    Mistake(
        "records-the-pull",
        "Whenever a pull finds nothing, its offset is recorded, whatever messages the entry has.",
        lambda s, c, lim, turn: replace(turn, guard=s.present),
        "empty",
        "not-skipped",
    ),
    Mistake(
        "drops-failures",
        "A message that was not consumed is taken out.",
        lambda s, c, lim, turn: turn.but(cached=False),
        "fails",
        "not-skipped",
    ),
    Mistake(
        "commits-more",
        "The broker notes one message more.",
        lambda s, c, lim, turn: turn.but(committed=turn.after.committed + 1),
        "commits",
        "not-skipped",
    ),
    Mistake(
        "remembers-less",
        "A consumer remembers the queue's first offset, wherever it begins.",
        lambda s, c, lim, turn: turn.but(memory=If(turn.after.memory > 0, 0, turn.after.memory)),
        "adds",
        "back-at-most",
    ),
    Mistake(
        "takes-the-next",
        "A consumer begins one message too late.",
        lambda s, c, lim, turn: turn.but(next=If(turn.after.present, turn.after.next + 1, turn.after.next)),
        "adds",
        "not-skipped",
        of=_of(Way.CONCURRENTLY, Way.BY_LOOP),
    ),
    Mistake(
        "begins-before",
        "The broker answers one message less than is committed.",
        lambda s, c, lim, turn: turn.but(answer=If(turn.after.answer > 0, turn.after.answer - 1, turn.after.answer)),
        "asks",
        "only-uncommitted",
        of=_of(Way.CONCURRENTLY, Way.BY_LOOP),
    ),
    Mistake(
        "consumes-again",
        "A message that was consumed stays with its entry, and is consumed again.",
        lambda s, c, lim, turn: turn.but(cached=s.cached),
        "ends",
        "hand-over",
        of=_of(Way.CONCURRENTLY),
    ),
    Mistake(
        "taken-out",
        "A message is taken out though its listener's thread has been interrupted.",
        lambda s, c, lim, turn: turn.but(cached=False),
        "returns_interrupted",
        "finished.heeded",
        of=_of(Way.CONCURRENTLY),
    ),
    Mistake(
        "fixes-the-next",
        "The first pull begins one message too late.",
        lambda s, c, lim, turn: turn.but(next=If(turn.after.fixed, turn.after.next + 1, turn.after.next)),
        "fixes",
        "not-skipped",
        of=_of(Way.ORDERLY),
    ),
    Mistake(
        "fixes-before",
        "The first pull begins one message before what is committed.",
        _fixes_before,
        "fixes",
        "only-uncommitted",
        of=_of(Way.ORDERLY),
    ),
    Mistake(
        "forgets-first",
        "The offset of a queue that is taken away is forgotten before it is sent.",
        lambda s, c, lim, turn: turn,
        "revokes",
        "one-batch",
        of=_of(Way.ORDERLY),
        takes_for=lambda s: s.but(memory=NO_OFFSET),
    ),
    Mistake(
        "lets-go",
        "When the listener has returned, nothing is noted, and the next batch is begun.",
        lambda s, c, lim, turn: turn.but(noting=False),
        "ends",
        "one-batch",
        of=_of(Way.ORDERLY),
    ),
)


def careless(fixes: Callable[[Offsets, Choices, Limits], Turn[Offsets]]) -> Mistake:
    """Mutant that does not check its first pull's answer; ``fixes``: that action of a client that does not."""
    return Mistake(
        "careless",
        "Where the first pull has no answer it pulls from nowhere.",
        lambda s, c, lim, turn: fixes(s, c, lim),
        "fixes",
        "from-an-offset",
    )


SLIPS = (
    Mistake(
        "remembers-more",
        "Whatever happens, more is in memory then.",
        lambda s, c, lim, turn: turn.but(memory=turn.after.memory + 99),
    ),
    Mistake(
        "sends-less",
        "Whatever happens, an offset is sent then that is below the beginning.",
        lambda s, c, lim, turn: turn.but(sending=True, sent=turn.after.origin - 1),
    ),
    Mistake(
        "is-given",
        "Whatever happens, messages are with an entry that there is not.",
        lambda s, c, lim, turn: turn.but(present=False, cached=True),
    ),
    Mistake(
        "undoes",
        "Whatever happens, nothing is consumed then.",
        lambda s, c, lim, turn: turn.but(consumed=False, given=False),
    ),
)
"""Mutants in which every action also makes a change that it should not make (``proofs.mutation.slips``)."""
