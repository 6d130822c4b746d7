"""Check one topic of one consumer at one broker: versions, table rows, refused pulls."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from rebalance_proofs.model.machine.values import And, Bool, Implies, Not, Or, truth
from rebalance_proofs.model.machines.subscriptions.actions import FIRST_WITH_V2, SUBSCRIPTIONS, SubscriptionsClient
from rebalance_proofs.model.machines.subscriptions.state import DEFAULTS, Choices, Limits, Subscription
from rebalance_proofs.model.releases import JAVA
from rebalance_proofs.model.subscriptions.broker import Refusal
from rebalance_proofs.model.subscriptions.client import FLIES, IDLE
from rebalance_proofs.recorded.cluster.clients import subscriptions_client
from rebalance_proofs.recorded.cluster.follow import Follower, Move, Way, does
from rebalance_proofs.recorded.cluster.names import topic_of
from rebalance_proofs.recorded.cluster.registry.seen import how, sending
from rebalance_proofs.recorded.cluster.requests import Call, Calls
from rebalance_proofs.recorded.cluster.subscriptions.waits import (
    REFUSED,
    about,
    emptied,
    expression,
    expressions,
    is_v2,
    row,
    subs,
    turns,
)
from rebalance_proofs.recorded.cluster.tally import Tally, Unexplained
from rebalance_proofs.recorded.cluster.trace import LOOK, STALL, Trace
from rebalance_proofs.recorded.groups.broker import Answered, BrokerStarted, BrokerStarting, Heard, Table
from rebalance_proofs.recorded.groups.driver import StartConsumer
from rebalance_proofs.recorded.groups.event import BEAT, PULL, REBALANCING, Event, Release, Request
from rebalance_proofs.recorded.groups.member import Ask, Notified, ShutdownBegin
from rebalance_proofs.recorded.groups.names import numbers

MACHINE = "subscriptions"
FIRST_WITHOUT = "5.3.2"
"""Release from which heartbeats V2 without subscriptions really omit them.

Before, they contain subscriptions that brokers ignore (``MQClientInstance#prepareHeartbeatData``). A recording does not
show whether a broker ignores them.
"""
NOT_LATEST = Refusal.SUBSCRIPTION_NOT_LATEST.value
GHOSTS = frozenset({"stirred"})
"""Ghost variables that events show: whether a change of topics is announced.

All members are notified of a heartbeat that changes the topics.
"""
SCHEDULED = "MQClientFactoryScheduledThread"
"""Name of the thread that sends the periodic heartbeats, and no others."""
TICKING = 10_000
"""Longest delay in ms of the first periodic heartbeat.

The following ones can be early by this delay.
"""
STARTS = 5_000
"""Time in ms after a broker's start in which it handles requests that arrived meanwhile."""


@dataclass
class Topic:
    """Checks of one topic of one consumer at one broker."""

    trace: Trace
    calls: Calls
    broker: str
    who: str
    topic: str
    own: list[Call]
    firsts: frozenset[int]
    """Line numbers of the broker's answers to the first pull of each process queue."""
    tally: Tally
    begun: bool = False
    since: int = 0
    """Time in ms at which the checks of this topic began.

    Before the checks begin, it is the earliest possible time.
    """
    starting: bool = False
    latest: int | None = None
    row: str | None = None
    """The group's row in the broker's table of subscriptions, as last polled.

    The value is None without a row.
    """
    said: Mapping[str, int] = field(default_factory=dict)
    """Topic -> version, from the consumer's last heartbeat."""
    mine: str | None = None
    """The consumer's expression for the topic, from its last heartbeat with the topic."""
    unsure: bool = False
    """True if the expression has changed.

    The modelled message may then not match the expression.
    """
    before: list[Answered] = field(default_factory=list)
    """Other consumers' heartbeats with the topic, from the broker's start to this one's first."""
    ticked: bool = False
    """True if a periodic heartbeat was recorded, so that the times of the next ones are known."""
    sent: Ask | None = None
    """The consumer's last heartbeat; an earlier one that arrives later has left the model's consumer."""
    differs: int | None = None
    """Time in ms from which the model's state differs from the last poll; None if they agree."""
    changed: int = -STALL
    """Time in ms of the group's last heartbeat, or of its answer."""

    def __post_init__(self) -> None:
        started = self.trace.consumers[self.who]
        self.group = started.group
        self.release = self.trace.release(self.who)
        self.lists = JAVA.index(self.release) < JAVA.index(FIRST_WITHOUT)
        self.client = subscriptions_client(self.release, fingerprints=self._has_v2(started))
        self.v2 = self.client.fingerprints
        self.follower: Follower[Subscription, Choices, Limits, SubscriptionsClient] = Follower(
            SUBSCRIPTIONS,
            self.client,
            DEFAULTS,
            self.tally,
            encoding=self.trace.encoding(MACHINE, self.client),
            kept=GHOSTS,
        )
        self.turns = turns(self.trace, self.who, self.topic)
        self.emptied = emptied(self.trace, self.broker, self.group)
        self.asks = {id(call.ask): call for call in self.own}
        self.heard = {call.heard.row: call for call in self.own if call.heard}
        self.answered = {call.answered.row: call for call in self.own if call.answered}

    def _has_v2(self, started: StartConsumer) -> bool:
        """Return True if heartbeats to the broker are V2.

        The consumer is configured for V2, and the broker knows V2.
        """
        if not is_v2(started):
            return False
        if told := self.trace.kind(Release, self.broker):
            return numbers(told[0].number) >= numbers(FIRST_WITH_V2)
        beats = (each.said for each in self.trace.kind(Heard, self.broker) if each.code == BEAT)
        return self.lists or any(about(said, self.group) and not subs(said, self.group) for said in beats)

    def held(self) -> None:
        """Check all events about the topic in order of time. Raises ``Unexplained``."""
        for event in self._events():
            self.follower.keep(event.at, 8)
            self._shown(event)
            self._unseen(event)
            if isinstance(event, (Heard, Answered)) and event.code == BEAT:
                self.changed = event.at

    def _unseen(self, event: Event) -> None:
        """Check that a change of the broker's table has appeared in the next poll.

        Raises ``Unexplained``.
        """
        version = None if self.latest is None else self._ms(self.latest)
        seen = not self.begun or any(version == (s.latest if s.has else None) for s in self.follower.states)
        self.differs = None if seen else event.at if self.differs is None else self.differs
        if self.differs is not None:
            late = event.at - self.differs - self.trace.stood(self.broker, self.differs, event.at)
            if late > LOOK + STALL:
                raise Unexplained(
                    event, f"no poll has seen what arrived {late} ms ago", self.follower.told(self.follower.states)
                )

    def _events(self) -> Iterator[Event]:
        of_broker = (
            event
            for event in self.trace.of[self.broker]
            if isinstance(event, (BrokerStarting, BrokerStarted))
            or (isinstance(event, Table) and event.of == self.group and event.what == "subs")
            or (isinstance(event, Heard) and event.code == BEAT and about(event.said, self.group))
            or (isinstance(event, Answered) and self._answer_of(event))
        )
        asks = [call.ask for call in self.own]
        asks += [one for one in self.trace.kind(Ask, self.who) if one.code == PULL and self._posts(one)]
        ranked: list[tuple[int, int, int, Event]] = [(event.at, 1, event.row, event) for event in of_broker]
        ranked += [(event.at, 0, event.row, event) for event in asks]
        return (event for *_, event in sorted(ranked, key=lambda each: each[:3]))

    def _posts(self, event: Ask) -> bool:
        """Return True if a pull contains its own expression.

        The broker then does not use its table.
        """
        topic, broker, _ = (event.said.q or "::").rsplit(":", 2)
        return event.said.has_subscription and (topic, broker) == (self.topic, self.broker)

    def _answer_of(self, event: Answered) -> bool:
        if event.code == BEAT:
            return about(event.asked, self.group)
        topic = topic_of(event.asked.q or "")
        return event.code == PULL and event.asked.consumer_group == self.group and topic == self.topic

    def _shown(self, event: Event) -> None:
        if isinstance(event, Ask) and event.code == PULL and not self.begun:
            return
        if isinstance(event, Ask) and event.code == BEAT:
            self.sent, before = event, self.sent
            if self.begun and before and self._has_timed_out(before, event):
                # The model's member waits until its heartbeat arrives.
                self.follower.states |= {s.but(at=IDLE): None for s in self.follower.states if s.at == FLIES}
                self.tally.widened += 1
        if isinstance(event, Table):
            self.latest, self.row = row(event.is_).get(self.topic), event.is_
        if isinstance(event, BrokerStarting):
            self.tally.shown["forgets"] += self.begun
            self.before.clear()
            self.latest, self.begun, self.starting = None, False, event.at > self.trace.of[self.broker][0].at
        if isinstance(event, BrokerStarted):
            self.since, self.starting = event.at + STARTS, False
        if not self.begun:
            can = not self.starting and event.at >= self.since
            if can and isinstance(event, Answered) and self._says(event):
                if event.row in self.answered:
                    self._begins(event)
                elif event.code == BEAT:
                    self.before.append(event)
            return
        self.tally.held(self.client.name, self.release)
        if isinstance(event, Answered) and any(since <= event.at <= until for since, until in self.emptied):
            self.follower.let(event.at, (does("forgets"),))
        if isinstance(event, Table):
            self._looks(event)
        elif isinstance(event, Ask) and event.code == PULL:
            self.follower.show(event, [(does("posts"),)], "it pulls a topic without a subscription")
        elif isinstance(event, Ask):
            self._sends(event)
        elif isinstance(event, Heard):
            if any(since <= event.at <= until for since, until in self.emptied):
                self.follower.let(event.at, (does("forgets"),))
                self.tally.widened += 1
            call = self.heard.get(event.row)
            if call and self._is_late(call):
                self.follower.let(event.at, *self._others(event.said))
                self.tally.widened += 1
            elif call:
                self.follower.let(event.at, (does("arrives"),))
            else:
                self.follower.begin(*(s.but(stirred=False) for s in self.follower.states))
                self.follower.let(event.at, *self._others(event.said))
        elif isinstance(event, Answered) and event.code == PULL:
            self._refused(event)
        elif isinstance(event, Answered):
            self._has_heard(event)

    def _says(self, event: Answered) -> bool:
        return self.topic in subs(event.asked, self.group)

    def _ms(self, version: int) -> int:
        return version - self.trace.run.start

    def _begins(self, event: Answered) -> None:
        version = self._ms(subs(event.asked, self.group)[self.topic])
        self.mine = expressions(event.asked, self.group)[self.topic]
        first = SUBSCRIPTIONS.begun(
            DEFAULTS, self.follower.variant, now=event.at, subscribes=True, mine=version, latest=version
        )
        self.follower.begin(self.follower.alike(first))
        self.begun, self.since, self.ticked = True, event.at, False
        for one in self.before:
            self.follower.let(event.at, *self._others(one.asked))
        self.before.clear()
        if self.latest is not None:
            takes = int(expression(self.row, self.topic) == self.mine)
            other = does("others", topic=1, takes=takes, newer=0, version=self._ms(self.latest), same=1)
            self.follower.show(event, [(other,)], "")

    def _raised(self, version: int | None, *way: Move) -> list[Way]:
        """Return the actions ``way``, and the same after the consumer has raised the topic's version.

        If ``version`` is None, return only the first.
        """
        if version is None:
            return [way]
        raises = does("raises", at=self._ms(version))
        return [way, (raises, *way)]

    def _sends(self, event: Ask) -> None:
        said = subs(event.said, self.group)
        version, full = said.get(self.topic), bool(said)
        new = expressions(event.said, self.group).get(self.topic, self.mine)
        self.unsure |= new != self.mine
        self.mine = new
        self._turned(event.at)
        self.follower.let(event.at, (does("arrives"), does("ends")), (does("ends"),))
        mine = self._ms(version) if version is not None else 0
        begins = self._begins_by(event)
        ways = [way for how in begins for way in self._raised(version, does(how), does("sends"))]
        # A heartbeat of the scheduled thread was begun by that thread, even if the version was just raised.
        ways += [(does("sends"),)] if "ticks" in begins else self._raised(version, does("sends"))
        if self._for_that_alone(event, said) and version is not None:
            ways = [(does("raises", at=mine), does("sends"))]
        self.follower.show(
            event,
            ways,
            "its heartbeat has another version" if version is not None else "its heartbeat does not have the topic",
            seen=lambda s: And(
                s.at == FLIES,
                Or(s.full == full, self.v2 and self.lists),
                Implies(full, s.subscribes == (version is not None)),
                Implies(version is not None, s.carried == mine),
            ),
        )

    def _begins_by(self, event: Ask) -> tuple[str, ...]:
        """Return the names of actions by which the heartbeat can have begun.

        Heartbeats of the scheduled thread are periodic.
        """
        if not event.thread.startswith(SCHEDULED):
            return ("begins",)
        if not self.ticked:
            self.ticked = True
            due = event.at - TICKING - self.trace.slack(self.who, self.since, event.at)
            self.follower.begin(*(s.but(next=due) for s in self.follower.states))
        return ("ticks",)

    def _for_that_alone(self, event: Ask, said: Mapping[str, int]) -> bool:
        """Return True if the heartbeat was sent only because the consumer raised this topic's version.

        The rebalance thread sends heartbeats for no other reason, and the versions of all other topics are unchanged.
        """
        before, self.said = self.said, said
        new = {topic for topic, version in said.items() if before.get(topic) != version}
        return event.thread == REBALANCING and bool(before) and new == {self.topic}

    def _turned(self, at: int) -> None:
        """Apply the user's calls of ``subscribe`` and ``unsubscribe`` up to the time ``at``.

        The model's consumer never changes its subscription, so its states are replaced by those of another consumer.
        """
        now = [*self.follower.states]
        for since, until, subscribes in self.turns:
            if since > at:
                break
            turned = [s.but(subscribes=subscribes, known=False) for s in now if truth(s.subscribes) != subscribes]
            same = [s for s in now if truth(s.subscribes) == subscribes]
            now = [*same, *turned, *(now if until > at else ())]
        self.turns = [turn for turn in self.turns if turn[1] > at]
        self.follower.begin(*now)

    def _has_heard(self, event: Answered) -> None:
        call = self.answered.get(event.row)
        if call and self._is_late(call):
            self.follower.show(event, [*self._others(event.asked), ()], "")
        elif call:
            ways: list[Way] = [(does("arrives"), does("ends")), (does("ends"),), ()]
            self.follower.show(event, ways, "its heartbeat was not sent", seen=lambda s: s.at == IDLE)
        else:
            quiet = self._nobody_told(event.at)
            why = "another consumer's heartbeat changes the topics, but no consumer is notified"
            seen = (lambda s: Not(s.stirred)) if quiet else None
            self.follower.show(event, [*self._others(event.asked)], why, seen=seen)

    def _is_late(self, call: Call) -> bool:
        """Return True if the consumer has sent another heartbeat before this one arrives.

        It has timed out then. The broker handles it like a heartbeat of another consumer.
        """
        return self.sent is not None and call.ask.row < self.sent.row

    def _has_timed_out(self, before: Ask, event: Ask) -> bool:
        """Return True if a heartbeat has not arrived when the consumer sends the next one."""
        heard = self.asks[id(before)].heard
        return heard is None or heard.at >= event.at

    def _nobody_told(self, at: int) -> bool:
        """Return True if no member was notified at the time ``at``.

        Return False if a notification might not have been recorded.
        """
        since, until = at - STARTS, at + sending(self.trace, self.broker)
        busy = self.since < since and not any(one.at < until for one in self.trace.kind(ShutdownBegin, self.who))
        late = self.trace.stood(self.who, since, until) + self.trace.stood(self.broker, since, until)
        if not busy or late or len(self.trace.brokers) != 1 or how(self.trace, self.broker)["off"]:
            return False
        if self.trace.delayed(self.broker, since, until) or not self.trace.alive(self.who, since, until):
            return False
        return not any(since <= note.at <= until for note in self.trace.kind(Notified, self.who))

    def _others(self, said: Request) -> Iterable[Way]:
        """Yield the possible actions for another consumer's heartbeat.

        There are several, because a recording does not show whether the fingerprints of two heartbeats are equal.
        """
        own = subs(said, self.group)
        version = self._ms(own[self.topic]) if self.topic in own else 0
        takes = int(expressions(said, self.group).get(self.topic) == self.mine)
        for same in (0, 1) if self.v2 else (0,):
            if own:
                topic = int(self.topic in own)
                yield (does("others", topic=topic, takes=takes, newer=0, version=version, same=same),)
            if not own or (self.v2 and self.lists):
                yield (does("prints", same=same),) if self.v2 else ()

    def _looks(self, event: Table) -> None:
        if event.is_ is None:
            self.follower.show(event, [(does("forgets"),)], "")
            return
        version = row(event.is_).get(self.topic)
        has, latest = version is not None, self._ms(version or 0)

        takes = expression(event.is_, self.topic) == self.mine

        def seen(s: Subscription) -> Bool:
            same = Implies(has, s.latest == latest)
            return And(s.has == has, same, Implies(And(has, not self.unsure), s.matches == takes))

        try:
            self.follower.show(event, [()], f"the broker's table has {event.is_}", seen=seen)
        except Unexplained:
            if event.at - self.since > STALL and not any(map(seen, self.follower.lately(event.at, STALL))):
                raise
            self.tally.widened += 1

    def _refused(self, event: Answered) -> None:
        if event.said.code not in REFUSED or not self._own_pull(event):
            return
        gone = event.said.code != NOT_LATEST
        ways = self._raised(event.asked.sub_version, does("pulls"))
        if event.row in self.firsts:
            ways = self._raised(event.asked.sub_version, does("firsts")) + ways

        def seen(s: Subscription) -> Bool:
            return And(s.refused, Implies(gone, Not(s.has)))

        def refuses(near: Iterable[Subscription]) -> bool:
            return any(seen(after) for s in near for way in ways for after in self.follower.after(s, way, event.at))

        now = dict(self.follower.states)
        try:
            self.follower.show(event, ways, "the broker refuses a pull", seen=seen)
        except Unexplained:
            # Another heartbeat may have come at that time: the older or the newer table refused the pull.
            if not refuses([*self.follower.lately(event.at, STALL + LOOK), *self._soon(event.at)]):
                raise
            self.tally.widened += 1
        else:
            if event.at - self.changed < LOOK and refuses(self.follower.lately(event.at, LOOK)):
                self.follower.states |= now  # the table before the last heartbeat may have refused it

    def _soon(self, at: int) -> Iterator[Subscription]:
        """Yield the states that agree with the broker's table in the next poll."""
        rows = [one for one in self.trace.kind(Table, self.broker) if one.what == "subs" and one.of == self.group]
        for one in rows:
            if at <= one.at <= at + LOOK + STALL:
                version = row(one.is_).get(self.topic)
                latest = self._ms(version or 0)
                yield from (s.but(has=version is not None, latest=latest) for s in self.follower.states)

    def _own_pull(self, event: Answered) -> bool:
        return self.calls.owner(event) == self.who
