"""Drawing a small recording of a kind: its processes, and times that are as far from each other as monitors' limits
are, or a millisecond more or less."""

from random import Random

from tests.report.reality.monitors.made import Made

GROUP = "G"
QUEUES = ("T1:b0:0", "T1:b0:1")
LIMITS = {
    "ordered": (0, 100, 1_000, 2_000, 2_050, 5_000, 20_000, 22_000, 30_000, 60_000),
    "offsets": (0, 100, 1_000, 2_000),
    "pulls": (0, 100, 2_000, 10_000, 12_000, 20_000, 120_000, 122_000, 130_000, 152_000),
    "settling": (0, 100, 1_000, 2_000, 6_000, 13_000, 15_000, 20_000, 32_000, 34_000, 36_000),
    "subscriptions": (0, 50, 500, 1_000, 2_050, 5_000, 30_000, 33_000, 35_000, 38_000, 68_000, 70_000),
    "registry": (0, 50, 2_000, 2_050, 15_000, 30_000, 32_000, 32_050, 38_000, 120_000, 132_050),
}
"""Kind -> how far events are from each other, in ms."""
OF_LOCKS = (
    "rocketmq.client.rebalance.lockInterval",
    "rocketmq.client.rebalance.lockMaxLiveTime",
    "rocketmq.client.unlockDelayTimeMills",
    "rocketmq.client.maxTimeConsumeContinuously",
    "rocketmq.broker.rebalance.lockMaxLiveTime",
)
"""Properties on which the locks of an ordered group rest."""


class Drawing:
    """One recording of a kind, by its number."""

    def __init__(self, kind, number, apart=()):
        """``apart``: how far events are from each other, where it is not told by the kind."""
        self.kind, self.r, self.apart = kind, Random(f"{kind} {number}"), apart or LIMITS[kind]
        self.times = [self.r.choice(self.apart)]
        self.made = Made(self.r.choice(("5.3.3", "5.3.3", "4.9.8", "5.1.0")))
        self.members = ("c0", "c1", "c2")[: self.r.choice((1, 2, 2, 3))]
        self.brokers = ("b0", "b1")[: 1 + self.maybe(4)]
        self.entries = 0

    def maybe(self, one_in):
        return not self.r.randrange(one_in)

    def some(self, of):
        return tuple(one for one in of if not self.maybe(3))

    def at(self, since=None):
        """A time that is one of the limits after another one, or nearly."""
        r = self.r
        since = since if since is not None else (self.times[-1] if self.maybe(2) else r.choice(self.times))
        found = max(0, since + r.choice(self.apart) + r.choice((0, 0, 0, 0, 1, -1)))
        self.times.append(found)
        return found

    def soon(self, at):
        """A time at once, or a little or rather long after another one; None for never."""
        return self.r.choice((at, at, at + 1, at + 100, at + 2_000, self.at(at), None))

    def who(self):
        return self.r.choice(self.members)

    def q(self):
        return self.r.choice(QUEUES if self.maybe(3) else QUEUES[:1])

    # what is there from the beginning

    def begins(self):
        r, ordered = self.r, self.kind == "ordered" or (self.kind in ("offsets", "pulls") and self.maybe(2))
        settings = {}
        if self.kind == "registry":
            later, off = {"realTimeNotifyConsumerChange": False}, {"notifyConsumerIdsChangedEnable": False}
            settings = r.choice(({}, {}, later, off, {**later, **off}))
        for broker in self.brokers:
            self.made.broker(broker, **settings)
        v2, sub = self.maybe(2), r.choice(("T1", "T1", "T1:A", "T1,T2"))
        for who in self.members:
            props = {}
            if self.kind == "settling" and self.maybe(3):
                props = r.choice(({"rocketmq.client.rebalance.waitInterval": "900000"},
                                  {"rocketmq.client.rebalance.minInterval": "2000"}))  # fmt: skip
            if self.kind == "ordered" and self.maybe(3):
                props = {self.r.choice(OF_LOCKS): self.r.choice(("0", "1000", "20000", "60000", "61000"))}
            given = {}
            if self.kind == "subscriptions" and v2:
                given = {"useHeartbeatV2": "true"}
            if self.kind in ("offsets", "ordered") and self.maybe(3):
                given = {"awaitTerminationMillisWhenShutdown": r.choice((0, 1, 5_000))}
            self.made.member(
                who,
                at=0 if not self.maybe(4) else self.at(),
                client_id="c0" if self.maybe(25) else who,
                started=not self.maybe(12),
                mode="ordered" if ordered else "concurrent",
                sub=sub if not self.maybe(4) else r.choice(("T1", "T1:B", "T1:A||B", "T2")),
                from_="LAST" if self.maybe(6) else "FIRST",
                props=props,
                settings=given,
            )
