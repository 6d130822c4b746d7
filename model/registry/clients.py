"""Releases of broker and client in claims about the registry.

To add one, add a line to ``CLIENTS``.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

from rebalance_proofs.model.machine.client import Code, MachineClient, Wrong
from rebalance_proofs.model.machine.values import And, Bool, Implies, Or, number, truth
from rebalance_proofs.model.registry.broker import (
    CLIENT_INNER_PRODUCER,
    Channel,
    ClientChannelInfo,
    ConsumerGroupInfo,
    ConsumerManager,
    DefaultConsumerIdsChangeListener,
)
from rebalance_proofs.model.registry.group import GROUP, ID, OTHER_GROUP, OTHER_ID, Group, Route
from rebalance_proofs.model.registry.machine import REGISTRY
from rebalance_proofs.model.registry.state import Limits, Member, Said, Variant
from rebalance_proofs.model.releases import java_from
from rebalance_proofs.model.transition.generations import FROM_5_2, GENERATIONS, UP_TO_5_1, Generation, releases_of

# Mutants of brokers and members, each with one error.
# Claims must reject those in ``WRONG``. For those in ``SLIPS``, it is enough that an inductive proof fails.

Mistake = Wrong[Member, Said, Limits, Variant]
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


# Refinement map: how ``Group`` implements the registry's machine.
# It gives the object's attribute for each field of the state, and the method for each action.

Call = Callable[[Group, Member, Said], object]
FLAGS = ("alive", "running", "link", "closing", "leaving", "died", "threw", "known", "second", "anew", "stale")
TIMES = ("at", "old_at", "change", "stale_at", "scanned", "flushed")
KEPT = (*FLAGS, *TIMES, "now")
"""Fields of the state that ``Group`` has as attributes of the same name."""
CALLS: Mapping[str, Call] = {
    "starts": lambda group, s, c: group.starts(),
    "throws": lambda group, s, c: group.throws(),
    "finds": lambda group, s, c: group.finds(),
    "puts": lambda group, s, c: group.puts(),
    "leaves": lambda group, s, c: group.leaves(),
    "unregisters": lambda group, s, c: group.unregisters(),
    "loses": lambda group, s, c: group.loses(),
    "dies": lambda group, s, c: group.dies(),
    "vanishes": lambda group, s, c: group.vanishes(),
    "breaks": lambda group, s, c: group.breaks(),
    "reconnects": lambda group, s, c: group.reconnects(keeps=truth(c.keeps)),
    "lags": lambda group, s, c: group.lags(),
    "straggles": lambda group, s, c: group.straggles(),
    "trails": lambda group, s, c: group.trails(),
    "closes_old": lambda group, s, c: group.closes_old(),
    "others_come": lambda group, s, c: group.others_come(),
    "others_go": lambda group, s, c: group.others_go(more=truth(c.more)),
    "scans": lambda group, s, c: group.scans(more=truth(c.more), first=truth(c.first)),
    "restarts": lambda group, s, c: group.restarts(),
    "refreshes": lambda group, s, c: group.refreshes(),
    "copies": lambda group, s, c: group.copies(),
    "replaces": lambda group, s, c: group.replaces(),
    "moves": lambda group, s, c: group.moves(),
    "polls": lambda group, s, c: group.polls(),
}


def code(made: Callable[[Limits], Group]) -> Code[Member, Said, Limits, Group]:
    """Return the refinement map of one release's code.

    ``made(limits)``: a new ``Group``, whose broker was started at 0 ms.
    """
    return Code(made, _put, _seen, {name: _now(call) for name, call in CALLS.items()}, form=_form)


def _form(s: Member, lim: Limits) -> Bool:
    """Check that the state is one that a ``Group`` can have.

    A record can be orphaned only while a heartbeat has found one, and the group copied only while copying. The
    limit ``expired`` is not negative, so a scan keeps members whose heartbeat came just now.
    """
    return And(Implies(s.orphan, s.finding), Implies(s.taken, s.copying), lim.expired >= 0)


def _now(call: Call) -> Call:
    """Wrap an action's call: first set the time and the broker's notification settings.

    The settings are those that the action's choices select.
    """

    def done(group: Group, s: Member, c: Said) -> object:
        group.now = number(s.now)
        group.notifies(off=truth(c.off), later=truth(c.later))
        return call(group, s, c)

    return done


def _put(group: Group, s: Member, c: Said) -> None:
    known = vars(s)
    for name in KEPT:
        setattr(group, name, known[name])
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
    """Return the state of a ``Group``, as a number for each field of the machine.

    Timestamps of absent things keep their values.
    """
    found, listener, route = group.found, group.broker.listener, group.route
    record = group.broker.consumer_table.get(GROUP)
    earlier = record.channel_info_table.get(group.earlier) if record else None
    known, channels = vars(group), group.channels
    return {
        **{name: known[name] for name in KEPT},
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
    """Function that creates the Python objects of the broker's registry, a member and its route."""
    machine, wrong = REGISTRY, WRONG

    @cached_property
    def code(self) -> Code[Member, Said, Limits, Group]:
        """How the Python code implements the registry's machine (refinement map)."""
        return code(self.group)

    def group(self, limits: Limits, *, off: bool = False, later: bool = False) -> Group:
        """Return new Python objects of a member, its broker and the other members.

        ``off``: the broker sends no notifications. ``later``: it collects them.
        """
        return Group(limits, greets=self.greets, stops=self.stops, shares=self.shares, off=off, later=later)

    @property
    def releases(self) -> tuple[str, ...]:
        """The releases, oldest first; the source of each was read."""
        return self.some or releases_of(*self.generations)


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
