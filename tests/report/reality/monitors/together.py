"""What belongs together in a recording that is drawn, so that a monitor's conditions are met, or nearly."""

from rebalance_proofs.recorded.groups.broker import BrokerStarting, Table
from rebalance_proofs.recorded.groups.driver import Delay, Signal
from rebalance_proofs.recorded.groups.event import (
    BEAT,
    ILLEGAL,
    LIST,
    LOCK,
    PULL,
    PULLING,
    REBALANCING,
    UNLOCK,
    GroupData,
    Queues,
    Request,
    Response,
    Sent,
)
from rebalance_proofs.recorded.groups.member import (
    Allocate,
    Begin,
    End,
    Entry,
    EntryGone,
    EntryNew,
    OffsetRead,
    OffsetUpdate,
    Pulled,
    Resumed,
    Resuming,
    ShutdownBegin,
    ShutdownEnd,
    Suspending,
    Threw,
)
from rebalance_proofs.recorded.groups.run import DRIVER
from tests.report.reality.monitors.drawing import GROUP, QUEUES
from tests.report.reality.monitors.single import Single


class Drawn(Single):
    """A recording, and what may be drawn of it together."""

    def new_queue(self):
        """An entry, a heartbeat for it, and pulls that can be refused."""
        who, q, at = self.who(), self.q(), self.at()
        self.entry(who, q, at)
        if not self.maybe(3):
            self.beat(who, at + self.r.choice((0, 0, 100, 1_000, 1_001)))
        for _ in range(self.r.randrange(4)):
            self.pull(who, q, at := self.at(at))

    def crowd(self):
        """Refused pulls before and after a heartbeat of their member and one of another member, which can lack the
        topic."""
        who, q, at = self.who(), self.q(), self.at()
        other = self.r.choice([one for one in self.members if one != who] or [who])
        self.made.add(EntryNew, who, at, q=q, entry="crowd")
        for _ in range(self.r.randrange(1, 3)):
            at += self.r.choice((0, 1, 100))
            self.refused(who, q, at, self.r.choice((24, 24, 25, 0)))
        at += self.r.choice((0, 1, 100))
        subs = self.r.choice(({"T2": "*@1"}, {"T2": "*@1"}, {"T1": "*@1"}, {}))
        for name, topics in ((who, {"T1": "*@1"}), (other, subs)):
            groups = (GroupData(group=GROUP, subs=topics),)
            answered = at if not self.maybe(8) else None
            self.made.asks(name, at, BEAT, Request(client_id=name, groups=groups), heard=at, answered=answered)
            at += self.r.choice((0, 1, 999, 1_000, 1_001))
        for code in self.r.choice(((24, 0), (24, 24, 0), (24,), (24, None), (0,), ())):
            at += self.r.choice((0, 1, 100, 35_000, 68_000))
            self.refused(who, q, at, code)

    def refused(self, who, q, at, code):
        self.made.asks(who, at, PULL, Request(q=q), answered=at if code else None, response=Response(code=code))

    def restless(self):
        """The broker's table has one topic, and then the other, for about as long as two heartbeats are apart."""
        at = self.at()
        for topic in ("T1", "T2", "T1", "T2"):
            self.made.add(Table, "b0", at, what="subs", of=GROUP, is_=f"{{{topic}=*@1}}", was=None)
            groups = (GroupData(group=GROUP, subs={topic: "*@1"}),)
            beat = max(0, at + self.r.choice((-501, -500, -50, 0, 550, 551)))
            self.made.asks("c0", beat, BEAT, Request(client_id="c0", groups=groups), heard=beat, answered=beat)
            at += self.r.choice((500, 999, 1_000, 1_001, 69_999, 70_000, 70_001, 90_000))

    def newest(self):
        """A message of a queue that somebody has, whose versions a broker knows from heartbeats, and commits."""
        who, q, at, offset = self.who(), self.q(), self.at(), self.r.choice((0, 1, 2))
        if not self.maybe(4):
            self.made.add(EntryNew, who, at, q=q, entry=f"newest{at}")
        for name in self.members:
            version = self.r.choice((1, 2, 3))
            groups = (GroupData(group=GROUP, subs={self.r.choice(("T1", "T1", "T1", "T2")): f"*@{version}"}),)
            if not self.maybe(4):
                came = max(0, at + self.r.choice((-1, 0, 1, 33_000, 33_001)))
                self.made.asks(name, came, BEAT, Request(client_id=name, groups=groups), heard=came, answered=came)
        self.made.add(Sent, "p", at, q=q, offset=offset, tag=self.r.choice("AB"))
        passed = str(offset + (not self.maybe(4)))
        self.made.add(Table, "b0", self.at(at), what="offset", of=f"T1@G:{q[-1]}", is_=passed, was=None)
        if self.maybe(2):
            left = at + self.r.choice((0, 1, 33_000, 33_001))
            self.made.add(EntryGone, who, left, q=q, entry=f"newest{at}", how="rebalance", since_pull=0)
        if self.maybe(3):
            self.made.add(Begin, who, at, q=q, offsets=(offset,))
            self.made.add(End, who, at, q=q, from_=offset, to=offset)

    def hands_over(self):
        """A queue goes from one member to another, or back, and both call their listeners with what is there."""
        q, at, last = self.q(), self.at(), 0
        for _ in range(2):
            who, read, self.entries = self.who(), self.r.choice((0, 1, 1, 2)), self.entries + 1
            self.made.add(OffsetRead, who, at, q=q, result=read)
            self.made.add(EntryNew, who, at, q=q, entry=f"e{self.entries}")
            if self.kind == "ordered":
                granted = Response(code=0, granted=(q,))
                said = Request(client_id=who, consumer_group=GROUP, queues=(q,))
                self.made.asks(who, at, LOCK, said, heard=at, answered=at, answer=at, response=granted)
                if self.maybe(2):
                    self.made.add(Entry, who, at + self.r.choice((0, 1, 500)), q=self.q(), entry=f"e{self.entries}",
                                  dropped=not self.maybe(3), in_table=True)  # fmt: skip
            begun = max(last, at + self.r.choice((0, 1, 1_000)))
            self.made.add(Begin, who, begun, q=q, offsets=(read,))
            self.made.add(End, who, begun + self.r.choice((0, 1, 1_000, 21_000)), q=q, from_=read, to=read)
            at += self.r.choice((1, 1_000, 2_000))
            last = self.r.choice((0, at - 1, at, at + 1_000, at + 1_001))
            if not self.maybe(4):
                self.made.add(EntryGone, who, at, q=q, entry=f"e{self.entries}", how="rebalance", since_pull=0)
            at += self.r.choice((0, 1, 1_000, 20_000))

    def gives_back(self):
        """A lock is a consumer's that is shut down, and free or another one's about as soon as it should be."""
        who, q, at = self.who(), self.q(), self.at()
        self.made.add(Table, "b0", at, what="lock", of=f"G {q}", is_=who, was=None)
        at += self.r.choice((-1, 0, 1))
        self.made.add(ShutdownBegin, who, max(0, at))
        at = max(0, at) + self.r.choice((0, 1_000))
        self.made.add(ShutdownEnd, who, at)
        for _ in range(2):
            at += self.r.choice((0, 1, 2_049, 2_050, 2_051))
            self.made.add(Table, "b0", at, what="lock", of=f"G {q}", is_=self.r.choice((None, *self.members)), was=who)

    def runs_out(self):
        """A lock is granted, its entry leaves, and as long afterwards as it lives others ask for it, or have it."""
        who, q, at = self.who(), self.q(), self.at()
        self.lock(who, q, at)
        self.made.add(EntryNew, who, at, q=q, entry="out")
        self.made.add(EntryGone, who, at + self.r.choice((0, 1)), q=q, entry="out", how="rebalance", since_pull=0)
        for _ in range(2):
            later = at + self.r.choice((0, 1, 59_999, 60_000, 60_001, 60_002))
            said = Request(client_id=(other := self.who()), consumer_group=GROUP, queues=(q,))
            granted = Response(code=0, granted=self.r.choice(((), (q,))))
            self.made.asks(other, later, LOCK, said, heard=later, answered=later, answer=later, response=granted)
        row = at + self.r.choice((2_049, 2_050, 2_051, 59_999, 60_000, 60_001))
        self.made.add(Table, "b0", row, what="lock", of=f"G {q}", is_=self.who(), was=who)
        if self.maybe(3):
            said = Request(client_id=who, consumer_group=self.r.choice(("G", "H")), queues=(q,))
            self.made.asks(who, at, UNLOCK, said, heard=max(0, row - self.r.choice((-1, 0, 2_050, 2_051))))

    def comes_back(self):
        """A queue leaves an ordered consumer and comes back about as soon as the return of its lock is put off; both it
        and another one call their listeners."""
        who, other, q, at = self.who(), self.who(), self.q(), self.at()
        for _ in range(2):
            self.entries += 1
            self.made.add(EntryNew, who, at, q=q, entry=f"e{self.entries}")
            self.made.add(Begin, who, at, q=q, offsets=(0,))
            self.made.add(End, who, at + self.r.choice((100, 60_000)), q=q, from_=0, to=0)
            at += self.r.choice((0, 1, 100))
            self.made.add(EntryGone, who, at, q=q, entry=f"e{self.entries}", how="rebalance", since_pull=0)
            gone, at = at, at + self.r.choice((0, 1, 1_000, 19_999, 20_000, 20_001))
        self.made.add(EntryNew, other, gone, q=q, entry="other")
        begun = gone + self.r.choice((0, 100, 19_999, 20_000, 20_001, 40_000))
        self.made.add(Begin, other, begun, q=q, offsets=(0,))

    def in_time(self):
        """As that, and all locks are granted at once and renewed in time, and no listener takes long."""
        who, q, at = self.members[0], self.q(), self.at()
        other = self.members[-1]
        left = at + 1
        back = left + self.r.choice((1, 1_000, 9_999, 19_999, 20_000))
        begun = left + self.r.choice((0, 19_999, 20_000, 20_001, 25_000))
        for name, member, since in (("e1", who, at), ("e2", who, back), ("other", other, begun)):
            for later in range(since, since + 50_000, 10_000):
                said = Request(client_id=member, consumer_group=GROUP, queues=(q,))
                granted = Response(code=0, granted=(q,))
                self.made.asks(member, later, LOCK, said, heard=later, answered=later, answer=later, response=granted)
            self.made.add(EntryNew, member, since, q=q, entry=name)
            if self.maybe(2) or name != "e1":
                self.made.add(Begin, member, since, q=q, offsets=(0,))
                self.made.add(End, member, since + self.r.choice((1, 100, 1_000, 5_000)), q=q, from_=0, to=0)
        self.made.add(EntryGone, who, left, q=q, entry="e1", how="rebalance", since_pull=0)
        self.made.add(EntryGone, who, back + 10_000, q=q, entry="e2", how="rebalance", since_pull=0)
        self.times.append(at + 80_000)

    def added(self):
        """A topic has more queues, which a member sees or not, long after it or just in time."""
        at, who = self.at(), self.who()
        self.made.add(Queues, "p", at, topic="T1", queues=QUEUES[:1])
        at += self.r.choice((1, 1_000))
        self.made.add(Queues, "p", at, topic="T1", queues=QUEUES)
        for _ in range(2):
            seen = at + self.r.choice((-1, 0, 1, 36_000, 37_999, 38_000, 38_001, 70_000, 80_000))
            self.made.add(Allocate, who, max(0, seen), topic="T1", mq_all=self.r.choice((QUEUES, QUEUES[:1])),
                          cid_all=(who,), result=())  # fmt: skip

    def asks_twice(self):
        """Two rebalances of a member that ask for its group at about one time, of one thread or two; while it is
        resumed, as it can be."""
        who, at = self.who(), self.at()
        if self.maybe(2):
            self.made.add(Resuming, who, at)
        for _ in range(2):
            begun = at + self.r.choice((0, 0, 1))
            thread = self.r.choice((REBALANCING, REBALANCING, "main"))
            said, answer = Response(code=0, ids=self.members), begun + self.r.choice((0, 1, 2))
            self.made.asks(who, begun, LIST, Request(consumer_group=GROUP), thread=thread, answered=begun,
                           answer=answer, response=said)  # fmt: skip
            self.divided(who, begun + self.r.choice((0, 999, 1_000)))
        if self.maybe(2):
            self.made.add(Resumed, who, at + 500)

    def rests(self):
        """A consumer is suspended while another one takes its queue, and a look sees the entry marked, or does not."""
        who, other, q, at = self.who(), self.who(), self.q(), self.at()
        self.made.add(EntryNew, who, at, q=q, entry="rests")
        since = at + self.r.choice((-1, 0, 1))
        self.made.add(Suspending, who, max(0, since))
        self.made.add(EntryNew, other, taken := max(0, since + self.r.choice((-1, 0, 1, 1_000))), q=q, entry="taken")
        if self.maybe(3):
            self.made.add(Entry, who, self.at(taken), q=q, entry="rests", dropped=not self.maybe(3), in_table=True)
        until = max(since + 1, taken) + self.r.choice((21_999, 22_000, 22_001, 30_000))
        if self.maybe(3):
            self.made.add(Entry, who, until + self.r.choice((0, 1)), q=q, entry="rests", dropped=True, in_table=True)
        self.made.add(Resuming, who, until)
        if self.maybe(2):
            self.made.add(EntryGone, who, until + self.r.choice((-1, 0, 1)), q=q, entry="rests", how="rebalance",
                          since_pull=0)  # fmt: skip
        if self.maybe(2):
            self.pull(who, q, since + self.r.choice((1, 1_999, 2_000, 2_001)))

    def taken_for_lost(self):
        """An entry of the own share is taken out while its pull is under way, or when it has been answered; and pulled
        again about when it should have been noticed, or not at all."""
        who, q, at = self.who(), self.q(), self.at()
        self.made.add(Allocate, who, at, topic="T1", mq_all=QUEUES, cid_all=(who,), result=QUEUES)
        self.made.add(EntryNew, who, at, q=q, entry="lost")
        at += self.r.choice((0, 1))
        self.made.asks(who, at, PULL, Request(q=q), thread=PULLING)
        if self.maybe(3):
            self.made.add(Pulled, who, at := at + self.r.choice((0, 1)), q=q, status="FOUND", next=1)
        if self.maybe(3):
            where = self.r.choice(("hook", "store", "callback", "interrupt"))
            self.made.add(Threw, who, at, where=where, q=q, error=self.maybe(2))
        at += self.r.choice((120_000, 121_999, 122_000, 122_001, 130_000, 130_001, 132_001))
        if not self.maybe(3):
            self.made.add(EntryGone, who, at, q=q, entry="lost", how=self.r.choice(("rebalance", "remove")),
                          since_pull=self.r.choice((120_000, 120_001)))  # fmt: skip
        for name in self.some((q, QUEUES[1])):
            later = at + self.r.choice((-1, 0, 1, 10_000, 10_001))
            self.made.add(Pulled, who, later, q=name, status="FOUND", next=1)
        if self.maybe(2):
            self.made.add(EntryNew, who, at, q=q, entry="found")
            self.made.asks(who, at + self.r.choice((0, 1, 20_000, 32_000)), PULL, Request(q=q), thread=PULLING)

    def repaired(self):
        """An offset is illegal, which is repaired, and an entry leaves: the one that was pulled, or the next one."""
        who, q, at = self.who(), self.q(), self.at()
        self.made.add(Allocate, who, at, topic="T1", mq_all=QUEUES, cid_all=(who,),
                      result=self.r.choice((QUEUES, QUEUES, ())))  # fmt: skip
        self.made.add(EntryNew, who, at, q=q, entry="old")
        told = at + self.r.choice((1, 1_000))
        for name in ("old", "new")[: self.r.choice((1, 2, 2))]:
            if name == "new":
                self.made.add(EntryNew, who, at, q=q, entry="new")
            at = told + self.r.choice((-1, 0, 1, 10_000, 20_000, 20_001))
            self.made.add(EntryGone, who, at, q=q, entry=name, how=self.r.choice(("rebalance", "remove", "clear")),
                          since_pull=self.r.choice((0, 120_000, 120_001)))  # fmt: skip
        self.made.add(Pulled, who, told, q=q, status=ILLEGAL, next=5)
        if not self.maybe(4):
            self.made.add(OffsetUpdate, who, told + self.r.choice((0, 10_000, 20_000, 20_001)), q=q,
                          offset=self.r.choice((5, 5, 4)), increase_only=self.maybe(5))  # fmt: skip

    def twice_listed(self):
        """A heartbeat is registered, and later a list is answered, in which its member can be missing."""
        who, at, broker = self.who(), self.at(), self.r.choice(self.brokers)
        said = Request(client_id=who, groups=(GroupData(group=GROUP, subs={}),))
        self.made.asks(who, at, BEAT, said, heard=at, answered=at, broker=broker, port=self.port(who))
        if self.maybe(6):
            self.made.add(BrokerStarting, broker, at + self.r.choice((1, 100)))
        asked = at + self.r.choice((0, 1, 100, 119_999, 120_000, 120_001))
        came = asked + self.r.choice((0, 0, 1))
        self.made.asks(
            self.who(), asked, LIST, Request(consumer_group=GROUP), answered=came, broker=broker,
            response=Response(code=0, ids=self.r.choice((self.members, (), (who,)))), port=self.port(who),
        )  # fmt: skip
        if self.maybe(2):
            self.made.asks(who, came + self.r.choice((0, 1)), BEAT, said, heard=came + 1, broker=broker,
                           port=self.port(who))  # fmt: skip

    def killed_while_listed(self):
        """A listed process is killed, and at some time taken off the list; its connection's end can come late."""
        who, at, broker = self.who(), self.at(), self.brokers[0]
        self.made.asks(who, at, BEAT, Request(client_id=who), heard=at, answered=at, broker=broker)
        self.made.add(Table, broker, at, what="members", of=GROUP, is_=f"{who}:{self.port(who)}", was=None)
        at += self.r.choice((1, 1_000))
        if self.maybe(2):
            self.made.add(Delay, DRIVER, at - 1, of=broker, ms=100)
        self.made.add(Signal, DRIVER, at, of=who, signal=self.r.choice(("SIGKILL", "SIGKILL", "SIGTERM")))
        off = at + self.r.choice((2_049, 2_050, 2_051, 130_000, 132_049, 132_050, 132_051))
        others = " ".join(f"{one}:{self.port(one)}" for one in self.some(self.members) if one != who)
        self.made.add(Table, broker, off, what="members", of=GROUP, is_=others or None, was=None)
