"""Small recordings that are drawn, as monitors' are, in which messages are read twice, or never, or late, or by two at
once, and offsets go back; with the signs of causes."""

from dataclasses import replace
from pathlib import Path

from rebalance_proofs.recorded.groups.broker import Answered, BrokerStarted, Heard
from rebalance_proofs.recorded.groups.driver import BrokerEnded, Calm, NotCalm
from rebalance_proofs.recorded.groups.event import BEAT, PULL, UPDATE, Cannot, GroupData, Release, Request, Response
from rebalance_proofs.recorded.groups.member import (
    Allocate,
    Ask,
    EntryGone,
    EntryNew,
    Gap,
    OffsetRead,
    Pulled,
    Quitting,
    Started,
)
from rebalance_proofs.recorded.groups.run import DRIVER
from rebalance_proofs.recorded.seen.history import History
from tests.report.reality.monitors.drawing import GROUP, QUEUES
from tests.report.reality.monitors.together import Drawn

TIMES = (0, 100, 1_000, 2_000, 5_000, 7_000, 8_000, 10_000, 33_000, 60_000, 70_000, 86_000, 90_000)
STRATEGY = "AllocateMessageQueueAveragely"


class Run:
    """The events of a recording, in the place of its files."""

    def __init__(self, trace):
        self.folder, self.brokers = Path(f"java-{trace.version}/drawn"), trace.brokers
        self._events = [_as_written(event) for events in trace.of.values() for event in events]

    def events(self):
        return sorted(self._events, key=lambda event: event.at)


def _as_written(event):
    """A request says ``topic:queueId``, and a client id has its address."""
    if isinstance(event, Ask | Heard | Answered):
        part = "asked" if isinstance(event, Answered) else "said"
        said = getattr(event, part)
        q = said.q and said.q.replace(":b0", "")
        return replace(event, **{part: replace(said, q=q, client_id=said.client_id and f"10.0.0.1@{said.client_id}")})
    return event


class Lived(Drawn):
    """One recording, by its number."""

    def __init__(self, number):
        super().__init__("live", number, TIMES)
        self.brokers = ("b0",)
        self.ordered = self.maybe(2)

    def begins(self):
        self.made.broker()
        strategies, tags = (
            (STRATEGY, "other") if self.maybe(5) else (STRATEGY,),
            ("T1", "T1:A") if self.maybe(3) else ("T1",),
        )
        for who in self.members:
            at = 0 if not self.maybe(5) else self.at()
            sub = self.r.choice(tags) if not self.maybe(9) else "T2"
            self.made.member(
                who, at, started=False, id="c0" if self.maybe(12) else who, sub=sub,
                mode="ordered" if self.ordered else "concurrent", strategy=self.r.choice(strategies),
                from_=self.r.choice(("FIRST", "FIRST", "LAST")),
            )  # fmt: skip
            if self.maybe(5):
                self.made.add(Release, who, at, rocketmq=self.r.choice(("V5_3_3", "V4_9_8", "V9_9_9")), java="17")
            if not self.maybe(9):
                self.made.add(Started, who, at + self.r.choice((0, 1, 100)), client_id=who)
            if self.maybe(9):
                self.made.add(Cannot, who, at, what=("one", "other"), why="not told")

    def has(self):
        """A member's entry of a queue, of which the first pull finds messages or none."""
        who, q, at, read = self.who(), self.q(), self.at(), self.r.choice((0, 1, 1, 2, -1))
        self.entries += 1
        if not self.maybe(6):
            self.made.add(OffsetRead, who, at, q=q, result=read)
        self.made.add(EntryNew, who, at, q=q, entry=f"e{self.entries}")
        if not self.maybe(4):
            first = max(0, read + self.r.choice((0, 0, 1, 2)))
            got = self.r.choice(((first,), (first, first + 1), ()))
            self.made.add(Pulled, who, at + self.r.choice((0, 1, 100)), q=q, status="FOUND", next=first + 1, got=got)
        if not self.maybe(3):
            how, idle = self.r.choice(("rebalance", "remove", "clear")), self.r.choice((0, 120_000, 120_001))
            self.made.add(EntryGone, who, self.at(at), q=q, entry=f"e{self.entries}", how=how, since_pull=idle)
        return who, q, at

    def reads(self):
        """A message is sent to a queue that somebody has, who reads it, or is late."""
        who, q, at = self.has()
        self.message(q, at)
        self.call(who, q, at + self.r.choice((0, 100, 4_999, 5_000, 10_000, 15_000)))

    def message(self, q, at):
        self.sent_to(q, max(0, at + self.r.choice((-100, 0, 0, 1))), self.r.choice((0, 1, 1, 2)))

    def waits(self):
        who, q, at = self.has()
        self.message(q, at)
        for _ in range(self.r.randrange(3)):
            self.pull(who, q, at + self.r.choice((0, 100, 5_000)))

    def set_back(self):
        """The offset goes back, as an update says that comes a little before or not at all; of who has the queue."""
        who, q, at = self.has()
        at, offset = at + self.r.choice((0, 0, 1, 1_000)), self.r.choice((0, 1))
        commits = {self.r.choice(("commit_offset", "commit_offset", "offset")): offset}
        said = Request(q=q, consumer_group=GROUP, client_id=self.r.choice((who, self.who())), **commits)
        told = max(0, at - self.r.choice((-1, 0, 1, 2_000, 2_001, 10_000, 10_001)))
        answered = self.r.choice((None, told, max(0, at - 2_000), max(0, at - 2_001), at + 2_000, at + 2_001))
        self.made.asks(self.r.choice((who, self.who())), told, UPDATE, said, answered=answered)
        self.row(q, at, str(self.r.choice((2, 3))), self.r.choice((str(offset), str(offset), "1", None)))

    def forgot(self):
        """An offset goes back about as long after its broker had ended as that is looked at."""
        at, q = self.at(), self.q()
        self.made.add(BrokerEnded, DRIVER, at, of="b0")
        again = at + self.r.choice((1, 1_000))
        self.made.add(BrokerStarted, "b0", again)
        seen = self.r.choice((at - 1, at, again, again + 90_000, again + 90_001))
        self.row(q, max(0, seen), "3", self.r.choice(("1", None)))

    def stands_still(self):
        """A message waits about twice as long as its member stands still, or as the scenario's delays let it."""
        who, q, at, ms = self.who(), self.q(), self.at(), self.r.choice((6_000, 8_000, 10_000))
        self.made.add(EntryNew, who, at, q=q, entry="still")
        self.message(q, at)
        for one in self.some(self.members):
            self.made.add(
                Gap, one, at + ms, ms=min(at + ms, ms // self.r.choice((2, 2, 3)) + self.r.choice((-1, 0, 1)))
            )
        self.call(who, q, at + ms)

    def unknown_yet(self):
        """A first message waits for the first heartbeat that a broker hears, and its listener a while longer."""
        at = self.r.choice((0, 1, 1_000, 20_000, 33_000, 33_001, 33_200))
        said = Request(client_id="c0", groups=(GroupData(group=GROUP if not self.maybe(9) else "H", subs={}),))
        self.made.add(Heard, "b0", at, code=BEAT, from_="", opaque=-2, said=said)
        self.sent_to(QUEUES[0], 0, 0)
        self.call(self.who(), QUEUES[0], at + self.r.choice((5_000, 9_999, 10_000, 10_001)))

    def learns(self):
        """Two members' rebalances of a topic see the same queues, or others."""
        for who in self.members:
            self.made.add(Allocate, who, self.at(), topic="T1", mq_all=self.r.choice((QUEUES, QUEUES, QUEUES[:1])),
                          cid_all=self.members, result=())  # fmt: skip

    def quits(self):
        self.made.add(Quitting, self.who(), self.at())

    def is_refused(self):
        who, q, at = self.has()
        self.message(q, at)
        said = Request(q=q, consumer_group=GROUP if not self.maybe(5) else "H")
        code = Response(code=self.r.choice((24, 25, 0)))
        self.made.asks(
            who, at, PULL, said, answered=max(0, at + self.r.choice((-2_001, -2_000, 0, 100))), response=code
        )

    def keeps_busy(self):
        """All threads of a member run listeners, or all but one or two, while a message waits."""
        who, q, at = self.has()
        self.message(q, at)
        for thread in range(self.r.choice((6, 7, 8))):
            self.made.call(who, QUEUES[1] + str(thread), 0, at, at + self.r.choice((7_000, 8_000, 60_000)))


D = Lived
HAPPENS = (
    *(D.reads, D.reads, D.reads, D.hands_over, D.hands_over, D.has, D.call, D.call, D.waits, D.set_back, D.set_back),
    *(D.lock, D.unlock, D.lock_row, D.offset_row, D.beat, D.learns, D.is_refused, D.entry, D.sent, D.sent),
)
SELDOM = (
    *(D.restarts, D.restarts, D.subscribes, D.resumes, D.shuts_down, D.killed, D.stands, D.delays, D.quits, D.forgot),
    *(D.keeps_busy, D.comes_back, D.gives_back),
)


FIRST = (D.stands_still, D.unknown_yet)
"""What needs that nothing else is seen."""


def drawn(number):
    """A recording, arranged for questions."""
    self = Lived(number)
    self.begins()
    if self.maybe(6):
        self.r.choice(FIRST)(self)
    else:
        for _ in range(self.r.randrange(2, 10)):
            self.r.choice(HAPPENS)(self)
        for _ in range(self.r.randrange(3)):
            self.r.choice(SELDOM)(self)
    end = max(self.times) + self.r.choice((0, 1, 1_000, 2_000, 5_000, 25_000, 60_000, 100_000))
    self.made.add(self.r.choice((Calm, Calm, NotCalm)), DRIVER, end) if not self.maybe(4) else None
    return History(Run(self.made.trace(end)))
