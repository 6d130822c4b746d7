"""Guarantees about subscriptions; each function returns the guarantee for a client.

A member is a consumer of the group. Its version is the time stamp of its subscription.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

from rebalance_proofs.model.machine.run import Run, seconds
from rebalance_proofs.model.machine.values import truth
from rebalance_proofs.model.releases import SOURCES
from rebalance_proofs.model.subscriptions.clients import SubscriptionsClient
from rebalance_proofs.model.subscriptions.state import Limits, Subscription
from rebalance_proofs.model.terms.finite import NO
from rebalance_proofs.proofs.guarantee import Guarantee, always
from rebalance_proofs.proofs.machine.kind import proved_by_induction
from rebalance_proofs.proofs.obligation import Obligation
from rebalance_proofs.proofs.subscriptions import invariant, longest
from rebalance_proofs.proofs.subscriptions.bounds import APART, BEAT, SKIPPED, TWO_APART
from rebalance_proofs.proofs.subscriptions.configuration import BAD, CONFIGURATION

# Addresses of the RocketMQ sources about heartbeats, broker subscriptions, and pulls.

_BROKER = f"{SOURCES}/broker/src/main/java/org/apache/rocketmq/broker"
_CLIENT = f"{SOURCES}/client/src/main/java/org/apache/rocketmq/client/impl"

CONSUMER_GROUP_INFO = f"{_BROKER}/client/ConsumerGroupInfo.java"
PULL_PROCESSOR = f"{_BROKER}/processor/PullMessageProcessor.java"
REBALANCE_PUSH = f"{_CLIENT}/consumer/RebalancePushImpl.java"


Ran = Run[Subscription, Limits]

TABLE_CHANGE = "a table change: the last change of the member's queue table"


def _proved(
    client: SubscriptionsClient,
    name: str,
    sentence: str,
    source: str,
    conjuncts: invariant.Invariant,
    shown: str,
    broken: str | Callable[[Ran], str],
    **words: Any,
) -> Guarantee:
    """Return a guarantee proved by induction.

    ``shown`` is the name of the last obligation. ``broken`` is the sentence about a run that violates the guarantee. If
    the invariant does not mention whether the member subscribes to the topic, the proof covers both cases. ``words``
    are ``brief``, ``where`` and ``covers`` of the guarantee.
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
        **words,
    )


def _runs(name: str, sentence: str, source: str, *obligations: Obligation, **words: Any) -> Guarantee:
    """Return a guarantee that certain runs exist, proved by these obligations.

    ``words`` are ``assumes`` and ``where`` of the guarantee.
    """
    return Guarantee(name, sentence, source, always(*obligations), lambda found: NO, lambda run: None, **words)


@cache
def calm(client: SubscriptionsClient) -> Guarantee:
    """Guarantee: the broker's topic table does not change if all members have the same topics."""
    return _proved(
        client,
        "calm",
        "after the group's first heartbeat, no heartbeat changes the topics in the broker's subscription table",
        CONSUMER_GROUP_INFO,
        invariant.CALM,
        "still-calm",
        "a heartbeat changes the topics of the group's table, and every member is notified.",
        brief="after the first heartbeat, no heartbeat changes the topics of the broker's table",
        covers=("any subscription versions",),
    )


@cache
def exactly(client: SubscriptionsClient) -> Guarantee:
    """Guarantee: the topic table changes exactly if a heartbeat brings other topics.

    Other means: than the previous heartbeat.
    """
    return _proved(
        client,
        "exactly",
        "a heartbeat changes the broker's topic table, and triggers notifications, exactly if the group's previous "
        "heartbeat had other topics",
        CONSUMER_GROUP_INFO,
        invariant.EXACTLY,
        "changes-exactly",
        "a heartbeat changes the topic table, although the previous one had the same topics.",
    )


@cache
def restless(client: SubscriptionsClient) -> Guarantee:
    """Guarantee: the topic table keeps changing if members have different sets of topics."""

    def rests(run: Ran) -> str:
        return f"for {seconds(run.end.now - run.end.changed)} no heartbeat changes the topic table."

    return _proved(
        client,
        "restless",
        f"the broker's topic table changes and all members are notified at least every {APART.words}",
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
    """Guarantee: the broker accepts pulls soon after a change of the member's queues.

    The heartbeat that the change causes arrives.
    """
    return _proved(
        client,
        "accepted-soon",
        f"the broker refuses no pull of a member later than {BEAT.words} after its last queue table change",
        PULL_PROCESSOR,
        invariant.accepted_at_once(client),
        "refused-no-longer",
        _late,
        brief=f"no pull is refused later than {BEAT.words} after a table change",
        where=(TABLE_CHANGE,),
    )


@cache
def accepted(client: SubscriptionsClient) -> Guarantee:
    """Guarantee: the broker accepts pulls after a change, even if its heartbeat was skipped.

    A later heartbeat brings the version.
    """
    return _proved(
        client,
        "accepted",
        f"the broker refuses no pull of a member later than {SKIPPED.words} after its last queue table change",
        PULL_PROCESSOR,
        invariant.accepted_later(client),
        "refused-no-more",
        _late,
        brief=f"no pull is refused later than {SKIPPED.words} after a table change",
        where=(TABLE_CHANGE,),
    )


@cache
def as_long(client: SubscriptionsClient) -> Guarantee:
    """Guarantee: the time limit of ``accepted`` is sharp; a pull can be refused for that long."""
    return _runs(
        "as-long",
        f"whatever the limits, a pull can be refused {SKIPPED.words} after the member's last queue table change",
        REBALANCE_PUSH,
        longest.as_long(client),
        assumes=("a pull of a queue that the change adds or keeps",),
    )


@cache
def first_pull(client: SubscriptionsClient) -> Guarantee:
    """Guarantee: the broker accepts the first pull of an added queue."""
    return _proved(
        client,
        "first-pull",
        "the broker accepts the first pull of an added queue",
        REBALANCE_PUSH,
        invariant.first_pull(client),
        "first-let-through",
        "the broker refuses the first pull of a queue that the member has added.",
    )


def _unanswered(run: Ran) -> str:
    s = run.end
    return f"{seconds(s.now - s.first)} after a refused pull, no pull was accepted."


@cache
def answered(client: SubscriptionsClient) -> Guarantee:
    """Guarantee: the broker accepts refused pulls after the next heartbeat."""
    return _proved(
        client,
        "answered",
        f"a refused pull is followed by an accepted one in less than {APART.words}",
        PULL_PROCESSOR,
        invariant.ANSWERED,
        "answered-soon",
        _unanswered,
        brief=f"an accepted pull follows a refused one in under {APART.words}",
    )


@cache
def answered_later(client: SubscriptionsClient) -> Guarantee:
    """Guarantee: the broker accepts refused pulls after the second heartbeat."""
    return _proved(
        client,
        "answered-later",
        f"a refused pull is followed by an accepted one in less than {TWO_APART.words}",
        PULL_PROCESSOR,
        invariant.ANSWERED_LATER,
        "answered-at-last",
        _unanswered,
    )


@cache
def as_long_apart(client: SubscriptionsClient) -> Guarantee:
    """Guarantee: the time limit of ``answered`` is sharp; an accepted pull can come that late."""
    return _runs(
        "answered-as-late",
        f"whatever the limits, an accepted pull can come as late as {APART.words} - 1 ms after a refused one",
        PULL_PROCESSOR,
        longest.as_long_apart(client),
        assumes=(
            "`heartbeatBrokerInterval` <= maxHeartbeatGap <= `heartbeatBrokerInterval` + maxHeartbeat",
            "a pull before the next heartbeat is due",
        ),
    )


@cache
def never_again(client: SubscriptionsClient) -> Guarantee:
    """Guarantee: the broker may refuse pulls forever.

    This happens if another member's heartbeat always follows.
    """
    return _runs(
        "never-answered",
        "whatever the limits, once a pull is refused for a missing topic, no later pull is ever accepted",
        PULL_PROCESSOR,
        *longest.never_again(client),
    )


def _own_tags(client: SubscriptionsClient, conjuncts: invariant.Invariant) -> Guarantee:
    return _proved(
        client,
        "own-tags",
        "no pull of a member skips a message that matches its own expression",
        PULL_PROCESSOR,
        conjuncts,
        "own-found",
        "a pull of the member skips a message that matches its own expression.",
    )


@cache
def own_tags(client: SubscriptionsClient) -> Guarantee:
    """Guarantee: no pull of the member skips a message that matches its own tag expression.

    The broker's expression matches all that the member's matches.
    """
    return _own_tags(client, invariant.OWN_TAGS)


@cache
def own_tags_newest(client: SubscriptionsClient) -> Guarantee:
    """Guarantee: no pull of the member skips a message that matches its own tag expression.

    The reason: an expression with the member's version at the broker is the member's own.
    """
    return _own_tags(client, invariant.OWN_TAGS_NEWEST)


@cache
def posted(client: SubscriptionsClient) -> Guarantee:
    """Guarantee: pulls that carry their tag expression do not depend on the broker's table."""
    return _proved(
        client,
        "posted",
        "no pull that carries the member's expression is refused for its subscription or skips a matching message",
        PULL_PROCESSOR,
        invariant.POSTED,
        "posted-found",
        "a pull is refused, or skips a message that matches its expression.",
    )


@cache
def all_tags(client: SubscriptionsClient) -> Guarantee:
    """Guarantee: other members' pulls skip no matching message, either."""
    return _proved(
        client,
        "all-tags",
        "no pull of any member skips a message that matches one member's expression",
        PULL_PROCESSOR,
        invariant.ALL_TAGS,
        "all-found",
        "a pull of another member skips a message that matches the member's expression.",
    )
