"""The code in the place of what a member and a broker do, on numerals."""

from functools import cache, partial

from rebalance_proofs.model.possible import Impossible
from rebalance_proofs.model.registry.actions import RegistryEncoding
from rebalance_proofs.model.registry.clients import RegistryClient
from rebalance_proofs.model.registry.consumer_group_info import Channel, ClientChannelInfo
from rebalance_proofs.model.registry.group import GROUP, ID, OTHER_GROUP, OTHER_ID, Group
from rebalance_proofs.model.registry.limits import Limits
from rebalance_proofs.model.registry.producer_manager import CLIENT_INNER_PRODUCER
from rebalance_proofs.model.registry.state import Turn
from rebalance_proofs.proofs.observed_turns import observed
from rebalance_proofs.proofs.registry.run import did
from rebalance_proofs.proofs.registry.schedule import ACTIONS, OPEN, happens

__all__ = ["act", "observe_registry"]

Told = dict[str, int | bool]


@cache
def observe_registry(client: RegistryClient) -> RegistryEncoding:
    """An encoding whose parts run the code; all arguments have to be numerals."""

    return RegistryEncoding(**{name: observed(Turn, partial(act, client, name)) for name in ACTIONS})


def act(client: RegistryClient, name: str, now: int, me: Told, said: dict[str, bool], limits: Limits) -> Told | None:
    """What the code makes of a member's state, given by the names of ``model.registry.state``; None when it does not do
    that now."""
    group = client.group(limits, off=said["off"], later=said["later"])
    _put(group, now, me)
    try:
        did(group, happens(name, **{one: said[one] for one in OPEN.get(name, ())}))
    except Impossible:
        return None
    return _seen(group, me)


def _put(group: Group, now: int, me: Told) -> None:
    for name in ("alive", "running", "link", "closing", "leaving", "died", "threw", "known", "second", "anew", "stale"):
        setattr(group, name, bool(me[name]))
    for name in ("at", "old_at", "change", "stale_at", "scanned", "flushed"):
        setattr(group, name, int(me[name]))
    group.now = now
    broker, listener = group.broker, group.broker.listener
    if me["finding"]:
        group.found = broker.group_info(GROUP)
        if me["orphan"]:
            broker.consumer_table.clear()
    if me["mine"] or me["old"] or me["others"]:
        table = broker.group_info(GROUP).channel_info_table
        if me["mine"]:
            info = ClientChannelInfo(group.channel, ID, int(me["at"]))
            table[group.channel] = info
            broker.group_info(OTHER_GROUP).channel_info_table[group.channel] = info
        if me["old"]:
            table[group.earlier] = ClientChannelInfo(group.earlier, ID, int(me["old_at"]))
        if me["others"]:
            somebody = Channel()
            table[somebody] = ClientChannelInfo(somebody, OTHER_ID, now)
    for info in broker.group_info(GROUP).channel_info_table.values() if group.channels else ():
        group.housekeeping.producers.register_producer(CLIENT_INNER_PRODUCER, info, info.last_update_timestamp)
    if me["collected"]:
        listener.consumer_channel_map[GROUP] = group.channels
    if me["copying"]:
        listener.process_map = {GROUP: group.channels} if me["taken"] else {}
    group.route.moved_at = int(me["moved_at"]) if me["moved"] else None
    group.route.polled, group.route.seen = int(me["polled"]), bool(me["seen"])


def _seen(group: Group, me: Told) -> Told:
    """The state afterwards. A time of what is not there is as before."""
    found, listener, route = group.found, group.broker.listener, group.route
    record = group.broker.consumer_table.get(GROUP)
    earlier = record.channel_info_table.get(group.earlier) if record else None
    return {
        "alive": group.alive,
        "running": group.running,
        "link": group.link,
        "closing": group.closing,
        "leaving": group.leaving,
        "died": group.died,
        "threw": group.threw,
        "known": group.known,
        "second": group.second,
        "finding": found is not None,
        "orphan": found is not None and record is not found,
        "mine": group.mine,
        "at": group.heard,
        "old": group.old,
        "old_at": earlier.last_update_timestamp if earlier else group.old_at,
        "others": any(one not in (group.channel, group.earlier) for one in group.channels),
        "change": group.change,
        "anew": group.anew,
        "stale": group.stale,
        "stale_at": group.stale_at,
        "collected": GROUP in listener.consumer_channel_map,
        "copying": listener.process_map is not None,
        "taken": bool(listener.process_map) and GROUP in (listener.process_map or {}),
        "flushed": group.flushed,
        "scanned": group.scanned,
        "moved": route.moved_at is not None,
        "moved_at": me["moved_at"] if route.moved_at is None else route.moved_at,
        "polled": route.polled,
        "seen": route.seen,
    }
