"""One recorded run, with its listener calls, queue ownership and committed offsets."""

import gzip
import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from itertools import pairwise
from pathlib import Path

from rebalance_proofs.recorded.groups.broker import BrokerStarted, Heard, Table, offset_of
from rebalance_proofs.recorded.groups.driver import BrokerEnded, Delay, Partition, Signal
from rebalance_proofs.recorded.groups.event import (
    BEAT,
    BYE,
    ENDS,
    LIST,
    LOCK,
    QUERY,
    RESET,
    TO_CLIENT,
    UNLOCK,
    UPDATE,
)
from rebalance_proofs.recorded.groups.member import (
    Answer,
    Ask,
    End,
    Gap,
    Quitting,
    ResetDone,
    ResetTold,
    ShutdownBegin,
    ShutdownEnd,
    Started,
    subscriptions,
)
from rebalance_proofs.recorded.groups.run import DRIVER
from rebalance_proofs.recorded.seen.calls import Call, calls_of
from rebalance_proofs.recorded.seen.events import Events, Times
from rebalance_proofs.recorded.seen.held import Held, held_of

# Offset resets that a user requested from a broker, from recorded events or the broker's own log.


LOGS = "logs"
"""Folder of a recording with the logs of its processes."""
STARTED = re.compile(r"\[reset-offset\] reset offset started by .*?topic=(?P<topic>\S+), group=(?P<group>[^\s,]+)")
STAMP = re.compile(r"(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)[.,](\d{3}) ")
ZONE = 15 * 60_000
"""Time in ms of which each time zone's difference is a multiple."""


@dataclass(frozen=True, order=True)
class Reset:
    """A request to a broker to reset the offsets of a group."""

    at: int
    """Time in ms since the run's start."""
    broker: str
    group: str
    topic: str


def log_of(folder: Path, broker: str) -> Path:
    """Return the place of a broker's log in a recording, which may lack it."""
    return folder / LOGS / f"{broker}-broker.log.gz"


def logged(path: Path, broker: str, start: int, end: int) -> Iterator[Reset]:
    """Yield the resets in the log of a broker.

    ``start``: the run's start in ms since 1970; ``end``: time in ms since then at which the log ends. It gives the
    log's time zone.
    """
    last, found = None, []
    with suppress(OSError, EOFError), gzip.open(path, "rt", encoding="utf-8", errors="replace") as lines:
        for line in lines:
            stamp = STAMP.match(line)
            if stamp is None:
                continue
            read = datetime.fromisoformat(stamp[1]).replace(tzinfo=UTC)
            last = int(read.timestamp()) * 1000 + int(stamp[2]) - start
            started = STARTED.search(line)
            if started:
                found.append((last, started))
    if last is not None:
        zone = round((last - end) / ZONE) * ZONE
        for at, said in found:
            yield Reset(at - zone, broker, said["group"], said["topic"])


# Lifetimes of consumers and brokers in a recorded run: starts, pauses and ends.

RECORDED = frozenset({BEAT, BYE, LIST, LOCK, UNLOCK, QUERY, UPDATE, ENDS})
"""Requests that a broker records; of pulls, it records only refusals."""
SILENCE = 5_000
"""Shortest time in ms without events of a broker that shows that it was stopped."""


class Lives(Events):
    """Events of one run, and the lifetimes of its processes."""

    @cached_property
    def joined(self) -> Mapping[str, int]:
        """Consumer -> time at which ``start()`` returned.

        Without consumers whose ``start()`` did not return.
        """
        return {each.who: each.at for each in reversed(self.of(Started))}

    @cached_property
    def left(self) -> Mapping[str, int]:
        """Consumer -> time of its shutdown or of its process's end.

        Without consumers that ran to the end.
        """
        found: dict[str, int] = {}
        for at, who in self._ends():
            found[who] = min(at, found.get(who, at))
        return found

    @cached_property
    def ended(self) -> Mapping[str, int]:
        """Consumer -> time at which its process ended, for those that ended."""
        found: dict[str, int] = {}
        for at, who in [*((each.at, each.who) for each in self.of(Quitting)), *self.killed.items_by_time()]:
            found[who] = min(at, found.get(who, at))
        return found

    @cached_property
    def killed(self) -> Times:
        """Consumer -> times at which its process was killed."""
        return Times((each.of, each.at) for each in self._signals("SIGKILL") if each.of in self.started)

    @cached_property
    def shut_down(self) -> Times:
        """Consumer -> times at which its ``shutdown()`` began."""
        return Times((each.who, each.at) for each in self.of(ShutdownBegin))

    def _ends(self) -> Iterable[tuple[int, str]]:
        yield from self.killed.items_by_time()
        yield from self.shut_down.items_by_time()
        yield from ((each.at, each.who) for each in self.of(Quitting))

    def _signals(self, *names: str) -> list[Signal]:
        return [each for each in self.of(Signal, DRIVER) if each.signal in names]

    @cached_property
    def stopped(self) -> Mapping[str, tuple[tuple[int, int], ...]]:
        """Consumer -> its pauses between SIGSTOP and SIGCONT, as (from, to) in ms."""
        found: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        since: dict[str, int] = {}
        for each in self._signals("SIGSTOP", "SIGCONT"):
            if each.signal == "SIGSTOP":
                since[each.of] = each.at
            elif each.of in since:
                found[each.of].append((since.pop(each.of), each.at))
        for who, at in since.items():
            found[who].append((at, self.end))
        return {who: tuple(times) for who, times in found.items()}

    @cached_property
    def gaps(self) -> Mapping[str, tuple[tuple[int, int], ...]]:
        """Process -> its pauses as measured by itself, as (from, to) in ms."""
        found: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        for each in self.of(Gap):
            found[each.who].append((each.at - each.ms, each.at))
        return {who: tuple(times) for who, times in found.items()}

    @cached_property
    def down(self) -> Mapping[str, tuple[tuple[int, int], ...]]:
        """Broker -> times in which it did not serve requests, as (from, to) in ms."""
        found = {}
        for broker in self.run.brokers:
            begun = [each.at for each in self.of(BrokerStarted, broker)]
            times = []
            for each in self._broker_ends(broker):
                after = [at for at in begun if at > each]
                times.append((each, after[0] if after else self.end))
            found[broker] = tuple(times)
        return found

    def _broker_ends(self, broker: str) -> list[int]:
        told = [each.at for each in self._signals("SIGTERM", "SIGKILL") if each.of == broker]
        return told or [each.at for each in self.of(BrokerEnded, DRIVER) if each.of == broker]

    @cached_property
    def frozen(self) -> Mapping[str, tuple[tuple[int, int], ...]]:
        """Broker -> times in which it was stopped (SIGSTOP), as signalled or shown by its silence, in ms.

        A stopped broker keeps its tables and connections, other than one that is down.
        """
        return {broker: self.stopped.get(broker) or tuple(self._silent(broker)) for broker in self.run.brokers}

    def _silent(self, broker: str) -> Iterator[tuple[int, int]]:
        """Yield times without any event of a broker, to which a consumer sent requests that it would record."""
        mine = (each for each in self.of(Ask) if each.code in RECORDED and self._addresses.get(each.to) == broker)
        asked = sorted(each.at for each in mine)
        times = [each.at for each in self._of[broker]]
        for begin, end in pairwise(times):
            if end - begin < SILENCE or any(one < end and begin < other for one, other in self._absent(broker)):
                continue
            place = bisect_right(asked, begin)
            if place < len(asked) and asked[place] < end - SILENCE / 2:
                yield begin, end

    def _absent(self, broker: str) -> Iterator[tuple[int, int]]:
        """Yield times in which a broker had other reasons to be silent."""
        yield 0, min((each.at for each in self.of(BrokerStarted, broker)), default=self.end)
        yield from self.down[broker]
        yield from self.delays

    @cached_property
    def _addresses(self) -> Mapping[str, str]:
        """Address to which consumers send requests -> broker that heard most of these."""
        heard: defaultdict[tuple[str, int], set[str]] = defaultdict(set)
        for each in self.of(Heard):
            heard[each.code, each.opaque].add(each.who)
        found: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for ask in self.of(Ask):
            found[ask.to].update(heard.get((ask.code, ask.opaque), ()))
        return {to: brokers.most_common(1)[0][0] for to, brokers in found.items() if brokers}

    @cached_property
    def resets(self) -> tuple[Reset, ...]:
        """Requests to reset offsets, sorted by time."""
        found: set[Reset] = set()
        for broker in self.run.brokers:
            asks = [each for each in self.of(Ask) if each.code == TO_CLIENT and self._addresses.get(each.to) == broker]
            told = [
                Reset(each.at, broker, each.said.group or "", (each.said.q or "").partition(":")[0])
                for each in ([one for one in self.of(Heard, broker) if one.code == RESET] or asks)
            ]
            log = log_of(self.run.folder, broker)
            if not told and log.is_file():
                ends = max((each.at for each in self._of[broker]), default=self.end)
                told = list(logged(log, broker, self.run.start, ends))
            found.update(told)
        return tuple(sorted(found))

    def own_resets(self, who: str) -> list[tuple[int, int]]:
        """Return the times in which a consumer, suspended, reset its own offsets, as (from, to) in ms."""
        told = [*self.of(ResetTold, who), *(each for each in self.of(Ask, who) if each.code == TO_CLIENT)]
        done = [*self.of(ResetDone, who), *(each for each in self.of(Answer, who) if each.code == TO_CLIENT)]
        ends = sorted(each.at for each in done)
        return [(each.at, min((end for end in ends if end >= each.at), default=self._over(who))) for each in told]

    def _over(self, who: str) -> int:
        return self.ended.get(who, self.end)

    @cached_property
    def lives(self) -> Mapping[str, tuple[int, int]]:
        """Consumer -> time from its join to the end of its ``shutdown()`` and its listener calls, or its process."""
        shut = {each.who: each.at for each in self.of(ShutdownEnd)}
        last = {each.who: each.at for each in self.of(End)}
        return {
            who: (at, min(self.ended.get(who, self.end), max(shut[who], last.get(who, 0)) if who in shut else self.end))
            for who, at in self.joined.items()
        }

    @cached_property
    def delays(self) -> tuple[tuple[int, int], ...]:
        """Times in which the driver delayed or held a broker's network traffic, as (from, to) in ms."""
        found, before = [], None
        for each in self.of(Delay, DRIVER):
            if before and before.ms:
                found.append((before.at, each.at + 2 * before.ms))
            before = each
        held = self.of(Partition, DRIVER)
        found += [(each.at, self._opened(each.of, each.at)) for each in held if each.held]
        return (*found, *([(before.at, self.end)] if before and before.ms else []))

    def _opened(self, broker: str, since: int) -> int:
        """Return the time in ms at which traffic of a broker passed again after a partition."""
        held = (each.at for each in self.of(Partition, DRIVER) if each.of == broker and not each.held)
        return min((at for at in held if at > since), default=self.end)


class History(Lives):
    """One recorded run; times are in milliseconds since the run's start."""

    @cached_property
    def calls(self) -> Mapping[str, tuple[Call, ...]]:
        """Group -> its listener calls, sorted by time."""
        return {
            group: tuple(
                sorted(
                    (call for who in members for call in calls_of(self._of[who], self._over(who))),
                    key=lambda call: call.begin,
                )
            )
            for group, members in self.groups.items()
        }

    def spent(self, group: str, who: str, since: int, until: int) -> int:
        """Return the time in ms that a consumer's listener threads spent in calls between two times, together."""
        asked = group, who, since, until
        if asked not in self._spent:
            self._spent[asked] = sum(
                max(0, min(call.end, until) - max(call.begin, since)) for call in self._calls_by.get((group, who), ())
            )
        return self._spent[asked]

    @cached_property
    def _spent(self) -> dict[tuple[str, str, int, int], int]:
        return {}

    @cached_property
    def _calls_by(self) -> Mapping[tuple[str, str], list[Call]]:
        found: defaultdict[tuple[str, str], list[Call]] = defaultdict(list)
        for group, calls in self.calls.items():
            for call in calls:
                found[group, call.who].append(call)
        return found

    @cached_property
    def held(self) -> Mapping[str, tuple[Held, ...]]:
        """Group -> intervals in which its consumers owned queues, sorted by time."""
        return {
            group: tuple(
                sorted(
                    (held for who in members for held in held_of(self._of[who], self._over(who))),
                    key=lambda held: held.begin,
                )
            )
            for group, members in self.groups.items()
        }

    def holds(self, group: str, who: str, q: str, at: int) -> Held | None:
        """Return a consumer's last ownership of the queue that began at or before ``at``, or None."""
        found = [held for held in self._by_owner[group].get((who, q), ()) if held.begin <= at]
        return found[-1] if found else None

    @cached_property
    def _by_owner(self) -> Mapping[str, Mapping[tuple[str, str], tuple[Held, ...]]]:
        arranged: dict[str, dict[tuple[str, str], tuple[Held, ...]]] = {}
        for group, entries in self.held.items():
            mine = arranged.setdefault(group, {})
            for held in entries:
                mine[held.who, held.q] = (*mine.get((held.who, held.q), ()), held)
        return arranged

    def tags(self, group: str, topic: str) -> Mapping[str, frozenset[str]]:
        """Return consumer name -> tags, for each consumer of the group that subscribes to the topic."""
        every = {who: subscriptions(self.started[who].sub) for who in self.groups[group]}
        return {who: mine[topic] for who, mine in every.items() if topic in mine}

    def wanted(self, group: str, topic: str) -> frozenset[str]:
        """Return all tags of the topic that consumers of the group subscribe to.

        ``*`` means all tags.
        """
        return frozenset().union(*self.tags(group, topic).values())

    def committed(self, group: str, q: str) -> int | None:
        """Return the group's committed offset of the queue at the end of the run; None without one."""
        return self._committed.get((group, q))

    @cached_property
    def _committed(self) -> Mapping[tuple[str, str], int]:
        found = {}
        for row in self.of(Table, *self.run.brokers):
            offset = offset_of(row)
            if offset is not None and row.is_ is not None:
                found[offset.group, offset.q] = int(row.is_)
        return found
