"""The guarantees about subscriptions."""

from collections.abc import Callable
from functools import cache

from rebalance_proofs.model.machine.values import truth
from rebalance_proofs.model.subscriptions.clients import SubscriptionsClient
from rebalance_proofs.model.subscriptions.limits import Limits
from rebalance_proofs.model.subscriptions.state import Subscription
from rebalance_proofs.model.terms.truth import NO
from rebalance_proofs.proofs.guarantee import Guarantee, always
from rebalance_proofs.proofs.machine.kind import proved_by_induction
from rebalance_proofs.proofs.machine.run import Run, seconds
from rebalance_proofs.proofs.obligation import Obligation
from rebalance_proofs.proofs.subscriptions import invariant, longest
from rebalance_proofs.proofs.subscriptions.bounds import APART, BEAT, SKIPPED
from rebalance_proofs.proofs.subscriptions.configuration import BAD, CONFIGURATION
from rebalance_proofs.proofs.subscriptions.sources import CONSUMER_GROUP_INFO, PULL_PROCESSOR, REBALANCE_PUSH

__all__ = [
    "accepted",
    "accepted_soon",
    "all_tags",
    "answered",
    "answered_later",
    "as_long",
    "as_long_apart",
    "calm",
    "exactly",
    "first_pull",
    "never_again",
    "own_tags",
    "own_tags_newest",
    "posted",
    "restless",
]

Ran = Run[Subscription, Limits]
CHANGE = "after the last change of a member's table of queues"


def _proved(
    client: SubscriptionsClient,
    name: str,
    sentence: str,
    source: str,
    conjuncts: invariant.Invariant,
    shown: str,
    broken: str | Callable[[Ran], str],
) -> Guarantee:
    """A guarantee proved by induction.

    ``shown``: the name of the last obligation. ``broken``: the sentence about a run that violates the guarantee. If the
    invariant does not mention whether the member subscribes to the topic, the proof covers both.
    """

    def seen(run: Ran) -> str | None:
        if not truth(BAD[name](run.end, run.limits)):
            return None
        return broken if isinstance(broken, str) else broken(run)

    return proved_by_induction(
        CONFIGURATION,
        client,
        name,
        sentence,
        source,
        conjuncts,
        BAD[name],
        seen,
        (shown, sentence),
        open=invariant.TOPIC not in conjuncts,
    )


def _runs(name: str, sentence: str, source: str, *obligations: Obligation) -> Guarantee:
    """A guarantee that runs exist, proved by these obligations."""
    return Guarantee(name, sentence, source, always(*obligations), lambda found: NO, lambda run: None)


@cache
def calm(client: SubscriptionsClient) -> Guarantee:
    """The table does not change if all members have equal sets of topics."""
    return _proved(
        client,
        "calm",
        "once a heartbeat of the group has come, no other one, whatever its versions are, changes which topics the "
        "broker's table of the group has; so none makes the broker notify the members of that",
        CONSUMER_GROUP_INFO,
        invariant.CALM,
        "still-calm",
        "a heartbeat changes the topics of the group's table, and every member is notified.",
    )


@cache
def exactly(client: SubscriptionsClient) -> Guarantee:
    """The table changes exactly when a heartbeat's topics differ from those of the one before."""
    return _proved(
        client,
        "exactly",
        "a heartbeat changes which topics the broker's table of the group has, and so makes it notify all members, if "
        "and only if the heartbeat before it, of whichever member, had other topics",
        CONSUMER_GROUP_INFO,
        invariant.EXACTLY,
        "changes-exactly",
        "a heartbeat changes the table though the one before had the same topics.",
    )


@cache
def restless(client: SubscriptionsClient) -> Guarantee:
    """The table keeps changing if members have unequal sets of topics."""

    def rests(run: Ran) -> str:
        return f"for {seconds(run.end.now - run.end.changed)} no heartbeat changes the table."

    return _proved(
        client,
        "restless",
        "the last time that the broker's table of the group changed which topics it has, and so made the broker notify "
        f"all members, is never longer ago than {APART.words}",
        CONSUMER_GROUP_INFO,
        invariant.RESTLESS,
        "not-at-rest",
        rests,
    )


def _late(run: Ran) -> str:
    s = run.end
    moves = [seen.happens.action for seen in run.seen if seen.happens.action in ("raises", "forgets")]
    since = {
        "": "the member's start",
        "raises": "the member's queue table changed",
        "forgets": "the broker forgot the group",
    }[moves[-1] if moves else ""]
    return f"{seconds(s.asked - s.moved)} after {since}, the broker refuses a pull of the member."


@cache
def accepted_soon(client: SubscriptionsClient) -> Guarantee:
    """Pulls are accepted soon after a change, because the heartbeat that it sends arrives."""
    return _proved(
        client,
        "accepted-soon",
        f"when {BEAT.words} is over {CHANGE}, the broker refuses no pull of its",
        PULL_PROCESSOR,
        invariant.accepted_at_once(client),
        "refused-no-longer",
        _late,
    )


@cache
def accepted(client: SubscriptionsClient) -> Guarantee:
    """Pulls are accepted after a change even if its own heartbeat was skipped: a later one brings the version."""
    return _proved(
        client,
        "accepted",
        f"when {SKIPPED.words} are over {CHANGE}, the broker refuses no pull of its",
        PULL_PROCESSOR,
        invariant.accepted_later(client),
        "refused-no-more",
        _late,
    )


@cache
def as_long(client: SubscriptionsClient) -> Guarantee:
    """The time limit of ``accepted`` is sharp: it can take that long."""
    return _runs(
        "as-long",
        f"whatever the limits are, a member's pull, of a queue that it has added or keeps, can be refused "
        f"{SKIPPED.words} after the last change of its table of queues",
        REBALANCE_PUSH,
        longest.as_long(client),
    )


@cache
def first_pull(client: SubscriptionsClient) -> Guarantee:
    """The first pull of an added queue is not refused."""
    return _proved(
        client,
        "first-pull",
        "the first pull of a queue that a member adds is not refused",
        REBALANCE_PUSH,
        invariant.first_pull(client),
        "first-let-through",
        "the first pull of a queue that the member has added is refused.",
    )


def _unanswered(run: Ran) -> str:
    s = run.end
    return f"{seconds(s.now - s.first)} after a pull was refused none has been let through."


@cache
def answered(client: SubscriptionsClient) -> Guarantee:
    """Refused pulls are accepted after the next heartbeat."""
    return _proved(
        client,
        "answered",
        f"a pull that is refused is followed by one that is let through, sooner than {APART.words}",
        PULL_PROCESSOR,
        invariant.ANSWERED,
        "answered-soon",
        _unanswered,
    )


@cache
def answered_later(client: SubscriptionsClient) -> Guarantee:
    """Refused pulls are accepted after the second heartbeat."""
    return _proved(
        client,
        "answered-later",
        "a pull that is refused is followed by one that is let through, sooner than three heartbeats of one member, "
        "one after the other, may be apart",
        PULL_PROCESSOR,
        invariant.ANSWERED_LATER,
        "answered-at-last",
        _unanswered,
    )


@cache
def as_long_apart(client: SubscriptionsClient) -> Guarantee:
    """The time limit of ``answered`` is sharp: it can take that long."""
    return _runs(
        "answered-as-late",
        "whatever the limits are, if heartbeats of a member are apart by the period and up to the longest heartbeat "
        "more, and a pull follows before the next one is due: it can be one ms less than they are apart from a pull "
        "that is refused to one that is let through",
        PULL_PROCESSOR,
        longest.as_long_apart(client),
    )


@cache
def never_again(client: SubscriptionsClient) -> Guarantee:
    """Pulls may be refused forever, if another member's heartbeat always follows."""
    return _runs(
        "never-answered",
        "whatever the limits are: once a pull is refused because the broker's table lacks the topic, and where no "
        "other member subscribes to it, and after each heartbeat of the member one of another member comes before its "
        "next pull, none is let through any more, however long that lasts",
        PULL_PROCESSOR,
        *longest.never_again(client),
    )


def _own_tags(client: SubscriptionsClient, conjuncts: invariant.Invariant) -> Guarantee:
    return _proved(
        client,
        "own-tags",
        "no pull of a member's skips a message that its own expression takes",
        PULL_PROCESSOR,
        conjuncts,
        "own-found",
        "a pull of the member skips a message that matches its own expression.",
    )


@cache
def own_tags(client: SubscriptionsClient) -> Guarantee:
    """No pull of the member skips a message, because the broker's expression takes what the member's own takes."""
    return _own_tags(client, invariant.OWN_TAGS)


@cache
def own_tags_newest(client: SubscriptionsClient) -> Guarantee:
    """No pull of the member skips a message, because an expression with its version is its own."""
    return _own_tags(client, invariant.OWN_TAGS_NEWEST)


@cache
def posted(client: SubscriptionsClient) -> Guarantee:
    """Pulls that carry their expression do not depend on the broker's table."""
    return _proved(
        client,
        "posted",
        "no pull that has the member's expression with it is refused because of the group's subscriptions, or skips a "
        "message that this expression takes",
        PULL_PROCESSOR,
        invariant.POSTED,
        "posted-found",
        "a pull is refused, or skips a message that its expression takes.",
    )


@cache
def all_tags(client: SubscriptionsClient) -> Guarantee:
    """No pull of another member skips the message, either."""
    return _proved(
        client,
        "all-tags",
        "no pull of any member's skips a message that the expression of one of them takes",
        PULL_PROCESSOR,
        invariant.ALL_TAGS,
        "all-found",
        "a pull of another member skips a message that matches the member's expression.",
    )
