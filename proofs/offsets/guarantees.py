"""What is claimed about offsets."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from types import SimpleNamespace

import z3

from rebalance_proofs.model.offsets.encoding import OffsetsEncoding
from rebalance_proofs.model.offsets.state import State
from rebalance_proofs.proofs.guarantee import Guarantee
from rebalance_proofs.proofs.obligation import Obligation, Statement
from rebalance_proofs.proofs.offsets.arrived import arrived
from rebalance_proofs.proofs.offsets.brokers import Brokers
from rebalance_proofs.proofs.offsets.finished import finished
from rebalance_proofs.proofs.offsets.handed_over import handed_over
from rebalance_proofs.proofs.offsets.inductive import about, kept, rely, well
from rebalance_proofs.proofs.offsets.invariant import (
    Conjunct,
    back_at_most,
    from_an_offset,
    not_skipped,
    only_uncommitted,
)
from rebalance_proofs.proofs.offsets.one_batch import one_batch
from rebalance_proofs.proofs.offsets.reset import reset_sent
from rebalance_proofs.proofs.offsets.run import Run
from rebalance_proofs.proofs.offsets.situation import Situation
from rebalance_proofs.proofs.offsets.sources import (
    COMMIT,
    CONCURRENTLY,
    FIRST_PULL,
    ORDERLY,
    RESET,
    SHUTDOWN,
    STORE,
)
from rebalance_proofs.proofs.offsets.variables import state_of

__all__ = [
    "BACK_AT_MOST",
    "BAD",
    "BAD_FINISHING",
    "BAD_HANDED",
    "BAD_IN_ORDER",
    "BAD_LATER",
    "BAD_OF_RESETS",
    "BAD_REPLICATED",
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
    "Bad",
]

Bad = Callable[[State], z3.BoolRef]
Invariant = Callable[[Brokers], Mapping[str, Conjunct]]


def _skipped(state: State) -> z3.BoolRef:
    return z3.And(state.queue.committed > state.message, z3.Not(state.queue.done))


def _unfinished(state: State) -> z3.BoolRef:
    queue = state.queue
    return z3.And(queue.committed > state.message, z3.Not(z3.Or(queue.finished, queue.given)))


def _repeated(state: State) -> z3.BoolRef:
    return z3.And(state.me.runs, state.message < state.me.known)


def _below(state: State) -> z3.BoolRef:
    return z3.And(state.me.sending, state.me.sent < state.me.origin)


def _nowhere(state: State) -> z3.BoolRef:
    return z3.And(state.me.present, state.me.fixed, state.me.next < 0)


def _noted_again(state: State) -> z3.BoolRef:
    me = state.me
    early = z3.And(me.owed, me.present, z3.Not(me.dropped), z3.Not(me.noting))
    return z3.Or(z3.And(me.runs, state.queue.kept), early)


def _begun_late(state: State) -> z3.BoolRef:
    return z3.And(state.me.late, state.me.begun_late)


def _excess(state: State) -> z3.BoolRef:
    return state.queue.excess


def _overtime(state: State) -> z3.BoolRef:
    me, queue = state.me, state.queue
    since = z3.And(me.present, state.message >= me.known, z3.Not(me.uncommitted))
    return z3.And(since, queue.again)


def _again(state: State) -> z3.BoolRef:
    return state.queue.again


def _back(state: State) -> z3.BoolRef:
    return state.queue.back


def _proved(name: str, sentence: str, invariant: Invariant, bad: Bad) -> Callable[[Brokers], tuple[Obligation, ...]]:
    @cache
    def obligations(world: Brokers) -> tuple[Obligation, ...]:
        def steps() -> Iterator[Obligation]:
            conjuncts = invariant(world)
            yield from kept(conjuncts, world)
            yield rely(conjuncts, world)

            def shown(e: OffsetsEncoding, v: SimpleNamespace) -> Statement:
                return Statement(well(conjuncts, world, v), z3.Not(bad(state_of(v))))

            yield about(name, f"Where all is well, {sentence}.", shown)

        return tuple(steps())

    return obligations


def _since(flag: str) -> Bad:
    return lambda state: z3.And(getattr(state.queue, flag), _skipped(state))


def _none(world: Brokers) -> tuple[Obligation, ...]:
    return ()


def _of(
    name: str, sentence: str, source: str, bad: Bad, seen: Callable[[Run], str | None], proof: Invariant | None = None
) -> Guarantee:
    violated = _violated(bad)
    obligations = _proved(name, sentence, proof, bad) if proof else _none
    return Guarantee(name, sentence, source, obligations, violated, seen)


def _violated(bad: Bad) -> Callable[[Situation], z3.BoolRef]:
    """In the end it is so of one of the consumers."""
    return lambda found: z3.simplify(z3.Or([bad(state) for state in found.states]))


NOT_SKIPPED = _of(
    "not-skipped",
    "no message is skipped: every message below the committed offset was consumed, or given back to be retried",
    STORE,
    _skipped,
    lambda run: "the message is below the committed offset, and nobody has consumed it." if run.skipped else None,
    not_skipped,
)
ONLY_UNCOMMITTED = _of(
    "only-uncommitted",
    "a consumer that takes a queue over is given no message that was committed when it asked where to begin",
    CONCURRENTLY,
    _repeated,
    lambda run: "the message was committed when the consumer asked where to begin." if run.repeated else None,
    only_uncommitted,
)
BACK_AT_MOST = _of(
    "back-at-most",
    "a commit sets the offset back at most to where the entry began that had it sent",
    COMMIT,
    _below,
    lambda run: "an offset is sent that is below where its sender's entry began." if run.below else None,
    back_at_most,
)
ONCE = _of(
    "once",
    "no message is consumed twice",
    CONCURRENTLY,
    _again,
    lambda run: "the message was consumed twice." if run.seen[-1].consumed > 1 else None,
)
NEVER_BACK = _of(
    "never-back",
    "the committed offset never goes back",
    COMMIT,
    _back,
    lambda run: "the commit has set the offset back." if run.went_back else None,
)
STOPS = _of(
    "stops",
    "once a queue's entry has left the consumer's table, no call of the listener with a message of it begins",
    CONCURRENTLY,
    _begun_late,
    lambda run: "the listener is called with a message of an entry that had left the table." if run.stray else None,
)
HAND_OVER = _of(
    "hand-over",
    "what is consumed twice when a queue changes hands is at most what had been consumed, and was not committed, when "
    "the new owner asked where to begin, and what an old owner's listener had been called with, or was about to be "
    "after its last look at the entry, when that left its table",
    CONCURRENTLY,
    _excess,
    lambda run: "the message was consumed twice for another reason." if run.excess else None,
    handed_over,
)
BUT_OVERTIME = _of(
    "but-overtime",
    "what is consumed twice when a queue changes hands is at most what had been consumed, and was not committed, when "
    "the new owner asked where to begin",
    CONCURRENTLY,
    _overtime,
    lambda run: (
        "the message was consumed twice, and nobody had consumed it when its consumer asked." if run.overtime else None
    ),
)
ONE_BATCH = _of(
    "one-batch",
    "what is consumed twice when a queue changes hands is at most one batch: no message is given to a listener that a "
    "consumer with the queue has noted as consumed, and until a batch is noted its consumer begins no other one",
    ORDERLY,
    _noted_again,
    lambda run: run.noted_again,
    one_batch,
)
FROM_AN_OFFSET = _of(
    "from-an-offset",
    "the first pull of a queue asks for messages from an offset on that the broker gave",
    FIRST_PULL,
    _nowhere,
    lambda run: "the entry's first pull is from offset -1 on." if run.nowhere else None,
    from_an_offset,
)
FINISHED = _of(
    "finished",
    "no message is committed before its work is done: of every message below the committed offset a listener has "
    "returned with its work done, or it was given back to be retried",
    SHUTDOWN,
    _unfinished,
    lambda run: (
        "the message is committed; its listener was interrupted before its work was done." if run.unfinished else None
    ),
    finished,
)
SKIPPED_SO = "the message is below the committed offset, and nobody has consumed it."
WAS_TAKEN_CARE_OF = "and is then below the committed offset without having been consumed, or given back to be retried"
SINCE_ASKED = _of(
    "since-asked",
    f"no message arrives after a consumer has asked where to begin, {WAS_TAKEN_CARE_OF}",
    STORE,
    _since("awaited"),
    lambda run: SKIPPED_SO if run.awaited and run.skipped else None,
)
SINCE_ADDED = _of(
    "since-added",
    f"no message arrives while a consumer has an entry of the queue, {WAS_TAKEN_CARE_OF}",
    FIRST_PULL,
    _since("had"),
    lambda run: SKIPPED_SO if run.had and run.skipped else None,
    arrived(lambda queue: queue.had),
)
SINCE_PULLED = _of(
    "since-pulled",
    f"no message arrives while a consumer has an entry whose first pull was answered, {WAS_TAKEN_CARE_OF}",
    FIRST_PULL,
    _since("begun"),
    lambda run: SKIPPED_SO if run.begun and run.skipped else None,
    arrived(lambda queue: queue.begun),
)
RESET_SENT = _of(
    "reset-sent",
    "a reset of a queue's offset in the consumer that has it sends the offset that it was told, whatever the listener "
    "returns meanwhile",
    RESET,
    lambda state: state.me.missed,
    lambda run: "the reset has sent another offset than it was told." if run.missed else None,
    reset_sent,
)
RESET_HEARD = _of(
    "reset-heard",
    "the rebalance that follows a reset of a queue's offset in its consumer hears of that offset when it asks where to "
    "begin",
    RESET,
    lambda state: state.me.ignored,
    lambda run: "the rebalance has heard another offset than was reset." if run.ignored else None,
)
BAD: Mapping[str, Bad] = {
    NOT_SKIPPED.name: _skipped,
    ONLY_UNCOMMITTED.name: _repeated,
    BACK_AT_MOST.name: _below,
    ONCE.name: _again,
    NEVER_BACK.name: _back,
    STOPS.name: _begun_late,
}
BAD_HANDED: Mapping[str, Bad] = {HAND_OVER.name: _excess, BUT_OVERTIME.name: _overtime}
BAD_REPLICATED: Mapping[str, Bad] = {one.name: BAD[one.name] for one in (NOT_SKIPPED, ONLY_UNCOMMITTED)}
BAD_FINISHING: Mapping[str, Bad] = {FINISHED.name: _unfinished}
BAD_LATER: Mapping[str, Bad] = {
    SINCE_ASKED.name: _since("awaited"),
    SINCE_ADDED.name: _since("had"),
    SINCE_PULLED.name: _since("begun"),
}
BAD_OF_RESETS: Mapping[str, Bad] = {
    RESET_SENT.name: lambda state: state.me.missed,
    RESET_HEARD.name: lambda state: state.me.ignored,
}
BAD_IN_ORDER: Mapping[str, Bad] = {**BAD, ONE_BATCH.name: _noted_again, FROM_AN_OFFSET.name: _nowhere}

"""What must not be so, of one consumer and what all share, by the guarantee's name; with ordered listeners, too."""
