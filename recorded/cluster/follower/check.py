"""Check a trace with the table of one machine's page."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from heapq import heapify, heappop, heappush
from typing import Any, NamedTuple

from rebalance_proofs.model.machine.page import Page
from rebalance_proofs.model.machine.recorded import Recorded, Row, Span
from rebalance_proofs.recorded.cluster.clients import limits_of
from rebalance_proofs.recorded.cluster.follower.compiled import Compiled
from rebalance_proofs.recorded.cluster.follower.history import KIND_OF, Process
from rebalance_proofs.recorded.cluster.follower.locked import locked
from rebalance_proofs.recorded.cluster.follower.offsets import Queue, queues
from rebalance_proofs.recorded.cluster.follower.place import Topic, topics
from rebalance_proofs.recorded.cluster.follower.registered import memberships
from rebalance_proofs.recorded.cluster.follower.search import Open, Search
from rebalance_proofs.recorded.cluster.requests import Calls
from rebalance_proofs.recorded.cluster.tally import BEHAVIOURS, FOLLOWED, MESSAGES, Tally, Unexplained
from rebalance_proofs.recorded.cluster.trace import Trace
from rebalance_proofs.recorded.groups.broker import Table
from rebalance_proofs.recorded.groups.event import Event
from rebalance_proofs.recorded.groups.member import Ask

TABLE = KIND_OF[Table]
QUEUE, TOPIC, LOCKS, MEMBER, MESSAGE = "queue", "topic", "lock", "member", "message"
OPENS, HAPPENS, FOLLOWS, CLOSES = range(4)


class Due(NamedTuple):
    """Something to do at a time: an event opens its interval, happens, has a later effect, or closes its interval."""

    at: int
    what: int
    number: int
    event: Event
    row: Row[Any] | None


def check(page: Page[Any, Any, Any, Any], client_of: Callable[..., Any], trace: Trace, calls: Calls) -> Tally:
    """Check each process of a trace with a page.

    ``client_of``: release -> the page's client; with the name ``fingerprints`` for members with heartbeat V2, and
    ``orderly`` for the kinds of listeners.
    """
    tally, table = Tally(page.name, BEHAVIOURS), page.shown
    if table is None:
        raise ValueError(f"the page {page.name!r} has no table of recorded events")
    codes: dict[tuple[Any, Any], Compiled] = {}
    intervals, at_once = _by_event(table, at_once=False), _by_event(table, at_once=True)
    for process in _histories(table.each, trace, calls):
        variant = {"fingerprints": process.fingerprints} if isinstance(process, Topic) else {}
        variant |= {"orderly": process.ordered} if isinstance(process, Queue) else {}
        known = process.limits if isinstance(process, Queue) else limits_of(page, process.started)
        key = client, _ = client_of(trace.release(process.who), **variant), known
        if key not in codes:
            machine = page.machine or client.machine
            codes[key] = Compiled(machine, client, known, table, trace.encoding(page.name, client))
        _Life(table, codes[key], process, tally).follow(intervals, at_once)
    return tally


def _histories(each: str, trace: Trace, calls: Calls) -> Iterator[Process]:
    """Yield the histories that are followed one by one: of processes, topics, memberships, or locks."""
    if each == TOPIC:
        yield from topics(trace, calls)
    elif each == LOCKS:
        yield from locked(trace, calls)
    elif each == MEMBER:
        yield from memberships(trace, calls)
    elif each == MESSAGE:
        yield from queues(trace, calls)
    else:
        yield from (Process(trace, who, life) for who in trace.consumers for life in trace.lives(who))


class _Life:
    """Checks of one process: of one machine, or of one machine per queue."""

    def __init__(self, table: Recorded[Any, Any], code: Compiled, process: Process, tally: Tally) -> None:
        self.table, self.code, self.process, self.tally = table, code, process, tally
        self.of: dict[str, Search] = {}
        """Queue or message, or the empty name of the only machine -> its possible states."""
        self.rejected: set[str] = set()
        self.counted: set[int] = set()
        """Numbers of the events that are counted as explained."""
        self.shared: dict[str, int] = {}
        self.dropped = 0
        """Number of messages that are no longer followed."""
        self.by = code.client.name, process.trace.release(process.who)

    def follow(self, intervals: Mapping[str, list[Row[Any]]], at_once: Mapping[str, list[Row[Any]]]) -> None:
        """Explain the events of the process in order of time; the rows are those of ``_by_event``."""
        process, table = self.process, self.table
        due = [*_timeline(intervals, process)]
        heapify(due)
        if not table.begins and table.each != QUEUE:
            self._begin("")
        while due:
            at, what, number, event, row = heappop(due)
            process.event = event
            if what == OPENS and row:
                self._each(row, event, Search.begins, number, Open(row, event, at))
            elif what == CLOSES and row:
                self._each(row, event, Search.ends, number, at, row, event)
                self._count(number)
            elif what == FOLLOWS:
                if row and row.only(process):
                    self._each(row, event, Search.show, row, event, at)
            else:
                kind = KIND_OF[type(event)]
                if kind in table.ends:
                    break
                if kind == table.begins:
                    self._begin("")
                self._fork()
                process.turn("")
                for found in (rows := [*_rows(at_once, process)]):
                    if found.delay:
                        heappush(due, Due(at + found.delay, FOLLOWS, number, event, found))
                    else:
                        self._each(found, event, Search.show, found, event)
                if rows:
                    self._count(number)
                process.feed(event)
                self._drop()
        else:
            self._over(process.events[-1] if process.events else process.life[-1])
        self.tally.about += len(self.of) + self.dropped

    def _count(self, number: int) -> None:
        """Count an event once, if a machine has explained it."""
        if number not in self.counted and any(name not in self.rejected for name in self.of):
            self.counted.add(number)
            self.tally.by[self.by] += 1
            self.tally.events += self.table.follows is None  # rules for all messages count the others

    def _over(self, last: Event) -> None:
        """Check that nothing is overdue at the process's last event."""
        process = self.process
        process.event = last
        if self.table.each == QUEUE or process.trace.alive(process.who, last.at, last.at):
            for name in self.of:
                self._held(name, Search.pass_to, last.at, last)

    def _begin(self, name: str) -> None:
        self.of[name] = Search(self.table, self.code, self.process, self.tally)
        self.process.turn(name)
        self.of[name].begin(**self.shared)

    def _fork(self) -> None:
        """Begin to follow the messages that a pull has brought, in the possible states of their queue."""
        if isinstance(self.process, Queue) and self.table.follows and not self.rejected:
            self.tally.shown[MESSAGES] += len(getattr(self.process.event, "got", ()))
            for limits in self.process.brought:
                if (name := str(limits.message)) not in self.of:
                    self.of[name] = self.of[""].fork(self.code.with_limits(limits))
                    self.tally.shown[FOLLOWED] += 1

    def _drop(self) -> None:
        """Stop following messages that are finished in all possible states."""
        if (follows := self.table.follows) is None:
            return
        for name in [name for name in self.of if name]:
            states = (self.code.record(one.values, one.at) for one in self.of[name].items if one.values is not None)
            if not any(map(follows, states)):
                del self.of[name]
                self.process.forget(name)
                self.dropped += 1

    def _each(self, row: Row[Any], event: Event, rule: Callable[..., None], *details: Any) -> None:
        """Apply a method of ``Search`` to the machine of the event's queue, or to all machines that the row is about.

        A message is concerned by the listener calls that have it.
        """
        q = _queue(event) if self.table.each == QUEUE else None
        if self.table.follows:
            for name in [*self.of]:
                if row.about in ("", "message" if name else "queue") and (not name or self.process.concerns(name)):
                    self._held(name, rule, *details)
        elif q is None:
            for name in self.of:
                self._held(name, rule, *details)
        else:
            if q not in self.of:
                self._begin(q)
            if self._held(q, rule, *details):
                self._share(q)

    def _held(self, name: str, rule: Callable[..., None], *details: Any) -> bool:
        """Apply a method to one machine, and return True unless it rejects an event, now or earlier."""
        if name in self.rejected:
            return False
        process = self.process
        process.turn(name)
        try:
            rule(self.of[name], *details)
        except Unexplained as found:
            of_message = self.table.follows is not None
            self.tally.reject(f"{process.label}, {name}" if name and not of_message else process.label, found)
            self.rejected.update(self.of if of_message else (name,))
        return name not in self.rejected

    def _share(self, name: str) -> None:
        """Give the values of shared fields, if they are certain, to the machines of all queues."""
        for field in self.table.shared:
            place = self.code.names.index(field)
            values = {item.values[place] for item in self.of[name].items if item.values is not None}
            if len(values) == 1 and values != {self.shared.get(field, 0)}:
                (self.shared[field],) = values
                for search in self.of.values():
                    search.put(place, self.shared[field])


def _queue(event: Event) -> str | None:
    """Return the queue that an event names, or None."""
    return event.said.q if isinstance(event, Ask) else getattr(event, "q", None)


def _by_event(table: Recorded[Any, Any], *, at_once: bool) -> Mapping[str, list[Row[Any]]]:
    """Return the rows by the name of their event; ``at_once``: those that open no interval, or those that do."""
    found: defaultdict[str, list[Row[Any]]] = defaultdict(list)
    for one in table.rows:
        found[one.event] += [one] * (at_once is not bool(one.early or one.late))
    return found


def _timeline(intervals: Mapping[str, list[Row[Any]]], process: Process) -> Iterator[Due]:
    """Yield what is due because of the history's events, and of polls of the brokers' tables."""
    events = process.events
    for number, event in enumerate([*events, *(process.polls if TABLE in intervals else ())]):
        process.event = event
        rows = (one for one in intervals[KIND_OF[type(event)]] if _fits(one, event))
        row = next((one for one in rows if one.only(process)), None)
        if row:
            early, late = _span(row.early, process), _span(row.late, process)
            yield Due(event.at - early, OPENS, number, event, row)
            yield Due(event.at + late, CLOSES, number, event, row)
        if number < len(events):
            yield Due(event.at, HAPPENS, number, event, None)


def _span(of: Span, process: Process) -> int:
    return of(process) if callable(of) else of


def _rows(at_once: Mapping[str, list[Row[Any]]], process: Process) -> Iterator[Row[Any]]:
    """Yield the rows about the event, without those that open an interval."""
    event = process.event
    for one in at_once[KIND_OF[type(event)]]:
        if _fits(one, event) and (one.delay or one.only(process)):
            yield one


def _fits(row: Row[Any], event: Event) -> bool:
    return all(getattr(event, name) == value for name, value in row.fields.items())
