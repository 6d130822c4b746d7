"""Refinement map: how ``Group`` implements the registry's machine.

It gives the object's attribute for each field of the state, and the method for each action.
"""

from collections.abc import Callable, Mapping

from rebalance_proofs.model.machine.code import Code
from rebalance_proofs.model.machine.values import And, Bool, Implies, number, truth
from rebalance_proofs.model.registry.consumer_group_info import Channel, ClientChannelInfo
from rebalance_proofs.model.registry.group import GROUP, ID, OTHER_GROUP, OTHER_ID, Group
from rebalance_proofs.model.registry.limits import Limits
from rebalance_proofs.model.registry.producer_manager import CLIENT_INNER_PRODUCER
from rebalance_proofs.model.registry.state import Member, Said

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
