"""Check a recording for consistency before its events are compared with the model.

The checks are about the order of lines, starts of processes, queues, polls of tables, heartbeats, and pulls.
"""

from collections.abc import Iterator

from rebalance_proofs.recorded.cluster import beats
from rebalance_proofs.recorded.cluster.tally import MONITORS, Tally, Unexplained
from rebalance_proofs.recorded.cluster.trace import LOOK, STALL, Trace
from rebalance_proofs.recorded.groups.broker import BrokerStarting, Heard, Table, members
from rebalance_proofs.recorded.groups.driver import RunEnd, StartBroker, StartConsumer
from rebalance_proofs.recorded.groups.event import BEAT, LOCK, UNLOCK, Event
from rebalance_proofs.recorded.groups.member import Allocate, Answer, Ask, Entry, EntryGone, EntryNew, Pulled, Starting
from rebalance_proofs.recorded.groups.run import DRIVER

MACHINE = "trace"
KILLING = 10_000
"""Longest time in ms from the driver's last event until all processes are killed."""
STARTS = (StartBroker, StartConsumer)


def check(trace: Trace) -> Tally:
    """Check the files of all processes for consistency."""
    tally = Tally(MACHINE, MONITORS)
    for row, epoch, why in trace.beyond.missing:
        tally.reject("lines", Unexplained(Event(at=epoch - trace.run.start, who="", row=row), why))
    tally.widened += sum(map(len, trace.frozen.values()))
    for who in trace.of:
        tally.about += 1
        tally.events += len(trace.of[who])
        for rule in (_in_order, _begun, _looks, _heard, _queues, _entries, _marks, _pulled):
            try:
                for _ in rule(trace, who):
                    tally.shown[rule.__name__.strip("_").replace("_", "-")] += 1
            except Unexplained as found:
                tally.reject(who, found)
    return tally


def _in_order(trace: Trace, who: str) -> Iterator[Event]:
    """Check that a process's lines are in order of time.

    A line's time is taken just before it is written.
    """
    last: Event | None = None
    rows = sorted(trace.of[who], key=lambda event: event.row)
    for event in rows:
        if isinstance(event, (Starting, BrokerStarting)):
            last = event
        if last is not None and last.at - event.at > STALL + trace.stood(who, event.at, last.at):
            raise Unexplained(event, f"line {last.row} before it has a time {last.at - event.at} ms later")
        if last is None or event.at >= last.at:
            last = event
        yield event


def _begun(trace: Trace, who: str) -> Iterator[Event]:
    """Check that a process wrote nothing before the driver started it, or after the run."""
    if who == DRIVER:
        return
    free = who in trace.producers  # it creates topics before the driver logs its start
    starts = [event.at for event in trace.of[DRIVER] if isinstance(event, STARTS) and event.of == who]
    ends = [event.at for event in trace.of[DRIVER] if isinstance(event, RunEnd)]
    for event in trace.of[who]:
        if not free and (not starts or event.at < starts[0] - STALL):  # the driver logs a start afterwards
            why = f"the driver has not started {who} yet" if starts else f"the driver never started {who}"
            raise Unexplained(event, why)
        if ends and event.at > ends[-1] + KILLING:
            raise Unexplained(event, f"the driver ended the run {event.at - ends[-1]} ms before")
        yield event


def _looks(trace: Trace, who: str) -> Iterator[Event]:
    """Check that each change of a broker's table starts from the previously polled value.

    A new process starts with an empty table.
    """
    seen: dict[tuple[str, str], str | None] = {}
    for event in sorted(trace.of[who], key=lambda event: event.row):
        if isinstance(event, BrokerStarting):
            seen.clear()
        elif isinstance(event, Table):
            before = seen.get((event.what, event.of))
            if before != event.was:
                raise Unexplained(event, f"{event.what} {event.of} was {event.was}, but the last poll saw {before}")
            seen[event.what, event.of] = event.is_
            yield event


def _heard(trace: Trace, who: str) -> Iterator[Event]:
    """Check that a broker lists connections and subscribed topics only after heartbeats that name them.

    A restarted broker can have handled heartbeats before its first recorded request.
    """
    for number, life in enumerate(trace.lives(who) if who in trace.brokers else ()):
        requests = [one for one in life if isinstance(one, Heard)]
        since = life[0].at if not number else requests[0].at + STALL if requests else trace.end + 1
        first: dict[tuple[str, str | int], int] = {}
        for one in requests:
            for group in one.said.groups or () if one.code == BEAT else ():
                port = one.from_.rpartition(":")[2]
                if not port.isdecimal():
                    raise Unexplained(one, f"the address {one.from_!r} has no port")
                names: list[str | int] = [int(port), *group.subs]
                for name in names:
                    first.setdefault((group.group, name), one.at)
        for row in life:
            if isinstance(row, Table) and row.what in ("members", "subs") and row.at >= since:
                for name in sorted(_named(row, row.is_) - _named(row, row.was), key=str):
                    if row.at < first.get((row.of, name), trace.end + STALL) - STALL:
                        raise Unexplained(row, f"no heartbeat about {row.of} has named {name}")
                yield row


def _named(row: Table, said: str | None) -> set[str | int]:
    """Return the ports of the connections, or the topics, in a polled row."""
    return {one.port for one in members(said)} if row.what == "members" else {*beats.listed(said)}


def _queues(trace: Trace, who: str) -> Iterator[Event]:
    """Check that queues in a process's events are numbered from 0 and have a known broker."""
    for event in trace.kind(Allocate, who):
        for q in event.mq_all or ():
            topic, broker, number = q.rsplit(":", 2)
            if topic != event.topic or broker not in trace.brokers or not number.isdecimal():
                raise Unexplained(event, f"there is no queue {q}")
        yield event


def _entries(trace: Trace, who: str) -> Iterator[Event]:
    """Check polls of the process queue table against recorded additions and removals.

    The next poll must show each of them, and polls may report only changes.
    """
    for life in trace.lives(who):
        of: dict[str, str] = {}
        seen: dict[str, tuple[bool, bool, bool]] = {}
        due: dict[tuple[str, bool], int] = {}
        there: set[str] = set()
        early: dict[tuple[str, bool], int] = {}
        for event in life:
            for (name, _), since in due.items():
                late = event.at - since - LOOK
                if late > trace.slack(who, since, event.at):
                    raise Unexplained(event, f"no poll has seen the entry {name} of {of[name]} since {since} ms")
            if isinstance(event, EntryNew):
                of[event.entry] = event.q
                there.add(event.entry)
                if event.at - early.pop((event.entry, True), -STALL) >= STALL:
                    seen.pop(event.entry, None)  # the JVM can reuse an identity
                    due[event.entry, True] = event.at
            elif isinstance(event, EntryGone):
                there.discard(event.entry)
                known = event.at - early.pop((event.entry, False), -STALL) < STALL
                if due.pop((event.entry, True), None) is None and not known:
                    due[event.entry, False] = event.at  # else it was added and removed between two polls
            elif isinstance(event, Entry):
                marks = event.dropped, event.locked, event.in_table
                if of.get(event.entry, event.q) != event.q:
                    raise Unexplained(event, f"the entry {event.entry} belongs to {of[event.entry]}")
                if seen.get(event.entry) == marks:
                    raise Unexplained(event, f"the last poll of {event.entry} has seen the same")
                seen[event.entry] = marks
                if event.in_table != (event.entry in there):
                    early[event.entry, event.in_table] = event.at  # the line about the change of the table follows
                due.pop((event.entry, event.in_table), None)
                yield event


def _marks(trace: Trace, who: str) -> Iterator[Event]:
    """Check the marks of process queues: one that is dropped stays dropped, and only lock requests change locks.

    A poll looks for the entry in the table first, and then at its marks.
    """
    ordered = who in trace.consumers and trace.ordered(who)
    both: list[Ask | Answer] = [*trace.kind(Ask, who), *trace.kind(Answer, who)]
    locks = [one.at for one in both if one.code in (LOCK, UNLOCK)]
    for life in trace.lives(who):
        locked: dict[str, bool] = {}
        dropped: dict[str, Entry | EntryGone] = {}
        gone: dict[str, int] = {}
        for event in life:
            if isinstance(event, EntryNew):
                dropped.pop(event.entry, None)  # the JVM can reuse an identity
                gone.pop(event.entry, None)
                locked[event.entry] = event.locked
            if not isinstance(event, Entry | EntryGone):
                continue
            name = event.entry
            before, left = dropped.get(name), gone.get(name)
            polled = isinstance(event, Entry) and (isinstance(before, Entry) or not event.in_table)
            late = before is not None and event.at - before.at > trace.slack(who, before.at, event.at)
            if before and not event.dropped and (polled or late):
                raise Unexplained(event, f"the entry {name} was dropped before")
            # A client unlocks what it has removed, perhaps without a connection. Other lock requests need the table.
            kept = event.locked and left is not None and all(abs(one - left) > STALL for one in locks)
            if (kept or not ordered) and event.locked != locked.get(name, event.locked):
                raise Unexplained(event, f"no lock request explains the changed lock of the entry {name}")
            locked[name] = event.locked
            if event.dropped:
                dropped.setdefault(name, event)
            if isinstance(event, EntryGone):
                gone[name] = event.at
            yield event


def _pulled(trace: Trace, who: str) -> Iterator[Event]:
    """Check that a pull returned messages only if it found some. The client may have filtered out all that it found."""
    for event in trace.kind(Pulled, who):
        if event.got and event.status != "FOUND":
            raise Unexplained(event, f"a pull with the status {event.status} returned messages")
        yield event
