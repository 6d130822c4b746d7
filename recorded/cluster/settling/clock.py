"""Time in one process's rebalance thread: what it does unseen, and what it should have done."""

from collections.abc import Iterable
from dataclasses import replace

from rebalance_proofs.model.machine.values import number, truth
from rebalance_proofs.model.settling.limits import DEFAULTS, Limits
from rebalance_proofs.model.settling.machine import SETTLING, Choices, Service
from rebalance_proofs.model.settling.service_thread import RUNS, WAITS, WOKEN
from rebalance_proofs.model.settling.spans import Variant
from rebalance_proofs.recorded.cluster.clients import generation, settling_client
from rebalance_proofs.recorded.cluster.follow import Follower, Way, does
from rebalance_proofs.recorded.cluster.tally import Tally, Unexplained
from rebalance_proofs.recorded.cluster.trace import Trace
from rebalance_proofs.recorded.groups.driver import StartConsumer
from rebalance_proofs.recorded.groups.event import Event

__all__ = ["GHOSTS", "MACHINE", "STIRRED", "Clock", "Item", "limits"]

MACHINE = "settling"
UNSEEN = ("looks", "resets", "wakes", "clears", "postpones")
"""Steps of the thread that no event shows."""
URGENT = (*UNSEEN, "begins")
"""Steps that the thread takes as soon as it can."""
STIRRED: Way = (does("stirs"), does("counts", more=0))
ASKING = 6_000
"""A client waits so long for a connection and an answer, in ms; no event shows that it has waited in vain."""
NO_TIME = "the thread should have begun a rebalance before"
NO_OTHER = "another thread should rebalance, and does not"
OFTEN = 100
"""In ms. While a broker is away its clients can be connected, cut off and woken a thousand times a second: it is enough
to know once in so long that the thread can do what it likes."""
GHOSTS = frozenset({"called", "changed", "told", "fresh", "right"})
"""What claims speak of, and events show: rebalances of other threads, and who has seen the last change of the group."""
Item = tuple[Service, int]
"""A state of the machine, and of how many topics the round under way has asked."""


def limits(started: StartConsumer) -> Limits:
    """The limits of a consumer: as shipped, or as its system properties say."""
    given = {
        "wait": "rocketmq.client.rebalance.waitInterval",
        "least": "rocketmq.client.rebalance.minInterval",
    }
    return replace(DEFAULTS, **started.numbers(given))


class Clock:
    """The states that a rebalance thread can be in, as time passes."""

    def __init__(self, trace: Trace, who: str, started: StartConsumer, tally: Tally) -> None:
        self.trace, self.who, self.tally = trace, who, tally
        self.release = trace.release(who)
        self.client = settling_client(self.release)
        self.rules, self.least = generation(self.release).rules, self.client.least
        self.limits = limits(started)
        self.follower: Follower[Service, Choices, Limits, Variant] = Follower(
            SETTLING, self.client, self.limits, tally, encoding=trace.encoding(MACHINE, self.client), kept=GHOSTS
        )
        self.items: dict[Item, None] = {}
        self.waits = self.rules.try_lock if trace.ordered(who) else 0
        self.table: set[str] = set()
        self.last = 0
        """The last event of the thread."""
        self.away = [(since, end + ASKING) for broker in trace.brokers for since, end in trace.away(broker)]
        """When a broker was not there, or a rebalance still waited for it."""
        self.freed = 0
        """Until when that was read."""
        self.later: list[int] = []
        """When a rebalance that was put off wakes the thread, if it does."""
        self.calling = False
        """Whether another thread rebalances, by what the process says."""

    def closed(self, items: Iterable[Item], at: int) -> dict[Item, None]:
        """The items, and what they can become by unseen steps at that time."""
        found = dict.fromkeys(items)
        new = [*found]
        while new:
            state, asked = new.pop()
            if state.at == RUNS or state.now > at:
                continue
            for action in UNSEEN:
                for after in self.follower.after(state, (does(action),), at):
                    if (after, asked) not in found:
                        found[after, asked] = None
                        new.append((after, asked))
                        self.tally.hidden += 1
                        self.tally.shown[action] += 1
        return found

    def passed(self, event: Event, until: int) -> None:
        """Time has passed until then: a rebalance that was put off may have woken the thread, and it has done all that
        it could do long before. Raises ``Unexplained``."""
        for at in [one for one in self.later if one <= until]:
            self.later.remove(at)
            self.wake(max(at, self.last))
        self.free(until)
        left: dict[Item, None] = {}
        due = self._due(until - self.trace.slack(self.who, until, until))
        as_seen = [item for item in due if truth(item[0].called) == self.calling]
        if due and not as_seen:
            raise Unexplained(event, NO_OTHER, self.told())
        for state, asked in as_seen:
            if state.at == RUNS:
                if until - self.last <= self.longest(until):
                    left[state, asked] = None
            elif not self._late(state, until):
                left[state, asked] = None
        if not left and self.items:
            raise Unexplained(event, NO_TIME, self.told())
        self.items = left

    def longest(self, at: int) -> int:
        """How long the thread can be without an event in a round: an answer, and waits for listeners' locks."""
        return ASKING + self.waits * len(self.table) + self.trace.slack(self.who, self.last, at)

    def _late(self, state: Service, at: int) -> bool:
        """Whether the thread should have taken its next step long before that time."""
        over = at - self.trace.slack(self.who, number(state.now), at)
        return over > number(state.now) and any(self.follower.able(state, action, over) for action in URGENT)

    def _due(self, until: int) -> dict[Item, None]:
        """The items at that time: a wait ends when its time is over, and not when somebody looks."""
        found = self.closed(self.items, min(until, self.last))
        while True:
            ends = {
                item: number(item[0].since + item[0].interval)
                for item in found
                if item[0].at == WAITS and item[0].now < item[0].since + item[0].interval <= until
            }
            if not ends:
                return self.closed([item for item in found if not self._late(item[0], until)], until)
            first = min(ends.values())
            over = [item for item, end in ends.items() if end == first]
            # Who waits on has waited until then, which is too long by and by.
            found |= self.closed([(state.at_time(first), asked) for state, asked in over], first)
            for item in over:
                del found[item]

    def free(self, until: int) -> bool:
        """Whether a broker is away at that time. The thread may have rebalanced at any time of that: who finds nobody
        to connect to asks nobody, and no event shows it. From the end on it waits for no longer than its interval.
        """
        for since, end in self.away:
            at = min(until, end)
            if since <= at > self.freed + (OFTEN if until < end else 0) and self.items:
                first = SETTLING.begun(self.limits, self.follower.variant, now=at, last=at - number(self.limits.least))
                waits = first.but(at=WAITS, since=at, last=at)
                kept = {item: None for item in self.items if item[0].at == RUNS or self._waits(item[0], since, at)}
                self.items = kept | self.closed([(first.but(at=WOKEN), 1), (waits, 1)], at)
                self.freed = at
                self.wake(at)
            before = until - number(self.limits.wait)
            if since <= before <= end and self.items:
                # The last of them may have been just so long ago.
                last = SETTLING.begun(self.limits, self.follower.variant, now=before, last=before)
                self.items[last.but(at=WAITS, since=before), 1] = None
        return any(since <= until <= end for since, end in self.away)

    def _waits(self, state: Service, since: int, at: int) -> bool:
        """Whether the thread may wait still, and has since a time before the broker went."""
        over = number(state.since + state.interval)
        return truth(state.at == WAITS) and number(state.since) < since and at < over

    def wake(self, at: int) -> None:
        """Something may have woken the thread at that time."""
        woken: dict[Item, None] = {}
        for state, asked in self.closed(self.items, at):
            if state.now <= at:
                for after in self.follower.after(state, STIRRED, at):
                    woken[after, asked] = None
        self.items |= self.closed(woken, at)

    def told(self) -> tuple[str, ...]:
        return self.follower.told([state for state, _ in self.items])
