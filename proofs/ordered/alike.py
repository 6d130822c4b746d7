"""No two listeners run where everybody puts first pulls off: a listener may outlive its lock, by less than that.

Of one consumer: whenever its listener runs, it was called no earlier than a first pull's delay after the lock had come
to it; and when another is granted the lock meanwhile, it returns sooner than that delay behind. Of two consumers: whose
the lock was first, has lost it when it comes to the other one. So only one of them runs.
"""

from collections.abc import Iterator
from types import SimpleNamespace

import z3

from rebalance_proofs.model.ordered.actions import OrderedEncoding
from rebalance_proofs.model.ordered.clients import OrderedClient
from rebalance_proofs.model.ordered.limits import Limits
from rebalance_proofs.model.ordered.state import Consumer, State, nothing, passed_on
from rebalance_proofs.model.terms.truth import YES
from rebalance_proofs.proofs.obligation import Obligation, Statement
from rebalance_proofs.proofs.ordered.circumstances import ALIKE
from rebalance_proofs.proofs.ordered.condition import condition
from rebalance_proofs.proofs.ordered.inductive import ACTIONS, about, kept, rely, well
from rebalance_proofs.proofs.ordered.invariant import Conjunct, invariant, undisturbed
from rebalance_proofs.proofs.ordered.variables import ME, OTHER, flags, limits_of, said_of, state_of
from rebalance_proofs.proofs.records import field_names, flag_names, flags_of, made_once, record

__all__ = ["conjuncts", "obligations"]


def _mine(state: State, limits: Limits) -> z3.BoolRef:
    me = state.me
    renewed = z3.And(me.present, z3.Not(z3.Or(me.dropped, me.yielded, me.closed)))
    waits = z3.Implies(renewed, me.pulls_from >= me.owned_from + limits.first_pull)
    return z3.And(z3.Implies(z3.Or(me.adding, renewed), z3.Or(me.yielded, z3.Not(me.lost))), waits)


def _waited(state: State, limits: Limits) -> z3.BoolRef:
    me = state.me
    works = z3.Or(me.cached, z3.And(me.runs, z3.Not(me.orphan)))
    pulled = z3.Implies(z3.And(me.present, works), me.pulls_from <= state.now)
    return z3.And(pulled, z3.Implies(me.runs, me.since >= me.call_from + limits.first_pull))


def _outlives(state: State, limits: Limits) -> z3.BoolRef:
    me = state.me
    ends = me.since + limits.listener
    given_back = z3.Implies(z3.Or(me.orphan, z3.Not(undisturbed(me))), ends < state.now + limits.first_pull)
    passed = z3.Implies(me.call_lost, ends < me.call_lost_at + limits.first_pull)
    return z3.Implies(me.runs, z3.And(z3.Or(me.orphan, me.present), given_back, passed))


def _past(state: State, limits: Limits) -> z3.BoolRef:
    me = state.me
    return z3.And([time <= state.now for time in (me.lost_at, me.owned_from, me.call_from, me.call_lost_at)])


MINE = Conjunct(
    "mine",
    "The lock of an entry that is renewed is the consumer's own, and a first pull has been waited for since that came "
    "to it.",
    _mine,
)
WAITED = Conjunct("waited", "The listener is called no earlier than a first pull after the lock came.", _waited)
OUTLIVES = Conjunct(
    "outlives", "What runs on when the lock is given back, or another's, returns before a first pull.", _outlives
)
PAST = Conjunct("past-owners", "What has happened to owners has happened.", _past)


def conjuncts(client: OrderedClient) -> dict[str, Conjunct]:
    """Those of one consumer."""
    more = (MINE, WAITED, OUTLIVES, PAST)
    return {**invariant(client, renewed=True, alike=True), **{one.name: one for one in more}}


OTHERS_FIELDS = field_names(Consumer, "client_id")
OTHERS = tuple(f"other_{name}" for name in OTHERS_FIELDS)
"""Unknowns of the second consumer's state."""
OTHERS_FLAGS = tuple(f"other_{name}" for name in flag_names(Consumer))


@made_once
def _other(v: SimpleNamespace) -> Consumer:
    named = SimpleNamespace(**{name: getattr(v, f"other_{name}") for name in OTHERS_FIELDS})
    return record(Consumer, named, client_id=z3.IntVal(OTHER))


def _as(me: Consumer, other: Consumer) -> list[z3.BoolRef]:
    return [getattr(me, name) == getattr(other, name) for name in OTHERS_FIELDS]


Span = tuple[z3.ArithRef, z3.BoolRef, z3.ArithRef, z3.BoolRef]
"""Since when a lock was a consumer's; whether it has lost it, and when; whether that is so at all."""


def _spans(me: Consumer) -> tuple[Span, Span]:
    """As it has it now, and as it had it when it called its listener."""
    return (me.owned_from, me.lost, me.lost_at, YES), (me.call_from, me.call_lost, me.call_lost_at, me.runs)


def _in_turn(one: Consumer, other: Consumer) -> z3.BoolRef:
    """Whoever had the lock first, has lost it when it came to the other one."""

    def before(first: Span, then: Span) -> z3.BoolRef:
        return z3.And(first[1], first[2] <= then[0])

    return z3.And(
        [
            z3.Implies(z3.And(mine[3], its[3]), z3.Or(before(mine, its), before(its, mine)))
            for mine in _spans(one)
            for its in _spans(other)
        ]
    )


def obligations(client: OrderedClient) -> Iterator[Obligation]:
    """Of one consumer, as everywhere; and of two of them."""

    def fits(limits: Limits) -> dict[str, z3.BoolRef]:
        trusted = ALIKE.trusted(limits)
        return ALIKE.soon(limits) | {part.sentence: part.holds(trusted) for part in condition(client, ALIKE)}

    own = conjuncts(client)
    yield from kept(own, ALIKE, fits, client.never)
    yield rely()

    def both(v: SimpleNamespace) -> dict[str, z3.BoolRef]:
        second = State(v.now, _other(v), state_of(v).lock)
        limits = ALIKE.trusted(limits_of(v))
        its = {f"the other one: {one.sentence}": one.holds(second, limits) for one in own.values()}
        turn = {"one had the lock before the other": _in_turn(state_of(v).me, _other(v))}
        return well(own, ALIKE, v, fits) | flags_of(OTHERS_FLAGS)(v) | its | turn

    def begins(e: OrderedEncoding, v: SimpleNamespace) -> Statement:
        at_first = {
            "neither has had the lock": z3.And(_as(state_of(v).me, nothing(ME, v.now))),
            "nor has the other": z3.And(_as(_other(v), nothing(OTHER, v.now))),
        }
        return Statement(flags(v) | flags_of(OTHERS_FLAGS)(v) | at_first, _in_turn(state_of(v).me, _other(v)))

    def acts(e: OrderedEncoding, v: SimpleNamespace) -> Statement:
        before, other = state_of(v), _other(v)
        lost, stays = passed_on(other, v.now), []
        for name in ACTIONS:
            turn = getattr(e, name)(before, said_of(v), limits_of(v))
            me, lock = turn.after.me, turn.after.lock
            granted = z3.And(lock.holder == ME, lock.updated == v.now)
            stays.append(z3.Implies(turn.can, z3.If(granted, _in_turn(me, lost), _in_turn(me, other))))
        return Statement(both(v), z3.And(stays))

    def taken(e: OrderedEncoding, v: SimpleNamespace) -> Statement:
        one, other = passed_on(state_of(v).me, v.now), passed_on(_other(v), v.now)
        return Statement(both(v), _in_turn(one, other))

    def one_runs(e: OrderedEncoding, v: SimpleNamespace) -> Statement:
        return Statement(both(v), z3.Not(z3.And(v.runs == 1, v.other_runs == 1)))

    turn = "Whoever of two had the lock first has still lost it when it came to the other."
    yield about("two-at-first", f"At first nobody has had the lock. {turn}", begins, *OTHERS)
    yield about("two-act", f"One of two does something. {turn}", acts, *OTHERS)
    yield about("two-lose", f"A third one takes the lock. {turn}", taken, *OTHERS)
    yield about("one-runs", "So the listener of only one of them runs.", one_runs, *OTHERS)
