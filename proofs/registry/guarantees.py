"""The guarantees about a broker's registry and about routes."""

from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any

from rebalance_proofs.model.machine.record import flags
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
from rebalance_proofs.proofs.machine.run import seconds
from rebalance_proofs.proofs.obligation import Obligation, Statement
from rebalance_proofs.proofs.records import truths
from rebalance_proofs.proofs.registry import longest
from rebalance_proofs.proofs.registry.answers import Ran, answers, elsewhere
from rebalance_proofs.proofs.registry.bounds import BEAT, BOUNDS, COLLECT, POLL, REMOVED
from rebalance_proofs.proofs.registry.configuration import BAD, CONFIGURATION, twice
from rebalance_proofs.proofs.registry.invariant import INVARIANTS
from rebalance_proofs.proofs.registry.sources import GOODBYES, GROUP_INFO, LISTENER, MANAGER, PROCESSOR, ROUTES, START

__all__ = [
    "AGAIN",
    "AGREE",
    "ANEW",
    "AS_LONG",
    "AT_ONCE",
    "GONE",
    "GOOD_BYE",
    "LISTED",
    "NOT_STARTED",
    "ONCE",
    "ONCE_AGAIN",
    "ROUTED",
    "ROUTE_AS_LONG",
    "TOLD",
    "TOLD_LATE",
]

Proof = Induction[Member, Said, Limits, Variant]
Told = Callable[[Ran], str]
AGREEING = BOUNDS["agree"]
LAST = AGREEING.span.words.rstrip(",")
OTHER = "other_"
"""Prefix of the unknowns for the same member's state at another broker."""


def _of(
    name: str,
    sentence: str,
    source: str,
    told: Told,
    broken: Callable[[Ran], bool] | None = None,
    more: Callable[[Proof], Sequence[Obligation]] = lambda proof: (),
) -> Guarantee:
    """A guarantee proved by induction. ``told(run)``: the sentence about a run that violates it. ``broken(run)``:
    whether a run does, if its last state does not show that."""
    bad = BAD[name]

    def seen(run: Ran) -> str | None:
        return told(run) if (broken(run) if broken else truth(bad(run.end, run.limits))) else None

    return proved_by_induction(CONFIGURATION, ALL, name, sentence, source, INVARIANTS[name], bad, seen, more=more)


def _after(run: Ran, since: Int) -> str:
    return f"{seconds(run.end.now - since)} after"


def _answered(run: Ran) -> str:
    return f"[{', '.join(answers(run)[-1])}]"


def _two_differ(run: Ran) -> bool:
    """Whether the other broker, run as code, still differs after the last change has had its time."""
    late = truth(run.end.now > AGREEING.last(run.end, run.limits))
    return late and elsewhere(run) != truth(run.end.mine) + truth(run.end.old)


def _agreed(proof: Proof) -> tuple[Obligation, ...]:
    """Two brokers' states of one member: if both satisfy the invariant and enough time has passed at both, they list
    the same."""
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
            given[f"nothing bad is so at the {broker} broker"] = term(Not(AGREEING.exceeded(s, lim)))
            given[f"the last change is long enough ago at the {broker} broker"] = term(s.now > AGREEING.last(s, lim))
        given["it lives or does not, whichever broker one asks"] = term(one.alive == other.alive)
        single = [term(Not(twice(s, lim))) for s in (one, other)]
        return Statement(given, smt.And(listed(one) == listed(other), *single))

    sentence = "What is so at each of two brokers for long enough gives one list."
    return (about(CONFIGURATION, "same", sentence, state, *others),)


LISTED = _of(
    "listed",
    "each list of ids that the broker answers has every member that lives and of which it has registered a heartbeat",
    PROCESSOR,
    lambda run: f"the broker answers {_answered(run)}: the list lacks the member, which is alive.",
)
AGAIN = _of(
    "again",
    f"the broker lists a member that lives at most {BEAT.words} after the last of these: it was started, a connection "
    "of it was made, has ended or was removed, the broker restarted",
    MANAGER,
    lambda run: f"{_after(run, run.end.change)} the last of these, the broker does not list a live member.",
)
GONE = _of(
    "gone",
    f"at most {REMOVED.words} after a member has gone in any way, and the last heartbeat of it was registered, the "
    "broker lists it no longer",
    MANAGER,
    lambda run: f"{_after(run, run.end.change)} it left, the broker still lists it.",
)
AS_LONG = Guarantee(
    "as-long",
    f"whatever the limits are, as long as there is some time between two scans, it can be {REMOVED.words} until a "
    "broker lists a member no longer whose host has vanished",
    MANAGER,
    longest.of_hosts,
    lambda found: NO,
    lambda run: None,
)
NOT_STARTED = _of(
    "not-started",
    f"at most {REMOVED.words} after the `start()` of a member has thrown whose client instance runs already, the "
    "broker lists it no longer",
    START,
    lambda run: f"{_after(run, run.end.change)} its start has thrown, the broker still lists the member.",
)
AT_ONCE = _of(
    "at-once",
    "when a process dies the broker lists no member of it any longer by the connection that it had last",
    MANAGER,
    lambda run: f"{_after(run, run.end.change)} it died, the broker still lists it.",
)
GOOD_BYE = _of(
    "good-bye",
    "when a member was shut down the broker lists it no longer by the connection that it had last",
    GOODBYES,
    lambda run: f"{_after(run, run.end.change)} it was shut down, the broker still lists it.",
)
ONCE = _of(
    "once",
    "no list that the broker answers has the id of a process twice",
    GROUP_INFO,
    lambda run: f"the broker answers {_answered(run)}: the list has the id of one member twice.",
)
ONCE_AGAIN = _of(
    "once-again",
    f"at most {REMOVED.words} after the last heartbeat by an earlier connection of a member was registered, the broker "
    "lists it by that connection no longer",
    GROUP_INFO,
    lambda run: f"{_after(run, run.end.old_at)} its last heartbeat, an earlier connection is still listed.",
)
AGREE = _of(
    "agree",
    f"two brokers list the same ids, once each, when the last change is longer ago than {LAST}: no member has come or "
    "gone, and no connection, no heartbeat was registered when its connection had ended, and neither broker has "
    "restarted",
    MANAGER,
    lambda run: f"{_after(run, run.end.change)} the last change, one broker lists the member and this one does not.",
    _two_differ,
    _agreed,
)
TOLD = _of(
    "told",
    "whenever what a broker lists of a member has changed, it has sent a notification to all others that it lists then",
    LISTENER,
    lambda run: f"the broker's list of the member has changed, but the broker has not notified {OTHER_ID}.",
)
TOLD_LATE = _of(
    "told-late",
    "from 5.0 on a broker that collects changes has sent a notification to all others that it lists at most "
    f"{COLLECT.words} after what it lists of a member has changed",
    LISTENER,
    lambda run: f"{_after(run, run.end.stale_at)} its list has changed, the broker has not notified {OTHER_ID}.",
)
ANEW = _of(
    "anew",
    "a member that was listed before, and has made a new connection, is listed by it at once",
    ROUTES,
    lambda run: (
        f"{_after(run, run.end.change)} the member has reconnected, the broker does not list the new connection."
    ),
)
ROUTED = _of(
    "routed",
    f"at most {POLL.words} after the route has changed for the last time at the name servers, a client has it as it is "
    "now",
    ROUTES,
    lambda run: f"{_after(run, run.end.moved_at)} the route has changed, the client does not have the new route.",
)
ROUTE_AS_LONG = Guarantee(
    "route-as-long",
    f"whatever the limits are, it can be {POLL.words} until a client has the new route",
    ROUTES,
    longest.of_routes,
    lambda found: NO,
    lambda run: None,
)
