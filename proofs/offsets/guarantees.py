"""Guarantees about offsets."""

from collections.abc import Callable, Sequence
from functools import cache

from rebalance_proofs.model.machine.values import truth
from rebalance_proofs.model.offsets.clients import BY_LOOP, CONCURRENT, ORDERLY, OffsetsClient
from rebalance_proofs.model.offsets.state import Choices, Limits, Offsets, Variant
from rebalance_proofs.model.offsets.ways import Way
from rebalance_proofs.proofs.guarantee import Guarantee, always
from rebalance_proofs.proofs.machine.induction import Induction
from rebalance_proofs.proofs.machine.kind import ProvedByInduction, violated
from rebalance_proofs.proofs.machine.rely import rely
from rebalance_proofs.proofs.machine.run import Run
from rebalance_proofs.proofs.obligation import Obligation
from rebalance_proofs.proofs.offsets.arrived import arrived
from rebalance_proofs.proofs.offsets.brokers import Brokers
from rebalance_proofs.proofs.offsets.configuration import BAD, configuration
from rebalance_proofs.proofs.offsets.finished import finished
from rebalance_proofs.proofs.offsets.handed_over import handed_over
from rebalance_proofs.proofs.offsets.invariant import (
    Invariant,
    Part,
    back_at_most,
    from_an_offset,
    not_skipped,
    only_uncommitted,
)
from rebalance_proofs.proofs.offsets.one_batch import one_batch
from rebalance_proofs.proofs.offsets.others import begins, others
from rebalance_proofs.proofs.offsets.reset import reset_sent
from rebalance_proofs.proofs.offsets.sources import (
    COMMIT,
    CONCURRENTLY,
    FIRST_PULL,
    ORDERLY_SERVICE,
    RESET,
    SHUTDOWN,
    STORE,
)

__all__ = [
    "BACK_AT_MOST",
    "BUT_OVERTIME",
    "FINISHED",
    "FROM_AN_OFFSET",
    "HAND_OVER",
    "NEVER_BACK",
    "NOT_SKIPPED",
    "ONCE",
    "ONE_BATCH",
    "ONLY_UNCOMMITTED",
    "RESET_HEARD",
    "RESET_SENT",
    "SINCE_ADDED",
    "SINCE_ASKED",
    "SINCE_PULLED",
    "STOPS",
    "Proof",
    "Ran",
    "induction",
]

RELY = "Whatever another consumer does to what all share is of that kind."
Ran = Run[Offsets, Limits]
Proof = Induction[Offsets, Choices, Limits, Variant]
ANY: dict[Way, OffsetsClient] = {Way.CONCURRENTLY: CONCURRENT[-1], Way.ORDERLY: ORDERLY[-1], Way.BY_LOOP: BY_LOOP[-1]}
"""Some client of each way: worlds and invariants are the same for all clients of a way."""


def induction(world: Brokers, invariant: Sequence[Part], name: str = "", sentence: str = "") -> Proof:
    """Proof that the invariant is kept in that world, whoever acts. With the name of a guarantee, also that no bad
    state meets the invariant."""
    return Induction(
        configuration(world),
        ANY[world.way],
        world,
        invariant,
        BAD.get(name),
        (name, sentence) if name else None,
        begins=begins(world, invariant),
        others=others(world, invariant),
    )


def _of(
    name: str, sentence: str, source: str, broken: str | Callable[[Ran], str], proof: Invariant | None
) -> Guarantee:
    """A guarantee.

    ``broken``: what is told of a run that violates it; ``proof``: the invariant that implies it, None if it is never
    proved.
    """
    bad = BAD[name]

    def seen(run: Ran) -> str | None:
        if not any(truth(bad(end, run.limits)) for end in run.ends):
            return None
        return broken if isinstance(broken, str) else broken(run)

    if proof is None:
        return Guarantee(name, sentence, source, always(), violated(bad), seen)
    invariant = proof

    @cache
    def proved(world: Brokers) -> Proof:
        return induction(world, invariant(world), name, sentence)

    def made(of: Proof) -> tuple[Obligation, ...]:
        return (*of.obligations(), rely(of, of.others, sentence=RELY))

    @cache
    def obligations(world: Brokers) -> tuple[Obligation, ...]:
        return made(proved(world))

    return ProvedByInduction(name, sentence, source, obligations, violated(bad), seen, proved, made)


def _noted_again(run: Ran) -> str:
    if any(end.runs and end.kept for end in run.ends):
        return "the listener gets a message that was already recorded as consumed."
    return "the message was consumed but not recorded, and another batch can start."


NOT_SKIPPED = _of(
    "not-skipped",
    "no message is skipped: every message below the committed offset was consumed, or given back to be retried",
    STORE,
    "the message is below the committed offset, but no consumer has consumed it.",
    not_skipped,
)
ONLY_UNCOMMITTED = _of(
    "only-uncommitted",
    "a consumer that takes a queue over is given no message that was committed when it asked where to begin",
    CONCURRENTLY,
    "the message was already committed when its new consumer queried the offset.",
    only_uncommitted,
)
BACK_AT_MOST = _of(
    "back-at-most",
    "a commit sets the offset back at most to where the entry began that had it sent",
    COMMIT,
    "an offset is sent that is below where its sender's entry began.",
    back_at_most,
)
ONCE = _of("once", "no message is consumed twice", CONCURRENTLY, "the message was consumed twice.", None)
NEVER_BACK = _of(
    "never-back", "the committed offset never goes back", COMMIT, "the commit has rolled the offset back.", None
)
STOPS = _of(
    "stops",
    "once a queue's entry has left the consumer's table, no call of the listener with a message of it begins",
    CONCURRENTLY,
    "the listener is called with a message of an entry that had left the table.",
    None,
)
HAND_OVER = _of(
    "hand-over",
    "what is consumed twice when a queue changes hands is at most what had been consumed, and was not committed, when "
    "the new owner asked where to begin, and what an old owner's listener had been called with, or was about to be "
    "after its last look at the entry, when that left its table",
    CONCURRENTLY,
    "the message was consumed twice for another reason.",
    handed_over,
)
BUT_OVERTIME = _of(
    "but-overtime",
    "what is consumed twice when a queue changes hands is at most what had been consumed, and was not committed, when "
    "the new owner asked where to begin",
    CONCURRENTLY,
    "the message was consumed twice, although it was not yet consumed when the new owner queried the offset.",
    None,
)
ONE_BATCH = _of(
    "one-batch",
    "what is consumed twice when a queue changes hands is at most one batch: no message is given to a listener that a "
    "consumer with the queue has noted as consumed, and until a batch is noted its consumer begins no other one",
    ORDERLY_SERVICE,
    _noted_again,
    one_batch,
)
FROM_AN_OFFSET = _of(
    "from-an-offset",
    "the first pull of a queue asks for messages from an offset on that the broker gave",
    FIRST_PULL,
    "the first pull of the entry starts at offset -1.",
    from_an_offset,
)
FINISHED = _of(
    "finished",
    "no message is committed before its work is done: of every message below the committed offset a listener has "
    "returned with its work done, or it was given back to be retried",
    SHUTDOWN,
    "the message is committed, but its interrupted listener did not finish its work.",
    finished,
)
SKIPPED_SO = "the message is below the committed offset, but no consumer has consumed it."
WAS_TAKEN_CARE_OF = "and is then below the committed offset without having been consumed, or given back to be retried"
SINCE_ASKED = _of(
    "since-asked",
    f"no message arrives after a consumer has asked where to begin, {WAS_TAKEN_CARE_OF}",
    STORE,
    SKIPPED_SO,
    None,
)
SINCE_ADDED = _of(
    "since-added",
    f"no message arrives while a consumer has an entry of the queue, {WAS_TAKEN_CARE_OF}",
    FIRST_PULL,
    SKIPPED_SO,
    arrived("had"),
)
SINCE_PULLED = _of(
    "since-pulled",
    f"no message arrives while a consumer has an entry whose first pull was answered, {WAS_TAKEN_CARE_OF}",
    FIRST_PULL,
    SKIPPED_SO,
    arrived("begun"),
)
RESET_SENT = _of(
    "reset-sent",
    "a reset of a queue's offset in the consumer that has it sends the offset that it was told, whatever the listener "
    "returns meanwhile",
    RESET,
    "the reset has sent another offset than requested.",
    reset_sent,
)
RESET_HEARD = _of(
    "reset-heard",
    "the rebalance that follows a reset of a queue's offset in its consumer hears of that offset when it asks where to "
    "begin",
    RESET,
    "the rebalance received another offset than the one that was reset.",
    None,
)
