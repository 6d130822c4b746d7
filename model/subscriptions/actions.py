"""Everything that can happen to a topic's subscription at a broker, as terms: what it takes, and what it comes to."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import z3

from rebalance_proofs.model.subscriptions.limits import Limits
from rebalance_proofs.model.subscriptions.state import DONE, FLIES, IDLE, TOGO, Said, State, Subscription, Turn
from rebalance_proofs.model.terms.truth import NO, YES

__all__ = ["Act", "SubscriptionsEncoding", "encoding", "refuses"]

Act = Callable[[State, Said, Limits], Turn]


@dataclass(frozen=True)
class SubscriptionsEncoding:
    """The member's steps, those of others, and the broker's."""

    raises: Act
    """The member's table of queues has changed (``messageQueueChanged``): it raises its version and sends a heartbeat,
    but where the lock of heartbeats is taken."""
    ticks: Act
    """A periodic heartbeat is due: it begins, but where the lock is taken."""
    begins: Act
    """A heartbeat to all brokers begins for another reason (``subscribe``, a producer's start)."""
    sends: Act
    """It is made for this broker and sent."""
    arrives: Act
    """The broker takes it (``registerConsumer``, ``registerConsumerWithoutSub``), and the client its answer."""
    ends: Act
    """The heartbeat is over, and the lock free."""
    others: Act
    """A heartbeat of another member's comes, with its subscriptions."""
    prints: Act
    """One comes without them, with heartbeat V2."""
    forgets: Act
    """The broker forgets the group: it restarts, or the last channel of the group is closed."""
    pulls: Act
    """A pull of the member's comes to the broker, by which the message would be skipped or found."""
    firsts: Act
    """The first pull comes of a queue that the last change of the member's table has added."""
    posts: Act
    """The same, of a member that sends its expression with it (``postSubscriptionWhenPull``)."""
    pulled: Act
    """Such a pull of another member's comes, which has the message's queue."""


def refuses(state: State) -> z3.BoolRef:
    """A pull of the member's is refused: ``SUBSCRIPTION_NOT_EXIST``, ``SUBSCRIPTION_NOT_LATEST``."""
    me = state.me
    return z3.Or(z3.Not(me.has), me.version < me.mine)


def encoding(*, fingerprints: bool, delays: bool) -> SubscriptionsEncoding:
    """``fingerprints``: with heartbeat V2; ``delays``: the first pull of a queue is put off."""

    def raises(state: State, said: Said, limits: Limits) -> Turn:
        free = state.me.at == IDLE
        known = z3.And(state.me.known, z3.Not(free)) if fingerprints else state.me.known
        begun = _begun(state, free)
        return _to(state, state.me.topic, mine=state.now, moved=state.now, known=known, fresh=YES, **begun)

    def sends(state: State, said: Said, limits: Limits) -> Turn:
        me = state.me
        full = z3.Not(me.known) if fingerprints else YES
        return _to(state, me.at == TOGO, at=z3.IntVal(FLIES), carried=me.mine, full=full)

    def arrives(state: State, said: Said, limits: Limits) -> Turn:
        me = state.me
        told = _updated(state, me.topic, me.carried, YES)
        news = {name: z3.If(me.full, value, getattr(me, name)) for name, value in told.items()}
        if fingerprints:
            news |= {"known": z3.And(me.same, z3.Or(me.full, me.known)), "same": YES}
        return _opening(state, _to(state, me.at == FLIES, at=z3.IntVal(DONE), heard=state.now, **news))

    def others(state: State, said: Said, limits: Limits) -> Turn:
        left = z3.If(said.topic, state.me.left, state.now)
        same = said.same if fingerprints else state.me.same
        told = _updated(state, said.topic, said.version, said.takes)
        return _opening(state, _to(state, YES, left=left, same=same, **told))

    def prints(state: State, said: Said, limits: Limits) -> Turn:
        return _to(state, YES if fingerprints else NO, same=said.same)

    def forgets(state: State, said: Said, limits: Limits) -> Turn:
        same = YES if fingerprints else state.me.same
        return _to(state, YES, has=NO, had=NO, moved=state.now, same=same)

    def firsts(state: State, said: Said, limits: Limits) -> Turn:
        me, turn = state.me, _pulls(state, said, limits)
        put_off = state.now >= me.moved + limits.delay if delays else YES
        barred = z3.Or(me.barred, refuses(state))
        first = replace(turn.after.me, fresh=NO, barred=barred)
        return Turn(z3.And(turn.can, me.fresh, put_off), State(state.now, first))

    return SubscriptionsEncoding(
        raises=raises,
        ticks=_ticks,
        begins=_begins,
        sends=sends,
        arrives=arrives,
        ends=_ends,
        others=others,
        prints=prints,
        forgets=forgets,
        pulls=_pulls,
        firsts=firsts,
        posts=_posts,
        pulled=_pulled,
    )


def _to(state: State, can: z3.BoolRef, **me: Any) -> Turn:
    return Turn(can, State(state.now, replace(state.me, **me)))


def _opening(state: State, turn: Turn) -> Turn:
    opens = z3.And(refuses(state), z3.Not(refuses(turn.after)))
    opened = z3.If(opens, state.now, state.me.opened)
    return replace(turn, after=replace(turn.after, me=replace(turn.after.me, opened=opened)))


def _begun(state: State, when: z3.BoolRef) -> dict[str, z3.ArithRef]:
    me: Subscription = state.me
    return {"at": z3.If(when, z3.IntVal(TOGO), me.at), "began": z3.If(when, state.now, me.began)}


def _updated(state: State, topic: z3.BoolRef, version: z3.ArithRef, takes: z3.BoolRef) -> dict[str, Any]:
    """``ConsumerGroupInfo.updateSubscription``: the set of topics is the heartbeat's, the version the largest."""
    me = state.me
    news = z3.And(topic, z3.Or(z3.Not(me.has), version > me.version))
    changes = me.has != topic
    return {
        "has": topic,
        "version": z3.If(news, version, me.version),
        "takes": z3.If(news, takes, me.takes),
        "changed": z3.If(changes, state.now, me.changed),
        "stirred": z3.Or(me.stirred, changes),
        "odd": z3.Or(me.odd, changes != (me.had != topic)),
        "had": topic,
    }


def _ticks(state: State, said: Said, limits: Limits) -> Turn:
    me = state.me
    return _to(state, state.now >= me.next, next=me.next + limits.period, **_begun(state, me.at == IDLE))


def _begins(state: State, said: Said, limits: Limits) -> Turn:
    return _to(state, state.me.at == IDLE, **_begun(state, YES))


def _ends(state: State, said: Said, limits: Limits) -> Turn:
    return _to(state, state.me.at == DONE, at=z3.IntVal(IDLE))


def _pulls(state: State, said: Said, limits: Limits) -> Turn:
    me, refused = state.me, refuses(state)
    return _to(
        state,
        me.topic,
        refused=refused,
        asked=z3.If(refused, state.now, me.asked),
        first=z3.If(z3.And(refused, z3.Not(me.refused)), state.now, me.first),
        lost=z3.Or(me.lost, z3.And(z3.Not(refused), z3.Not(me.takes))),
    )


def _posts(state: State, said: Said, limits: Limits) -> Turn:
    return _to(state, state.me.topic, refused=NO)


def _pulled(state: State, said: Said, limits: Limits) -> Turn:
    me = state.me
    through = z3.And(me.has, said.version <= me.version)
    missed = z3.And(through, z3.Not(z3.And(me.takes, said.takes)))
    return _to(state, said.topic, missed=z3.Or(me.missed, missed))
