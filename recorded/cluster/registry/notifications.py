"""Check that each notification has a cause, and that all remaining members get one."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

from rebalance_proofs.model.machines.registry.state import DEFAULTS
from rebalance_proofs.recorded.cluster.beats import how, sending
from rebalance_proofs.recorded.cluster.registry.seen import groups_of
from rebalance_proofs.recorded.cluster.requests import Calls
from rebalance_proofs.recorded.cluster.tally import Tally, Unexplained
from rebalance_proofs.recorded.cluster.trace import LOOK, STALL, Trace
from rebalance_proofs.recorded.groups import broker as b
from rebalance_proofs.recorded.groups.event import BEAT, BYE
from rebalance_proofs.recorded.groups.member import Notified, ShutdownBegin


def notifications(trace: Trace, calls: Calls, broker: str, tally: Tally) -> None:
    """Check that members are notified exactly when a group's members or topics change."""
    changes: defaultdict[str, list[int]] = defaultdict(list)
    for event in trace.of[broker]:
        if isinstance(event, b.Table) and event.what in ("members", "subs"):
            changes[event.of].append(event.at)
        elif isinstance(event, b.Answered) and event.code in (BEAT, BYE):
            for group in groups_of(event.asked):
                changes[group].append(event.at)
    for times in changes.values():
        times.sort()
    told: dict[str, Sequence[int]] = {}
    longest = sending(trace, broker)
    for who in trace.consumers:
        told[who] = [event.at for event in trace.kind(Notified, who)]
        for note in trace.kind(Notified, who):
            times = changes[note.said.consumer_group or ""]
            since = note.at - longest
            late = trace.slack(who, since, note.at) + trace.stood(broker, since, note.at)
            place = bisect_left(times, since - late)
            tally.shown["notified"] += 1
            if len(trace.brokers) == 1 and (place == len(times) or times[place] > note.at + LOOK + STALL):
                raise Unexplained(note, "nothing has changed in the group")
    _all_told(trace, calls, broker, told, tally)


def _all_told(trace: Trace, calls: Calls, broker: str, told: Mapping[str, Sequence[int]], tally: Tally) -> None:
    owners: defaultdict[str, list[str]] = defaultdict(list)
    ids: dict[str, set[str]] = {}
    byes: dict[str, list[int]] = {}
    for who, started in trace.consumers.items():
        owners[started.group].append(who)
        ids[who] = {event.client_id for event in trace.of[who] if hasattr(event, "client_id")}
        byes[who] = [event.at for event in trace.kind(ShutdownBegin, who)]
    for row in trace.kind(b.Table, broker):
        if row.what != "members" or row.of not in owners or not row.is_ or not row.was:
            continue
        if trace.ending(broker, row.at) or how(trace, broker)["off"]:
            continue
        before, after = set(b.members(row.was)), set(b.members(row.is_))
        gone = before - after
        stay = before & after
        if not stay or (gone and not after - before and _expired(trace, broker, gone, row.at)):
            continue
        for who in owners[row.of]:
            since, until = row.at - LOOK - STALL, row.at + sending(trace, broker)
            still = trace.stood(who, since, until) or trace.stood(broker, since, until)
            mine = {one for one in stay if one.client_id in ids[who]}
            # Of two processes with one id, each is notified over its own connection.
            mine = {one for one in mine if calls.opener(broker, one.port, row.at) in (None, who)}
            if not mine or still or not trace.alive(who, since, until):
                continue
            if trace.delayed(broker, since, until):
                continue  # the client may have closed the connection without an answer, so the notification is lost
            if any(since - STALL <= at <= until for at in byes[who]):
                continue
            tally.shown["all-told"] += 1
            if not any(since <= at <= until for at in told[who]):
                if _moved(trace, broker, mine, row.at):
                    tally.widened += 1
                    continue
                raise Unexplained(row, f"{who} is listed before and after, and was not notified")


def _moved(trace: Trace, broker: str, listed: Collection[b.Member], at: int) -> bool:
    """Return True if a member's next heartbeat comes over another connection than the listed ones.

    The broker sends notifications over a listed connection, which the client may have closed (rocketmq#7870).
    """
    names, ports = {one.client_id for one in listed}, {str(one.port) for one in listed}
    beats = (e for e in trace.kind(b.Heard, broker) if e.code == BEAT and e.at > at and e.said.client_id in names)
    following = next(beats, None)
    return following is not None and following.from_.rpartition(":")[2] not in ports


def _expired(trace: Trace, broker: str, gone: Iterable[b.Member], at: int) -> bool:
    """Return True if a scan for idle connections can have removed all members in ``gone``.

    Such a scan sends no notification.
    """
    ports = {str(one.port) for one in gone}
    beats = [e for e in trace.kind(b.Heard, broker) if e.code == BEAT and e.from_.rpartition(":")[2] in ports]
    return all(at - event.at > DEFAULTS.expired or event.at > at for event in beats)
