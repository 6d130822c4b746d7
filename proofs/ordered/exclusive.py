"""While a consumer's listener runs, the broker's lock is its own: proved action by action, for any number of others."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, replace
from functools import cache
from types import SimpleNamespace

import z3

from rebalance_proofs.model.ordered.actions import OrderedEncoding
from rebalance_proofs.model.ordered.clients import OrderedClient
from rebalance_proofs.model.ordered.limits import Limits
from rebalance_proofs.model.ordered.state import NOBODY, Lock, State, nothing
from rebalance_proofs.proofs.obligation import Obligation, Statement
from rebalance_proofs.proofs.ordered.circumstances import IN_TIME, Circumstances
from rebalance_proofs.proofs.ordered.condition import condition
from rebalance_proofs.proofs.ordered.invariant import Conjunct, invariant
from rebalance_proofs.proofs.ordered.variables import ME, NAMES, OTHER, flags, limits_of, said_of, state_of

__all__ = ["ACTIONS", "can_wait", "made", "obligations", "possible"]

ACTIONS = {
    "renews": "The broker grants a lock that is asked for otherwise than by a rebalance.",
    "renewed": "The consumer hears of that.",
    "refused": "The consumer hears that a renewal was denied.",
    "revokes": "A rebalance takes the queue away, or tries to.",
    "unsubscribes": "The topic is not subscribed any more.",
    "locks": "The broker grants the lock that a rebalance asks for.",
    "adds": "The rebalance adds the queue, or finds no offset to begin at.",
    "returned": "A return of the lock arrives at the broker.",
    "returns": "A return that was put off is sent.",
    "pulls": "Messages arrive.",
    "starts": "The lock is found to be the consumer's own and recent, and the listener is called.",
    "ends": "The listener returns.",
    "shuts": "The consumer is shut down.",
    "crashes": "Its process ends.",
}
"""What a consumer can do, by the names of an encoding's parts; and the broker with its messages."""
assert {*ACTIONS, "step"} == {field.name for field in fields(OrderedEncoding)}

State_ = Callable[[OrderedEncoding, SimpleNamespace], Statement]


def can_wait(state: State, until: z3.ArithRef, limits: Limits) -> z3.BoolRef:
    """Nothing is due before that time: no listener has to return, no answer to arrive."""
    me = state.me
    return z3.And(
        until >= state.now,
        z3.Implies(me.runs, until <= me.since + limits.listener),
        z3.Implies(me.answered, until <= me.answered_at + limits.delay),
        z3.Implies(me.adding, until <= me.adding_at + limits.delay),
    )


def possible(limits: Limits) -> dict[str, z3.BoolRef]:
    """No time is negative."""
    return {"no limit is negative": z3.And([limit >= 0 for limit in vars(limits).values()])}


def obligations(client: OrderedClient, world: Circumstances) -> Iterator[Obligation]:
    """The beginning, one for each action, one for time, one for others, and that it is what was to be shown.

    Worlds share those that no premise touches in which they differ.
    """
    own = {one.name: one for one in _obligations(client, world)}
    for shared in _obligations(client, IN_TIME):
        yield own[shared.name] if world.touches(shared.name) else shared


@cache
def _obligations(client: OrderedClient, world: Circumstances) -> tuple[Obligation, ...]:
    return tuple(made(client, world))


def made(client: OrderedClient, world: Circumstances) -> Iterator[Obligation]:
    """Those of one world, none of them shared with another."""
    conjuncts = invariant(client, renewed=world.renewed)

    def given(v: SimpleNamespace) -> dict[str, z3.BoolRef]:
        limits = limits_of(v)
        trusted = world.trusted(limits)
        fits = {part.sentence: part.holds(trusted) for part in condition(client)}
        return flags(v) | possible(limits) | fits | _all(conjuncts, state_of(v), trusted)

    def then(state: State, v: SimpleNamespace) -> z3.BoolRef:
        return z3.And(list(_all(conjuncts, state, world.trusted(limits_of(v))).values()))

    def begins(e: OrderedEncoding, v: SimpleNamespace) -> Statement:
        lock = Lock(v.holder, v.updated)
        some = {"the lock is another's, or nobody's": z3.Or(v.holder == OTHER, v.holder == NOBODY)}
        before = {"it was updated before": v.updated <= v.now}
        state = State(v.now, nothing(ME, v.now), lock)
        return Statement(flags(v) | possible(limits_of(v)) | some | before, then(state, v))

    def holds(e: OrderedEncoding, v: SimpleNamespace) -> Statement:
        runs = {"the listener runs": v.runs == 1}
        return Statement(given(v) | runs, v.holder == ME)

    def acts(name: str) -> State_:
        def state(e: OrderedEncoding, v: SimpleNamespace) -> Statement:
            before = state_of(v)
            turn = getattr(e, name)(before, said_of(v), limits_of(v))
            can = {"it is possible": turn.can, "the premises allow it": world.allows(name, before)}
            return Statement(given(v) | can, then(turn.after, v))

        return state

    def waits(e: OrderedEncoding, v: SimpleNamespace) -> Statement:
        before = state_of(v)
        limits = limits_of(v)
        due = {"nothing is due before": can_wait(before, v.until, limits)}
        allowed = {"the premises allow it": world.waits(before, v.until, limits)} if world.renewed else {}
        return Statement(given(v) | due | allowed, then(replace(before, now=v.until), v))

    def taken(e: OrderedEncoding, v: SimpleNamespace) -> Statement:
        free = z3.Or(v.holder != ME, v.now - v.updated > v.broker)
        after = replace(state_of(v), lock=Lock(z3.IntVal(OTHER), v.now))
        return Statement(given(v) | {"the lock is not this consumer's, or has run out": free}, then(after, v))

    def freed(e: OrderedEncoding, v: SimpleNamespace) -> Statement:
        after = replace(state_of(v), lock=Lock(z3.IntVal(NOBODY), v.updated))
        return Statement(given(v) | {"the lock is another's": v.holder == OTHER}, then(after, v))

    def others(e: OrderedEncoding, v: SimpleNamespace) -> Statement:
        before, limits = state_of(v, OTHER), limits_of(v)
        expired = v.now - v.updated > limits.broker
        same = []
        for name in ACTIONS:
            turn = getattr(e, name)(before, said_of(v), limits)
            lock = turn.after.lock
            kept = z3.And(lock.holder == v.holder, lock.updated == v.updated)
            took = z3.And(z3.Or(v.holder != ME, expired), lock.holder == OTHER, lock.updated == v.now)
            gave = z3.And(v.holder == OTHER, lock.holder == NOBODY, lock.updated == v.updated)
            same.append(z3.Implies(turn.can, z3.Or(kept, took, gave)))
        somebody = z3.And(v.holder >= NOBODY, v.holder <= OTHER)
        return Statement(flags(v) | possible(limits) | {"somebody has the lock, or nobody": somebody}, z3.And(same))

    yield _about("at-first", "At first all is well, whoever has the lock.", begins)
    for name, sentence in ACTIONS.items():
        if name == "returns" and not client.puts_off:
            continue  # there is none: that no return is put off is a conjunct
        yield _about(name, f"{sentence} All stays well.", acts(name))
    yield _about("time-passes", "Time passes. All stays well.", waits, "until")
    yield _about("others-take", "Another takes the lock, which is free or has run out. All stays well.", taken)
    yield _about("others-give-back", "Another gives its lock back. All stays well.", freed)
    yield _about("rely", "Whatever another consumer does to the lock is nothing, or one of these two.", others)
    yield _about("own-lock", "Where all is well, the lock is the consumer's while its listener runs.", holds)


def _all(conjuncts: Mapping[str, Conjunct], state: State, limits: Limits) -> dict[str, z3.BoolRef]:
    return {conjunct.sentence: conjunct.holds(state, limits) for conjunct in conjuncts.values()}


def _about(name: str, sentence: str, state: State_, *more: str) -> Obligation:
    return Obligation(name, sentence, (*NAMES, *more), state, goals=_goals)


def _goals(v: SimpleNamespace, bound: int) -> Iterator[tuple[str, z3.BoolRef]]:
    for name in ("now", "delay", "client", "broker", "listener", "unlock"):
        yield f"{name} beyond the bound", getattr(v, name) >= bound
