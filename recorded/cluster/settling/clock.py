"""Passing of time in one rebalance thread: steps without events, and overdue steps."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from rebalance_proofs.model.machine.values import number, truth
from rebalance_proofs.model.machines.settling import DEFAULTS, SETTLING, Choices, Limits, Service, SettlingClient
from rebalance_proofs.model.settling.service_thread import RUNS, WAITS, WOKEN
from rebalance_proofs.recorded.cluster.clients import generation, settling_client
from rebalance_proofs.recorded.cluster.follow import Follower, Way, does
from rebalance_proofs.recorded.cluster.tally import Tally, Unexplained
from rebalance_proofs.recorded.cluster.trace import LOOK, Trace
from rebalance_proofs.recorded.groups.broker import Table, members
from rebalance_proofs.recorded.groups.driver import StartConsumer
from rebalance_proofs.recorded.groups.event import Event
from rebalance_proofs.recorded.groups.member import ShutdownBegin

# The last membership change during a process's life.
# Later lists of consumer ids are all equal.


@dataclass(frozen=True)
class Change:
    """A change of the members that a broker lists."""

    since: int
    until: int
    """End of the interval in ms, between two polls of the broker, in which the change happened."""
    ids: tuple[str, ...]
    """The consumer ids that clients receive after the change."""


def last_change(trace: Trace, who: str, life: Sequence[Event]) -> Change | None:
    """Return the last membership change in the life of a process.

    ``who``: its name; ``life``: its events. Return None if there are several brokers, or no change.
    """
    if len(trace.brokers) != 1:
        return None
    first = life[0].at
    end = min([event.at for event in life if isinstance(event, ShutdownBegin)], default=life[-1].at)
    rows = [
        row
        for row in trace.kind(Table, trace.brokers[0])
        if row.what == "members" and row.of == trace.consumers[who].group
    ]
    changes = [row for row in rows if first < row.at < end and _ids(row.was) != _ids(row.is_)]
    if not changes or changes[-1].is_ is None:
        return None
    last = changes[-1]
    return Change(last.at - LOOK - WRITTEN, last.at, _ids(last.is_))


WRITTEN = 200
"""Longest time in ms from a poll to its event on a machine that is not overloaded.

If it takes longer, the limit is extended.
"""


def _ids(row: str | None) -> tuple[str, ...]:
    return tuple(sorted(one.client_id for one in members(row)))


MACHINE = "settling"
UNSEEN = ("looks", "resets", "wakes", "clears", "postpones")
"""Steps of the rebalance thread that leave no event."""
URGENT = (*UNSEEN, "begins")
"""Steps that the rebalance thread takes as soon as they are possible."""
STIRRED: Way = (does("stirs"), does("counts", more=0))
ASKING = 6_000
"""Longest time in ms that a client waits for a connection and an answer.

Its time-out has no event.
"""
NO_TIME = "the thread should have begun a rebalance before"
NO_OTHER = "another thread should rebalance, but does not"
OFTEN = 100
"""Shortest interval in ms between assumed wake-ups of the thread while a broker is down.

Clients can then be connected, disconnected and woken a thousand times a second.
"""
GHOSTS = frozenset({"called", "changed", "told", "fresh", "right"})
"""Ghost variables that events show.

They are about rebalances on other threads, and about the last membership change.
"""
Item = tuple[Service, int]
"""(state of the model, number of topics whose ids the current rebalance has requested)."""


def limits(started: StartConsumer) -> Limits:
    """Return a consumer's time limits: RocketMQ's defaults, or its system properties."""
    given = {
        "wait": "rocketmq.client.rebalance.waitInterval",
        "least": "rocketmq.client.rebalance.minInterval",
    }
    return replace(DEFAULTS, **started.numbers(given))


class Clock:
    """Possible states of a rebalance thread, as time passes."""

    def __init__(self, trace: Trace, who: str, started: StartConsumer, tally: Tally) -> None:
        self.trace, self.who, self.tally = trace, who, tally
        self.release = trace.release(who)
        self.client = settling_client(self.release)
        self.rules, self.least = generation(self.release).rules, self.client.least
        self.limits = limits(started)
        self.follower: Follower[Service, Choices, Limits, SettlingClient] = Follower(
            SETTLING, self.client, self.limits, tally, encoding=trace.encoding(MACHINE, self.client), kept=GHOSTS
        )
        self.items: dict[Item, None] = {}
        self.waits = self.rules.try_lock if trace.ordered(who) else 0
        self.table: set[str] = set()
        self.last = 0
        """Time in ms of the thread's last event."""
        self.away = [(since, end + ASKING) for broker in trace.brokers for since, end in trace.away(broker)]
        """Times in ms at which a broker was down, or a rebalance still waited for the broker."""
        self.freed = 0
        """Time in ms up to which the times in ``away`` have been processed."""
        self.later: list[int] = []
        """Times in ms at which a postponed rebalance may wake the thread."""
        self.calling = False
        """True while events show that another thread rebalances."""

    def closed(self, items: Iterable[Item], at: int) -> dict[Item, None]:
        """Return ``items``, and all items that the thread can reach from them without an event."""
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
        """Advance to the time ``until``: postponed rebalances may wake the thread.

        No step may be overdue. Raises ``Unexplained``.
        """
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
        """Return the longest time in ms that a rebalance can take without an event.

        It waits for an answer, and for locks.
        """
        return ASKING + self.waits * len(self.table) + self.trace.slack(self.who, self.last, at)

    def _late(self, state: Service, at: int) -> bool:
        """Return True if the thread's next step from a state is overdue at the time ``at``."""
        over = at - self.trace.slack(self.who, number(state.now), at)
        return over > number(state.now) and any(self.follower.able(state, action, over) for action in URGENT)

    def _due(self, until: int) -> dict[Item, None]:
        """Return the possible items at the time ``until``.

        A wait of the thread ends when its time is over, not at the next event.
        """
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
            # A state that continues to wait has waited up to this time, which eventually is too long.
            found |= self.closed([(state.at_time(first), asked) for state, asked in over], first)
            for item in over:
                del found[item]

    def free(self, until: int) -> bool:
        """Return True if a broker is down at the time ``until``, and then add the thread's possible states.

        The thread may have rebalanced at any time without the broker: it cannot connect, so it sends no request, and
        there is no event. Once the broker is back, the thread waits for at most its interval.
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
                # The last rebalance may have been exactly this long ago.
                last = SETTLING.begun(self.limits, self.follower.variant, now=before, last=before)
                self.items[last.but(at=WAITS, since=before), 1] = None
        return any(since <= until <= end for since, end in self.away)

    def _waits(self, state: Service, since: int, at: int) -> bool:
        """Return True if the thread may still be in a wait that began before the broker ended."""
        over = number(state.since + state.interval)
        return truth(state.at == WAITS) and number(state.since) < since and at < over

    def wake(self, at: int) -> None:
        """Add the states after a possible wake-up of the rebalance thread at the time ``at``."""
        woken: dict[Item, None] = {}
        for state, asked in self.closed(self.items, at):
            if state.now <= at:
                for after in self.follower.after(state, STIRRED, at):
                    woken[after, asked] = None
        self.items |= self.closed(woken, at)

    def told(self) -> tuple[str, ...]:
        return self.follower.told([state for state, _ in self.items])
