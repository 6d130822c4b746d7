"""Actions of a member, of the broker and of the other members; the releases, and mutants.

The parameters of an action: ``s``, the state before; ``c``, the action's nondeterministic choices; ``lim``, the time
limits; ``client``, the differences between releases.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

from rebalance_proofs.model.machine.client import Code, MachineClient, Wrong, by_name
from rebalance_proofs.model.machine.machine import ENVIRONMENT, Actions, Machine, Step, becomes, step
from rebalance_proofs.model.machine.values import And, Bool, If, Implies, Int, Not, Or, Value, number, truth
from rebalance_proofs.model.machines.registry.state import Limits, Member, Said
from rebalance_proofs.model.registry.broker import (
    CLIENT_INNER_PRODUCER,
    Channel,
    ClientChannelInfo,
    ConsumerGroupInfo,
    ConsumerManager,
    DefaultConsumerIdsChangeListener,
)
from rebalance_proofs.model.registry.group import GROUP, ID, OTHER_GROUP, OTHER_ID, Group, Route
from rebalance_proofs.model.releases import java_from
from rebalance_proofs.model.transition.generations import FROM_5_2, GENERATIONS, UP_TO_5_1, Generation, releases_of

# ---- Differences between releases, and how their code stores the state


@dataclass(frozen=True)
class RegistryClient(MachineClient):
    """Releases of broker and client whose registry behaves the same in all claims."""

    name: str
    """Name used in claim ids: ``java_v4_9_to_v5_3``."""
    rocketmq_name: str
    """Name for people: ``Java 4.9 to 5.1.4``; later releases were not read."""
    greets: bool
    """Whether a client sends a heartbeat as soon as it has connected to a broker.

    Mirror of ``onChannelActive``.
    """
    generations: tuple[Generation, ...]
    """The generations to which the releases belong."""
    stops: bool = False
    """Whether a member whose ``start()`` throws an exception is shut down."""
    shares: bool = True
    """Whether all groups and producers of a heartbeat share one record of its connection at the broker."""
    some: tuple[str, ...] = ()
    """The releases, if they are not all releases of ``generations``."""
    brokers: tuple[str, ...] = ()
    """Releases whose broker was read, but not their client."""
    made: tuple[type, ...] = (ConsumerManager, ConsumerGroupInfo, DefaultConsumerIdsChangeListener, Group, Route)
    """Classes with the Python code of the broker's registry, a member and its route; reports list their files."""

    @cached_property
    def code(self) -> Code[Member, Said, Limits, Group]:
        """How the Python code implements the registry's machine (refinement map)."""
        found = by_name(self.group, Group, REGISTRY, STORED, _put, _seen)
        return replace(found, calls={name: _notifying(call) for name, call in found.calls.items()}, form=_form)

    def group(self, limits: Limits, *, off: bool = False, later: bool = False) -> Group:
        """Return new Python objects of a member, its broker and the other members.

        ``off``: the broker sends no notifications. ``later``: it collects them.
        """
        return Group(limits, greets=self.greets, stops=self.stops, shares=self.shares, off=off, later=later)

    @property
    def releases(self) -> tuple[str, ...]:
        """The releases, oldest first; the source of each was read."""
        return self.some or releases_of(*self.generations)


STORED = {
    name: name
    for name in (
        *("alive", "running", "link", "closing", "leaving", "died", "threw", "known", "second", "anew", "stale"),
        *("at", "old_at", "change", "stale_at", "scanned", "flushed", "now"),
    )
}
"""Field of the state -> the attribute of ``Group`` that stores it."""


def _notifying(call: Callable[[Group, Member, Said], object]) -> Callable[[Group, Member, Said], object]:
    """Wrap an action's call: first set the notification settings that the choices select."""

    def done(group: Group, s: Member, c: Said) -> object:
        group.notifies(off=truth(c.off), later=truth(c.later))
        return call(group, s, c)

    return done


def _form(s: Member, lim: Limits) -> Bool:
    """Check that the state is one that a ``Group`` can have.

    A record can be orphaned only while a heartbeat has found one, and the group copied only while copying. The
    limit ``expired`` is not negative, so a scan keeps members whose heartbeat came just now.
    """
    return And(Implies(s.orphan, s.finding), Implies(s.taken, s.copying), lim.expired >= 0)


def _put(group: Group, s: Member, c: Said) -> None:
    broker, listener, route = group.broker, group.broker.listener, group.route
    if s.finding:
        group.found = broker.group_info(GROUP)
        if s.orphan:
            broker.consumer_table.clear()
    if s.mine or s.old or s.others:
        table = broker.group_info(GROUP).channel_info_table
        if s.mine:
            info = ClientChannelInfo(group.channel, ID, number(s.at))
            table[group.channel] = info
            broker.group_info(OTHER_GROUP).channel_info_table[group.channel] = group.own(info)
        if s.old:
            table[group.earlier] = ClientChannelInfo(group.earlier, ID, number(s.old_at))
        if s.others:
            somebody = Channel()
            table[somebody] = ClientChannelInfo(somebody, OTHER_ID, number(s.now))
        for info in table.values():
            heard, own = info.last_update_timestamp, group.own(info)
            group.housekeeping.producers.register_producer(CLIENT_INNER_PRODUCER, own, heard)
    if s.collected:
        listener.consumer_channel_map[GROUP] = group.channels
    if s.copying:
        listener.process_map = {GROUP: group.channels} if s.taken else {}
    route.moved, route.moved_at, route.polled = truth(s.moved), number(s.moved_at), number(s.polled)
    route.seen = truth(s.seen)


def _seen(group: Group) -> dict[str, int]:
    """Return the fields that ``Group`` does not store as they are.

    Timestamps of absent things keep their values.
    """
    found, listener, route = group.found, group.broker.listener, group.route
    record = group.broker.consumer_table.get(GROUP)
    earlier = record.channel_info_table.get(group.earlier) if record else None
    channels = group.channels
    return {
        "finding": found is not None,
        "orphan": found is not None and record is not found,
        "mine": group.channel in channels,
        "at": group.heard,
        "old": group.earlier in channels,
        "old_at": earlier.last_update_timestamp if earlier else group.old_at,
        "others": any(one not in (group.channel, group.earlier) for one in channels),
        "collected": GROUP in listener.consumer_channel_map,
        "copying": listener.process_map is not None,
        "taken": GROUP in (listener.process_map or {}),
        "moved": route.moved,
        "moved_at": route.moved_at,
        "polled": route.polled,
        "seen": route.seen,
    }


# ---- Actions of the member, of the broker and of the other members

action: Actions[Member, Said, Limits, RegistryClient] = Actions()
TELLS = ("off", "later")
"""Names of the choices that decide how the broker notifies members."""


def is_listed(s: Member) -> Bool:
    """Check whether the broker's list of ids contains the member."""
    return Or(s.mine, s.old)


def expired(s: Member, at: Int, lim: Limits) -> Bool:
    """Check whether a scan removes a channel whose last heartbeat came at time ``at``."""
    return s.now - at > lim.expired


def _told(s: Member, c: Said, changed: Bool) -> dict[str, Value]:
    """Return the changed fields when the broker handles a membership change (event ``CHANGE``).

    All listed members are notified now, later or not at all. ``changed``: whether the member's own channels
    changed.
    """
    sent = And(Not(c.off), Not(c.later))
    collected = Or(s.collected, And(Not(c.off), c.later))
    return {"collected": collected} | _untold(s, changed, sent)


def _untold(s: Member, changed: Bool, sent: Bool = False) -> dict[str, Value]:
    counts = And(changed, s.others)
    anew = And(counts, Not(s.stale), Not(sent))
    return {"stale": And(Not(sent), Or(s.stale, counts)), "stale_at": If(anew, s.now, s.stale_at)}


def _emptied(s: Member, mine: Bool, old: Bool, others: Bool) -> Bool:
    """Check whether a heartbeat has found a record that is no longer in the broker's table.

    A record without channels leaves the table even while a heartbeat is being registered. ``mine``, ``old``,
    ``others``: whether the record still has channels of the member's newest and earlier connection, and of other
    members.
    """
    return Or(s.orphan, And(s.finding, Not(Or(mine, old, others))))


def _lives(s: Member) -> Int:
    """Return the new value of ``change``: now if the member is alive, else unchanged."""
    return If(s.alive, s.now, s.change)


@action("The member starts and connects to the broker.", "X starts and connects to the broker")
def starts(s: Member, c: Said, lim: Limits, client: RegistryClient) -> Step:
    """The member starts and connects."""
    never = Not(Or(s.alive, s.running, s.link, s.closing, s.died, s.known, s.finding, is_listed(s)))
    greets = client.greets
    return step(never, alive=True, running=True, link=True, at=s.now, change=s.now, anew=greets, threw=False)


@action("The member's `start()` throws an exception.", "`start()` of X throws an exception")
def throws(s: Member, c: Said, lim: Limits, client: RegistryClient) -> Step:
    """``start()`` of the member throws an exception.

    The member continues after that; from 5.3.2 on it is shut down.
    """
    threw = s.but(threw=True, change=s.now)
    return becomes(And(s.alive, Not(s.threw)), _left(threw) if client.stops else threw)


@action(
    "A heartbeat of the member reaches the broker, which looks up the group's record.",
    "A heartbeat of X reaches the broker, which looks up the group's record",
    by=ENVIRONMENT,
)
def finds(s: Member, c: Said, lim: Limits, client: RegistryClient) -> Step:
    """A heartbeat arrives, and the broker looks up the group's record or creates it."""
    return step(And(s.alive, s.link, Not(s.finding)), finding=True, orphan=False)


@action(
    "The broker registers the member's heartbeat.",
    "The broker registers the heartbeat of X",
    choices=TELLS,
    by=ENVIRONMENT,
)
def puts(s: Member, c: Said, lim: Limits, client: RegistryClient) -> Step:
    """The broker registers the heartbeat: it adds the channel or updates the channel's time."""
    there = Not(s.orphan)
    told = s.where(And(there, Not(s.mine)), **_told(s, c, True))
    to_itself = And(s.orphan, Not(c.off), c.later)
    # A heartbeat in a record that has left the table counts only by the other groups' shared record of the connection.
    counts = True if client.shares else Not(And(s.orphan, s.mine))
    after = told.but(
        finding=False,
        orphan=False,
        mine=Or(s.mine, there),
        known=Or(s.known, there),
        at=If(counts, s.now, s.at),
        anew=False,
        change=If(s.alive, s.change, s.now),
        collected=Or(told.collected, to_itself),
    )
    return becomes(s.finding, after)


def _left(s: Member) -> Member:
    return s.but(alive=False, leaving=True, change=s.now)


@action("The member shuts down, and its process continues.", "X shuts down; its process continues")
def leaves(s: Member, c: Said, lim: Limits, client: RegistryClient) -> Step:
    """The member is shut down; its process continues."""
    return becomes(s.alive, _left(s))


@action(
    "The member's unregister request reaches the broker.",
    "The unregister request of X arrives at the broker",
    choices=TELLS,
    by=ENVIRONMENT,
)
def unregisters(s: Member, c: Said, lim: Limits, client: RegistryClient) -> Step:
    """The broker handles the unregister request (``unregisterConsumer``)."""
    record = Or(s.mine, s.old, s.others, And(s.finding, Not(s.orphan)))
    told = s.where(record, **_told(s, c, s.mine))
    orphan = _emptied(s, False, s.old, s.others)
    return becomes(And(s.leaving, s.link), told.but(leaving=False, mine=False, orphan=orphan))


@action("The member's unregister request is lost.", "The unregister request of X is lost", by=ENVIRONMENT)
def loses(s: Member, c: Said, lim: Limits, client: RegistryClient) -> Step:
    """The member's unregister request is lost; it is not sent again."""
    return step(s.leaving, leaving=False)


def _gone(s: Member, *, closing: Bool) -> Step:
    none = dict.fromkeys(("alive", "running", "link", "leaving", "anew"), False)
    return step(s.running, **none, closing=closing, died=Or(s.died, s.alive), change=_lives(s))


@action(
    "The member's process dies, and the operating system closes its connection.",
    "The process of X dies, and the operating system closes the connection",
)
def dies(s: Member, c: Said, lim: Limits, client: RegistryClient) -> Step:
    """The process dies, and its operating system closes the connection."""
    return _gone(s, closing=s.link)


@action(
    "The member's host vanishes without closing the connection.",
    "The host of X vanishes without closing the connection",
)
def vanishes(s: Member, c: Said, lim: Limits, client: RegistryClient) -> Step:
    """The host or its network fails, and the connection is not closed."""
    return _gone(s, closing=False)


@action(
    "The broker learns that the member's newest connection has ended.",
    "The broker learns that the connection of X has ended",
    choices=TELLS,
    by=ENVIRONMENT,
)
def breaks(s: Member, c: Said, lim: Limits, client: RegistryClient) -> Step:
    """The broker learns that the newest connection has ended.

    The connection was closed, has failed, or was idle for too long.
    """
    told = s.where(s.mine, **_told(s, c, True), orphan=_emptied(s, False, s.old, s.others))
    none = dict.fromkeys(("link", "closing", "mine", "anew", "leaving"), False)
    return becomes(Or(s.link, s.closing), told.but(**none, change=_lives(s)))


@action("The member opens a new connection.", "X opens a new connection", choices=("keeps",))
def reconnects(s: Member, c: Said, lim: Limits, client: RegistryClient) -> Step:
    """The member opens a new connection.

    The broker may not know yet that an older one has ended.
    """
    keeps = And(c.keeps, Or(s.old, Not(s.mine)))
    kept = s.but(
        old=s.mine,
        old_at=If(And(s.mine, Not(keeps)), s.at, s.old_at),
        others=Or(s.others, s.old),
    ).where(keeps, old=s.old, others=Or(s.others, s.mine))
    made = kept.but(link=True, second=True, mine=False, change=s.now, anew=client.greets)
    return becomes(And(s.alive, Not(s.finding)), made)


@action(
    "The broker registers a heartbeat from an earlier connection of the member after that connection has ended.",
    "The broker registers a heartbeat from an earlier connection of X after that connection has ended",
    choices=TELLS,
    by=ENVIRONMENT,
)
def lags(s: Member, c: Said, lim: Limits, client: RegistryClient) -> Step:
    """The broker registers a heartbeat of an earlier connection after its end.

    The broker does not check that.
    """
    told = s.where(Not(s.old), **_told(s, c, True))
    return becomes(s.second, told.but(old=True, old_at=s.now, change=s.now))


@action(
    "The broker registers a heartbeat from the member's newest connection after that connection has ended.",
    "The broker registers a heartbeat from the newest connection of X after that connection has ended",
    choices=TELLS,
    by=ENVIRONMENT,
)
def straggles(s: Member, c: Said, lim: Limits, client: RegistryClient) -> Step:
    """The broker registers a heartbeat of the newest connection after its end."""
    told = s.where(Not(s.mine), **_told(s, c, True))
    ended = And(Or(s.known, s.second), Not(Or(s.link, s.closing, s.finding)))
    return becomes(ended, told.but(mine=True, known=True, at=s.now, change=s.now))


@action(
    "The broker registers a heartbeat that the member's process began before the member's shutdown.",
    "The broker registers a heartbeat that the process of X began before the shutdown of X",
    choices=TELLS,
    by=ENVIRONMENT,
)
def trails(s: Member, c: Said, lim: Limits, client: RegistryClient) -> Step:
    """The broker registers a heartbeat on the open connection of a member that was shut down.

    The client makes one heartbeat for all brokers and sends it to one after the other. From 4.9.1 on,
    ``unregisterConsumer`` does not wait for that (``lockHeartbeat``); in 4.9.0 it does, but the heartbeat can time out
    at the client before a slow broker registers it. The broker has separate thread pools for both requests.
    """
    told = s.where(Not(s.mine), **_told(s, c, True))
    ended = And(Not(s.alive), s.running, s.link, Not(s.finding))
    return becomes(ended, told.but(mine=True, known=True, at=s.now, change=s.now))


@action(
    "The broker learns that an earlier connection of the member has ended.",
    "The broker learns that an earlier connection of X has ended",
    choices=TELLS,
    by=ENVIRONMENT,
)
def closes_old(s: Member, c: Said, lim: Limits, client: RegistryClient) -> Step:
    """The broker learns that the earlier connection has ended."""
    orphan = _emptied(s, s.mine, False, s.others)
    return step(s.old, old=False, orphan=orphan, **_told(s, c, True))


@action(
    "A heartbeat of another member arrives on a new connection and is registered.",
    "A heartbeat of Y arrives on a new connection and is registered",
    choices=TELLS,
    by=ENVIRONMENT,
)
def others_come(s: Member, c: Said, lim: Limits, client: RegistryClient) -> Step:
    """A heartbeat of another member arrives on a new channel."""
    return step(True, others=True, **_told(s, c, False))


@action(
    "The broker learns that a further connection, of another member or an earlier one, has ended.",
    "The broker learns that a further connection, of another member or an earlier one, has ended",
    choices=("more", *TELLS),
    by=ENVIRONMENT,
)
def others_go(s: Member, c: Said, lim: Limits, client: RegistryClient) -> Step:
    """A further channel is closed; without ``more``, no further channel stays."""
    orphan = _emptied(s, s.mine, s.old, c.more)
    return step(s.others, others=c.more, orphan=orphan, **_told(s, c, False))


@action("The broker scans its table for expired channels.", choices=("more", "first", *TELLS), by=ENVIRONMENT)
def scans(s: Member, c: Said, lim: Limits, client: RegistryClient) -> Step:
    """The broker removes expired channels (``scanNotActiveChannel``)."""
    mine = And(s.mine, expired(s, s.at, lim))
    old = And(s.old, expired(s, s.old_at, lim))
    others = And(s.others, Not(c.more))
    stays = {"mine": And(s.mine, Not(mine)), "old": And(s.old, Not(old)), "others": And(s.others, c.more)}
    heard = And(c.first, Or(mine, old, others))
    gone = And(Or(mine, old), c.more)
    told = s.but(**_untold(s, gone)).where(heard, **_told(s, c, gone))
    after = told.but(
        scanned=s.now,
        link=And(s.link, Not(mine)),
        anew=And(s.anew, Not(mine)),
        leaving=And(s.leaving, Not(mine)),
        change=If(And(mine, s.alive), s.now, s.change),
        orphan=_emptied(s, **stays),
        **stays,
    )
    return becomes(True, after)


@action("The broker restarts.", by=ENVIRONMENT)
def restarts(s: Member, c: Said, lim: Limits, client: RegistryClient) -> Step:
    """The broker restarts and loses its table, which is in memory only."""
    forgotten = ("link", "closing", "leaving", "finding", "orphan", "mine", "old", "others", "anew")
    notices = ("stale", "collected", "copying", "taken")
    none = dict.fromkeys((*forgotten, *notices), False)
    return step(True, **none, scanned=s.now, flushed=s.now, change=_lives(s))


@action(
    "A heartbeat arrives for another group or a producer of the member's process.",
    "A heartbeat for another group or a producer of the process of X arrives",
    by=ENVIRONMENT,
)
def refreshes(s: Member, c: Said, lim: Limits, client: RegistryClient) -> Step:
    """A heartbeat arrives for other groups of the process, but not for this group.

    It is for a consumer group or producer that an earlier heartbeat registered together with this group. The first
    heartbeat of a connection registers the client instance's own producer. From 5.5.1 on, each of them has its own
    record, so the time of this group's last heartbeat stays. A member that a heartbeat registered again after its
    shutdown is not refreshed in reality; this action allows it all the same.
    """
    other = And(Not(s.alive), s.running, s.link, Not(s.finding))
    return step(And(other, s.mine), at=s.now if client.shares else s.at)


@action(
    "The broker copies the collected notifications into a batch to send.",
    "The broker copies the collected notifications into a batch to send",
    by=ENVIRONMENT,
)
def copies(s: Member, c: Said, lim: Limits, client: RegistryClient) -> Step:
    """First half of ``notifyConsumerChange``: copy the collected notifications."""
    return step(Not(s.copying), copying=True, taken=s.collected)


@action(
    "The broker sends the batch of notifications and clears the collection.",
    "The broker sends the batch of notifications and clears the collection",
    choices=("off",),
    by=ENVIRONMENT,
)
def replaces(s: Member, c: Said, lim: Limits, client: RegistryClient) -> Step:
    """Second half of ``notifyConsumerChange``: send the copied notifications."""
    stale = And(s.stale, Not(And(s.taken, Not(c.off))))
    return step(s.copying, copying=False, taken=False, collected=False, flushed=s.now, stale=stale)


@action(
    "The topic's route changes at the name servers for the last time.",
    "The topic's route changes at the name servers",
    by=ENVIRONMENT,
)
def moves(s: Member, c: Said, lim: Limits, client: RegistryClient) -> Step:
    """The topic's route changes at the name servers."""
    return step(Not(s.moved), moved=True, moved_at=s.now)


@action("The client receives the current route from a name server.")
def polls(s: Member, c: Said, lim: Limits, client: RegistryClient) -> Step:
    """The client gets the topic's route (``updateTopicRouteInfoFromNameServer``).

    This does not wake the rebalance thread.
    """
    return step(True, polled=s.now, seen=s.moved)


REGISTRY: Machine[Member, Said, Limits, RegistryClient] = Machine(
    Member, Said, Limits, lambda blank, lim, client: blank, action
)
"""The state machine of a broker's registry, for one member.

In its first state, the member was never started, and the broker has just started.
"""

# ---- Clients and mutants. To add a release, add a line to ``CLIENTS``

ALL = RegistryClient("java_v4_9_to_v5_3", java_from("4.9"), False, GENERATIONS)
"""All releases together, for claims that hold for each of them.

``greets`` is false here: a heartbeat on connect is one of the times at which any heartbeat may come.
"""
SILENT = RegistryClient("java_v4_9_to_v5_1", "Java 4.9 to 5.1.4", False, UP_TO_5_1)
GREETING = RegistryClient("java_v5_2_to_v5_3", java_from("5.2"), True, FROM_5_2)
FIRST_TO_STOP = ALL.releases.index("5.3.2")
GOES_ON = RegistryClient(
    "java_v4_9_to_v5_3_1", "Java 4.9 to 5.3.1", False, GENERATIONS, some=ALL.releases[:FIRST_TO_STOP]
)
STOPS = RegistryClient(
    "java_v5_3_2_to_v5_3_3",
    java_from("5.3.2"),
    False,
    FROM_5_2,
    stops=True,
    some=ALL.releases[FIRST_TO_STOP:],
)
APART = RegistryClient("java_v5_5_1", "broker 5.5.1", False, (), stops=True, shares=False, brokers=("5.5.1",))
"""The broker of 5.5.1: each group and producer has its own record of a connection (rocketmq#10435).

Its members are those of ``STOPS``. Of 5.5.1, the broker was read, but not the client.
"""
APART_V2 = RegistryClient("java_v5_5_1_heartbeat_v2", "broker 5.5.1, heartbeat V2", False, (), stops=True)
"""The broker of 5.5.1 and clients with ``useHeartbeatV2``: all groups of a heartbeat still share one record."""
CLIENTS = (ALL, SILENT, GREETING, GOES_ON, STOPS, APART, APART_V2)

Mistake = Wrong[Member, Said, Limits, RegistryClient]
WRONG = (
    Mistake(
        "needs-two",
        "a heartbeat on a new channel does not list the channel",
        lambda s, c, lim, turn: turn.but(mine=s.mine),
        "puts",
        "again",
    ),
    Mistake(
        "takes-all",
        "a scan removes every channel",
        lambda s, c, lim, turn: turn.but(mine=False),
        "scans",
        "listed",
    ),
    Mistake(
        "scans-nothing",
        "a scan removes nothing",
        lambda s, c, lim, turn: turn.but(mine=s.mine, old=s.old),
        "scans",
        "gone",
    ),
    Mistake(
        "keeps-newest",
        "a scan removes the newest channel of an id that has no other channel",
        lambda s, c, lim, turn: turn.but(old=s.old),
        "scans",
        "once-again",
    ),
    Mistake(
        "deaf",
        "a closed channel stays listed",
        lambda s, c, lim, turn: turn.but(mine=s.mine),
        "breaks",
        "at-once",
    ),
    Mistake(
        "unbelieving",
        "a member that unregisters stays listed",
        lambda s, c, lim, turn: turn.but(mine=s.mine),
        "unregisters",
        "good-bye",
    ),
    Mistake(
        "doubles",
        "a heartbeat lists its id twice",
        lambda s, c, lim, turn: turn.but(old=True, old_at=s.now),
        "puts",
        "once",
    ),
    Mistake(
        "silent",
        "no member is notified when a channel is closed",
        lambda s, c, lim, turn: turn.but(stale=Or(s.stale, s.mine)),
        "breaks",
        "told",
    ),
    Mistake(
        "drops",
        "collected notifications are not sent",
        lambda s, c, lim, turn: turn.but(stale=s.stale),
        "replaces",
        "told-late",
    ),
    Mistake(
        "blind",
        "a poll does not return the new route",
        lambda s, c, lim, turn: turn.but(seen=False),
        "polls",
        "routed",
    ),
    Mistake(
        "throws-on",
        "a member whose start throws an exception continues",
        lambda s, c, lim, turn: turn.but(alive=s.alive, leaving=s.leaving),
        "throws",
        "not-started",
        of=lambda client: client.stops,
    ),
    Mistake(
        "refreshes-all",
        "a heartbeat for another group of the process counts for this group, too",
        lambda s, c, lim, turn: turn.but(at=s.now),
        "refreshes",
        "gone",
        of=lambda client: not client.shares,
    ),
    Mistake(
        "shy",
        "a client that has connected waits for its next periodic heartbeat",
        lambda s, c, lim, turn: turn.but(anew=False),
        breaks="anew",
        of=lambda client: client.greets,
    ),
)
SLIPS = (
    Mistake(
        "forgets-all",
        "After any action, the member is alive and not listed.",
        lambda s, c, lim, turn: turn.but(
            alive=True, known=True, others=True, mine=False, old=False, at=turn.after.at - 1
        ),
    ),
    Mistake(
        "keeps-all",
        "After any action, the member is gone and listed twice.",
        lambda s, c, lim, turn: turn.but(
            alive=False,
            died=True,
            running=True,
            mine=True,
            old=True,
            old_at=turn.after.old_at - 99,
            stale=True,
            seen=False,
        ),
    ),
    Mistake(
        "is-late",
        "After any action, no scan, no sending and no poll has happened.",
        lambda s, c, lim, turn: turn.but(
            scanned=turn.after.scanned - 1, flushed=turn.after.flushed - 1, polled=turn.after.polled - 1
        ),
    ),
)
"""Mutants where every action leaves one wrong value in the state.

See ``proofs.mutation.slips``.
"""
