"""What is claimed about pull requests."""

from collections.abc import Callable, Mapping
from functools import cache
from types import SimpleNamespace

import z3

from rebalance_proofs.model.pulls.actions import PullsEncoding
from rebalance_proofs.model.pulls.state import State
from rebalance_proofs.proofs.guarantee import Guarantee
from rebalance_proofs.proofs.obligation import Obligation, Statement
from rebalance_proofs.proofs.pulls import invariant
from rebalance_proofs.proofs.pulls.inductive import about, kept, well
from rebalance_proofs.proofs.pulls.invariant import Conjunct
from rebalance_proofs.proofs.pulls.run import Run
from rebalance_proofs.proofs.pulls.situation import Situation
from rebalance_proofs.proofs.pulls.sources import CONSUMER, EXPIRY, REMOTING, SERVICE
from rebalance_proofs.proofs.pulls.troubles import Troubles
from rebalance_proofs.proofs.pulls.variables import said_of, state_of

__all__ = [
    "BAD",
    "DIES",
    "HAS_REQUEST",
    "HEALED",
    "HITS_OWN_ENTRY",
    "LETS_GO",
    "ONE_REQUEST",
    "ONLY_LOST",
    "REPAIRS_WHILE_HELD",
    "RESTS",
    "Bad",
    "proved",
]

Bad = Callable[[State], z3.BoolRef]
Invariant = Mapping[str, Conjunct]


def _live(state: State) -> z3.BoolRef:
    return z3.And(state.me.present, z3.Not(state.me.dropped))


def _several(state: State) -> z3.BoolRef:
    return z3.And(state.me.present, state.me.waiting + state.me.pulling + state.me.asking > 1)


def _without(state: State) -> z3.BoolRef:
    me = state.me
    return z3.And(_live(state), z3.Or(me.ended, me.waiting + me.pulling + me.asking == 0))


def _not_healed(state: State) -> z3.BoolRef:
    me = state.me
    return z3.And(_live(state), z3.Or(me.kept > state.limit, z3.And(me.ended, me.waiting > 0)))


def _late(state: State) -> z3.BoolRef:
    return state.me.late


def _hit(state: State) -> z3.BoolRef:
    return state.me.hit


def _wrote(state: State) -> z3.BoolRef:
    return state.me.wrote


def _cut(state: State) -> z3.BoolRef:
    return state.me.cut


def _begun(state: State) -> z3.BoolRef:
    return state.me.begun


def _stale(state: State) -> z3.BoolRef:
    return state.me.stale


def proved(conjuncts: Invariant, bad: Bad, *more: Obligation) -> Callable[[Troubles], tuple[Obligation, ...]]:
    """By induction; ``more``: what else belongs to the sentence."""

    @cache
    def obligations(world: Troubles) -> tuple[Obligation, ...]:
        return (*kept(conjuncts, world, bad), *more)

    return obligations


def _gives_way(e: PullsEncoding, v: SimpleNamespace) -> Statement:
    before, said = state_of(v), said_of(v)
    turn = e.revokes(before, said)
    given = {
        "it is possible": turn.can,
        "the last pull is too long ago": before.me.age > before.limit,
        "the entry can be taken out": z3.Not(said.stays),
        "the consumer is not suspended": z3.Not(before.me.suspended),
    }
    return Statement(well(invariant.healed, v) | given, z3.Not(turn.after.me.present))


def _comes_back(e: PullsEncoding, v: SimpleNamespace) -> Statement:
    before, said = state_of(v), said_of(v)
    turn = e.adds(before, said)
    given = {
        "it is possible": turn.can,
        "the offset is known": z3.Not(said.silent),
        "the consumer is not suspended": z3.Not(before.me.suspended),
    }
    after = turn.after.me
    return Statement(well(invariant.healed, v) | given, z3.And(_live(turn.after), after.waiting == 1, after.age == 0))


def _none(world: Troubles) -> tuple[Obligation, ...]:
    return ()


def _of(
    name: str,
    sentence: str,
    source: str,
    bad: Bad,
    seen: Callable[[Run], str | None],
    conjuncts: Invariant | None = None,
    *more: Obligation,
) -> Guarantee:
    obligations = proved(conjuncts, bad, *more) if conjuncts else _none
    return Guarantee(name, sentence, source, obligations, _violated(bad), seen)


def _violated(bad: Bad) -> Callable[[Situation], z3.BoolRef]:
    """In the end it is so."""
    return lambda found: z3.simplify(bad(found.state))


ONE_REQUEST = _of(
    "one-request",
    "never more than one pull request circulates for a queue's entry",
    REMOTING,
    _several,
    lambda run: "two pull requests circulate for the queue's entry." if run.seen[-1].requests > 1 else None,
    invariant.one_request,
)
HAS_REQUEST = _of(
    "has-request",
    "an entry that is not marked has a pull request that circulates",
    SERVICE,
    _without,
    lambda run: "no pull request circulates for the queue's live entry." if run.without else None,
    invariant.has_request,
)
HEALED = _of(
    "healed",
    "an entry that is not pulled any more is marked by the first rebalance that begins more than 120 s "
    "(`pullMaxIdleTime`) after its request was last taken, goes as soon as it can be taken out, and, if the queue is "
    "still the consumer's, is added again with a new request as soon as its offset is known, and its lock granted if "
    "it is an ordered queue; of a consumer that is suspended no rebalance begins",
    EXPIRY,
    _not_healed,
    lambda run: "the queue's new pull request waits, and nobody takes it." if run.stuck else None,
    invariant.healed,
    about("gives-way", "An entry that can be taken out goes when its last pull is too long ago.", _gives_way),
    about("comes-back", "A new entry whose offset is known has one request, which waits.", _comes_back),
)
DIES = _of(
    "dies",
    "no pull begins for an entry that has left the table, and so none for the queue's next entry by an old request",
    CONSUMER,
    _late,
    lambda run: "a pull has begun for an entry that had left the table." if run.late else None,
    invariant.dies,
)
HITS_OWN_ENTRY = _of(
    "hits-own-entry",
    "the repair of an illegal offset takes no entry out but the one whose pull it is about",
    CONSUMER,
    _hit,
    lambda run: "the repair has taken the queue's next entry out." if run.hit else None,
    invariant.own_only,
)
REPAIRS_WHILE_HELD = _of(
    "repairs-while-held",
    "the repair of an illegal offset writes the queue's offset only while the entry is in the table whose pull it is "
    "about",
    CONSUMER,
    _wrote,
    lambda run: "an offset is written for a queue whose entry had left the table." if run.wrote else None,
    invariant.while_held,
)
ONLY_LOST = _of(
    "only-lost",
    "a rebalance takes no entry for one that is not pulled any more whose request still circulates",
    EXPIRY,
    _cut,
    lambda run: "the entry is taken away, and its request was only waiting." if run.cut else None,
)
RESTS = _of(
    "rests",
    "while the consumer is suspended no request is taken that begins a pull (where an ordered queue's first offset is "
    "being asked for, that pull is still sent)",
    CONSUMER,
    _begun,
    lambda run: "a pull has begun while the consumer was suspended." if run.begun else None,
    invariant.rests,
)
LETS_GO = _of(
    "lets-go",
    "whenever it is time for a rebalance, by the timer or a notification, the consumer lets go of an entry whose queue "
    "is another's: it marks it at least",
    CONSUMER,
    _stale,
    lambda run: "the consumer keeps a live entry of a queue that is another's." if run.stale else None,
    invariant.lets_go,
)
BAD: Mapping[str, Bad] = {
    ONE_REQUEST.name: _several,
    HAS_REQUEST.name: _without,
    HEALED.name: _not_healed,
    DIES.name: _late,
    HITS_OWN_ENTRY.name: _hit,
    REPAIRS_WHILE_HELD.name: _wrote,
    ONLY_LOST.name: _cut,
    RESTS.name: _begun,
    LETS_GO.name: _stale,
}
"""What must not be so, by the guarantee's name."""
