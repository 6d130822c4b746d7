"""What is always so of a topic's subscription: named conjuncts, each with its sentence."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import z3

from rebalance_proofs.model.subscriptions.actions import refuses
from rebalance_proofs.model.subscriptions.clients import SubscriptionsClient
from rebalance_proofs.model.subscriptions.limits import Limits
from rebalance_proofs.model.subscriptions.state import DONE, FLIES, IDLE, TOGO, State
from rebalance_proofs.model.terms.truth import YES

__all__ = [
    "Conjunct",
    "Conjuncts",
    "accepted_at_once",
    "accepted_later",
    "all_tags",
    "answered",
    "answered_later",
    "calm",
    "exactly",
    "first_pull",
    "longest",
    "own_tags",
    "own_tags_newest",
    "posted",
    "restless",
]


@dataclass(frozen=True)
class Conjunct:
    """One part of the invariant."""

    name: str
    sentence: str
    holds: Callable[[State, Limits], z3.BoolRef]


Conjuncts = Mapping[str, Conjunct]


def _named(*conjuncts: Conjunct) -> Conjuncts:
    return {conjunct.name: conjunct for conjunct in conjuncts}


def longest(limits: Limits) -> Any:
    """For how long pulls can be refused after a change, where a heartbeat may be skipped; in ms."""
    return limits.period + 2 * limits.beat


def _flying(state: State) -> z3.BoolRef:
    return state.me.at == FLIES


TOPIC = Conjunct("topic", "The member subscribes to the topic.", lambda state, limits: state.me.topic)
FULL = Conjunct(
    "full",
    "A heartbeat on its way has the subscriptions.",
    lambda state, limits: z3.Implies(_flying(state), state.me.full),
)
AS_TOLD = Conjunct(
    "as-told",
    "The table has the topic if the last heartbeat had it.",
    lambda state, limits: state.me.has == state.me.had,
)
EVEN = Conjunct("even", "No heartbeat has changed what it should not.", lambda state, limits: z3.Not(state.me.odd))


def exactly(client: SubscriptionsClient) -> Conjuncts:
    """That the table has what the last heartbeat had."""
    return _named(AS_TOLD, EVEN)


def calm(client: SubscriptionsClient) -> Conjuncts:
    """That nothing changes where all have the same topics."""
    return _named(
        Conjunct("own", "The table has the member's topics.", lambda state, limits: state.me.has == state.me.topic),
        Conjunct("still", "No heartbeat has changed the table.", lambda state, limits: z3.Not(state.me.stirred)),
    )


def _ordered(state: State, limits: Limits) -> z3.BoolRef:
    me = state.me
    return z3.And(
        me.heard <= state.now,
        me.left <= state.now,
        state.now <= me.heard + limits.apart,
        state.now <= me.left + limits.apart,
    )


def _recent(state: State, limits: Limits) -> z3.BoolRef:
    me = state.me
    return z3.If(me.has, me.changed >= me.left, me.changed >= me.heard)


def restless(client: SubscriptionsClient) -> Conjuncts:
    """That the table changes all the time."""
    return _named(
        TOPIC,
        FULL,
        Conjunct("ordered", "Heartbeats come in time.", _ordered),
        Conjunct(
            "recent",
            "The topic came after the last heartbeat without it, or went after the member's last one.",
            _recent,
        ),
    )


def _busy(state: State, limits: Limits) -> z3.BoolRef:
    me = state.me
    on_time = z3.And(me.began <= state.now, state.now <= me.began + limits.beat)
    return z3.And(z3.Or([me.at == place for place in range(IDLE, DONE + 1)]), z3.Implies(me.at != IDLE, on_time))


BUSY = Conjunct("busy", "A heartbeat under way is not over its time.", _busy)
MOVED = Conjunct("moved", "The last change was before.", lambda state, limits: state.me.moved <= state.now)


def _tick(state: State, limits: Limits) -> z3.BoolRef:
    return z3.And(state.now <= state.me.next, state.me.next <= state.now + limits.period)


TICK = Conjunct("tick", "The next periodic heartbeat is due within the period.", _tick)


def _told(longest_time: Callable[[Limits], Any]) -> Conjunct:
    def holds(state: State, limits: Limits) -> z3.BoolRef:
        return z3.Implies(state.me.refused, state.me.asked <= state.me.moved + longest_time(limits))

    return Conjunct("told", "What was refused was so soon after the last change.", holds)


def _carries(state: State, client: SubscriptionsClient) -> z3.BoolRef:
    """The heartbeat under way brings the member's version."""
    me = state.me
    will = z3.Not(me.known) if client.fingerprints else YES
    sent = z3.And(me.at == FLIES, me.carried >= me.mine, me.full)
    return z3.Or(z3.And(me.at == TOGO, will), sent)


def accepted_at_once(client: SubscriptionsClient) -> Conjuncts:
    """That the heartbeat after a change is the one that counts."""

    def holds(state: State, limits: Limits) -> z3.BoolRef:
        follows = z3.And(_carries(state, client), state.me.began <= state.me.moved)
        return z3.Implies(refuses(state), follows)

    follows = Conjunct(
        "follows", "Where a pull is refused, the heartbeat is under way that the change has sent.", holds
    )
    return _named(TOPIC, BUSY, MOVED, _told(lambda limits: limits.beat), follows)


def first_pull(client: SubscriptionsClient) -> Conjuncts:
    """That this heartbeat is over when what was added is pulled."""
    in_time = Conjunct("in-time", "No first pull was refused.", lambda state, limits: z3.Not(state.me.barred))
    return _named(*(one for one in accepted_at_once(client).values() if one.name not in ("told", "moved")), in_time)


def accepted_later(client: SubscriptionsClient) -> Conjuncts:
    """That a later one brings what a skipped one would have."""

    def holds(state: State, limits: Limits) -> z3.BoolRef:
        me = state.me
        later = me.moved + limits.beat + limits.period
        began = z3.If(_carries(state, client), me.began <= later, me.began <= me.moved)
        return z3.Implies(refuses(state), z3.If(me.at == IDLE, me.next <= later, began))

    catches = Conjunct("catches-up", "Where a pull is refused, one is under way or due that brings the version.", holds)
    return _named(TOPIC, BUSY, MOVED, TICK, _told(longest), catches)


def _open(state: State, limits: Limits) -> z3.BoolRef:
    me = state.me
    return z3.And(
        me.heard <= state.now,
        state.now <= me.heard + limits.apart,
        z3.Implies(state.now <= me.heard + limits.retry, z3.Not(refuses(state))),
    )


def _stretch(state: State, limits: Limits) -> z3.BoolRef:
    me, closed = state.me, refuses(state)
    pulls = z3.And(me.opened <= state.now, state.now <= me.opened + limits.retry)
    came = z3.And(z3.Not(closed), me.opened <= me.heard, me.opened + limits.retry < me.first + limits.apart)
    since = z3.If(me.heard < me.first, me.first > me.heard + limits.retry, came)
    return z3.Implies(me.refused, z3.And(me.first <= state.now, z3.Implies(z3.Not(closed), pulls), since))


def answered(client: SubscriptionsClient) -> Conjuncts:
    """That refused pulls are followed by one that is not."""

    def carried(state: State, limits: Limits) -> z3.BoolRef:
        return z3.Implies(_flying(state), z3.And(state.me.full, state.me.carried >= state.me.mine))

    return _named(
        TOPIC,
        Conjunct("carried", "A heartbeat on its way has the member's version.", carried),
        Conjunct("open", "For as long as a pull takes, the table is as the member's heartbeat had it.", _open),
        Conjunct("stretch", "Where pulls are refused, the next heartbeat will end that in time.", _stretch),
    )


def _heard(state: State, limits: Limits) -> z3.BoolRef:
    return z3.And(state.me.heard <= state.now, state.now <= state.me.heard + limits.apart)


def _made(state: State, limits: Limits) -> z3.BoolRef:
    me = state.me
    return z3.And(me.mine <= me.carried, z3.Implies(_flying(state), me.full == z3.Not(me.known)))


def _finds_out(state: State, limits: Limits) -> z3.BoolRef:
    me, closed = state.me, refuses(state)
    knows = z3.Implies(me.known, z3.And(z3.Not(me.same), state.now > me.heard + limits.retry))
    return z3.Implies(closed, z3.And(z3.Not(me.has), limits.retry < limits.apart, knows))


def _stretch_of_two(state: State, limits: Limits) -> z3.BoolRef:
    me, closed = state.me, refuses(state)
    pulls = z3.And(me.opened <= state.now, state.now <= me.opened + limits.retry)
    over = z3.And(pulls, me.opened <= me.heard, me.opened + limits.retry < me.first + 2 * limits.apart)
    unknown = me.heard + limits.retry < me.first + limits.apart
    since = z3.If(me.known, me.first > me.heard + limits.retry, unknown)
    return z3.Implies(me.refused, z3.And(me.first <= state.now, z3.If(closed, since, over)))


def answered_later(client: SubscriptionsClient) -> Conjuncts:
    """That with heartbeat V2 the second heartbeat after the topic has gone brings it back."""
    finds = "A client whose topic has gone is told so by its next heartbeat, or was told, and sends its subscriptions."
    return _named(
        TOPIC,
        Conjunct("heard", "The member's last heartbeat came in time.", _heard),
        Conjunct("made", "A heartbeat has the subscriptions unless the client thinks the broker has them.", _made),
        Conjunct("finds-out", finds, _finds_out),
        Conjunct("stretch", "Where pulls are refused, the next two heartbeats will end that in time.", _stretch_of_two),
    )


def _fits(state: State) -> z3.BoolRef:
    return state.me.takes


FITS = Conjunct(
    "fits",
    "The broker's expression takes the message.",
    lambda state, limits: z3.Implies(state.me.has, _fits(state)),
)
FOUND = Conjunct("found", "No pull of the member's has skipped it.", lambda state, limits: z3.Not(state.me.lost))


def own_tags(client: SubscriptionsClient) -> Conjuncts:
    """That the broker's expression is as good as the member's."""
    return _named(FITS, FOUND)


def own_tags_newest(client: SubscriptionsClient) -> Conjuncts:
    """That an expression with the member's version is the member's."""

    def own(state: State, limits: Limits) -> z3.BoolRef:
        me = state.me
        return z3.And(me.mine <= state.now, z3.Implies(z3.And(me.has, me.version >= me.mine), _fits(state)))

    return _named(Conjunct("own", "An expression with the member's version, or a newer one, takes it.", own), FOUND)


def posted(client: SubscriptionsClient) -> Conjuncts:
    """That the broker's table is not asked."""
    return _named(FOUND, Conjunct("let", "No pull was refused.", lambda state, limits: z3.Not(state.me.refused)))


def all_tags(client: SubscriptionsClient) -> Conjuncts:
    """The same of pulls of others."""
    return _named(
        FITS,
        Conjunct(
            "all-found", "No pull of another member's has skipped it.", lambda state, limits: z3.Not(state.me.missed)
        ),
    )
