"""What is claimed about a broker's registry, and about routes."""

from collections.abc import Callable, Mapping
from functools import cache
from types import SimpleNamespace

import z3

from rebalance_proofs.model.registry.actions import RegistryEncoding, listed
from rebalance_proofs.model.registry.limits import Limits
from rebalance_proofs.model.registry.state import Member, State
from rebalance_proofs.model.terms.truth import NO
from rebalance_proofs.proofs.guarantee import Guarantee
from rebalance_proofs.proofs.obligation import Obligation, Statement
from rebalance_proofs.proofs.records import flag_names, truths
from rebalance_proofs.proofs.registry import invariant, longest
from rebalance_proofs.proofs.registry.inductive import about, holds, kept, well
from rebalance_proofs.proofs.registry.invariant import Conjuncts
from rebalance_proofs.proofs.registry.membership import AGREEING, Membership
from rebalance_proofs.proofs.registry.run import Run
from rebalance_proofs.proofs.registry.situation import Situation
from rebalance_proofs.proofs.registry.sources import GROUP_INFO, LISTENER, MANAGER, PROCESSOR, ROUTES, START
from rebalance_proofs.proofs.registry.variables import OTHER, limits_of, other_of, state_of

__all__ = [
    "AGAIN",
    "AGREE",
    "ANEW",
    "AS_LONG",
    "AT_ONCE",
    "BAD",
    "GONE",
    "LISTED",
    "NOT_STARTED",
    "ONCE",
    "ONCE_AGAIN",
    "ROUTED",
    "ROUTE_AS_LONG",
    "TOLD",
    "TOLD_LATE",
    "Bad",
]

Bad = Callable[[State, Limits], z3.BoolRef]


def _unlisted(state: State, limits: Limits) -> z3.BoolRef:
    me = state.me
    return z3.And(me.alive, me.known, me.others, z3.Not(listed(me)))


def _forgotten(state: State, limits: Limits) -> z3.BoolRef:
    me = state.me
    return z3.And(me.alive, z3.Not(listed(me)), state.now > me.change + limits.beat)


def _remains(state: State, limits: Limits) -> z3.BoolRef:
    me = state.me
    return z3.And(z3.Not(me.alive), listed(me), state.now > me.change + limits.expired + limits.scan)


def _listed_though(state: State, limits: Limits) -> z3.BoolRef:
    me = state.me
    return z3.And(me.threw, listed(me), state.now > me.change + limits.expired + limits.scan)


def _dead(state: State, limits: Limits) -> z3.BoolRef:
    me = state.me
    return z3.And(me.died, me.mine, state.now > me.change)


def _twice(state: State, limits: Limits) -> z3.BoolRef:
    return z3.And(state.me.mine, state.me.old)


def _still_twice(state: State, limits: Limits) -> z3.BoolRef:
    me = state.me
    return z3.And(me.old, state.now > me.old_at + limits.expired + limits.scan)


def _after(me: Member, limits: Limits) -> z3.ArithRef:
    away = limits.expired + limits.scan
    after: z3.ArithRef = me.change + z3.If(limits.beat > away, limits.beat, away)
    return after


def _differs(state: State, limits: Limits) -> z3.BoolRef:
    return z3.And(state.now > _after(state.me, limits), z3.Not(invariant.right(state)))


def _untold(state: State, limits: Limits) -> z3.BoolRef:
    return z3.And(state.me.stale, state.me.others)


def _untold_late(state: State, limits: Limits) -> z3.BoolRef:
    return z3.And(_untold(state, limits), state.now > state.me.stale_at + limits.collect)


def _waits_anew(state: State, limits: Limits) -> z3.BoolRef:
    me = state.me
    return z3.And(me.alive, me.known, me.link, z3.Not(me.mine), state.now > me.change)


def _outdated(state: State, limits: Limits) -> z3.BoolRef:
    me = state.me
    return z3.And(me.moved, z3.Not(me.seen), state.now > me.moved_at + limits.poll)


def _never(state: State, limits: Limits) -> z3.BoolRef:
    return NO


def _proved(conjuncts: Conjuncts, bad: Bad, *more: Obligation) -> Callable[[Membership], tuple[Obligation, ...]]:
    @cache
    def obligations(world: Membership) -> tuple[Obligation, ...]:
        return (*kept(conjuncts, world, bad), *more)

    return obligations


def _violated(bad: Bad) -> Callable[[Situation], z3.BoolRef]:
    return lambda found: z3.simplify(bad(found.state, found.limits))


def _of(
    name: str,
    sentence: str,
    source: str,
    bad: Bad,
    seen: Callable[[Run], str | None],
    conjuncts: Conjuncts,
    *more: Obligation,
) -> Guarantee:
    return Guarantee(name, sentence, source, _proved(conjuncts, bad, *more), _violated(bad), seen)


def _seconds(ms: int) -> str:
    return f"{ms / 1000:,.3f} s"


def _agreed(e: RegistryEncoding, v: SimpleNamespace) -> Statement:
    """Of what two brokers have of one member: when it is so of both for long enough, they list the same."""
    one, other, limits = state_of(v), other_of(v), limits_of(v)
    names = tuple(f"other_{name}" for name in flag_names(Member))
    given = well(invariant.AGREE, AGREEING, v)
    given |= {f"At the other broker: {told}": so for told, so in holds(invariant.AGREE, other, limits).items()}
    given |= {f"at the other broker {told}": so for told, so in truths(v, names).items()}
    for state, broker in ((one, "one"), (other, "other")):
        given[f"nothing bad is so at the {broker} broker"] = z3.Not(_differs(state, limits))
        given[f"the last change is long enough ago at the {broker} broker"] = state.now > _after(state.me, limits)
    given["it lives or does not, whichever broker one asks"] = one.me.alive == other.me.alive
    single = [z3.Not(_twice(state, limits)) for state in (one, other)]
    return Statement(given, z3.And(listed(one.me) == listed(other.me), *single))


LISTED = _of(
    "listed",
    "each list of ids that the broker answers has every member that lives and of which it has registered a heartbeat",
    PROCESSOR,
    _unlisted,
    lambda run: (
        f"the broker answers {run.answered}: the member lives, and is not in the list."
        if run.alive and run.known and run.answer and run.listed == 0
        else None
    ),
    invariant.LISTED,
)
AGAIN = _of(
    "again",
    "the broker lists a member that lives at most the limit for heartbeats after the last of these: it was started, a "
    "connection of it was made, has ended or was removed, the broker restarted",
    MANAGER,
    _forgotten,
    lambda run: (
        f"{_seconds(run.since)} after the last of these the broker does not list a member that lives."
        if run.alive and run.listed == 0 and run.since > run.limits.beat
        else None
    ),
    invariant.AGAIN,
)
GONE = _of(
    "gone",
    "at most the time after which a scan removes a channel, and that between two scans, after a member has gone in "
    "any way, and the last heartbeat of it was registered, the broker lists it no longer",
    MANAGER,
    _remains,
    lambda run: (
        f"{_seconds(run.since)} after it has gone the broker still lists it."
        if not run.alive and run.listed and run.since > run.limits.expired + run.limits.scan
        else None
    ),
    invariant.GONE,
)
AS_LONG = Guarantee(
    "as-long",
    "whatever the limits are, as long as there is some time between two scans, it can be that, and the time after "
    "which a scan removes a channel, until a broker lists a member no longer whose host has vanished",
    MANAGER,
    longest.of_hosts,
    _violated(_never),
    lambda run: None,
)
NOT_STARTED = _of(
    "not-started",
    "at most the time after which a scan removes a channel, and that between two scans, after the `start()` of a "
    "member has thrown whose client instance runs already, the broker lists it no longer",
    START,
    _listed_though,
    lambda run: (
        f"{_seconds(run.since)} after its start has thrown the broker still lists the member."
        if run.threw and run.listed and run.since > run.limits.expired + run.limits.scan
        else None
    ),
    invariant.NOT_STARTED,
)
AT_ONCE = _of(
    "at-once",
    "when a process dies the broker lists no member of it any longer by the connection that it had last",
    MANAGER,
    _dead,
    lambda run: (
        f"{_seconds(run.since)} after it died the broker still lists it."
        if run.died and run.mine and run.since > 0
        else None
    ),
    invariant.AT_ONCE,
)
ONCE = _of(
    "once",
    "no list that the broker answers has the id of a process twice",
    GROUP_INFO,
    _twice,
    lambda run: f"the broker answers {run.answered}: one member's id stands there twice." if run.listed > 1 else None,
    invariant.ONCE,
)
ONCE_AGAIN = _of(
    "once-again",
    "at most the time after which a scan removes a channel, and that between two scans, after the last heartbeat by "
    "an earlier connection of a member was registered, the broker lists it by that connection no longer",
    GROUP_INFO,
    _still_twice,
    lambda run: (
        f"{_seconds(run.end - run.old_at)} after its last heartbeat an earlier connection is still listed."
        if run.old and run.end > run.old_at + run.limits.expired + run.limits.scan
        else None
    ),
    invariant.ONCE_AGAIN,
)
AGREE = _of(
    "agree",
    "two brokers list the same ids, once each, when the last change is longer ago than the limit for heartbeats, and "
    "than the time after which a scan removes a channel and that between two scans: no member has come or gone, and "
    "no connection, no heartbeat was registered when its connection had ended, and neither broker has restarted",
    MANAGER,
    _differs,
    lambda run: (
        f"{_seconds(run.since)} after the last change one broker lists the member, and this one does not."
        if run.elsewhere != run.listed and run.since > max(run.limits.beat, run.limits.expired + run.limits.scan)
        else None
    ),
    invariant.AGREE,
    about("same", "What is so at each of two brokers for long enough gives one list.", _agreed, *OTHER),
)
TOLD = _of(
    "told",
    "whenever what a broker lists of a member has changed, it has sent a notification to all others that it lists then",
    LISTENER,
    _untold,
    lambda run: (
        f"what the broker lists of the member has changed, and it has not told {run.others}."
        if run.stale and run.others
        else None
    ),
    invariant.TOLD,
)
TOLD_LATE = _of(
    "told-late",
    "from 5.0 on a broker that collects changes has sent a notification to all others that it lists at most the time "
    "between two rounds of sending after what it lists of a member has changed",
    LISTENER,
    _untold_late,
    lambda run: (
        f"{_seconds(run.end - run.stale_at)} after what it lists has changed the broker has not told {run.others}."
        if run.stale and run.others and run.end > run.stale_at + run.limits.collect
        else None
    ),
    invariant.TOLD_LATE,
)
ANEW = _of(
    "anew",
    "a member that was listed before, and has made a new connection, is listed by it at once",
    ROUTES,
    _waits_anew,
    lambda run: (
        f"{_seconds(run.since)} after the member has connected anew the broker does not list it by that."
        if run.alive and run.known and run.link and not run.mine and run.since > 0
        else None
    ),
    invariant.ANEW,
)
ROUTED = _of(
    "routed",
    "at most the limit for polls after the route has changed for the last time at the name servers, a client has it "
    "as it is now",
    ROUTES,
    _outdated,
    lambda run: (
        f"{_seconds(run.end - run.moved_at)} after the route has changed the client has not heard of it."
        if run.moved_at is not None and not run.seen_route and run.end > run.moved_at + run.limits.poll
        else None
    ),
    invariant.ROUTED,
)
ROUTE_AS_LONG = Guarantee(
    "route-as-long",
    "whatever the limits are, it can be the limit for polls until a client has the new route",
    ROUTES,
    longest.of_routes,
    _violated(_never),
    lambda run: None,
)
BAD: Mapping[str, Bad] = {
    LISTED.name: _unlisted,
    AGAIN.name: _forgotten,
    GONE.name: _remains,
    NOT_STARTED.name: _listed_though,
    AT_ONCE.name: _dead,
    ONCE.name: _twice,
    ONCE_AGAIN.name: _still_twice,
    AGREE.name: _differs,
    TOLD.name: _untold,
    TOLD_LATE.name: _untold_late,
    ANEW.name: _waits_anew,
    ROUTED.name: _outdated,
    AS_LONG.name: _never,
    ROUTE_AS_LONG.name: _never,
}
"""What must not be so, by the guarantee's name."""
