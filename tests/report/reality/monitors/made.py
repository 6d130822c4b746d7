"""Small recordings made by hand: what happened when, and who was there."""

from collections import defaultdict
from dataclasses import replace
from pathlib import Path

from rebalance_proofs.recorded.cluster.trace import Trace
from rebalance_proofs.recorded.groups.broker import Answered, BrokerStarted, BrokerStarting, Heard
from rebalance_proofs.recorded.groups.driver import RunEnd, StartBroker, StartConsumer
from rebalance_proofs.recorded.groups.event import Request, Response, Sent
from rebalance_proofs.recorded.groups.member import (
    Allocate,
    Answer,
    Ask,
    Begin,
    End,
    Entry,
    EntryGone,
    EntryNew,
    Notified,
    OffsetRead,
    OffsetUpdate,
    Pulled,
    Started,
    Starting,
    Threw,
)
from rebalance_proofs.recorded.groups.names import Beyond
from rebalance_proofs.recorded.groups.run import DRIVER, Run

REST = {
    StartConsumer: {"id": "", "ms": 0, "settings": {}},
    Starting: {"options": {}},
    Allocate: {"strategy": "AVG", "cid": "", "error": None},
    EntryNew: {"locked": True},
    EntryGone: {"dropped": True, "locked": True, "messages": 0},
    Entry: {"locked": True, "messages": 0, "lock_age": 0, "pull_age": 0},
    Begin: {"tag": None, "reconsume_times": 0, "born_ago": 0, "thread": ""},
    End: {"result": "SUCCESS"},
    Notified: {"said": Request(), "from_": ""},
    Pulled: {"min": 0, "max": 9, "got": ()},
    OffsetRead: {"type": "READ_FROM_STORE"},
    OffsetUpdate: {"increase_only": False},
    Threw: {"error": False},
    Sent: {"status": "SEND_OK"},
}
"""What events say besides, if nothing else is given."""


class Made:
    """One recording, event by event. Times are in ms."""

    def __init__(self, release="5.3.3"):
        self.release = release
        self._of = defaultdict(list)
        self._asked = 0

    def add(self, kind, who, at, **said):
        if kind in (Begin, Sent):
            keys = tuple(f"{said['q']} {offset}" for offset in said.get("offsets", (said.get("offset"),)))
            said = {"keys": keys, **said} if kind is Begin else {"key": keys[0], **said}
        self._of[who].append(kind(who=who, at=at, **{**REST.get(kind, {}), **said}))

    def call(self, who, q, first, begin, end, last=None):
        """A call of a listener, with the messages of these offsets."""
        last = first if last is None else last
        self.add(Begin, who, begin, q=q, offsets=tuple(range(first, last + 1)))
        self.add(End, who, end, q=q, from_=first, to=last)

    def broker(self, who="b0", at=0, **settings):
        self.add(StartBroker, DRIVER, at, of=who, settings=settings)
        self.add(BrokerStarting, who, at)
        self.add(BrokerStarted, who, at)

    def member(self, who, at=0, *, client_id=None, started=True, **said):
        self.add(StartConsumer, DRIVER, at, of=who, **said)
        self.add(Starting, who, at)
        if started:
            self.add(Started, who, at, client_id=client_id or who)

    def asks(self, who, at, code, said, *, broker="b0", port=None, thread="", heard=None, answered=None,
             answer=None, response=None, answer_said=None):  # fmt: skip
        """A request; it is heard, answered, and its answer noted at these times, if any."""
        self._asked += 1
        both = {"code": code, "opaque": self._asked}
        response = response or Response(code=0)
        self.add(Ask, who, at, **both, oneway=False, said=said, to=broker, thread=thread)
        end = f"127.0.0.1:{port or 50_000 + sum(map(ord, who))}"
        if heard is not None:
            self.add(Heard, broker, heard, **both, from_=end, said=said)
        if answered is not None:
            self.add(Answered, broker, answered, **both, from_=end, asked=said, said=response)
        if answer is not None:
            self.add(Answer, who, answer, **both, said=answer_said or response)

    def trace(self, end):
        """The recording, which ends then."""
        self.add(RunEnd, DRIVER, end)
        of = {}
        for who, events in self._of.items():
            sorted_ = sorted(events, key=lambda event: event.at)
            of[who] = [replace(event, row=row) for row, event in enumerate(sorted_, start=1)]
        return Trace(Run(Path("made")), self.release, Beyond(), of)
