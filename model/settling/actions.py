"""Everything that can happen to a client's rebalance thread, as terms: what it takes, and what it comes to."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import z3

from rebalance_proofs.model.settling.limits import Limits
from rebalance_proofs.model.settling.state import CLEARS, LOOKS, RESETS, RUNS, WAITS, WOKEN, Said, State, Turn
from rebalance_proofs.model.terms.truth import NO, YES

__all__ = ["Act", "SettlingEncoding", "encoding", "period"]

Act = Callable[[State, Said, Limits], Turn]


@dataclass(frozen=True)
class SettlingEncoding:
    """The thread's steps, those that wake it, and the change."""

    looks: Act
    """``hasNotified.compareAndSet(true, false)``: where the flag is set there is no wait."""
    resets: Act
    """``waitPoint.reset()``, and the wait begins."""
    wakes: Act
    """The wait ends: the latch was counted down, or the time is over."""
    clears: Act
    """``hasNotified.set(false)``."""
    begins: Act
    """``doRebalance`` begins."""
    postpones: Act
    """It would be too early: there is one more wait."""
    ends: Act
    """It ends."""
    fails: Act
    """It ends, and has not done what it should."""
    changes: Act
    """What the client is told when it asks changes, for the last time, and a notification is sent."""
    loses: Act
    """The notification is lost."""
    notifies: Act
    """It arrives: ``wakeup`` sets the flag, unless it is set."""
    stirs: Act
    """So does another one, or whatever else wakes the thread."""
    counts: Act
    """``wakeup``, which has set the flag, counts down the latch."""


def period(limits: Limits, *, least: bool) -> Any:
    """The longest time from the end of a rebalance to the beginning of the next one; ``least``: there is a least
    interval."""
    return z3.If(limits.least > limits.wait, limits.least, limits.wait) if least else limits.wait


def encoding(*, least: bool) -> SettlingEncoding:
    """``least``: two rebalances are apart from each other (``minInterval``)."""

    def early(state: State, limits: Limits) -> z3.BoolRef:
        return state.now - state.me.last < limits.least if least else NO

    def begins(state: State, said: Said, limits: Limits) -> Turn:
        can = z3.And(state.me.at == WOKEN, z3.Not(early(state, limits)))
        return _to(state, can, at=z3.IntVal(RUNS), began=state.now, fresh=state.me.changed)

    def postpones(state: State, said: Said, limits: Limits) -> Turn:
        can = z3.And(state.me.at == WOKEN, early(state, limits))
        rest = limits.least - (state.now - state.me.last)
        return _to(state, can, at=z3.IntVal(LOOKS), interval=rest)

    def over(state: State, said: Said, limits: Limits, **others: Any) -> Turn:
        interval = z3.If(said.balanced, limits.wait, limits.least) if least else limits.wait
        at = z3.IntVal(LOOKS)
        return _to(state, state.me.at == RUNS, at=at, last=state.now, ended=YES, interval=interval, fresh=NO, **others)

    def ends(state: State, said: Said, limits: Limits) -> Turn:
        me = state.me
        return over(state, said, limits, right=z3.Or(me.right, me.fresh, z3.And(me.changed, said.seen)))

    def fails(state: State, said: Said, limits: Limits) -> Turn:
        me = state.me
        later = me.due + limits.loop + period(limits, least=least)
        return over(state, said, limits, due=z3.If(me.fresh, later, me.due))

    def changes(state: State, said: Said, limits: Limits) -> Turn:
        due = state.now + 2 * limits.loop + period(limits, least=least)
        return _to(state, z3.Not(state.me.changed), changed=YES, change=state.now, told=YES, due=due)

    return SettlingEncoding(
        looks=_looks,
        resets=_resets,
        wakes=_wakes,
        clears=_clears,
        begins=begins,
        postpones=postpones,
        ends=ends,
        fails=fails,
        changes=changes,
        loses=_loses,
        notifies=_notifies,
        stirs=_stirs,
        counts=_counts,
    )


def _to(state: State, can: z3.BoolRef, **me: Any) -> Turn:
    return Turn(can, State(state.now, replace(state.me, **me)))


def _looks(state: State, said: Said, limits: Limits) -> Turn:
    place = z3.If(state.me.flag, z3.IntVal(WOKEN), z3.IntVal(RESETS))
    return _to(state, state.me.at == LOOKS, at=place, flag=NO)


def _resets(state: State, said: Said, limits: Limits) -> Turn:
    return _to(state, state.me.at == RESETS, at=z3.IntVal(WAITS), open=NO, since=state.now)


def _wakes(state: State, said: Said, limits: Limits) -> Turn:
    me = state.me
    over = z3.Or(me.open, state.now >= me.since + me.interval)
    return _to(state, z3.And(me.at == WAITS, over), at=z3.IntVal(CLEARS))


def _clears(state: State, said: Said, limits: Limits) -> Turn:
    return _to(state, state.me.at == CLEARS, at=z3.IntVal(WOKEN), flag=NO)


def _loses(state: State, said: Said, limits: Limits) -> Turn:
    return _to(state, state.me.told, told=NO)


def _notifies(state: State, said: Said, limits: Limits) -> Turn:
    me = state.me
    waking = z3.Or(me.waking, z3.Not(me.flag))
    return _to(state, me.told, told=NO, heard=YES, heard_at=state.now, flag=YES, waking=waking)


def _stirs(state: State, said: Said, limits: Limits) -> Turn:
    return _to(state, z3.Not(state.me.flag), flag=YES, waking=YES)


def _counts(state: State, said: Said, limits: Limits) -> Turn:
    return _to(state, state.me.waking, open=YES, waking=said.more)
