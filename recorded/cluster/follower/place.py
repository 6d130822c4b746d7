"""What a recording shows of one topic of a process at one broker (``machines.subscriptions.recorded.AtBroker``)."""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from rebalance_proofs.model.machine.values import number
from rebalance_proofs.model.machines.subscriptions.state import DEFAULTS
from rebalance_proofs.recorded.cluster.beats import (
    Subscriptions,
    about,
    how,
    listed,
    lists_ignored,
    sending,
    sends_v2,
    subscriptions,
)
from rebalance_proofs.recorded.cluster.clients import generation
from rebalance_proofs.recorded.cluster.follower.history import Process, Raised, Unchanged
from rebalance_proofs.recorded.cluster.names import topic_of
from rebalance_proofs.recorded.cluster.requests import Call, Calls
from rebalance_proofs.recorded.cluster.trace import LOOK, STALL, Trace
from rebalance_proofs.recorded.groups.broker import Answered, BrokerStarted, Heard, Table, members
from rebalance_proofs.recorded.groups.driver import Subscribe, Told, Unsubscribe
from rebalance_proofs.recorded.groups.event import BEAT, PULL, REBALANCING, Event
from rebalance_proofs.recorded.groups.member import (
    Answer,
    Ask,
    EntryNew,
    Notified,
    Pulled,
    ShutdownBegin,
    Subscribed,
    Unsubscribed,
)
from rebalance_proofs.recorded.groups.run import DRIVER, of_kind

POLLED = LOOK + STALL
"""Longest time in ms from a change of a broker's table to the event of the poll that sees it."""
THAWED = 5_000
"""Longest time in ms for which a broker handles what it received while it was frozen."""
STARTS = 5_000
"""Time in ms after a broker's start in which it handles requests that arrived meanwhile."""
FIRST = 1_000
"""Time in ms from the start of a client to its first periodic heartbeat."""
CREATED = 6_000
"""Longest time in ms from the creation of a heartbeat to its event: the client connects, and serves other brokers."""
PULL_WAITS = 28_000
"""Shortest time in ms after which a pull without an answer times out, less the time of a pause."""
SCHEDULED = "MQClientFactoryScheduledThread"


class Group:
    """What one life of a broker shows of one group; the events of all its topics and members."""

    def __init__(self, trace: Trace, calls: Calls, broker: str, life: Sequence[Event], group: str) -> None:
        self.trace, self.broker, self.group = trace, broker, group
        self.begin, self.end = life[0].at, life[-1].at
        started = (one.at + STARTS for one in of_kind(life, BrokerStarted))
        self.serves = next(started, self.begin)
        """Time in ms from which no request waits from before the broker's start."""
        tables = [one for one in of_kind(life, Table) if one.of == group]
        self.rows = [one for one in tables if one.what == "subs"]
        self.lists = [one for one in tables if one.what == "members"]
        self.beats = [one for one in of_kind(life, Answered) if one.code == BEAT and about(one.asked, group)]
        came = {(one.from_, one.opaque): one for one in of_kind(life, Heard) if one.code == BEAT}
        self.heard = {one.row: came[key].at for one in self.beats if (key := (one.from_, one.opaque)) in came}
        """Line number of a heartbeat's answer -> time in ms of its arrival."""
        pulls = (one for one in of_kind(life, Answered) if one.code == PULL and one.asked.consumer_group == group)
        self.pulls: dict[str, list[Answered]] = defaultdict(list)
        for one in pulls:
            self.pulls[topic_of(one.asked.q or "")].append(one)

    def row(self, at: int) -> Table | None:
        """Return the last poll of the group's row at a time, or None."""
        place = bisect_right(self.rows, at, key=lambda one: one.at)
        return self.rows[place - 1] if place else None

    @cached_property
    def unchanged(self) -> list[Unchanged]:
        """One event after each possible change, when polls must have seen it."""
        found = {}
        emptied = ((one.at + self.emptied[one.row], one) for one in self.lists if one.row in self.emptied)
        for since, event in [*((beat.at, beat) for beat in self.beats), *emptied]:
            after = POLLED + self.trace.stood(self.broker, since, since + POLLED)
            if (at := since + after) <= self.end:
                row = self.row(at)
                found[at] = Unchanged(at=at, who=self.broker, row=event.row, is_=row.is_ if row else None, after=after)
        return [*found.values()]

    def quiet(self, at: int) -> int:
        """Return the last time up to ``at`` at which polls had seen the effects of all heartbeats."""
        found, before = self.serves, self.begin - POLLED
        for beat in self.beats:
            came = self.heard.get(beat.row, beat.at)
            if min(came, at) - before > POLLED:
                found = max(found, min(came - 1, at))
            before = beat.at
        return max(found, at) if at - before > POLLED else found

    @cached_property
    def emptied(self) -> Mapping[int, int]:
        """Polls after which the broker may have dropped the group, by line number, and how many ms later it can be.

        A broker drops a group without members. Two successive polls then have no connection in common. A broker that
        was frozen also handles heartbeats whose connection the client has closed meanwhile: it lists them until it
        notices that, which may be before the next poll.
        """
        found = {}
        for place, one in enumerate(self.lists):
            if one.was and one.is_ and not {*members(one.was)} & {*members(one.is_)}:
                found[one.row] = 0
            elif one.is_ is None and self.trace.stood(self.broker, one.at - THAWED, one.at):
                later = self.lists[place + 1].at if place + 1 < len(self.lists) else self.end
                found[one.row] = min(later - one.at, THAWED)
        return found


class Member(Process):
    """History of one process in a group at one broker, for all topics."""

    def __init__(self, trace: Trace, who: str, life: Sequence[Event], calls: Calls, at: Group) -> None:
        """Prepare the events of one life of the process, and one life of the broker."""
        super().__init__(trace, who, life)
        self.place = at
        self.fingerprints = sends_v2(trace, who, at.broker)
        self.ignored = self.fingerprints and lists_ignored(trace.release(who))
        self.begin = at.quiet(max(life[0].at - 1, at.begin))
        self.end = min(at.end, trace.ended(who, life[-1].at) or at.end)
        rows = life[0].row, life[-1].row
        calls_of = [one for one in calls.all[who] if rows[0] <= one.ask.row <= rows[1] and one.broker == at.broker]
        calls_of = [one for one in calls_of if at.begin <= one.ask.at <= at.end]
        beats = [one for one in calls_of if one.ask.code == BEAT and about(one.ask.said, self.group)]
        self.beats = [one for one in beats if one.ask.at >= self.begin]
        later = [*(one.ask.at for one in self.beats[1:]), self.end + 1]
        self.sent = [one for one, until in zip(self.beats, later, strict=False) if _came(one) < until]
        """Heartbeats that arrived before the next one; the process has given up waiting for the others."""
        self.answers = {one.answered.row: one for one in self.sent if one.answered}
        pulls = [one for one in calls_of if one.ask.code == PULL and one.answered]
        refused = {one.ask.row: one.answered for one in pulls}
        self.asked = _pulls(life, at.broker)
        self.pull_at = {one.ask.row: one for one in self.asked}
        """Line number of a pull, of its result, or of the broker's answer -> the pull."""
        self.ends_of = {one.result.row: one for one in self.asked if one.result}
        self.answers_of = {end.row: self.pull_at[row] for row, end in refused.items() if end and row in self.pull_at}
        self.refused = {*refused}
        self.all_beats = [one for one in of_kind(life, Ask) if one.code == BEAT and about(one.said, self.group)]
        self.said = {one.row: subscriptions(one.said, self.group) for one in self.all_beats}
        self.heard_back = sorted(one.at for one in of_kind(life, Answer) if one.code == BEAT)
        self.leaves = [one.at for one in of_kind(life, ShutdownBegin)]
        self.notes = sorted(one.at for one in of_kind(life, Notified) if one.said.consumer_group == self.group)

    @cached_property
    def names(self) -> list[str]:
        """The topics in the process's heartbeats to the broker, and in none before."""
        return list(dict.fromkeys(topic for one in self.sent for topic in self.said[one.ask.row]))

    @cached_property
    def next(self) -> int:
        """Earliest time in ms of the first periodic heartbeat after the begin. Their times have a fixed rate."""
        before = [one for one in self.all_beats if one.at <= self.begin and one.thread.startswith(SCHEDULED)]
        here = [one for one in before if one.to in {call.ask.to for call in self.beats}]
        return self.begun + FIRST + number(DEFAULTS.period) * len(here)

    @cached_property
    def told_at_once(self) -> bool:
        """True if the broker notifies members, and it is known which broker did."""
        return len(self.trace.brokers) == 1 and not how(self.trace, self.place.broker)["off"]


def _came(call: Call) -> int:
    """Return the time in ms at which the broker had handled a heartbeat; a large number if it has not."""
    return call.answered.at if call.answered else 1 << 60


@dataclass
class Pull:
    """One pull of a process, and how it ended."""

    ask: Ask
    made: int | None = None
    """Time in ms at which its process queue was added, for the first pull of a process queue."""
    before: "Pull | None" = None
    """The process queue's pull before."""
    result: Pulled | None = None
    next: int | None = None
    """Time in ms of the queue's next pull."""


def _pulls(life: Sequence[Event], broker: str) -> list[Pull]:
    """Return the pulls of a process at a broker."""
    made, last, found = dict[str, int](), dict[str, Pull](), list[Pull]()
    for event in life:
        if isinstance(event, EntryNew):
            made[event.q] = event.at
        elif isinstance(event, Ask) and event.code == PULL and event.said.q and _is_at(event.said.q, broker):
            if before := last.get(event.said.q):
                before.next = event.at
            fresh = made.pop(event.said.q, None)
            last[event.said.q] = Pull(event, fresh, before if fresh is None else None)
            found.append(last[event.said.q])
        elif isinstance(event, Pulled) and event.q in last:
            last[event.q].result = event
    return found


def _is_at(q: str, broker: str) -> bool:
    return q.rsplit(":", 2)[1:2] == [broker]


class Topic(Process):
    """History of one topic of a process at a broker."""

    def __init__(self, member: Member, topic: str) -> None:
        """Begin before the first event."""
        super().__init__(member.trace, member.who, member.life)
        self.member, self.place, self.name = member, member.place, topic
        self.fingerprints, self.ignored = member.fingerprints, member.ignored

    @property
    def label(self) -> str:
        """Name of what is checked, for people."""
        return f"{self.who}, {self.name} at {self.place.broker}"

    @property
    def begun(self) -> int:
        """Time in ms at which the machine begins."""
        return self.member.begin

    polls = ()

    def feed(self, event: Event) -> None:
        """Do nothing: the history is read as a whole."""

    @cached_property
    def events(self) -> list[Event]:
        """The events about the topic, and derived ones, by time."""
        member, place = self.member, self.place
        found: list[Event] = [*place.beats, *place.rows, *place.unchanged]
        found += [one for one in place.lists if one.row in place.emptied]
        found += [one for one in place.pulls[self.name] if one.row in member.answers_of]
        found += [one.ask for one in member.sent]
        pulls = [one for one in member.asked if topic_of(one.ask.said.q or "") == self.name]
        found += [one.ask for one in pulls]
        found += [one.result for one in pulls if one.result and not one.ask.said.has_subscription]
        found += [one for one in member.life if isinstance(one, Subscribed | Unsubscribed) and one.topic == self.name]
        found += [Raised(at=version, who=self.who, row=row) for version, row in self._versions[int(self._subscribes) :]]
        return sorted((one for one in found if member.begin < one.at <= member.end), key=lambda one: (one.at, one.row))

    @cached_property
    def _subscribes(self) -> bool:
        """True if the process subscribes to the topic from the begin on."""
        full = [(one.at, self.member.said[one.row]) for one in self.member.all_beats if self.member.said[one.row]]
        before = [said for at, said in full if at <= self.member.begin]
        return self.name in (before[-1] if before else full[0][1])

    @cached_property
    def _versions(self) -> list[tuple[int, int]]:
        """Versions of the process's subscription, in ms, each with the line number of the first event that has it."""
        found: dict[int, int] = {}
        start = self.trace.run.start
        for one in self.member.life:
            if isinstance(one, Ask) and one.code == BEAT and one.row in self.member.said:
                version = self.member.said[one.row].get(self.name, ("", 0))[1]
            elif isinstance(one, Ask) and one.code == PULL and topic_of(one.said.q or "") == self.name:
                version = int(one.said.sub_version or 0)
            else:
                continue
            if version:
                found.setdefault(version - start, one.row)
        early = [one for one in sorted(found.items()) if one[0] <= self.member.begin]
        return [*early[-1:], *(one for one in sorted(found.items()) if one[0] > self.member.begin)]

    @cached_property
    def _expressions(self) -> set[str]:
        every = (self.member.said[one.row].get(self.name) for one in self.member.all_beats)
        return {one[0] for one in every if one}

    @property
    def initially(self) -> Iterator[Mapping[str, int]]:
        """Yield values of the machine's first state: the table is as polled at the time, or soon after."""
        member, begin = self.member, self.member.begin
        mine = self._versions[0][0] if self._versions and self._subscribes else 0
        row = self.place.row(begin)
        later = [one for one in self.place.rows if begin < one.at <= begin + POLLED]
        first = not any(one.at <= begin for one in member.all_beats)
        for one in (row, *later):
            expression, version = listed(one.is_ if one else None).get(self.name, ("", 0))
            table = {"has": bool(version), "latest": version - self.trace.run.start if version else 0}
            for known in (False,) if first or not self.fingerprints else (False, True):
                for agrees in (True,) if not self.fingerprints or not row or not row.is_ else (False, True):
                    yield {
                        **table,
                        "matches": bool(version) and expression in self._expressions,
                        "subscribes": self._subscribes,
                        "mine": mine,
                        "next": member.next,
                        "known": known,
                        "agrees": agrees,
                    }

    # ---- The event that is being explained

    @property
    def _listed(self) -> Subscriptions:
        """The subscriptions in a heartbeat or in a polled row."""
        event = self.event
        if isinstance(event, Table | Unchanged):
            return listed(event.is_)
        said = event.said if isinstance(event, Ask) else event.asked
        return subscriptions(said, self.group)

    @property
    def own(self) -> bool:
        """True if the process has sent the heartbeat, and has not given up waiting for its answer."""
        return self.event.row in self.member.answers

    @property
    def full(self) -> bool:
        """True if the heartbeat contains subscriptions."""
        return bool(self._listed)

    @property
    def version(self) -> int | None:
        """Version of the topic in ms; None if the topic is missing."""
        found = self._listed.get(self.name)
        return found[1] - self.trace.run.start if found else None

    @property
    def takes(self) -> bool:
        """True if the expression of the topic equals the process's."""
        found = self._listed.get(self.name)
        return found is not None and found[0] in self._expressions

    @property
    def rewritten(self) -> bool:
        """True if the process has changed the topic's expression."""
        return len(self._expressions) != 1

    @property
    def took(self) -> int:
        """Milliseconds from the earliest time at which the broker can have handled the request, to the event."""
        event: Event = self.event
        broker = self.place.broker
        if isinstance(event, Answered) and event.code == BEAT:
            return max(1, event.at - self.place.heard.get(event.row, event.at))
        pull = self.member.answers_of[event.row] if isinstance(event, Answered) else self.member.ends_of[event.row]
        took = max(1, event.at - pull.ask.at)
        paused = any(self.trace.stood(one, event.at - STALL, event.at) for one in {broker, event.who})
        return took if paused or self.trace.delayed(broker, pull.ask.at, event.at) else min(took, STALL)

    @property
    def admitted(self) -> bool:
        """True if the broker has handled the pull of the event, and no refusal is recorded.

        The broker does not record that it refuses a pull that has waited for messages.
        """
        pull, at, broker = self.member.pull_at[self.event.row], self.event.at, self.place.broker
        soon = pull.next is not None and pull.next - at < PULL_WAITS
        if self.event.row in self.member.refused or not (pull.result or soon):
            return False
        until = at + self.arrives
        calm = not self.trace.stood(broker, at - STALL, until) and not self.trace.stood(self.who, at - STALL, until)
        away = any(since <= until and at - STALL <= end for since, end in self.away)
        return calm and not away and not self.trace.delayed(broker, at - STALL, until)

    @property
    def arrives(self) -> int:
        """Longest time in ms from the pull of the event to its arrival.

        It has a result afterwards, or it is sent again after it was refused.
        """
        pull, at = self.member.pull_at[self.event.row], self.at
        end = pull.result.at if pull.result else (pull.next or at) - number(DEFAULTS.retry)
        return max(1, min(STALL, end - at))

    @property
    def polled(self) -> int:
        """Longest time in ms from the poll to its event."""
        event: Event = self.event
        at = event.at
        if isinstance(event, Unchanged):
            return event.after - 1
        return POLLED + self.trace.stood(self.place.broker, at - POLLED, at)

    @property
    def thaws(self) -> int:
        """Milliseconds after the event for which a broker handles what it received while it was frozen."""
        return self.place.emptied.get(self.event.row, 0)

    @property
    def emptied(self) -> bool:
        """True if the group may have had no member."""
        return self.event.row in self.place.emptied

    @property
    def first_pull(self) -> bool:
        """True if the request is the first pull of a process queue."""
        return self.member.answers_of[self.event.row].made is not None

    @property
    def due(self) -> bool:
        """True if the pull is not too early: after its process queue was added, or after a refusal."""
        pull = self.member.pull_at[self.event.row]
        at, before = pull.ask.at, pull.before
        if pull.made is not None and at - pull.made < generation(self.trace.release(self.who)).rules.pull_delay:
            return False
        again = before is not None and before.ask.row in self.member.refused
        same = before is not None and before.ask.said.queue_offset == pull.ask.said.queue_offset
        return not (before and again and same) or at - before.ask.at >= number(DEFAULTS.retry)

    @property
    def commanded(self) -> int:
        """Milliseconds since the driver commanded the call that has returned."""
        event: Event = self.event
        kind = Subscribe if isinstance(event, Subscribed) else Unsubscribe
        told = of_kind(self.trace.of[DRIVER], Told)
        told = [one for one in told if isinstance(one, kind) and one.of == self.who and one.at <= event.at]
        times = [one.at for one in told if one.line.split()[1:2] == [self.name]]
        return event.at - times[-1] if times else STALL

    @property
    def unprepared(self) -> int:
        """Milliseconds for which the topic has had a newer version than that of the heartbeat."""
        version, at = self.version, self.event.at
        newer = min((one for one, _ in self._versions if version is not None and version < one <= at), default=None)
        since = 0 if newer is None else at - newer + 1
        return since if since <= CREATED + self.trace.slack(self.who, at - CREATED, at) else 0

    @property
    def alone(self) -> bool:
        """True if the rebalance thread had no other reason for the heartbeat than the topic's new version.

        Another heartbeat, which held the lock when the version was raised, may have ended before the thread tried it.
        """
        event, version = self.event, self.version
        if event.thread != REBALANCING or version is None:
            return False
        place = next(place for place, one in enumerate(self.member.all_beats) if one.row == event.row)
        said = self.member.said
        before = next((said[one.row] for one in reversed(self.member.all_beats[:place]) if said[one.row]), {})
        new = {topic for topic, one in said[event.row].items() if before.get(topic) != one}
        answers = self.member.heard_back
        ended = bisect_left(answers, version - 1) < bisect_right(answers, event.at)
        return bool(before) and new == {self.name} and not ended

    @property
    def told(self) -> bool:
        """True if the process was notified of the heartbeat, or its notification may not be recorded."""
        member, trace, broker = self.member, self.trace, self.place.broker
        at = self.at
        since, until = at - STARTS, at + sending(trace, broker)
        first = next((one.answered.at for one in member.sent if one.answered), at)
        leaves = any(at < until for at in member.leaves)
        if not member.told_at_once or first >= since or leaves or trace.delayed(broker, since, until):
            return True
        if trace.stood(self.who, since, until) + trace.stood(broker, since, until):
            return True
        if not trace.alive(self.who, since, until):
            return True
        notes = member.notes
        return bisect_left(notes, since) < bisect_right(notes, until)


def topics(trace: Trace, calls: Calls) -> Iterator[Topic]:
    """Yield the histories of all topics of all processes at all brokers."""
    for broker in trace.brokers:
        groups: dict[tuple[str, int], Group] = {}
        for place, life in enumerate(trace.lives(broker)):
            for who, started in trace.consumers.items():
                key = started.group, place
                if key not in groups:
                    groups[key] = Group(trace, calls, broker, life, started.group)
                at = groups[key]
                for own in trace.lives(who):
                    if own[0].at < at.end and at.begin < own[-1].at:
                        member = Member(trace, who, own, calls, at)
                        yield from (Topic(member, name) for name in member.names)
