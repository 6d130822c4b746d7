"""What can happen in a recording that is drawn, one thing at a time; nothing holds them together."""

from rebalance_proofs.recorded.groups.broker import BrokerStarted, BrokerStarting, Heard, Table
from rebalance_proofs.recorded.groups.driver import BrokerEnded, Delay, Ended, Signal, Subscribe, Unsubscribe
from rebalance_proofs.recorded.groups.event import (
    BEAT,
    BYE,
    ILLEGAL,
    LIST,
    LOCK,
    PULL,
    PULLING,
    QUERY,
    REBALANCING,
    UNLOCK,
    UPDATE,
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
    Gap,
    Notified,
    OffsetRead,
    OffsetUpdate,
    Pulled,
    Resumed,
    Resuming,
    ShutdownBegin,
    ShutdownEnd,
    Subscribed,
    Suspending,
    Threw,
    Unsubscribed,
)
from rebalance_proofs.recorded.groups.run import DRIVER
from tests.report.reality.monitors.drawing import GROUP, QUEUES, Drawing


class Single(Drawing):
    """A recording, and what may be drawn of it."""

    def entry(self, who=None, q=None, at=None):
        who, q, at = who or self.who(), q or self.q(), self.at() if at is None else at
        self.entries += 1
        name = f"e{self.entries}"
        if not self.maybe(4):
            read = self.r.choice((0, 1, 2, 2, 3, -1))
            self.made.add(OffsetRead, who, self.r.choice((at, max(0, at - 100))), q=q, result=read)
        self.made.add(EntryNew, who, at, q=q, entry=name)
        if self.maybe(4):
            self.made.add(
                Entry, who, self.at(at), q=q, entry=name, dropped=not self.maybe(3), in_table=not self.maybe(3)
            )
        gone = None if self.maybe(3) else self.at(at)
        if gone is not None:
            how = self.r.choice(("rebalance", "rebalance", "remove", "clear"))
            idle = self.r.choice((0, 119_999, 120_000, 120_001))
            self.made.add(EntryGone, who, gone, q=q, entry=name, how=how, since_pull=idle)
        return gone

    def pull(self, who=None, q=None, at=None):
        who, q, at = who or self.who(), q or self.q(), self.at() if at is None else at
        code = self.r.choice((None, None, 24, 25, 0, 23))
        said = Request(q=q, queue_offset=self.r.choice((0, 1, 2, 3, None)), sys_flag=self.r.choice((2, 4, 6)))
        self.made.asks(
            who, at, PULL, said, thread=PULLING,
            answered=None if code is None else self.soon(at), response=Response(code=code),
        )  # fmt: skip
        if self.maybe(2):
            status = self.r.choice(("FOUND", "NO_NEW_MSG", ILLEGAL))
            self.made.add(Pulled, who, self.at(at), q=q, status=status, next=self.r.choice((1, 2)))

    def illegal(self):
        who, q, at, offset = self.who(), self.q(), self.at(), self.r.choice((1, 2))
        self.made.add(Pulled, who, at, q=q, status=ILLEGAL, next=offset)
        self.made.add(OffsetUpdate, who, self.at(at), q=q, offset=self.r.choice((1, 2)), increase_only=self.maybe(5))

    def threw(self):
        where = self.r.choice(("hook", "store", "callback", "interrupt"))
        self.made.add(Threw, self.who(), self.at(), where=where, q=self.q(), error=self.maybe(2))

    def divided(self, who=None, at=None):
        mine, q = who or self.who(), self.some(QUEUES)
        self.made.add(
            Allocate, mine, self.at() if at is None else at, topic="T2" if self.maybe(5) else "T1",
            mq_all=self.r.choice((QUEUES, q, None)),
            cid_all=self.r.choice((self.members, self.some(self.members), (mine,), None)),
            result=self.r.choice((q, q, QUEUES, None)),
        )  # fmt: skip

    def listed(self):
        who, at, ids = self.who(), self.at(), self.some(self.members)
        ids = self.r.choice((ids, ids, self.members, None, (*ids, *ids)))
        answered = self.soon(at)
        said = Response(code=self.r.choice((0, 0, 0, 1)), ids=ids)
        self.made.asks(
            who, at, LIST, Request(consumer_group=GROUP), thread=self.r.choice((REBALANCING, REBALANCING, "main")),
            answered=answered, answer=self.soon(at if answered is None else answered), response=said,
            port=self.port(who), broker=self.r.choice(self.brokers),
        )  # fmt: skip

    def port(self, who):
        """One of two connections of a member; most often the first."""
        return 60_000 + 10 * self.members.index(who) + self.maybe(4)

    def beat(self, who=None, at=None, topics=None):
        who, at = who or self.who(), self.at() if at is None else at
        topics = topics or self.r.choice((("T1",), ("T1",), ("T1", "T2"), ("T2",), ()))
        subs = {topic: f"*@{self.r.choice((1, 2, 3))}" for topic in topics}
        if self.maybe(3):
            subs["%RETRY%G"] = "*@1"
        said = Request(client_id=who, groups=(GroupData(group=GROUP if not self.maybe(8) else "H", subs=subs),))
        came = self.soon(at)
        answered = self.soon(came if came is not None else at)
        broker = self.r.choice(self.brokers)
        self.made.asks(
            who, at, self.r.choice((BEAT, BEAT, BEAT, BYE)) if self.kind == "registry" else BEAT,
            said if not self.maybe(10) else Request(client_id=who, consumer_group=GROUP),
            heard=came, answered=answered, broker=broker, port=self.port(who),
        )  # fmt: skip

    def bye(self):
        who, at = self.who(), self.at()
        self.made.asks(
            who, at, BYE, Request(client_id=who, consumer_group=GROUP), heard=at, answered=self.soon(at),
            port=self.port(who), broker=self.r.choice(self.brokers),
        )  # fmt: skip

    def members_row(self):
        one, at = self.r.choice(self.brokers), self.at()
        row = " ".join(f"{who}:{self.port(who)}" for who in self.some(self.members))
        for broker in self.brokers if self.maybe(2) else (one,):
            self.made.add(Table, broker, at, what="members", of=GROUP if not self.maybe(9) else "H", is_=row or None,
                          was=None)  # fmt: skip

    def subs_row(self):
        topics = self.r.choice((("T1",), ("T1",), ("T1", "T2"), ("T2",), ()))
        row = ", ".join(f"{topic}=*@{self.r.choice((1, 2))}" for topic in topics) + "}"
        row = self.r.choice((f"{{{row}", f"{{%RETRY%G=*@1, {row}", None if self.maybe(4) else f"{{{row}"))
        self.made.add(Table, "b0", self.at(), what="subs", of=GROUP, is_=row, was=None)

    def offset_row(self):
        was, is_ = self.r.choice((None, "0", "1", "2", "3")), self.r.choice(("1", "2", "3", "4", "4", None))
        self.row(self.q(), self.at(), was, is_)

    def row(self, q, at, was, is_):
        """A look sees a committed offset changed."""
        self.made.add(Table, "b0", at, what="offset", of=f"T1@G:{q[-1]}", is_=is_, was=was)

    def lock_row(self):
        owners = (*self.members, None)
        was, is_ = self.r.choice(owners), self.r.choice(owners)
        group = GROUP if not self.maybe(9) else "H"
        self.made.add(Table, "b0", self.at(), what="lock", of=f"{group} {self.q()}", is_=is_, was=was)

    def lock(self, who=None, q=None, at=None):
        who, q, at = who or self.who(), q or self.q(), self.at() if at is None else at
        answered = self.soon(at)
        said = Request(client_id=who, consumer_group=GROUP if not self.maybe(9) else "H", queues=(q,))
        self.made.asks(
            who, at, LOCK, said, heard=at, answered=answered, answer=None if answered is None else self.soon(answered),
            response=Response(code=0, granted=self.r.choice(((q,), (q,), (), None))),
        )  # fmt: skip

    def unlock(self):
        who, at = self.who(), self.at()
        said = Request(client_id=who, consumer_group=GROUP if not self.maybe(9) else "H", queues=(self.q(),))
        self.made.asks(who, at, UNLOCK, said, heard=self.soon(at))

    def call(self, who=None, q=None, at=None):
        who, q, at = who or self.who(), q or self.q(), self.at() if at is None else at
        first = self.r.choice((0, 1, 1, 2))
        offsets = tuple(range(first, first + self.r.choice((1, 1, 2))))
        self.made.add(Begin, who, at, q=q, offsets=offsets)
        if not self.maybe(6):
            result = "INTERRUPTED" if self.maybe(4) else "SUCCESS"
            end = self.at(at)
            self.made.add(End, who, max(end, at), q=q, from_=first, to=offsets[-1], result=result)
            if self.maybe(2):
                self.made.add(OffsetUpdate, who, self.at(end), q=q, offset=offsets[-1] + self.r.choice((0, 1)))

    def update(self):
        offset = self.r.choice((0, 1, 2, 3, None))
        self.made.asks(self.who(), self.at(), UPDATE, Request(q=self.q(), commit_offset=offset))

    def query(self):
        who, q, at = self.who(), self.q(), self.at()
        self.made.asks(who, at, QUERY, Request(q=q), thread=self.r.choice((PULLING, PULLING, REBALANCING)))
        if self.maybe(2):
            self.made.add(EntryGone, who, at + 1, q=q, entry="", how="rebalance", since_pull=0)
            self.made.asks(who, at + 2, PULL, Request(q=q, queue_offset=0), thread=PULLING)

    def sent(self):
        self.sent_to(self.q(), self.at(), self.r.choice((0, 1, 2, 3)))

    def sent_to(self, q, at, offset):
        status = self.r.choice(("SEND_OK", "SEND_OK", "FLUSH_DISK_TIMEOUT"))
        self.made.add(Sent, "p", at, q=q, offset=offset, tag=self.r.choice("AB"), status=status)

    def queues(self):
        self.made.add(
            Queues, "p", self.at(), topic="T1", queues=self.r.choice((QUEUES, QUEUES, QUEUES[:1], QUEUES[1:]))
        )

    def notified(self):
        self.made.add(Notified, self.who(), self.at())

    def resumes(self):
        who, at = self.who(), self.at()
        if not self.maybe(3):
            self.made.add(Suspending, who, at)
        end = self.at(at)
        if not self.maybe(3):
            self.made.add(Resuming, who, end)
        if not self.maybe(3):
            self.made.add(Resumed, who, self.at(end))

    def subscribes(self):
        who, at = self.who(), self.at()
        kind, command = self.r.choice(((Subscribed, Subscribe), (Unsubscribed, Unsubscribe)))
        self.made.add(kind, who, at, topic=self.r.choice(("T1", "T2")))
        if self.maybe(2):
            self.made.add(command, DRIVER, at, of=who, line=f"{command.__name__.lower()} T1")

    def shuts_down(self):
        who, at = self.who(), self.at()
        self.made.add(ShutdownBegin, who, at)
        if not self.maybe(4):
            self.made.add(ShutdownEnd, who, self.soon(at) or at)

    def killed(self):
        who, at = self.who(), self.at()
        self.made.add(Signal, DRIVER, at, of=who, signal="SIGKILL")
        if self.maybe(2):
            self.made.add(Ended, DRIVER, at, of=who)

    def restarts(self):
        broker, at = self.r.choice(self.brokers), self.at()
        self.made.add(BrokerEnded, DRIVER, at, of=broker)
        if not self.maybe(4):
            again = self.at(at)
            self.made.add(BrokerStarting, broker, again)
            self.made.add(BrokerStarted, broker, again + self.r.choice((0, 2_000)))

    def stands(self):
        who, at, ms = self.r.choice((*self.members, "b0")), self.at(), self.r.choice((1_000, 2_000, 10_000))
        if who != "b0" and self.maybe(2):
            self.made.add(Gap, who, at, ms=min(at, ms))
        else:
            self.made.add(Signal, DRIVER, at, of=who, signal="SIGSTOP")
            self.made.add(Signal, DRIVER, at + ms, of=who, signal="SIGCONT")

    def delays(self):
        broker, at = self.r.choice(self.brokers), self.at()
        self.made.add(Delay, DRIVER, at, of=broker, ms=5_000)
        if not self.maybe(3):
            self.made.add(Delay, DRIVER, self.at(at), of=broker, ms=0)

    def heard(self):
        who = self.who()
        self.made.add(Heard, "b0", self.at(), code=BEAT, from_=f"127.0.0.1:{self.port(who)}", opaque=-1,
                      said=Request(client_id=who))  # fmt: skip
