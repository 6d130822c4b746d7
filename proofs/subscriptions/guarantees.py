"""What is claimed about subscriptions."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from types import SimpleNamespace
from typing import Any

import z3

from rebalance_proofs.model.subscriptions.actions import SubscriptionsEncoding
from rebalance_proofs.model.subscriptions.clients import SubscriptionsClient
from rebalance_proofs.model.subscriptions.limits import Limits
from rebalance_proofs.model.subscriptions.state import State
from rebalance_proofs.model.terms.truth import NO
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.guarantee import Guarantee
from rebalance_proofs.proofs.obligation import Obligation, Statement
from rebalance_proofs.proofs.subscriptions import invariant, longest
from rebalance_proofs.proofs.subscriptions.inductive import about, kept, well
from rebalance_proofs.proofs.subscriptions.members import NEWEST, Members
from rebalance_proofs.proofs.subscriptions.run import Run
from rebalance_proofs.proofs.subscriptions.situation import Situation
from rebalance_proofs.proofs.subscriptions.sources import (
    CONSUMER_GROUP_INFO,
    PULL_PROCESSOR,
    REBALANCE_PUSH,
)
from rebalance_proofs.proofs.subscriptions.variables import limits_of, state_of

__all__ = [
    "ACCEPTED",
    "ACCEPTED_SOON",
    "ALL_TAGS",
    "ANSWERED",
    "ANSWERED_LATER",
    "AS_LONG",
    "AS_LONG_APART",
    "CALM",
    "EXACTLY",
    "FIRST_PULL",
    "NEVER_AGAIN",
    "OWN_TAGS",
    "POSTED",
    "RESTLESS",
    "Bad",
    "Promise",
    "bad_of",
    "made",
    "sought",
]

Bad = Callable[[State, Limits], z3.BoolRef]
Shows = Callable[[SubscriptionsClient, Members], invariant.Conjuncts]


@dataclass(frozen=True)
class Promise:
    """A guarantee before its client is known."""

    name: str
    sentence: str
    source: str
    bad: Bad
    """What must not be so."""
    conjuncts: Shows
    """What is always so, and excludes it."""
    violation: Callable[[Run], str | None]
    shown: str
    """The name of the obligation that it does; no other kind's has it."""
    obligations: Callable[[SubscriptionsClient], Iterator[Obligation]] | None = None
    """Where it is not that something is always so."""


def _never(state: State, limits: Limits) -> z3.BoolRef:
    return NO


def _seconds(ms: int) -> str:
    return f"{ms / 1000:,.3f} s"


def _stirred(run: Run) -> str | None:
    return "a heartbeat changes the topics of the group's table, and every member is notified." if run.stirred else None


CALM = Promise(
    "calm",
    "once a heartbeat of the group has come, no other one, whatever its versions are, changes which topics the "
    "broker's table of the group has; so none makes the broker notify the members of that",
    CONSUMER_GROUP_INFO,
    lambda state, limits: state.me.stirred,
    lambda client, world: invariant.calm(client),
    _stirred,
    "still-calm",
)
"""With equal sets of topics."""
EXACTLY = Promise(
    "exactly",
    "a heartbeat changes which topics the broker's table of the group has, and so makes it notify all members, if "
    "and only if the heartbeat before it, of whichever member, had other topics",
    CONSUMER_GROUP_INFO,
    lambda state, limits: state.me.odd,
    lambda client, world: invariant.exactly(client),
    lambda run: "a heartbeat changes the table though the one before had the same topics." if run.odd else None,
    "changes-exactly",
)


def _rests(run: Run) -> str | None:
    rests = run.end - run.changed
    return f"for {_seconds(rests)} no heartbeat changes the table." if rests > run.limits.apart else None


RESTLESS = Promise(
    "restless",
    "the last time that the broker's table of the group changed which topics it has, and so made the broker notify "
    "all members, is never longer ago than two heartbeats of one member may be apart",
    CONSUMER_GROUP_INFO,
    lambda state, limits: state.now > state.me.changed + limits.apart,
    lambda client, world: invariant.restless(client),
    _rests,
    "not-at-rest",
)
"""With unequal ones."""


def _refused(longest_time: Callable[[Limits], Any]) -> Bad:
    return lambda state, limits: z3.And(state.me.refused, state.me.asked > state.me.moved + longest_time(limits))


def _late(longest_time: Callable[[Limits], Any]) -> Callable[[Run], str | None]:
    def violation(run: Run) -> str | None:
        if not run.refused or run.asked <= run.moved + longest_time(run.limits):
            return None
        return f"{_seconds(run.asked - run.moved)} after {run.since} a pull of the member's is refused."

    return violation


def _at_once(limits: Limits) -> Any:
    return limits.beat


CHANGE = "after the last change of a member's table of queues"
ACCEPTED_SOON = Promise(
    "accepted-soon",
    f"when the longest heartbeat to all brokers is over {CHANGE}, the broker refuses no pull of its",
    PULL_PROCESSOR,
    _refused(_at_once),
    lambda client, world: invariant.accepted_at_once(client),
    _late(_at_once),
    "refused-no-longer",
)
ACCEPTED = Promise(
    "accepted",
    f"when the period of heartbeats and twice the longest one are over {CHANGE}, the broker refuses no pull of its",
    PULL_PROCESSOR,
    _refused(invariant.longest),
    lambda client, world: invariant.accepted_later(client),
    _late(invariant.longest),
    "refused-no-more",
)
AS_LONG = Promise(
    "as-long",
    "whatever the limits are, a member's pull, of a queue that it has added or keeps, can be refused the period of "
    "heartbeats and twice the longest one after the last change of its table of queues",
    REBALANCE_PUSH,
    _never,
    lambda client, world: {},
    lambda run: None,
    "",
    longest.as_long,
)


FIRST_PULL = Promise(
    "first-pull",
    "the first pull of a queue that a member adds is not refused",
    REBALANCE_PUSH,
    lambda state, limits: state.me.barred,
    lambda client, world: invariant.first_pull(client),
    lambda run: "the first pull of a queue that the member has added is refused." if run.barred else None,
    "first-let-through",
)


def _unanswered(heartbeats: int) -> Callable[[Run], str | None]:
    def violation(run: Run) -> str | None:
        if not run.refused or run.end < run.first + heartbeats * run.limits.apart:
            return None
        return f"{_seconds(run.end - run.first)} after a pull was refused none has been let through."

    return violation


ANSWERED = Promise(
    "answered",
    "a pull that is refused is followed by one that is let through, sooner than two heartbeats of one member may be "
    "apart",
    PULL_PROCESSOR,
    lambda state, limits: z3.And(state.me.refused, state.now >= state.me.first + limits.apart),
    lambda client, world: invariant.answered(client),
    _unanswered(1),
    "answered-soon",
)
ANSWERED_LATER = Promise(
    "answered-later",
    "a pull that is refused is followed by one that is let through, sooner than three heartbeats of one member, one "
    "after the other, may be apart",
    PULL_PROCESSOR,
    lambda state, limits: z3.And(state.me.refused, state.now >= state.me.first + 2 * limits.apart),
    lambda client, world: invariant.answered_later(client),
    _unanswered(2),
    "answered-at-last",
)
AS_LONG_APART = Promise(
    "answered-as-late",
    "whatever the limits are, if heartbeats of a member are apart by the period and up to the longest heartbeat more, "
    "and a pull follows before the next one is due: it can be one ms less than they are apart from a pull that is "
    "refused to one that is let through",
    PULL_PROCESSOR,
    _never,
    lambda client, world: {},
    lambda run: None,
    "",
    longest.as_long_apart,
)
NEVER_AGAIN = Promise(
    "never-answered",
    "whatever the limits are: once a pull is refused because the broker's table lacks the topic, and where no other "
    "member subscribes to it, and after each heartbeat of the member one of another member comes before its next pull, "
    "none is let through any more, however long that lasts",
    PULL_PROCESSOR,
    _never,
    lambda client, world: {},
    lambda run: None,
    "",
    longest.never_again,
)


def _own(client: SubscriptionsClient, world: Members) -> invariant.Conjuncts:
    return (invariant.own_tags_newest if world == NEWEST else invariant.own_tags)(client)


OWN_TAGS = Promise(
    "own-tags",
    "no pull of a member's skips a message that its own expression takes",
    PULL_PROCESSOR,
    lambda state, limits: state.me.lost,
    _own,
    lambda run: "a pull of the member's skips a message that its own expression takes." if run.lost else None,
    "own-found",
)
POSTED = Promise(
    "posted",
    "no pull that has the member's expression with it is refused because of the group's subscriptions, or skips a "
    "message that this expression takes",
    PULL_PROCESSOR,
    lambda state, limits: z3.Or(state.me.lost, state.me.refused),
    lambda client, world: invariant.posted(client),
    lambda run: "a pull is refused, or skips a message that its expression takes." if run.lost or run.refused else None,
    "posted-found",
)
ALL_TAGS = Promise(
    "all-tags",
    "no pull of any member's skips a message that the expression of one of them takes",
    PULL_PROCESSOR,
    lambda state, limits: state.me.missed,
    lambda client, world: invariant.all_tags(client),
    lambda run: (
        "a pull of another member's skips a message that the member's expression takes." if run.missed else None
    ),
    "all-found",
)
OF_PROMISES = {
    one.name: one
    for one in (
        CALM,
        EXACTLY,
        RESTLESS,
        ACCEPTED_SOON,
        ACCEPTED,
        AS_LONG,
        FIRST_PULL,
        ANSWERED,
        ANSWERED_LATER,
        AS_LONG_APART,
        NEVER_AGAIN,
        OWN_TAGS,
        POSTED,
        ALL_TAGS,
    )
}


def promise_of(claim: Claim) -> Promise:
    """Which one it makes."""
    return OF_PROMISES[claim.guarantee.name]


def sought(claim: Claim) -> bool:
    """It is broken by runs, and not made of one."""
    return not promise_of(claim).obligations


def bad_of(claim: Claim) -> Bad:
    """What must not be so."""
    return promise_of(claim).bad


@cache
def made(promise: Promise, client: SubscriptionsClient, *, holds: bool) -> Guarantee:
    """Of that client."""

    @cache
    def obligations(world: Members) -> tuple[Obligation, ...]:
        return tuple(_obligations(promise, client, world)) if holds else ()

    def violated(found: Situation) -> z3.BoolRef:
        return z3.simplify(promise.bad(found.state, found.limits))

    return Guarantee(promise.name, promise.sentence, promise.source, obligations, violated, promise.violation)


def _obligations(promise: Promise, client: SubscriptionsClient, world: Members) -> Iterator[Obligation]:
    if promise.obligations:
        yield from promise.obligations(client)
        return
    conjuncts = promise.conjuncts(client, world)
    yield from kept(conjuncts, client, world)

    def shown(e: SubscriptionsEncoding, v: SimpleNamespace) -> Statement:
        return Statement(well(conjuncts, v), z3.Not(promise.bad(state_of(v), limits_of(v))))

    yield about(promise.shown, f"Where all is well, {promise.sentence}.", shown)
