"""The guarantees about a broker's registry of consumers, and about routes."""

from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any

from rebalance_proofs.model.machine.record import flags
from rebalance_proofs.model.machine.run import seconds
from rebalance_proofs.model.machine.values import Int, Not, term, truth
from rebalance_proofs.model.registry.clients import ALL
from rebalance_proofs.model.registry.group import OTHER_ID
from rebalance_proofs.model.registry.limits import Limits
from rebalance_proofs.model.registry.state import Member, Said, Variant, listed
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.truth import NO
from rebalance_proofs.proofs.guarantee import Guarantee
from rebalance_proofs.proofs.machine.configuration import part
from rebalance_proofs.proofs.machine.induction import Induction, about
from rebalance_proofs.proofs.machine.kind import proved_by_induction
from rebalance_proofs.proofs.obligation import Obligation, Statement
from rebalance_proofs.proofs.records import truths
from rebalance_proofs.proofs.registry import longest
from rebalance_proofs.proofs.registry.answers import Ran, answers, elsewhere
from rebalance_proofs.proofs.registry.bounds import BEAT, BOUNDS, COLLECT, POLL, REMOVED
from rebalance_proofs.proofs.registry.configuration import BAD, CONFIGURATION, twice
from rebalance_proofs.proofs.registry.invariant import INVARIANTS
from rebalance_proofs.proofs.registry.sources import GOODBYES, GROUP_INFO, LISTENER, MANAGER, PROCESSOR, ROUTES, START

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
    longest.of_hosts,
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
    longest.of_routes,
    lambda found: NO,
    lambda run: None,
)
