"""Guarantees about membership and routes, each with its bad states, invariant and claims; then the page."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from rebalance_proofs.model.machine.bound import Bound
from rebalance_proofs.model.machine.client import does
from rebalance_proofs.model.machine.conjunct import Conjunct
from rebalance_proofs.model.machine.machine import act_of
from rebalance_proofs.model.machine.page import (
    Answer,
    Attained,
    Compared,
    Guarantees,
    Holds,
    Lemma,
    Page,
    Property,
    Search,
    Way,
    Words,
    holds,
    refuted,
)
from rebalance_proofs.model.machine.run import Run, seconds
from rebalance_proofs.model.machine.values import And, Bool, If, Implies, Int, Not, Or, Span, longer, number, truth
from rebalance_proofs.model.machines.registry.actions import (
    ALL,
    APART,
    APART_V2,
    CLIENTS,
    GOES_ON,
    GREETING,
    REGISTRY,
    SILENT,
    SLIPS,
    STOPS,
    WRONG,
    RegistryClient,
    is_listed,
)
from rebalance_proofs.model.machines.registry.assumptions import (
    AGREEING,
    AGREEING_ANYHOW,
    ALONE,
    ARRIVE,
    BY_CLOSE,
    CLOSED,
    CLOSES,
    COLLECTED,
    COLLECTS,
    GOODBYE,
    GREETED,
    HEARD,
    IN_ORDER,
    LAST,
    LEFT,
    LEFT_V2,
    NO_RESTART,
    NONE_IN_FLIGHT,
    NOTIFIED,
    NOTIFIES,
    OFTEN,
    OFTEN_AT_BOTH,
    POLLED,
    POLLS,
    PROMPT,
    REACHED,
    SCANNED,
    SCANS,
    STAYS,
    STEADY,
    THREW,
    THREW_ANYHOW,
    WHOLE,
    _but,
)
from rebalance_proofs.model.machines.registry.recorded import TABLE
from rebalance_proofs.model.machines.registry.state import BEAT, COLLECT, DEFAULTS, POLL, REMOVED, Limits, Member, Said
from rebalance_proofs.model.registry.group import OTHER_ID, elsewhere
from rebalance_proofs.model.releases import SOURCES

_BROKER = f"{SOURCES}/broker/src/main/java/org/apache/rocketmq/broker"
_CLIENT = f"{SOURCES}/client/src/main/java/org/apache/rocketmq/client/impl"
MANAGER = f"{_BROKER}/client/ConsumerManager.java"
GROUP_INFO = f"{_BROKER}/client/ConsumerGroupInfo.java"
LISTENER = f"{_BROKER}/client/DefaultConsumerIdsChangeListener.java"
GOODBYES = f"{_BROKER}/processor/ClientManageProcessor.java"
PROCESSOR = f"{_BROKER}/processor/ConsumerManageProcessor.java"
ROUTES = f"{_CLIENT}/factory/MQClientInstance.java"
START = f"{_CLIENT}/consumer/DefaultMQPushConsumerImpl.java"
RESTART, RECONNECT, TWO_BROKERS, SHARED = (
    f"https://github.com/apache/rocketmq/issues/{number}" for number in (9830, 7870, 1095, 10435)
)

Ran = Run[Member, Limits]
Promise = Property[Member, Limits]
part = Conjunct[Member, Limits]
guarantee: Guarantees[RegistryClient, Member, Limits] = Guarantees()

COUNTED = "time counted from the member's last registered heartbeat, if that is later than its end"
CHANGES = "membership changes: channels of a member added or removed, while other members are listed"
ROUTE, BATCHES, THROWS = ("moves", "polls"), ("copies", "replaces"), ("throws",)
ASIDE = (*ROUTE, *BATCHES, *THROWS)
"""Actions that do not influence most guarantees."""

PAST = part(
    "past",
    "Recorded times are in the past.",
    lambda s, lim: And(s.at <= s.now, Implies(s.old, s.old_at <= s.now), s.change <= s.now),
)
BEATING = part(
    "beating",
    "The last heartbeat of a live member was registered at most maxHeartbeatGap ago.",
    lambda s, lim: Implies(s.alive, s.now <= s.at + lim.beat),
)
RUNNING = part(
    "left",
    "A live member, or one that still unregisters, has a running process.",
    lambda s, lim: And(Implies(s.leaving, And(Not(s.alive), s.running)), Implies(s.alive, s.running)),
)
OWN_RECORD = part(
    "own-record",
    "The record in which a heartbeat is being registered belongs to the group.",
    lambda s, lim: Not(s.orphan),
)
SINCE = part(
    "since",
    "No heartbeat of a live member that is not listed by its newest connection was registered after the last change.",
    lambda s, lim: Implies(And(s.alive, Not(s.mine)), s.at <= s.change),
)
IN_TIME = part(
    "scanned",
    "The last scan came in time, and kept no channel that had expired.",
    lambda s, lim: And(
        s.scanned <= s.now,
        s.now <= s.scanned + lim.scan,
        Implies(s.mine, s.scanned <= s.at + lim.expired),
        Implies(s.old, s.scanned <= s.old_at + lim.expired),
    ),
)
BEFORE = part(
    "before",
    "No heartbeat came from a stopped member, or on an earlier connection after the newest one was made.",
    lambda s, lim: And(Implies(And(s.mine, Not(s.alive)), s.at <= s.change), Implies(s.old, s.old_at <= s.change)),
)


def answers(run: Ran) -> tuple[tuple[str, ...], ...]:
    """Return the consumer list at the broker after each action, by running the code again.

    A list is empty if the broker answers with an error.
    """
    made, state, found = run.client.code.made(run.limits), run.first, []
    for seen in run.seen:
        if (name := seen.happens.action) in REGISTRY.actions:
            c = Said.blank().but(**dict(seen.happens.said))
            state = does(REGISTRY, run.client.code, run.client, made, name, state.at_time(seen.at), c, run.limits)
        found.append(tuple(made.answer or ()))
    return tuple(found)


def _answered(run: Ran) -> str:
    return f"[{', '.join(answers(run)[-1])}]"


def _after(run: Ran, since: Int) -> str:
    return f"{seconds(run.end.now - since)} after"


def _of_all(client: RegistryClient, *claims: Holds) -> Sequence[Holds]:
    """Return claims that are the same for all releases, as claims about all of them."""
    return claims if client == ALL else ()


def _twice(s: Member) -> Bool:
    """Return the condition that the broker lists the member twice."""
    return And(s.mine, s.old)


def _change(span: Span, pending: Callable[[Member], Bool]) -> Bound[Member, Limits]:
    """Return a bound on the time after the last change."""
    return Bound(span, pending, lambda s: s.change)


@guarantee
def listed(client: RegistryClient) -> Promise:
    """The broker lists every live member that has registered."""
    return Promise(
        "every consumer list from the broker contains each live member with a registered heartbeat",
        PROCESSOR,
        _of_all(
            client,
            holds(STEADY),
            refuted(STEADY.dropping(NO_RESTART), source=RESTART),
            refuted(STEADY.dropping(STAYS)),
            refuted(STEADY.dropping(OFTEN)),
        ),
        # Without another member, the broker has no list of the group: it answers with an error. The proof shows more:
        # it does not use `others`.
        bad=lambda s, lim: And(s.alive, s.known, s.others, Not(is_listed(s))),
        broken=lambda run: f"the broker answers {_answered(run)}: the list lacks the member, which is alive.",
        invariant=(
            BEATING,
            RUNNING,
            part(
                "lists",
                "A live, registered member is listed on its newest connection.",
                lambda s, lim: Implies(And(s.alive, s.known), s.mine),
            ),
        ),
        aside=ASIDE,
    )


@guarantee
def again(client: RegistryClient) -> Promise:
    """The broker lists a live member again after any change."""
    late = _change(BEAT, lambda s: And(s.alive, Not(is_listed(s))))
    return Promise(
        f"the broker lists a live member within {BEAT.words} of its start, a connection change or a broker restart",
        MANAGER,
        _of_all(
            client,
            holds(REACHED),
            refuted(REACHED.dropping(ARRIVE), source=TWO_BROKERS),
            refuted(REACHED.dropping(ALONE)),
        ),
        bad=late.exceeded,
        broken=lambda run: f"{_after(run, run.end.change)} the last of these, the broker does not list a live member.",
        invariant=(PAST, BEATING, RUNNING, SINCE, OWN_RECORD),
        bounds=(late,),
        aside=ASIDE,
        where=(
            "the last change: its start (or `start()` throws), a connection made, ended or removed, a heartbeat "
            "registered after its connection ended, or a broker restart",
        ),
        brief=f"the broker lists a live member within {BEAT.words} of the last change",
    )


@guarantee
def gone(client: RegistryClient) -> Promise:
    """The broker removes a member that has stopped in any way."""
    late = _change(REMOVED, lambda s: And(Not(s.alive), is_listed(s)))
    claims: Mapping[RegistryClient, Sequence[Holds]] = {
        ALL: (holds(LEFT), refuted(LEFT.dropping(LAST), source=SHARED)),
        APART: (holds(SCANNED, source=SHARED),),
        APART_V2: (refuted(LEFT_V2.dropping(LAST), source=SHARED),),
    }
    return Promise(
        f"the broker removes a stopped member within {REMOVED.words} of its end or last registered heartbeat",
        MANAGER,
        claims.get(client, ()),
        bad=late.exceeded,
        broken=lambda run: f"{_after(run, run.end.change)} it left, the broker still lists it.",
        invariant=(PAST, IN_TIME, BEFORE),
        bounds=(late,),
        aside=ASIDE,
        assumes=(COUNTED,),
        brief=f"the broker removes a stopped member within {REMOVED.words} of its end",
    )


def _lost(s: Member, lim: Limits) -> Bool:
    """Return the condition that a host vanished after its last heartbeat, but is still listed.

    A scan has just come, too early to remove it.
    """
    busy = Or(s.alive, s.leaving, s.finding, s.copying)
    early = And(s.at <= s.scanned, s.scanned <= s.at + lim.expired)
    return And(s.mine, Not(busy), s.change == s.at, early, s.scanned == s.now)


@guarantee
def as_long(client: RegistryClient) -> Promise:
    """The time limit of ``gone`` is sharp: a vanished host can stay listed that long."""
    spaced = "the time between two scans is positive"

    def ways(lim: Limits) -> Iterator[Way]:
        yield [("starts", 0), ("finds", 0), (("puts", False, False), 0), ("vanishes", 0)]

    def vanished(s: Member, lim: Limits) -> dict[str, Bool]:
        return {spaced: lim.scan >= 1, "a host has vanished": _lost(s, lim)}

    def goes_on(e: Any, s: Member, c: Said, lim: Limits) -> tuple[Mapping[str, Bool], Bool]:
        """State that the situation is the same after another late scan, before the host expires."""
        last = s.at + lim.expired
        until = If(s.now + lim.scan < last, s.now + lim.scan, last)
        scan = s.at_time(until), Said.blank(more=True).terms(), lim  # It removes no other channel.
        turn = act_of(e, "scans")(*scan)
        can = And(LEFT.waits(s, until, lim), turn.guard, LEFT.permits("scans", *scan))
        then = And(can, _lost(turn.after, lim), turn.after.scanned == until, until > s.now)
        return vanished(s, lim) | {"the host has not expired": s.now < last}, then

    def ends(e: Any, s: Member, c: Said, lim: Limits) -> tuple[Mapping[str, Bool], Bool]:
        over = {"the last scan came at the end of the expiry time": s.now == s.at + lim.expired}
        return vanished(s, lim) | over, LEFT.waits(s, s.change + REMOVED.of(lim), lim)

    return Promise(
        f"whatever the limits, the broker can list a member on a vanished host for {REMOVED.words}",
        MANAGER,
        _of_all(client, holds(LEFT)),
        attained=Attained(
            "A host vanishes just after its first heartbeat was registered.",
            ways,
            lambda s, lim: (_lost(s, lim),),
            "host-vanishes",
            lambda lim: {spaced: lim.scan >= 1},
        ),
        lemmas=(
            Lemma(
                "scan-too-early",
                "Each scan, as late as possible but before the expiry, leaves the host in the list.",
                goes_on,
            ),
            Lemma(
                "scan-at-last",
                "After a scan just before the expiry, the next scan comes up to maxScanGap later.",
                ends,
            ),
        ),
        assumes=("maxScanGap > 0",),
    )


@guarantee
def not_started(client: RegistryClient) -> Promise:
    """The broker removes a member whose start has thrown an exception."""
    late = _change(REMOVED, lambda s: And(s.threw, is_listed(s)))
    claims = {GOES_ON: (refuted(THREW),), STOPS: (holds(THREW),), APART: (holds(THREW_ANYHOW),)}
    return Promise(
        f"if `start()` throws in a running client instance, the broker removes the member within {REMOVED.words} of "
        "that",
        START,
        claims.get(client, ()),
        bad=late.exceeded,
        broken=lambda run: f"{_after(run, run.end.change)} its start has thrown, the broker still lists the member.",
        invariant=(
            PAST,
            IN_TIME,
            BEFORE,
            part("shut", "The start of a live member has not thrown.", lambda s, lim: Implies(s.threw, Not(s.alive))),
        ),
        bounds=(late,),
        aside=(*ROUTE, *BATCHES),
        assumes=(COUNTED,),
    )


@guarantee
def at_once(client: RegistryClient) -> Promise:
    """The broker removes a member as soon as its process has died."""

    def up(s: Member, lim: Limits) -> Bool:
        return And(
            Implies(s.mine, Or(s.link, s.closing)),
            Implies(s.died, And(Not(s.link), Not(s.running), Not(s.alive))),
            Implies(s.alive, s.running),
            Implies(s.closing, Not(s.running)),
        )

    return Promise(
        "when a live member's process dies, the broker no longer lists its latest connection",
        MANAGER,
        _of_all(client, holds(HEARD), refuted(HEARD.dropping(PROMPT))),
        bad=lambda s, lim: And(s.died, s.mine, s.now > s.change),
        broken=lambda run: f"{_after(run, run.end.change)} it died, the broker still lists it.",
        invariant=(
            part("up", "A listed newest connection is open, unless the system closed it after the process died.", up),
            part(
                "open",
                "While a heartbeat is being registered, its connection is open.",
                lambda s, lim: Implies(s.finding, s.link),
            ),
            part(
                "just-now",
                "If a connection of a dead process is being closed, the process died just now.",
                lambda s, lim: Implies(And(s.died, s.closing), s.change == s.now),
            ),
        ),
        aside=ASIDE,
    )


@guarantee
def good_bye(client: RegistryClient) -> Promise:
    """The broker removes a member as soon as it has shut down."""

    def parting(s: Member, lim: Limits) -> Bool:
        return Implies(And(s.mine, Not(s.alive), Not(s.died)), And(s.leaving, s.change == s.now))

    return Promise(
        "when a member shuts down, the broker no longer lists its latest connection",
        GOODBYES,
        _of_all(client, holds(GOODBYE), refuted(GOODBYE.dropping(NONE_IN_FLIGHT)), refuted(GOODBYE.dropping(IN_ORDER))),
        bad=lambda s, lim: And(Not(s.alive), Not(s.died), s.mine, s.now > s.change),
        broken=lambda run: f"{_after(run, run.end.change)} it was shut down, the broker still lists it.",
        invariant=(
            part(
                "finds",
                "While a heartbeat is being registered, its member is alive.",
                lambda s, lim: Implies(s.finding, s.alive),
            ),
            part(
                "parting",
                "A member that was shut down, and is listed by its newest connection, was shut down just now and is "
                "unregistering.",
                parting,
            ),
        ),
        aside=ASIDE,
    )


@guarantee
def once(client: RegistryClient) -> Promise:
    """The broker lists no member twice."""
    return Promise(
        "no consumer list from the broker contains one process twice",
        GROUP_INFO,
        _of_all(
            client,
            holds(CLOSED),
            refuted(CLOSED.dropping(CLOSES)),
            refuted(CLOSED.dropping(IN_ORDER), source=RECONNECT),
        ),
        bad=lambda s, lim: _twice(s),
        broken=lambda run: f"the broker answers {_answered(run)}: the list has the id of one member twice.",
        invariant=(part("single", "No earlier connection is listed.", lambda s, lim: Not(s.old)),),
        aside=ASIDE,
    )


@guarantee
def once_again(client: RegistryClient) -> Promise:
    """The broker removes a member's earlier connections."""
    late = Bound[Member, Limits](REMOVED, lambda s: s.old, lambda s: s.old_at)
    return Promise(
        f"the broker removes a member's old connection within {REMOVED.words} of its last registered heartbeat",
        GROUP_INFO,
        _of_all(client, holds(SCANNED)),
        bad=late.exceeded,
        broken=lambda run: (
            f"{_after(run, run.end.old_at)} its last registered heartbeat, an earlier connection is still listed."
        ),
        invariant=(IN_TIME,),
        bounds=(late,),
        aside=ASIDE,
    )


@guarantee
def agree(client: RegistryClient) -> Promise:
    """Two brokers list the same members, each once."""
    right = _change(longer(BEAT, REMOVED), lambda s: Not(And(is_listed(s) == s.alive, Not(_twice(s)))))

    def differ(run: Ran) -> bool:
        """Return whether the other broker's list still differs when the time bound has passed."""
        late = truth(run.end.now > right.last(run.end, run.limits))
        return late and elsewhere(run) != truth(run.end.mine) + truth(run.end.old)

    def same(e: Any, s: Member, c: Said, lim: Limits, other: Member) -> tuple[Mapping[str, Bool], Bool]:
        given: dict[str, Bool] = {}
        for one, broker in ((s, "one"), (other, "other")):
            given[f"no bound is exceeded at the {broker} broker"] = Not(right.exceeded(one, lim))
            given[f"the last change is long enough ago at the {broker} broker"] = one.now > right.last(one, lim)
        given["the member is alive for both brokers or for neither"] = s.alive == other.alive
        return given, And(is_listed(s) == is_listed(other), Not(_twice(s)), Not(_twice(other)))

    claims: Mapping[RegistryClient, Sequence[Holds]] = {
        ALL: (
            holds(AGREEING, notices=("scans-nothing",)),
            refuted(AGREEING.dropping(OFTEN_AT_BOTH), source=TWO_BROKERS),
        ),
        APART: (holds(AGREEING_ANYHOW, notices=("scans-nothing",)),),
    }
    return Promise(
        f"two brokers list the same processes, each once, when the last change is more than {right.span.words} ago",
        MANAGER,
        claims.get(client, ()),
        bad=right.exceeded,
        violated=differ,
        broken=lambda run: (
            f"{_after(run, run.end.change)} the last change, one broker lists the member and this one does not."
        ),
        invariant=(PAST, BEATING, RUNNING, SINCE, OWN_RECORD, IN_TIME, BEFORE),
        lemmas=(
            Lemma(
                "same",
                "If both brokers satisfy the invariant, and the last change is long enough ago, both list the member "
                "alike.",
                same,
                other="at the other broker",
            ),
        ),
        bounds=(right,),
        aside=ASIDE,
        where=(
            "the last change at both brokers: a member or connection comes or goes, a broker restarts, "
            "or a heartbeat registers after either has ended",
        ),
        brief=f"two brokers agree more than {right.span.words} after the last change",
    )


def _uninformed(s: Member) -> Bool:
    """Return the condition that the list has changed, and the broker has not notified the other members."""
    return And(s.stale, s.others)


@guarantee
def told(client: RegistryClient) -> Promise:
    """The broker notifies all others of every change of the list."""
    return Promise(
        "whenever a broker's list of a group changes for a member, the broker has sent a notification to all others in "
        "it",
        LISTENER,
        _of_all(
            client,
            holds(NOTIFIED),
            refuted(NOTIFIED.dropping(BY_CLOSE)),
            refuted(NOTIFIED.dropping(NOTIFIES)),
        ),
        bad=lambda s, lim: _uninformed(s),
        broken=f"the broker's list of the member has changed, but the broker has not notified {OTHER_ID}.",
        invariant=(part("tells", "Every change was notified to the other members.", lambda s, lim: Not(s.stale)),),
        aside=ASIDE,
        where=(CHANGES,),
        brief="the broker sends all others a notification of every change",
    )


@guarantee
def told_late(client: RegistryClient) -> Promise:
    """A broker that collects notifications sends each of them in time."""
    late = Bound[Member, Limits](COLLECT, _uninformed, lambda s: s.stale_at)

    def kept(s: Member, lim: Limits) -> Bool:
        return And(Implies(s.stale, s.collected), Implies(s.copying, s.taken == s.collected))

    def sends(s: Member, lim: Limits) -> Bool:
        recent = Implies(s.stale, s.flushed <= s.stale_at)
        return And(s.flushed <= s.now, s.now <= s.flushed + lim.collect, recent)

    return Promise(
        f"a 5.x broker that collects changes notifies a group's other members within {COLLECT.words} of its change",
        LISTENER,
        _of_all(client, holds(COLLECTED), refuted(COLLECTED.dropping(WHOLE))),
        bad=late.exceeded,
        broken=lambda run: (
            f"{_after(run, run.end.stale_at)} its list has changed, the broker has not notified {OTHER_ID}."
        ),
        invariant=(
            part(
                "kept",
                "A change without notification is in the collection, and in the copy that is being sent.",
                kept,
            ),
            part(
                "sends",
                "A change without notification is newer than the last send, which is at most maxSendGap ago.",
                sends,
            ),
        ),
        bounds=(late,),
        aside=(*ROUTE, *THROWS),
        where=(CHANGES,),
        brief=f"a 5.x broker that collects changes notifies a group's other members within {COLLECT.words}",
    )


@guarantee
def anew(client: RegistryClient) -> Promise:
    """The broker lists a member that has reconnected at once, if its client sends a heartbeat on connect."""

    def greets(s: Member, lim: Limits) -> Bool:
        return And(Implies(And(s.alive, s.link, Not(s.mine)), And(s.anew, s.change == s.now)))

    return Promise(
        "the broker lists a reconnected member on its new connection at once",
        ROUTES,
        {SILENT: (refuted(GREETED),), GREETING: (holds(GREETED),)}.get(client, ()),
        bad=lambda s, lim: And(s.alive, s.second, s.link, Not(s.mine), s.now > s.change),
        broken=lambda run: (
            f"{_after(run, run.end.change)} the member has reconnected, the broker does not list the new connection."
        ),
        invariant=(
            RUNNING,
            OWN_RECORD,
            part(
                "greets",
                "A connected member that is not listed on its connection has connected just now, and sends a "
                "heartbeat.",
                greets,
            ),
        ),
        aside=ASIDE,
    )


@guarantee
def routed(client: RegistryClient) -> Promise:
    """A client learns a changed route from its polls."""
    late = Bound[Member, Limits](POLL, lambda s: And(s.moved, Not(s.seen)), lambda s: s.moved_at)

    def polled(s: Member, lim: Limits) -> Bool:
        old = Implies(And(s.moved, Not(s.seen)), s.polled <= s.moved_at)
        return And(s.polled <= s.now, s.now <= s.polled + lim.poll, old)

    return Promise(
        f"a client has the current route within {POLL.words} of its last change on the name servers",
        ROUTES,
        _of_all(client, holds(POLLED), refuted(POLLED.dropping(POLLS))),
        bad=late.exceeded,
        broken=lambda run: (
            f"{_after(run, run.end.moved_at)} the route has changed, the client does not have the new route."
        ),
        invariant=(
            part(
                "polled",
                "The last route answer came at most maxPollGap ago; if it had the old route, it came before the "
                "change.",
                polled,
            ),
        ),
        bounds=(late,),
        aside=_but(*ROUTE),
    )


@guarantee
def route_as_long(client: RegistryClient) -> Promise:
    """The time limit of ``routed`` is sharp: a route can stay outdated that long."""

    def ways(lim: Limits) -> Iterator[Way]:
        yield [("polls", 0), ("moves", 0), ("observes", POLL.of(lim))]

    return Promise(
        f"whatever the limits, a client can use an outdated route for {POLL.words}",
        ROUTES,
        _of_all(client, holds(POLLED)),
        attained=Attained(
            "The route changes just after an answer with the old route has come.",
            ways,
            lambda s, lim: (Not(s.seen),),
            "polled-just-before",
        ),
    )


# ---- States in which code and terms are compared, in ticks

# Some states have one channel whose age is exactly at the limit and one a tick past it, which each scan treats
# differently. The member's part, the broker's table and the two steps of a heartbeat occur in all combinations.
# Notifications and the route occur in a few states with each.
_LIMITS = Limits(beat=2, expired=3, scan=1, collect=2, poll=2)
_NONE = {
    "alive": 0,
    "running": 0,
    "link": 0,
    "closing": 0,
    "leaving": 0,
    "died": 0,
    "threw": 0,
    "known": 0,
    "second": 0,
}
_MEMBERS = (
    _NONE,
    _NONE | {"alive": 1, "running": 1, "link": 1, "known": 1},
    _NONE | {"alive": 1, "running": 1, "known": 1, "second": 1},
    _NONE | {"running": 1, "link": 1, "leaving": 1, "known": 1, "threw": 1},
    _NONE | {"running": 1, "link": 1, "known": 1},
    _NONE | {"closing": 1, "died": 1, "known": 1, "second": 1},
)
"""States of the member.

In order: not started; connected; not connected; shut down with its unregister request in flight; shut down without it;
dead.
"""
_AGES = tuple((1, -number(_LIMITS.expired) - late) for late in (0, 1))
"""Ages of the last heartbeat of a listed channel: exactly at the limit, or one tick more."""
_TABLES = tuple(
    {"mine": mine, "at": at, "old": old, "old_at": old_at, "others": others}
    for (mine, at), (old, old_at), others in product(((0, -1), *_AGES), ((0, -1), *_AGES), (0, 1))
)
_BEATS = tuple(
    {"finding": finding, "orphan": orphan, "anew": anew}
    for (finding, orphan), anew in zip(((0, 0), (1, 0), (1, 1)), (1, 0, 0), strict=True)
)
_QUIET = {"stale": 0, "stale_at": -2, "collected": 0, "copying": 0, "taken": 0}
_ROUTE = {"moved": 0, "moved_at": -1, "polled": -1, "seen": 0}
_REST = (
    _QUIET | _ROUTE,
    _QUIET | {"stale": 1, "copying": 1} | _ROUTE | {"moved": 1, "seen": 1},
    _QUIET | {"stale": 1, "collected": 1, "copying": 1, "taken": 1} | _ROUTE | {"moved": 1},
)
"""States of notifications and of the route.

In order: no change to notify; a change that is neither collected nor copied; a change that is collected and copied.
"""
_ALIKE = ({"change": -1, "flushed": -1, "scanned": -1},)
"""Fields with the same value in every state."""

# ---- Runs in words


def _given(run: Ran) -> str:
    """Return the first line of a counterexample in words: the time limits that matter for it."""
    world, limits = run.world, run.limits
    told = {
        "heartbeats arrive every": limits.beat if world.beats else 0,
        "a scan removes channels that were silent for more than": 0 if world.of_route else limits.expired,
        "scans run every": limits.scan if SCANS in world else 0,
        "notifications are sent every": limits.collect if COLLECTS in world else 0,
        "routes are polled every": limits.poll if world.of_route else 0,
    }
    words = (f"{words} {number(value) / 1000:g} s" for words, value in told.items() if value)
    return f"One member X, one broker. Limits: {', '.join(words)}."


ANSWER = Answer[Member, Limits](
    answers,
    meaning="The ids in the broker's answer.",
    words=lambda ids: f"lists [{', '.join(ids)}]" if ids else "has an empty list and answers an error",
    counts="scans",
    counted=lambda many: f"{many} scans, which remove no member" if many > 1 else "1 scan, which removes no member",
    title="A member of a group, and a broker",
    runs=lambda s: s.alive,
    present=lambda s: s.link,
    spoke=("finds", "unregisters", "breaks", "closes_old", "refreshes"),
)

FEW = Limits(beat=10_000, expired=20_000, scan=10_000, collect=10_000, poll=10_000)
"""Limits with few ticks, for claims that hold and their mutants.

With the default limits, there are a hundred times as many states, and a run has a scan in each of thirteen ticks. A
tick is 10 s. With few ticks, exploration ends two ticks after a silent channel was removed.
"""
FEW_TICKS = Limits(beat=1, expired=2, scan=1, collect=1, poll=1)
TICKS = Limits(beat=3, expired=12, scan=1, collect=2, poll=3)

PAGE = Page(
    "registry",
    REGISTRY,
    CLIENTS,
    guarantee,
    WRONG,
    SLIPS,
    examples=DEFAULTS,
    search=Search(
        TICKS,
        end=15,
        most=15,
        limit=60,
        joined=True,
        fits=lambda client, claim: (FEW, FEW_TICKS) if claim.holds else (DEFAULTS, TICKS),
        end_of=lambda claim: 5 if claim.holds else 0,
    ),
    compared=Compared("registers", "registry", _LIMITS, (_MEMBERS, _TABLES, _BEATS, _REST, _ALIKE)),
    words=Words(
        "Members and routes",
        "Which members a broker lists, and for how long. Which members it notifies, and how old a route can be.",
        about=lambda client: f"One member of a group, and the registry of one broker, of {client.rocketmq_name}.",
        given=_given,
        who="member and broker",
        plural=True,
        around="1 consumer, 1 broker",
        called="brokers' registries",
        counted="of brokers' registries",
        state="a broker's table",
        observes=lambda run: (
            "The client's route is inspected" if run.world.of_route else "A client queries the member list"
        ),
        code="the code of member and broker",
        table="Columns are releases of brokers and clients; rows are conditions.",
        answer=ANSWER,
        parties=("X", "broker"),
    ),
    scopes=(
        "for any number of members, brokers and connections, and all limits of time",
        "the shortest run, in ticks, is shown",
    ),
    shown=TABLE,
)
