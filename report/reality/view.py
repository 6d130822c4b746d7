"""A recording prepared for the monitors.

It has listener calls, requests, the consumers' lifetimes, and their entries: process queues from creation to removal.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from rebalance_proofs.recorded.cluster.requests import Call as Asked
from rebalance_proofs.recorded.cluster.requests import Calls
from rebalance_proofs.recorded.cluster.trace import STALL, Trace
from rebalance_proofs.recorded.groups.broker import Answered, Table, members, offset_of
from rebalance_proofs.recorded.groups.driver import Signal
from rebalance_proofs.recorded.groups.event import LIST, LOCK, REBALANCING, RESET, Event
from rebalance_proofs.recorded.groups.member import (
    Ask,
    End,
    ResetDone,
    ResetTold,
    Resuming,
    ShutdownBegin,
    Started,
    Subscribed,
    Suspending,
    Unsubscribed,
)
from rebalance_proofs.recorded.groups.run import DRIVER, of_kind
from rebalance_proofs.recorded.seen.calls import Call, calls_of
from rebalance_proofs.recorded.seen.held import Held, held_of

RETURNED = 30_000
"""Time in ms after a broker's return by which its clients have reconnected and it serves requests at once again."""


@dataclass(frozen=True)
class View:
    """One recording; times are in ms since the driver's first event."""

    trace: Trace

    @cached_property
    def requests(self) -> Calls:
        """All requests, matched between clients and brokers."""
        return Calls(self.trace)

    @cached_property
    def groups(self) -> Mapping[str, tuple[str, ...]]:
        """Group -> its consumers."""
        found: defaultdict[str, list[str]] = defaultdict(list)
        for who, started in self.trace.consumers.items():
            found[started.group].append(who)
        return {group: tuple(whos) for group, whos in found.items()}

    def release_of(self, group: str) -> str | None:
        """Return the release of all consumers of a group; None if they have several."""
        known = {self.trace.release(who) for who in self.groups[group]}
        return known.pop() if len(known) == 1 else None

    def ids(self, who: str) -> frozenset[str]:
        """Return the client ids of processes of that name."""
        return frozenset(event.client_id for event in self.trace.kind(Started, who))

    def twins(self, group: str) -> bool:
        """Return True if two consumers of a group share a client id, so that brokers cannot tell them apart."""
        ids = [name for who in self.groups[group] for name in self.ids(who)]
        return len({*ids}) < len(ids)

    def ordered(self, group: str) -> bool:
        """Return True if the group's listeners are ordered."""
        return self.trace.ordered(self.groups[group][0])

    def from_first(self, group: str) -> bool:
        """Return True if all consumers of the group begin at the first offset where none is committed."""
        return all(self.trace.consumers[who].from_ == "FIRST" for who in self.groups[group])

    def _of_lives(self, who: str) -> Iterator[tuple[list[Event], int]]:
        """Yield the events of each process of that name, and the time of its end."""
        for life in self.trace.lives(who):
            ended = self.trace.ended(who, life[0].at)
            yield life, self.trace.end if ended is None else ended

    @cached_property
    def calls(self) -> Mapping[str, list[Call]]:
        """Consumer -> its listener calls that returned."""
        return {who: [call for call in calls if call.returned] for who, calls in self.all_calls.items()}

    @cached_property
    def all_calls(self) -> Mapping[str, list[Call]]:
        """Consumer -> its listener calls; unfinished ones end with their process or the recording."""
        return {
            who: [call for life, end in self._of_lives(who) for call in calls_of(life, end)]
            for who in self.trace.consumers
        }

    @cached_property
    def entries(self) -> Mapping[tuple[str, str], list[Held]]:
        """(consumer, queue) -> the queue's entries in the consumer's process queue table, sorted by start."""
        found: defaultdict[tuple[str, str], list[Held]] = defaultdict(list)
        for who in self.trace.consumers:
            for life, end in self._of_lives(who):
                for held in held_of(life, end):
                    found[who, held.q].append(held)
        return {key: sorted(its, key=lambda held: held.begin) for key, its in found.items()}

    def entry(self, who: str, q: str, at: int) -> Held | None:
        """Return a consumer's last process queue of a queue created by the time ``at``, even if already removed."""
        begun = [held for held in self.entries.get((who, q), ()) if held.begin <= at]
        return begun[-1] if begun else None

    @cached_property
    def interrupted(self) -> frozenset[tuple[str, str, int, int]]:
        """Listener calls interrupted during their work: (consumer, queue, first offset, end time in ms)."""
        ends = (event for who in self.trace.consumers for event in self.trace.kind(End, who))
        return frozenset((end.who, end.q, end.from_, end.at) for end in ends if end.interrupted)

    def undone(self, call: Call) -> bool:
        """Return True if a returned call was interrupted before its work was done."""
        return (call.who, call.q, call.offsets[0], call.end) in self.interrupted

    @cached_property
    def granted(self) -> Mapping[str, Mapping[str, list[tuple[int, int]]]]:
        """Consumer -> queue -> lock grants as (time of the broker's grant, time when the answer arrived), in ms."""
        found: dict[str, dict[str, list[tuple[int, int]]]] = {who: {} for who in self.trace.consumers}
        for who, granted in found.items():
            for call in self.asked(who, LOCK):
                if call.answered and call.answer:
                    for q in call.answered.said.granted or ():
                        granted.setdefault(q, []).append((call.answered.at, call.answer.at))
        return found

    @cached_property
    def commits(self) -> Mapping[tuple[str, str], list[tuple[int, int | None, int]]]:
        """(group, queue) -> (time, old offset, new offset) of each change of the offset at the broker."""
        found: defaultdict[tuple[str, str], list[tuple[int, int | None, int]]] = defaultdict(list)
        for broker in self.trace.brokers:
            for row in self.trace.kind(Table, broker):
                key = offset_of(row)
                if key is not None and key.group in self.groups and row.is_:
                    was = int(row.was) if row.was else None
                    found[key.group, key.q].append((row.at, was, int(row.is_)))
        return found

    def all_tags(self, group: str) -> bool:
        """Return True if all consumers always subscribe to the same topics with all tags."""
        subs = {self.trace.consumers[who].sub for who in self.groups[group]}
        return len(subs) == 1 and not any(":" in sub for sub in subs)

    def lists(self, broker: str, group: str) -> list[tuple[int, frozenset[tuple[str, int]]]]:
        """Return each change of a broker's member list of a group: time, and (client id, port) of all members."""
        rows = (row for row in self.trace.kind(Table, broker) if row.what == "members" and row.of == group)
        return [(row.at, frozenset((one.client_id, one.port) for one in members(row.is_))) for row in rows]

    @cached_property
    def names(self) -> Mapping[tuple[str, str], str]:
        """(group, client id) -> consumer; if processes share an id, the last one."""
        return {
            (self.trace.consumers[who].group, call.ask.said.client_id): who
            for who, calls in self.requests.all.items()
            for call in calls
            if call.ask.said.client_id
        }

    def leaves(self, who: str) -> int:
        """Return the time of a consumer's shutdown, of its process's end, or of the recording's end."""
        begun = [event.at for event in self.trace.kind(ShutdownBegin, who)]
        return min([*begun, *self.trace.killed(who), self.trace.end])

    def life(self, who: str) -> tuple[int, int]:
        """Return the times at which a consumer's ``start()`` returned, or the recording's end, and at which it left."""
        return min((event.at for event in self.trace.kind(Started, who)), default=self.trace.end), self.leaves(who)

    def suspensions(self, who: str) -> Iterator[tuple[int, int]]:
        """Yield (start, end) of the times when a consumer was suspended, up to the call of ``resume()``.

        A reset of offsets ends with such a call, even if the user has suspended the consumer. Its thread then requests
        the ids.
        """
        resumed = [event.at for event in self.trace.kind(Resuming, who)]
        asked = [one.at for one in self.trace.kind(Ask, who) if one.code == LIST and one.thread != REBALANCING]
        for reset in self.trace.kind(ResetDone, who):
            resumed.append(min((at for at in asked if 0 <= reset.at - at < STALL), default=reset.at))
        for event in self.trace.kind(Suspending, who):
            yield event.at, min([at for at in resumed if at >= event.at], default=self.leaves(who))

    def resets(self, who: str) -> Iterator[tuple[int, int]]:
        """Yield (start, end) of the times when a consumer reset its own offsets.

        It is suspended for most of that time, 10 s, and rebalances at the end (``MQClientInstance#resetOffset``).
        """
        done = [event.at for event in self.trace.kind(ResetDone, who)]
        for event in self.trace.kind(ResetTold, who):
            yield event.at, min([at for at in done if at >= event.at], default=self.leaves(who))

    def suspended(self, who: str, since: int, until: int) -> bool:
        """Return True if a consumer was suspended in that time, by its user or to reset its offsets."""
        spans = (*self.suspensions(who), *self.resets(who))
        return any(begin <= until and since <= end for begin, end in spans)

    def gone(self, broker: str) -> Iterator[tuple[int, int]]:
        """Yield (start, end) of the times when a broker served no requests: it did not run, or was frozen."""
        yield from self.trace.away(broker)
        yield from self.frozen(broker)

    def frozen(self, broker: str) -> Iterator[tuple[int, int]]:
        """Yield (start, end) of the times when the driver had frozen a broker."""
        signals = [event for event in of_kind(self.trace.of[DRIVER], Signal) if event.of == broker]
        thawed = [event.at for event in signals if event.signal == "SIGCONT"]
        for event in signals:
            if event.signal == "SIGSTOP":
                yield event.at, min((at for at in thawed if at >= event.at), default=self.trace.end)

    def disturbed(self, broker: str, since: int, until: int) -> bool:
        """Return True if a broker possibly served requests late in that time.

        It did not run, paused, or had returned at most ``RETURNED`` ms before; or the driver delayed its traffic.
        """
        late = any(begin <= until and since <= end + RETURNED for begin, end in self.gone(broker))
        return late or self.trace.delayed(broker, since, until) or self.trace.stood(broker, since, until) > 0

    def unsubscribed(self, who: str, topic: str, since: int, until: int) -> bool:
        """Return True if a consumer was without a subscription of the topic at some time between two times."""
        again = [event.at for event in self.trace.kind(Subscribed, who) if event.topic == topic]
        ended = [event.at for event in self.trace.kind(Unsubscribed, who) if event.topic == topic]
        spans = ((at, min((one for one in again if one >= at), default=self.trace.end)) for at in ended)
        return any(begin <= until and since <= end for begin, end in spans)

    def is_reset(self, group: str) -> bool:
        """Return True if an administrator reset offsets of the group: claims about offsets assume the contrary."""
        asked = (event for broker in self.trace.brokers for event in self.trace.kind(Answered, broker))
        return any(event.code == RESET and event.asked.group == group for event in asked)

    def away(self, since: int, until: int, after: int) -> bool:
        """Return True if a broker was away or frozen in that time, or had returned at most ``after`` ms before."""
        spans = (span for broker in self.trace.brokers for span in self.gone(broker))
        return any(begin <= until and since < end + after for begin, end in spans)

    def due(self, who: str, at: int, ms: int) -> int:
        """Return when a process has finished ``ms`` ms of work begun at ``at``, if its pauses are added."""
        until = at + ms
        while (later := at + ms + self.trace.slack(who, at, until)) > until:
            until = later
        return until

    def asked(self, who: str, code: str) -> list[Asked]:
        """Return a consumer's requests with this code, sorted by time."""
        return [call for call in self.requests.all[who] if call.ask.code == code]
