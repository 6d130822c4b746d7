"""Inductive invariants of a topic's subscription: named conjuncts, each with its sentence."""

from rebalance_proofs.model.machine.values import And, Bool, Either, Implies, Not, Or
from rebalance_proofs.model.subscriptions.clients import SubscriptionsClient
from rebalance_proofs.model.subscriptions.limits import Limits
from rebalance_proofs.model.subscriptions.state import DONE, FLIES, IDLE, TOGO, Subscription, refuses
from rebalance_proofs.proofs.machine import induction
from rebalance_proofs.proofs.machine.bound import Bound
from rebalance_proofs.proofs.subscriptions.bounds import BOUNDS

__all__ = [
    "ALL_TAGS",
    "ANSWERED",
    "ANSWERED_LATER",
    "CALM",
    "EXACTLY",
    "OWN_TAGS",
    "OWN_TAGS_NEWEST",
    "POSTED",
    "RESTLESS",
    "TOPIC",
    "Invariant",
    "accepted_at_once",
    "accepted_later",
    "first_pull",
]

Conjunct = induction.Conjunct[Subscription, Limits]
Invariant = tuple[Conjunct, ...]


def _flying(s: Subscription) -> Bool:
    return s.at == FLIES


TOPIC = Conjunct("topic", "The member subscribes to the topic.", lambda s, lim: s.subscribes)
FULL = Conjunct(
    "full",
    "A heartbeat on its way has the subscriptions.",
    lambda s, lim: Implies(_flying(s), s.full),
)
AS_TOLD = Conjunct(
    "as-told",
    "The table has the topic if the last heartbeat had it.",
    lambda s, lim: s.has == s.had,
)
EVEN = Conjunct("even", "No heartbeat has changed the table wrongly.", lambda s, lim: Not(s.odd))
EXACTLY: Invariant = (AS_TOLD, EVEN)
"""The invariant for ``exactly``: the table has what the last heartbeat had."""
CALM: Invariant = (
    Conjunct("own", "The table has the member's topics.", lambda s, lim: s.has == s.subscribes),
    Conjunct("still", "No heartbeat has changed the table.", lambda s, lim: Not(s.stirred)),
)
"""The invariant for ``calm``: nothing changes if all members have the same topics."""


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
    Conjunct("ordered", "Heartbeats come in time.", _ordered),
    Conjunct(
        "recent",
        "The topic came after the last heartbeat without it, or went after the member's last one.",
        _recent,
    ),
)
"""The invariant for ``restless``: the table keeps changing."""


def _busy(s: Subscription, lim: Limits) -> Bool:
    on_time = And(s.began <= s.now, s.now <= s.began + lim.beat)
    return And(Or(*(s.at == place for place in range(IDLE, DONE + 1))), Implies(s.at != IDLE, on_time))


BUSY = Conjunct("busy", "A heartbeat under way is not over its time.", _busy)
MOVED = Conjunct("moved", "The last change was before.", lambda s, lim: s.moved <= s.now)


def _tick(s: Subscription, lim: Limits) -> Bool:
    return And(s.now <= s.next, s.next <= s.now + lim.period)


TICK = Conjunct("tick", "The next periodic heartbeat is due within the period.", _tick)


def _told(bound: Bound[Subscription, Limits]) -> Conjunct:
    def holds(s: Subscription, lim: Limits) -> Bool:
        return Implies(bound.pending(s), bound.at(s) <= bound.last(s, lim))

    return Conjunct("told", "A refused pull came soon after the last change.", holds)


def _carries(s: Subscription, client: SubscriptionsClient) -> Bool:
    """Whether the heartbeat under way brings the member's version."""
    will = Not(s.known) if client.fingerprints else True
    sent = And(s.at == FLIES, s.carried >= s.mine, s.full)
    return Or(And(s.at == TOGO, will), sent)


def accepted_at_once(client: SubscriptionsClient) -> Invariant:
    """The invariant for ``accepted_soon``: the heartbeat after a change arrives in time."""

    def holds(s: Subscription, lim: Limits) -> Bool:
        follows = And(_carries(s, client), s.began <= s.moved)
        return Implies(refuses(s), follows)

    follows = Conjunct(
        "follows", "Where a pull is refused, the heartbeat is under way that the change has sent.", holds
    )
    return (TOPIC, BUSY, MOVED, _told(BOUNDS["accepted-soon"]), follows)


def first_pull(client: SubscriptionsClient) -> Invariant:
    """The invariant for ``first_pull``: that heartbeat is over before added queues are pulled."""
    in_time = Conjunct("in-time", "No first pull was refused.", lambda s, lim: Not(s.barred))
    return (*(one for one in accepted_at_once(client) if one.name not in ("told", "moved")), in_time)


def accepted_later(client: SubscriptionsClient) -> Invariant:
    """The invariant for ``accepted``: a later heartbeat brings what a skipped one would have brought."""

    def holds(s: Subscription, lim: Limits) -> Bool:
        later = s.moved + lim.beat + lim.period
        began = Either(_carries(s, client), s.began <= later, s.began <= s.moved)
        return Implies(refuses(s), Either(s.at == IDLE, s.next <= later, began))

    catches = Conjunct("catches-up", "Where a pull is refused, one is under way or due that brings the version.", holds)
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
    Conjunct("carried", "A heartbeat on its way has the member's version.", _carried),
    Conjunct("open", "For as long as a pull takes, the table is as the member's heartbeat had it.", _open),
    Conjunct("stretch", "Where pulls are refused, the next heartbeat will end that in time.", _stretch),
)
"""The invariant for ``answered``: refused pulls are followed by an accepted one."""


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


FINDS = "A client whose topic is gone learns that from a heartbeat, and sends its subscriptions."
ANSWERED_LATER: Invariant = (
    TOPIC,
    Conjunct("heard", "The member's last heartbeat came in time.", _heard),
    Conjunct("made", "A heartbeat has the subscriptions unless the client thinks the broker has them.", _made),
    Conjunct("finds-out", FINDS, _finds_out),
    Conjunct("stretch", "Where pulls are refused, the next two heartbeats will end that in time.", _stretch_of_two),
)
"""The invariant for ``answered_later``: with heartbeat V2, the second heartbeat after the topic has gone brings it
back."""
FITS = Conjunct(
    "fits",
    "The broker's expression takes the message.",
    lambda s, lim: Implies(s.has, s.matches),
)
FOUND = Conjunct("found", "No pull of the member's has skipped it.", lambda s, lim: Not(s.lost))
OWN_TAGS: Invariant = (FITS, FOUND)
"""The invariant for ``own_tags``: the broker's expression takes what the member's takes."""


def _own(s: Subscription, lim: Limits) -> Bool:
    return And(s.mine <= s.now, Implies(And(s.has, s.latest >= s.mine), s.matches))


OWN_TAGS_NEWEST: Invariant = (
    Conjunct("own", "An expression with the member's version, or a newer one, takes it.", _own),
    FOUND,
)
"""The invariant for ``own_tags_newest``: an expression with the member's version is the member's."""
POSTED: Invariant = (FOUND, Conjunct("let", "No pull was refused.", lambda s, lim: Not(s.refused)))
"""The invariant for ``posted``: the broker's table is not consulted."""
ALL_TAGS: Invariant = (
    FITS,
    Conjunct("all-found", "No pull of another member's has skipped it.", lambda s, lim: Not(s.missed)),
)
"""The invariant for ``all_tags``: no pull of another member skips the message."""
