"""Inductive invariants of a member at a broker: named conjuncts with sentences.

A member is a consumer of the group.
"""

from collections.abc import Callable, Mapping

from rebalance_proofs.model.machine.bound import Bound
from rebalance_proofs.model.machine.conjunct import Conjunct
from rebalance_proofs.model.machine.values import And, Bool, Implies, Not, Or, Span, limit, longer
from rebalance_proofs.model.registry.state import Limits, Member, listed

Part = Conjunct[Member, Limits]


def right(s: Member) -> Bool:
    """Return the condition that the broker lists the member exactly if it is alive.

    It must be listed only once.
    """
    return And(listed(s) == s.alive, Not(And(s.mine, s.old)))


PAST = Part(
    "past",
    "Recorded times are in the past.",
    lambda s, lim: And(s.at <= s.now, Implies(s.old, s.old_at <= s.now), s.change <= s.now),
)
BEATING = Part(
    "beating",
    "The last heartbeat of a live member was registered at most maxHeartbeatGap ago.",
    lambda s, lim: Implies(s.alive, s.now <= s.at + lim.beat),
)
LEFT = Part(
    "left",
    "A live member, or one that still unregisters, has a running process.",
    lambda s, lim: And(
        Implies(s.leaving, And(Not(s.alive), s.running)),
        Implies(s.alive, s.running),
    ),
)
LISTS = Part(
    "lists",
    "A live, registered member is listed on its newest connection.",
    lambda s, lim: Implies(And(s.alive, s.known), s.mine),
)
OWN_RECORD = Part(
    "own-record",
    "The record in which a heartbeat is being registered belongs to the group.",
    lambda s, lim: Not(s.orphan),
)
SINCE = Part(
    "since",
    "No heartbeat of a live member that is not listed by its newest connection was registered after the last change.",
    lambda s, lim: Implies(And(s.alive, Not(s.mine)), s.at <= s.change),
)
SCANNED = Part(
    "scanned",
    "The last scan came in time, and kept no channel that had expired.",
    lambda s, lim: And(
        s.scanned <= s.now,
        s.now <= s.scanned + lim.scan,
        Implies(s.mine, s.scanned <= s.at + lim.expired),
        Implies(s.old, s.scanned <= s.old_at + lim.expired),
    ),
)
BEFORE = Part(
    "before",
    "No heartbeat came from a stopped member, or on an earlier connection after the newest one was made.",
    lambda s, lim: And(
        Implies(And(s.mine, Not(s.alive)), s.at <= s.change),
        Implies(s.old, s.old_at <= s.change),
    ),
)
SHUT = Part(
    "shut",
    "The start of a live member has not thrown.",
    lambda s, lim: Implies(s.threw, Not(s.alive)),
)
UP = Part(
    "up",
    "A listed newest connection is open, unless the system closed it after the process died.",
    lambda s, lim: And(
        Implies(s.mine, Or(s.link, s.closing)),
        Implies(s.died, And(Not(s.link), Not(s.running), Not(s.alive))),
        Implies(s.alive, s.running),
        Implies(s.closing, Not(s.running)),
    ),
)
OPEN = Part(
    "open",
    "While a heartbeat is being registered, its connection is open.",
    lambda s, lim: Implies(s.finding, s.link),
)
JUST_NOW = Part(
    "just-now",
    "If a connection of a dead process is being closed, the process died just now.",
    lambda s, lim: Implies(And(s.died, s.closing), s.change == s.now),
)
FINDS = Part(
    "finds",
    "While a heartbeat is being registered, its member is alive.",
    lambda s, lim: Implies(s.finding, s.alive),
)
PARTING = Part(
    "parting",
    "A member that was shut down, and is listed by its newest connection, was shut down just now and is unregistering.",
    lambda s, lim: Implies(And(s.mine, Not(s.alive), Not(s.died)), And(s.leaving, s.change == s.now)),
)
SINGLE = Part("single", "No earlier connection is listed.", lambda s, lim: Not(s.old))
TELLS = Part("tells", "Every change was notified to the other members.", lambda s, lim: Not(s.stale))
KEPT = Part(
    "kept",
    "A change without notification is in the collection, and in the copy that is being sent.",
    lambda s, lim: And(
        Implies(s.stale, s.collected),
        Implies(s.copying, s.taken == s.collected),
    ),
)
SENDS = Part(
    "sends",
    "A change without notification is newer than the last send, which is at most maxSendGap ago.",
    lambda s, lim: And(
        s.flushed <= s.now,
        s.now <= s.flushed + lim.collect,
        Implies(s.stale, s.flushed <= s.stale_at),
    ),
)
GREETS = Part(
    "greets",
    "A connected member that is not listed on its connection has connected just now, and sends a heartbeat.",
    lambda s, lim: And(
        Implies(
            And(s.alive, s.link, Not(s.mine)),
            And(s.anew, s.change == s.now),
        ),
    ),
)
POLLED = Part(
    "polled",
    "The last route answer came at most maxPollGap ago; if it had the old route, it came before the change.",
    lambda s, lim: And(
        s.polled <= s.now,
        s.now <= s.polled + lim.poll,
        Implies(And(s.moved, Not(s.seen)), s.polled <= s.moved_at),
    ),
)

INVARIANTS: Mapping[str, tuple[Part, ...]] = {
    "listed": (BEATING, LEFT, LISTS),
    "again": (PAST, BEATING, LEFT, SINCE, OWN_RECORD),
    "gone": (PAST, SCANNED, BEFORE),
    "not-started": (PAST, SCANNED, BEFORE, SHUT),
    "at-once": (UP, OPEN, JUST_NOW),
    "good-bye": (FINDS, PARTING),
    "once": (SINGLE,),
    "once-again": (SCANNED,),
    "agree": (PAST, BEATING, LEFT, SINCE, OWN_RECORD, SCANNED, BEFORE),
    "told": (TELLS,),
    "told-late": (KEPT, SENDS),
    "anew": (LEFT, OWN_RECORD, GREETS),
    "routed": (POLLED,),
}
"""Name of a guarantee -> its invariant."""


# Time limits in guarantees about a broker's registry of consumers, and about routes.

BEAT = limit("beat", "maxHeartbeatGap")
REMOVED = limit("expired", "channelExpiredTimeout") + limit("scan", "maxScanGap")
"""Longest time until the broker removes a channel without heartbeats."""
COLLECT = limit("collect", "maxSendGap")
POLL = limit("poll", "maxPollGap")


def untold(s: Member) -> Bool:
    """Return the condition that the broker's list has changed, but other members do not know.

    The broker has not notified them.
    """
    return And(s.stale, s.others)


def _after_change(span: Span, pending: Callable[[Member], Bool]) -> Bound[Member, Limits]:
    return Bound(span, pending, lambda s: s.change)


BOUNDS: Mapping[str, Bound[Member, Limits]] = {
    "again": _after_change(BEAT, lambda s: And(s.alive, Not(listed(s)))),
    "gone": _after_change(REMOVED, lambda s: And(Not(s.alive), listed(s))),
    "not-started": _after_change(REMOVED, lambda s: And(s.threw, listed(s))),
    "once-again": Bound(REMOVED, lambda s: s.old, lambda s: s.old_at),
    "agree": _after_change(longer(BEAT, REMOVED), lambda s: Not(right(s))),
    "told-late": Bound(COLLECT, untold, lambda s: s.stale_at),
    "routed": Bound(POLL, lambda s: And(s.moved, Not(s.seen)), lambda s: s.moved_at),
}
"""Name of a guarantee -> its time bound."""
