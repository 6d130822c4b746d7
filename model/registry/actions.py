"""Everything that can happen to a member of a group at one broker, as terms: what it takes, and what it comes to."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import z3

from rebalance_proofs.model.registry.limits import Limits
from rebalance_proofs.model.registry.state import Member, Said, State, Turn
from rebalance_proofs.model.terms.truth import NO, YES

__all__ = ["Act", "RegistryEncoding", "encoding", "expired", "listed"]

Act = Callable[[State, Said, Limits], Turn]


@dataclass(frozen=True)
class RegistryEncoding:
    """What the member does, what happens to it, what the broker does, and the route."""

    starts: Act
    """It is started, and connects."""
    throws: Act
    """Its ``start()`` throws: it lives on all the same, or is shut down (from 5.3.2 on)."""
    finds: Act
    """A heartbeat arrives: the broker looks the group's record up, or makes one."""
    puts: Act
    """And puts the channel into it, or notes the time."""
    leaves: Act
    """It is shut down; its process lives on."""
    unregisters: Act
    """Its good-bye arrives."""
    loses: Act
    """It is lost."""
    dies: Act
    """Its process dies: the system closes its sockets."""
    vanishes: Act
    """Its host or network does: nobody closes anything."""
    breaks: Act
    """The broker hears that its newest connection is closed, has failed, or was idle for too long."""
    reconnects: Act
    """It makes a new connection; of the end of an older one the broker may not have heard."""
    lags: Act
    """A heartbeat is registered that came by an earlier connection, which has ended."""
    straggles: Act
    """A heartbeat is registered that came by its newest connection, which has ended."""
    closes_old: Act
    """The broker hears that an earlier connection is closed."""
    others_come: Act
    """A heartbeat of somebody else comes by a new channel."""
    others_go: Act
    """Somebody else's channel is closed."""
    scans: Act
    """``scanNotActiveChannel``."""
    restarts: Act
    """The broker restarts."""
    refreshes: Act
    """A heartbeat comes that is about another group of its process, or a producer, which was registered by the same
    heartbeat: the first one of a connection registers the client instance's own producer."""
    copies: Act
    """``notifyConsumerChange`` begins."""
    replaces: Act
    """It goes on, and sends what it has copied."""
    moves: Act
    """The route changes at the name servers, for the last time."""
    polls: Act
    """The member's client is answered what the route is."""


def listed(me: Member) -> z3.BoolRef:
    """Its id is in the broker's answer."""
    return z3.Or(me.mine, me.old)


def expired(state: State, at: z3.ArithRef, limits: Limits) -> z3.BoolRef:
    """A scan would remove a channel whose last heartbeat came then."""
    late: z3.BoolRef = state.now - at > limits.expired
    return late


def encoding(*, greets: bool, stops: bool = False) -> RegistryEncoding:
    """``greets``: a client sends a heartbeat as soon as it has connected; ``stops``: a member whose ``start()`` throws
    is shut down."""
    greeting = z3.BoolVal(greets)

    def starts(state: State, said: Said, limits: Limits) -> Turn:
        me, now = state.me, state.now
        never = z3.Not(z3.Or(me.alive, me.running, me.link, me.closing, me.died, me.known, me.finding, listed(me)))
        return _to(state, never, alive=YES, running=YES, link=YES, at=now, change=now, anew=greeting, threw=NO)

    def reconnects(state: State, said: Said, limits: Limits) -> Turn:
        me = state.me
        keeps = z3.And(said.keeps, z3.Or(me.old, z3.Not(me.mine)))
        return _to(
            state,
            z3.And(me.alive, z3.Not(me.finding)),
            link=YES,
            second=YES,
            mine=NO,
            old=z3.If(keeps, me.old, me.mine),
            old_at=z3.If(z3.And(me.mine, z3.Not(keeps)), me.at, me.old_at),
            others=z3.Or(me.others, z3.If(keeps, me.mine, me.old)),
            change=state.now,
            anew=greeting,
        )

    return RegistryEncoding(
        starts=starts,
        throws=_throws_and_leaves if stops else _throws,
        finds=_finds,
        puts=_puts,
        leaves=_leaves,
        unregisters=_unregisters,
        loses=_loses,
        dies=_dies,
        vanishes=_vanishes,
        breaks=_breaks,
        reconnects=reconnects,
        lags=_lags,
        straggles=_straggles,
        closes_old=_closes_old,
        others_come=_others_come,
        others_go=_others_go,
        scans=_scans,
        restarts=_restarts,
        refreshes=_refreshes,
        copies=_copies,
        replaces=_replaces,
        moves=_moves,
        polls=_polls,
    )


def _to(state: State, can: z3.BoolRef, **me: Any) -> Turn:
    return Turn(can, State(state.now, replace(state.me, **me)))


def _told(state: State, said: Said, changed: z3.BoolRef) -> dict[str, Any]:
    """``CHANGE``: all that are listed are notified, or will be, or not; ``changed``: what is listed of the member."""
    me = state.me
    sent = z3.And(z3.Not(said.off), z3.Not(said.later))
    collected = z3.Or(me.collected, z3.And(z3.Not(said.off), said.later))
    return {"collected": collected} | _untold(state, changed, sent)


def _untold(state: State, changed: z3.BoolRef, sent: z3.BoolRef = NO) -> dict[str, Any]:
    me = state.me
    counts = z3.And(changed, me.others)
    anew = z3.And(counts, z3.Not(me.stale), z3.Not(sent))
    return {
        "stale": z3.And(z3.Not(sent), z3.Or(me.stale, counts)),
        "stale_at": z3.If(anew, state.now, me.stale_at),
    }


def _emptied(me: Member, mine: z3.BoolRef, old: z3.BoolRef, others: z3.BoolRef) -> z3.BoolRef:
    """A record without channels leaves the table, even if somebody is about to put one into it."""
    return z3.Or(me.orphan, z3.And(me.finding, z3.Not(z3.Or(mine, old, others))))


def _when(condition: z3.BoolRef, then: dict[str, Any], me: Member) -> dict[str, Any]:
    return {name: z3.If(condition, value, getattr(me, name)) for name, value in then.items()}


def _lives(state: State) -> z3.ArithRef:
    """The time of the change, where it is one."""
    return z3.If(state.me.alive, state.now, state.me.change)


def _throws(state: State, said: Said, limits: Limits) -> Turn:
    me = state.me
    return _to(state, z3.And(me.alive, z3.Not(me.threw)), threw=YES, change=state.now)


def _throws_and_leaves(state: State, said: Said, limits: Limits) -> Turn:
    turn = _throws(state, said, limits)
    left = _leaves(turn.after, said, limits)
    return Turn(z3.And(turn.can, left.can), left.after)


def _finds(state: State, said: Said, limits: Limits) -> Turn:
    me = state.me
    return _to(state, z3.And(me.alive, me.link, z3.Not(me.finding)), finding=YES, orphan=NO)


def _puts(state: State, said: Said, limits: Limits) -> Turn:
    me = state.me
    there = z3.Not(me.orphan)
    new = z3.And(there, z3.Not(me.mine))
    told = _when(new, _told(state, said, YES), me)
    to_itself = z3.And(me.orphan, z3.Not(said.off), said.later)
    return _to(
        state,
        me.finding,
        finding=NO,
        orphan=NO,
        mine=z3.Or(me.mine, there),
        known=z3.Or(me.known, there),
        at=state.now,
        anew=NO,
        change=z3.If(me.alive, me.change, state.now),
        **(told | {"collected": z3.Or(told["collected"], to_itself)}),
    )


def _leaves(state: State, said: Said, limits: Limits) -> Turn:
    return _to(state, state.me.alive, alive=NO, leaving=YES, change=state.now)


def _unregisters(state: State, said: Said, limits: Limits) -> Turn:
    me = state.me
    record = z3.Or(me.mine, me.old, me.others, z3.And(me.finding, z3.Not(me.orphan)))
    told = _when(record, _told(state, said, me.mine), me)
    orphan = _emptied(me, NO, me.old, me.others)
    return _to(state, z3.And(me.leaving, me.link), leaving=NO, mine=NO, orphan=orphan, **told)


def _loses(state: State, said: Said, limits: Limits) -> Turn:
    return _to(state, state.me.leaving, leaving=NO)


def _gone(state: State, *, closing: z3.BoolRef, died: z3.BoolRef) -> Turn:
    me = state.me
    return _to(
        state,
        me.running,
        alive=NO,
        running=NO,
        link=NO,
        closing=closing,
        leaving=NO,
        died=died,
        change=_lives(state),
        anew=NO,
    )


def _dies(state: State, said: Said, limits: Limits) -> Turn:
    me = state.me
    return _gone(state, closing=me.link, died=z3.Or(me.died, me.alive))


def _vanishes(state: State, said: Said, limits: Limits) -> Turn:
    return _gone(state, closing=NO, died=z3.Or(state.me.died, state.me.alive))


def _breaks(state: State, said: Said, limits: Limits) -> Turn:
    me = state.me
    told = _when(me.mine, _told(state, said, YES) | {"orphan": _emptied(me, NO, me.old, me.others)}, me)
    return _to(
        state,
        z3.Or(me.link, me.closing),
        link=NO,
        closing=NO,
        mine=NO,
        anew=NO,
        leaving=NO,
        change=_lives(state),
        **told,
    )


def _lags(state: State, said: Said, limits: Limits) -> Turn:
    me, now = state.me, state.now
    told = _when(z3.Not(me.old), _told(state, said, YES), me)
    return _to(state, me.second, old=YES, old_at=now, change=now, **told)


def _straggles(state: State, said: Said, limits: Limits) -> Turn:
    me, now = state.me, state.now
    told = _when(z3.Not(me.mine), _told(state, said, YES), me)
    ended = z3.And(z3.Or(me.known, me.second), z3.Not(z3.Or(me.link, me.closing, me.finding)))
    return _to(state, ended, mine=YES, known=YES, at=now, change=now, **told)


def _closes_old(state: State, said: Said, limits: Limits) -> Turn:
    me = state.me
    return _to(state, me.old, old=NO, orphan=_emptied(me, me.mine, NO, me.others), **_told(state, said, YES))


def _others_come(state: State, said: Said, limits: Limits) -> Turn:
    return _to(state, YES, others=YES, **_told(state, said, NO))


def _others_go(state: State, said: Said, limits: Limits) -> Turn:
    me = state.me
    orphan = _emptied(me, me.mine, me.old, said.more)
    return _to(state, me.others, others=said.more, orphan=orphan, **_told(state, said, NO))


def _scans(state: State, said: Said, limits: Limits) -> Turn:
    me = state.me
    mine = z3.And(me.mine, expired(state, me.at, limits))
    old = z3.And(me.old, expired(state, me.old_at, limits))
    others = z3.And(me.others, z3.Not(said.more))
    stays = {
        "mine": z3.And(me.mine, z3.Not(mine)),
        "old": z3.And(me.old, z3.Not(old)),
        "others": z3.And(me.others, said.more),
    }
    heard = z3.And(said.first, z3.Or(mine, old, others))
    gone = z3.And(z3.Or(mine, old), said.more)
    untold, told = _untold(state, gone), _told(state, said, gone)
    notified = {name: z3.If(heard, value, untold.get(name, getattr(me, name))) for name, value in told.items()}
    return _to(
        state,
        YES,
        scanned=state.now,
        link=z3.And(me.link, z3.Not(mine)),
        anew=z3.And(me.anew, z3.Not(mine)),
        leaving=z3.And(me.leaving, z3.Not(mine)),
        change=z3.If(z3.And(mine, me.alive), state.now, me.change),
        orphan=_emptied(me, **stays),
        **stays,
        **notified,
    )


def _restarts(state: State, said: Said, limits: Limits) -> Turn:
    now = state.now
    forgotten = ("link", "closing", "leaving", "finding", "orphan", "mine", "old", "others", "anew")
    notices = ("stale", "collected", "copying", "taken")
    return _to(state, YES, **dict.fromkeys((*forgotten, *notices), NO), scanned=now, flushed=now, change=_lives(state))


def _refreshes(state: State, said: Said, limits: Limits) -> Turn:
    me = state.me
    other = z3.And(z3.Not(me.alive), me.running, me.link, z3.Not(me.finding))
    return _to(state, z3.And(other, me.mine), at=state.now)


def _copies(state: State, said: Said, limits: Limits) -> Turn:
    return _to(state, z3.Not(state.me.copying), copying=YES, taken=state.me.collected)


def _replaces(state: State, said: Said, limits: Limits) -> Turn:
    me = state.me
    sent = z3.And(me.taken, z3.Not(said.off))
    return _to(
        state,
        me.copying,
        copying=NO,
        taken=NO,
        collected=NO,
        flushed=state.now,
        stale=z3.And(me.stale, z3.Not(sent)),
    )


def _moves(state: State, said: Said, limits: Limits) -> Turn:
    return _to(state, z3.Not(state.me.moved), moved=YES, moved_at=state.now)


def _polls(state: State, said: Said, limits: Limits) -> Turn:
    return _to(state, YES, polled=state.now, seen=state.me.moved)
