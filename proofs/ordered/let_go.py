"""How long the broker keeps the lock of a queue for a consumer that has no entry of it any more."""

from collections.abc import Iterator
from types import SimpleNamespace

import z3

from rebalance_proofs.model.ordered.actions import OrderedEncoding
from rebalance_proofs.model.ordered.clients import OrderedClient
from rebalance_proofs.model.ordered.limits import DEFAULTS, Limits
from rebalance_proofs.model.ordered.state import Said, State
from rebalance_proofs.model.terms.truth import NO
from rebalance_proofs.proofs.obligation import Obligation, Statement
from rebalance_proofs.proofs.ordered.circumstances import NOT_LATER
from rebalance_proofs.proofs.ordered.inductive import about, kept, possible, rely, well
from rebalance_proofs.proofs.ordered.invariant import Conjunct
from rebalance_proofs.proofs.ordered.schedule import happens
from rebalance_proofs.proofs.ordered.timed import begins, reached
from rebalance_proofs.proofs.ordered.variables import ME, limits_of, state_of

__all__ = ["longest", "obligations"]


def _concerned(state: State) -> z3.BoolRef:
    return z3.Or(state.me.present, state.me.adding)


def _past(state: State, limits: Limits) -> z3.BoolRef:
    return z3.And(state.me.granted_at <= state.now, state.me.left <= state.now)


def _granted(state: State, limits: Limits) -> z3.BoolRef:
    return z3.Implies(state.lock.holder == state.me.client_id, state.lock.updated == state.me.granted_at)


def _not_later(state: State, limits: Limits) -> z3.BoolRef:
    return z3.Or(_concerned(state), state.me.granted_at <= state.me.left + limits.late)


ALL = (
    Conjunct("past", "No time lies ahead.", _past),
    Conjunct("granted", "Where the lock is the consumer's, its time is that of the last grant.", _granted),
    Conjunct("not-later", "Without an entry, nothing was granted later than a request can arrive.", _not_later),
)
CONJUNCTS = {conjunct.name: conjunct for conjunct in ALL}


def obligations(client: OrderedClient) -> Iterator[Obligation]:
    """Each action keeps the conjuncts; and so the lock is free when the time is over."""

    def free(e: OrderedEncoding, v: SimpleNamespace) -> Statement:
        state, limits = state_of(v), limits_of(v)
        over = {
            "there is no entry": z3.Not(_concerned(state)),
            "the time is over": v.now > v.left + limits.late + limits.broker,
        }
        others = z3.Or(v.holder != ME, v.now - v.updated > limits.broker)
        return Statement(well(CONJUNCTS, NOT_LATER, v) | over, others)

    yield from kept(CONJUNCTS, NOT_LATER, never=client.never)
    yield rely()
    yield about("let-go", "Where all is well, the lock has run out after that time, or is not the consumer's.", free)


def longest(client: OrderedClient) -> Iterator[Obligation]:
    """So long it can be, whatever the limits are."""

    def state(e: OrderedEncoding, v: SimpleNamespace) -> Statement:
        limits, zero = limits_of(v), z3.IntVal(0)
        given_back = ((happens(0, "returned", False), zero),) if client.gives_back else ()
        timed = (
            *begins(0, client, NOT_LATER, limits, zero, zero)[:-1],
            (happens(0, "revokes", False), zero),
            *given_back,
            (happens(0, "renews", False), limits.late),
        )
        found = reached(e, NOT_LATER, limits, timed)
        mine, other = found.states
        last = State(limits.late + limits.broker, other.me, other.lock)
        denied = z3.Not(e.locks(last, Said(NO, NO, NO, NO), limits).can)
        return Statement(possible(limits), z3.And(*found.constraints.values(), z3.Not(_concerned(mine)), denied))

    sentence = "A late request takes the lock once more, and till the last it is denied to others."
    yield Obligation("taken-back", sentence, tuple(vars(DEFAULTS)), state)
