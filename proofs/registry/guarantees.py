"""The guarantees about a broker's registry of consumers, and about routes."""

from collections.abc import Callable, Sequence
from functools import cache
from types import SimpleNamespace
from typing import Any

from rebalance_proofs.model.machine.happens import Happens
from rebalance_proofs.model.machine.machine import act_of
from rebalance_proofs.model.machine.record import flags
from rebalance_proofs.model.machine.run import seconds
from rebalance_proofs.model.machine.values import And, Bool, If, Int, Not, Or, term, truth
from rebalance_proofs.model.registry.clients import ALL
from rebalance_proofs.model.registry.group import OTHER_ID
from rebalance_proofs.model.registry.state import Limits, Member, Said, Variant, listed
from rebalance_proofs.model.releases import SOURCES
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.finite import NO
from rebalance_proofs.proofs.guarantee import Guarantee
from rebalance_proofs.proofs.machine.configuration import OBSERVES, part
from rebalance_proofs.proofs.machine.induction import Induction, about
from rebalance_proofs.proofs.machine.kind import proved_by_induction
from rebalance_proofs.proofs.machine.unrolling import unrolled
from rebalance_proofs.proofs.obligation import Obligation, Statement, truths
from rebalance_proofs.proofs.registry.answers import Ran, answers, elsewhere
from rebalance_proofs.proofs.registry.configuration import BAD, CONFIGURATION, twice
from rebalance_proofs.proofs.registry.invariant import BEAT, BOUNDS, COLLECT, INVARIANTS, POLL, REMOVED
from rebalance_proofs.proofs.registry.membership import LEFT, POLLED, Membership

# Proofs that the time limits of the registry are sharp: runs that take that long.
# The runs exist for all limits.

Terms = dict[str, smt.BoolTerm]
happens = CONFIGURATION.happens
SCANS = happens("scans", True, False, False, False)
"""The choices of a scan that removes no other channel, with no earlier close event."""


def _lost(s: Member, lim: Limits) -> Bool:
    """Return the condition that a host vanished after its last heartbeat, but is still listed.

    A scan has just come, too early to remove it.
    """
    busy = Or(s.alive, s.leaving, s.finding, s.copying)
    early = And(s.at <= s.scanned, s.scanned <= s.at + lim.expired)
    return And(s.mine, Not(busy), s.change == s.at, early, s.scanned == s.now)


def _asked(lim: Limits) -> Terms:
    more = {"the time between two scans is positive": lim.scan >= 1}
    return {words: term(so) for words, so in (LEFT.given(lim) | more).items()}


def _vanished(s: Member, lim: Limits, v: SimpleNamespace) -> Terms:
    return CONFIGURATION.truths(v) | _asked(lim) | {"a host has vanished": term(_lost(s, lim))}


def _ran(encoding: Any, world: Membership, lim: Limits, schedule: Sequence[tuple[Happens, Any]]) -> tuple[Bool, Member]:
    actions, times = zip(*schedule, strict=True)
    found = unrolled(CONFIGURATION, ALL, encoding, world, lim, actions, times)
    return And(*found.constraints.values()), found.state


def _begins(encoding: Any, v: SimpleNamespace) -> Statement:
    _, _, lim = CONFIGURATION.given(v)
    begin = (happens("starts"), happens("finds"), happens("puts", False, False), happens("vanishes"))
    possible, end = _ran(encoding, LEFT, lim, [(one, 0) for one in begin])
    return Statement(_asked(lim), term(And(possible, _lost(end, lim))))


def _goes_on(encoding: Any, v: SimpleNamespace) -> Statement:
    """State that the situation is the same after another late scan, before the host expires."""
    s, _, lim = CONFIGURATION.given(v)
    last = s.at + lim.expired
    until = If(s.now + lim.scan < last, s.now + lim.scan, last)
    given = s.at_time(until), CONFIGURATION.chosen(SCANS, lim).terms(), lim
    turn = act_of(encoding, SCANS.action)(*given)
    can = And(LEFT.waits(s, until, lim), turn.guard, LEFT.permits(SCANS.action, *given))
    then = And(can, _lost(turn.after, lim), turn.after.scanned == until, until > s.now)
    return Statement(_vanished(s, lim, v) | {"the host has not expired": term(s.now < last)}, term(then))


def _ends(encoding: Any, v: SimpleNamespace) -> Statement:
    s, _, lim = CONFIGURATION.given(v)
    over = {"the last scan came at the end of the expiry time": term(s.now == s.at + lim.expired)}
    return Statement(_vanished(s, lim, v) | over, term(LEFT.waits(s, BOUNDS["gone"].last(s, lim), lim)))


@cache
def of_hosts(world: Membership) -> tuple[Obligation, ...]:
    """Return the obligations that a vanished host can stay listed for the whole limit.

    They cover the start of the run, each early scan, and the wait for the last scan.
    """
    early = "Each scan, as late as possible but before the expiry, leaves the host in the list."
    return (
        about(
            CONFIGURATION, "host-vanishes", "A host vanishes just after its first heartbeat was registered.", _begins
        ),
        about(CONFIGURATION, "scan-too-early", early, _goes_on),
        about(
            CONFIGURATION,
            "scan-at-last",
            "After a scan just before the expiry, the next scan comes up to maxScanGap later.",
            _ends,
        ),
    )


@cache
def of_routes(world: Membership) -> tuple[Obligation, ...]:
    """Return the obligation that a route can stay outdated for the whole limit."""

    def state(encoding: Any, v: SimpleNamespace) -> Statement:
        _, _, lim = CONFIGURATION.given(v)
        run = (happens("polls"), 0), (happens("moves"), 0), (happens(OBSERVES), POLL.of(lim))
        possible, end = _ran(encoding, POLLED, lim, run)
        given = {words: term(so) for words, so in POLLED.given(lim).items()}
        return Statement(given, term(And(possible, Not(end.seen))))

    sentence = "The route changes just after an answer with the old route has come."
    return (about(CONFIGURATION, "polled-just-before", sentence, state),)


# Addresses of the RocketMQ sources and issues about the behaviour of brokers and clients.

_BROKER = f"{SOURCES}/broker/src/main/java/org/apache/rocketmq/broker"
_ISSUES = "https://github.com/apache/rocketmq/issues"

MANAGER = f"{_BROKER}/client/ConsumerManager.java"
GROUP_INFO = f"{_BROKER}/client/ConsumerGroupInfo.java"
LISTENER = f"{_BROKER}/client/DefaultConsumerIdsChangeListener.java"
GOODBYES = f"{_BROKER}/processor/ClientManageProcessor.java"
PROCESSOR = f"{_BROKER}/processor/ConsumerManageProcessor.java"
ROUTES = f"{SOURCES}/client/src/main/java/org/apache/rocketmq/client/impl/factory/MQClientInstance.java"
START = f"{SOURCES}/client/src/main/java/org/apache/rocketmq/client/impl/consumer/DefaultMQPushConsumerImpl.java"
RESTART, RECONNECT, TWO_BROKERS, SHARED = (f"{_ISSUES}/{number}" for number in (9830, 7870, 1095, 10435))


Proof = Induction[Member, Said, Limits, Variant]
Told = Callable[[Ran], str]
AGREEING = BOUNDS["agree"]
LAST = AGREEING.span.words
COUNTED = "time counted from the member's last registered heartbeat, if that is later than its end"
CHANGES = "membership changes: channels of a member added or removed, while other members are listed"
OTHER = "other_"
"""Prefix of the unknowns for the state of the same member at another broker."""


def _of(
    name: str,
    sentence: str,
    source: str,
    told: Told,
    broken: Callable[[Ran], bool] | None = None,
    more: Callable[[Proof], Sequence[Obligation]] = lambda proof: (),
    assumes: tuple[str, ...] = (),
    where: tuple[str, ...] = (),
    brief: str = "",
) -> Guarantee:
    """Return a guarantee that is proved by induction.

    ``told(run)`` is the sentence about a run that violates it. ``broken(run)`` is whether a run violates it, if the
    run's last state does not show that.
    """
    bad = BAD[name]

    def seen(run: Ran) -> str | None:
        return told(run) if (broken(run) if broken else truth(bad(run.end, run.limits))) else None

    return proved_by_induction(
        CONFIGURATION,
        ALL,
        name,
        sentence,
        source,
        INVARIANTS[name],
        bad,
        seen,
        assumes=assumes,
        where=where,
        brief=brief,
        more=more,
    )


def _after(run: Ran, since: Int) -> str:
    return f"{seconds(run.end.now - since)} after"


def _answered(run: Ran) -> str:
    return f"[{', '.join(answers(run)[-1])}]"


def _two_differ(run: Ran) -> bool:
    """Return whether the other broker's list still differs when the time bound has passed.

    The other broker is run as code.
    """
    late = truth(run.end.now > AGREEING.last(run.end, run.limits))
    return late and elsewhere(run) != truth(run.end.mine) + truth(run.end.old)


def _agreed(proof: Proof) -> tuple[Obligation, ...]:
    """Return the obligation that two brokers list a member equally often.

    Both states satisfy the invariant, and enough time has passed since the last change at both brokers.
    """
    own, known = CONFIGURATION.own, flags(Member)
    others = tuple(f"{OTHER}{name}" for name in own)

    def state(encoding: Any, v: SimpleNamespace) -> Statement:
        one, _, lim = CONFIGURATION.given(v)
        other = one.but(**part(Member, v, own, lambda name: f"{OTHER}{name}"))
        its = {f"At the other broker: {so.sentence}": term(so.holds(other, lim)) for so in proof.invariant}
        given = proof.well(v) | its
        told = truths(v, [name for name in others if name.removeprefix(OTHER) in known])
        given |= {f"at the other broker {words}": so for words, so in told.items()}
        for s, broker in ((one, "one"), (other, "other")):
            given[f"no bound is exceeded at the {broker} broker"] = term(Not(AGREEING.exceeded(s, lim)))
            given[f"the last change is long enough ago at the {broker} broker"] = term(s.now > AGREEING.last(s, lim))
        given["the member is alive for both brokers or for neither"] = term(one.alive == other.alive)
        single = [term(Not(twice(s, lim))) for s in (one, other)]
        return Statement(given, smt.And(listed(one) == listed(other), *single))

    sentence = (
        "If both brokers satisfy the invariant, and the last change is long enough ago, both list the member alike."
    )
    return (about(CONFIGURATION, "same", sentence, state, *others),)


LISTED = _of(
    "listed",
    "every consumer list from the broker contains each live member with a registered heartbeat",
    PROCESSOR,
    lambda run: f"the broker answers {_answered(run)}: the list lacks the member, which is alive.",
)
AGAIN = _of(
    "again",
    f"the broker lists a live member within {BEAT.words} of its start, a connection change or a broker restart",
    MANAGER,
    lambda run: f"{_after(run, run.end.change)} the last of these, the broker does not list a live member.",
    where=(
        "the last change: its start (or `start()` throws), a connection made, ended or removed, a heartbeat registered "
        "after its connection ended, or a broker restart",
    ),
    brief=f"the broker lists a live member within {BEAT.words} of the last change",
)
GONE = _of(
    "gone",
    f"the broker removes a stopped member within {REMOVED.words} of its end or last registered heartbeat",
    MANAGER,
    lambda run: f"{_after(run, run.end.change)} it left, the broker still lists it.",
    assumes=(COUNTED,),
    brief=f"the broker removes a stopped member within {REMOVED.words} of its end",
)
AS_LONG = Guarantee(
    "as-long",
    f"whatever the limits, the broker can list a member on a vanished host for {REMOVED.words}",
    MANAGER,
    of_hosts,
    lambda found: NO,
    lambda run: None,
    assumes=("maxScanGap > 0",),
)
NOT_STARTED = _of(
    "not-started",
    f"if `start()` throws in a running client instance, the broker removes the member within {REMOVED.words} of that",
    START,
    lambda run: f"{_after(run, run.end.change)} its start has thrown, the broker still lists the member.",
    assumes=(COUNTED,),
)
AT_ONCE = _of(
    "at-once",
    "when a live member's process dies, the broker no longer lists its latest connection",
    MANAGER,
    lambda run: f"{_after(run, run.end.change)} it died, the broker still lists it.",
)
GOOD_BYE = _of(
    "good-bye",
    "when a member shuts down, the broker no longer lists its latest connection",
    GOODBYES,
    lambda run: f"{_after(run, run.end.change)} it was shut down, the broker still lists it.",
)
ONCE = _of(
    "once",
    "no consumer list from the broker contains one process twice",
    GROUP_INFO,
    lambda run: f"the broker answers {_answered(run)}: the list has the id of one member twice.",
)
ONCE_AGAIN = _of(
    "once-again",
    f"the broker removes a member's old connection within {REMOVED.words} of its last registered heartbeat",
    GROUP_INFO,
    lambda run: f"{_after(run, run.end.old_at)} its last registered heartbeat, an earlier connection is still listed.",
)
AGREE = _of(
    "agree",
    f"two brokers list the same processes, each once, when the last change is more than {LAST} ago",
    MANAGER,
    lambda run: f"{_after(run, run.end.change)} the last change, one broker lists the member and this one does not.",
    _two_differ,
    _agreed,
    where=(
        "the last change at both brokers: a member or connection comes or goes, a broker restarts, "
        "or a heartbeat registers after either has ended",
    ),
    brief=f"two brokers agree more than {LAST} after the last change",
)
TOLD = _of(
    "told",
    "whenever a broker's list of a group changes for a member, the broker has sent a notification to all others in it",
    LISTENER,
    lambda run: f"the broker's list of the member has changed, but the broker has not notified {OTHER_ID}.",
    where=(CHANGES,),
    brief="the broker sends all others a notification of every change",
)
TOLD_LATE = _of(
    "told-late",
    f"a 5.x broker that collects changes notifies a group's other members within {COLLECT.words} of its change",
    LISTENER,
    lambda run: f"{_after(run, run.end.stale_at)} its list has changed, the broker has not notified {OTHER_ID}.",
    where=(CHANGES,),
    brief=f"a 5.x broker that collects changes notifies a group's other members within {COLLECT.words}",
)
ANEW = _of(
    "anew",
    "the broker lists a reconnected member on its new connection at once",
    ROUTES,
    lambda run: (
        f"{_after(run, run.end.change)} the member has reconnected, the broker does not list the new connection."
    ),
)
ROUTED = _of(
    "routed",
    f"a client has the current route within {POLL.words} of its last change on the name servers",
    ROUTES,
    lambda run: f"{_after(run, run.end.moved_at)} the route has changed, the client does not have the new route.",
)
ROUTE_AS_LONG = Guarantee(
    "route-as-long",
    f"whatever the limits, a client can use an outdated route for {POLL.words}",
    ROUTES,
    of_routes,
    lambda found: NO,
    lambda run: None,
)
