"""Inductive invariants of a topic's subscription: named conjuncts, each with its sentence."""

from rebalance_proofs.model.machine import conjunct
from rebalance_proofs.model.machine.bound import Bound
from rebalance_proofs.model.machine.values import And, Bool, Either, Implies, Not, Or
from rebalance_proofs.model.subscriptions.clients import SubscriptionsClient
from rebalance_proofs.model.subscriptions.state import DONE, FLIES, IDLE, TOGO, Limits, Subscription, refuses
from rebalance_proofs.proofs.subscriptions.bounds import BOUNDS

Conjunct = conjunct.Conjunct[Subscription, Limits]
Invariant = tuple[Conjunct, ...]


def _flying(s: Subscription) -> Bool:
    return s.at == FLIES


TOPIC = Conjunct("topic", "The member subscribes to the topic.", lambda s, lim: s.subscribes)
FULL = Conjunct(
    "full",
    "A heartbeat in flight contains the subscriptions.",
    lambda s, lim: Implies(_flying(s), s.full),
)
AS_TOLD = Conjunct(
    "as-told",
    "The topic table has the topic exactly if the last heartbeat had it.",
    lambda s, lim: s.has == s.had,
)
EVEN = Conjunct("even", "No heartbeat has changed the topic table wrongly.", lambda s, lim: Not(s.odd))
EXACTLY: Invariant = (AS_TOLD, EVEN)
"""The invariant for ``exactly``: the topic table equals the topics of the last heartbeat."""
CALM: Invariant = (
    Conjunct("own", "The topic table has the member's topics.", lambda s, lim: s.has == s.subscribes),
    Conjunct("still", "No heartbeat has changed the topic table.", lambda s, lim: Not(s.stirred)),
)
"""The invariant for ``calm``: the topic table stays the same.

It is stated for members with the same topics.
"""


def _ordered(s: Subscription, lim: Limits) -> Bool:
    return And(
        s.heard <= s.now,
        s.left <= s.now,
        s.now <= s.heard + lim.apart,
        s.now <= s.left + lim.apart,
    )


def _recent(s: Subscription, lim: Limits) -> Bool:
    return Either(s.has, s.changed >= s.left, s.changed >= s.heard)


RESTLESS: Invariant = (
    TOPIC,
    FULL,
    Conjunct("ordered", "The last heartbeats of both members are at most maxHeartbeatGap old.", _ordered),
    Conjunct(
        "recent",
        "The topic was added after the last heartbeat without it, or removed after the member's last heartbeat.",
        _recent,
    ),
)
"""The invariant for ``restless``: the topic table keeps changing."""


def _busy(s: Subscription, lim: Limits) -> Bool:
    on_time = And(s.began <= s.now, s.now <= s.began + lim.beat)
    return And(Or(*(s.at == place for place in range(IDLE, DONE + 1))), Implies(s.at != IDLE, on_time))


BUSY = Conjunct("busy", "A running heartbeat is within its time limit.", _busy)
MOVED = Conjunct("moved", "The last change is in the past.", lambda s, lim: s.moved <= s.now)


def _tick(s: Subscription, lim: Limits) -> Bool:
    return And(s.now <= s.next, s.next <= s.now + lim.period)


TICK = Conjunct("tick", "The next periodic heartbeat is due within the period.", _tick)


def _told(bound: Bound[Subscription, Limits]) -> Conjunct:
    def holds(s: Subscription, lim: Limits) -> Bool:
        return Implies(bound.pending(s), bound.at(s) <= bound.last(s, lim))

    return Conjunct("told", "The last refused pull came within the bound after the last change.", holds)


def _carries(s: Subscription, client: SubscriptionsClient) -> Bool:
    """Return the condition that the running heartbeat brings the member's version to the broker."""
    will = Not(s.known) if client.fingerprints else True
    sent = And(s.at == FLIES, s.carried >= s.mine, s.full)
    return Or(And(s.at == TOGO, will), sent)


def accepted_at_once(client: SubscriptionsClient) -> Invariant:
    """Return the invariant for ``accepted_soon``: the heartbeat after a change arrives in time."""

    def holds(s: Subscription, lim: Limits) -> Bool:
        follows = And(_carries(s, client), s.began <= s.moved)
        return Implies(refuses(s), follows)

    follows = Conjunct("follows", "While pulls are refused, the heartbeat that the change has sent is running.", holds)
    return (TOPIC, BUSY, MOVED, _told(BOUNDS["accepted-soon"]), follows)


def first_pull(client: SubscriptionsClient) -> Invariant:
    """Return the invariant for ``first_pull``: added queues are pulled after a heartbeat.

    It is the heartbeat that is sent because queues were added.
    """
    in_time = Conjunct("in-time", "No first pull was refused.", lambda s, lim: Not(s.barred))
    return (*(one for one in accepted_at_once(client) if one.name not in ("told", "moved")), in_time)


def accepted_later(client: SubscriptionsClient) -> Invariant:
    """Return the invariant for ``accepted``: a later heartbeat brings a skipped version.

    Skipped means that the heartbeat for the version was skipped.
    """

    def holds(s: Subscription, lim: Limits) -> Bool:
        later = s.moved + lim.beat + lim.period
        began = Either(_carries(s, client), s.began <= later, s.began <= s.moved)
        return Implies(refuses(s), Either(s.at == IDLE, s.next <= later, began))

    catches = Conjunct(
        "catches-up", "While pulls are refused, a heartbeat with the version is running or due in time.", holds
    )
    return (TOPIC, BUSY, MOVED, TICK, _told(BOUNDS["accepted"]), catches)


def _open(s: Subscription, lim: Limits) -> Bool:
    return And(
        s.heard <= s.now,
        s.now <= s.heard + lim.apart,
        Implies(s.now <= s.heard + lim.retry, Not(refuses(s))),
    )


def _stretch(s: Subscription, lim: Limits) -> Bool:
    closed = refuses(s)
    pulls = And(s.opened <= s.now, s.now <= s.opened + lim.retry)
    came = And(Not(closed), s.opened <= s.heard, s.opened + lim.retry < s.first + lim.apart)
    since = Either(s.heard < s.first, s.first > s.heard + lim.retry, came)
    return Implies(s.refused, And(s.first <= s.now, Implies(Not(closed), pulls), since))


def _carried(s: Subscription, lim: Limits) -> Bool:
    return Implies(_flying(s), And(s.full, s.carried >= s.mine))


ANSWERED: Invariant = (
    TOPIC,
    Conjunct("carried", "A heartbeat in flight has the member's version.", _carried),
    Conjunct(
        "open", "Until one pull interval after the member's heartbeat, the table has the member's subscription.", _open
    ),
    Conjunct("stretch", "While pulls are refused, the next heartbeat ends that in time.", _stretch),
)
"""The invariant for ``answered``: an accepted pull follows refused ones."""


def _heard(s: Subscription, lim: Limits) -> Bool:
    return And(s.heard <= s.now, s.now <= s.heard + lim.apart)


def _made(s: Subscription, lim: Limits) -> Bool:
    return And(s.mine <= s.carried, Implies(_flying(s), s.full == Not(s.known)))


def _finds_out(s: Subscription, lim: Limits) -> Bool:
    closed = refuses(s)
    knows = Implies(s.known, And(Not(s.agrees), s.now > s.heard + lim.retry))
    return Implies(closed, And(Not(s.has), lim.retry < lim.apart, knows))


def _stretch_of_two(s: Subscription, lim: Limits) -> Bool:
    closed = refuses(s)
    pulls = And(s.opened <= s.now, s.now <= s.opened + lim.retry)
    over = And(pulls, s.opened <= s.heard, s.opened + lim.retry < s.first + 2 * lim.apart)
    unknown = s.heard + lim.retry < s.first + lim.apart
    since = Either(s.known, s.first > s.heard + lim.retry, unknown)
    return Implies(s.refused, And(s.first <= s.now, Either(closed, since, over)))


FINDS = "A client whose topic was removed learns that from a heartbeat, and sends its subscriptions."
ANSWERED_LATER: Invariant = (
    TOPIC,
    Conjunct("heard", "The member's last heartbeat is at most maxHeartbeatGap old.", _heard),
    Conjunct(
        "made",
        "A heartbeat contains the subscriptions exactly if the client does not know that the broker has them.",
        _made,
    ),
    Conjunct("finds-out", FINDS, _finds_out),
    Conjunct("stretch", "While pulls are refused, the next two heartbeats end that in time.", _stretch_of_two),
)
"""The invariant for ``answered_later``: the second heartbeat restores a removed topic.

Heartbeats are heartbeats V2.
"""
FITS = Conjunct(
    "fits",
    "The broker's expression matches the message.",
    lambda s, lim: Implies(s.has, s.matches),
)
FOUND = Conjunct("found", "No pull of the member has skipped the message.", lambda s, lim: Not(s.lost))
OWN_TAGS: Invariant = (FITS, FOUND)
"""The invariant for ``own_tags``: the broker's expression matches the member's messages."""


def _own(s: Subscription, lim: Limits) -> Bool:
    return And(s.mine <= s.now, Implies(And(s.has, s.latest >= s.mine), s.matches))


OWN_TAGS_NEWEST: Invariant = (
    Conjunct("own", "An expression with the member's version, or a newer one, matches the message.", _own),
    FOUND,
)
"""The invariant for ``own_tags_newest``: a version identifies an expression.

An expression with the member's version is the member's.
"""
POSTED: Invariant = (FOUND, Conjunct("let", "No pull was refused.", lambda s, lim: Not(s.refused)))
"""The invariant for ``posted``: the broker's table is not read."""
ALL_TAGS: Invariant = (
    FITS,
    Conjunct("all-found", "No pull of another member has skipped the message.", lambda s, lim: Not(s.missed)),
)
"""The invariant for ``all_tags``: no pull of another member skips the message."""
