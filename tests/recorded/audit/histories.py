"""Random histories of a group, their log lines as Java clients write them, and a table of owners.

Times are multiples of ``TICK``, and a few ms that differ from log to log: equal times in two logs with one id would be
those of a console and a file. The table is a set of owners for each queue and tick, so the code that computes it has
nothing in common with the audit.
"""

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from hypothesis import strategies as st

START = 1_700_000_000_000
"""Time in ms of tick 0."""
TICK = 500
COMMITS = 10
"""Ticks between two commits."""
PAUSE = 13
"""Longest time in ticks between two lines of a running process."""
UNNAMED = 61
"""Ticks after which the log of a new process shows that its lines are not those of the crashed one before."""
LONG = 240
"""Ticks of a history."""
FORMS = {
    "4": (0, "{time:%Y-%m-%d %H:%M:%S},{ms:03} INFO RocketmqClient - {message}\r\n", "rebalanced result changed. "),
    "5": (
        8,
        "{time:%Y-%m-%d %H:%M:%S}.{ms:03} INFO  [4711] [RebalanceService] [RocketmqClient#?:?] - {message}\n",
        "client rebalanced result changed. ",
    ),
}
"""Version -> hours ahead of UTC, form of a line, begin of the line about a result."""
SHUTDOWN, KILL, STAYS = "shutdown", "kill", "stays"


@dataclass
class Process:
    """A consumer from its start to its end."""

    client: str
    log: str
    begin: int
    end: int
    how: str
    rebalances: list[tuple[int, frozenset[int]]]
    """(tick, numbers of the queues that it then owns)"""
    stops: list[tuple[int, int]] = field(default_factory=list)
    """Ticks between which it does not run, as after SIGSTOP."""
    skew: int = 0
    """Error of its clock in ms."""
    form: str = "4"
    sizes: dict[int, tuple[int, int]] = field(default_factory=dict)
    """Tick of a rebalance -> sizes of mqAll and cidAll; the strategy is then AVG."""

    def commits(self) -> list[int]:
        """Return the ticks at which it commits: every 5 s, and before and after it stands still, for exact tables."""
        regular = {tick for tick in range(self.begin, self.end, COMMITS) if self.runs(tick)}
        times = {*regular, self.end, *(edge for stop in self.stops for edge in stop)}
        return sorted(tick for tick in times if self.share(tick - 1))

    def runs(self, tick: int) -> bool:
        """Return True if the process runs between this tick and the next."""
        return self.begin <= tick < self.end and not any(at <= tick < until for at, until in self.stops)

    def share(self, tick: int) -> frozenset[int]:
        """Return what it owns between this tick and the next."""
        if not self.begin <= tick < self.end:
            return frozenset()
        return next((own for at, own in reversed(self.rebalances) if at <= tick), frozenset())


@dataclass
class History:
    """A group of processes, and the topic's number of queues."""

    queues: int
    processes: list[Process]

    def owners(self, queue: int, tick: int) -> set[int]:
        """Return the processes that own a queue between this tick and the next."""
        return {place for place, one in enumerate(self.processes) if queue in one.share(tick)}

    @property
    def named(self) -> frozenset[int]:
        """Queues with an owner at some time; the topic has no others."""
        return frozenset().union(*(share for one in self.processes for _, share in one.rebalances))

    def together(self, one: Process, other: Process, queue: int) -> list[tuple[int, int]]:
        """Return the ticks between which both own a queue."""
        return runs(tick for tick in range(LONG) if queue in one.share(tick) and queue in other.share(tick))

    def free(self, queue: int) -> list[tuple[int, int]]:
        """Return the ticks between which no process owns a queue."""
        return runs(tick for tick in range(LONG) if not self.owners(queue, tick))

    def logs(self) -> dict[str, list[str]]:
        """Return each log's lines; a log can be of several processes, one after another."""
        found: dict[str, list[str]] = {}
        for one in sorted(self.processes, key=lambda one: one.begin):
            found.setdefault(f"{one.log}.log", []).extend(
                line(one.form, ms(tick) + 3 * int(one.log[1:]) + one.skew, message) for tick, message in self._said(one)
            )
        return found

    def _said(self, one: Process) -> Iterator[tuple[int, str]]:
        created = f"InstanceIndex:0, ClientID:{one.client}, ClientConfig:ClientConfig [], ClientVersion:V4_9_8"
        yield one.begin, f"Created a new client Instance, {created}, SerializerType:JSON"
        yield one.begin, "the consumer [G] start beginning. messageModel=CLUSTERING, isUnitMode=false"
        owned: frozenset[int] = frozenset()
        turns = dict(one.rebalances)
        commits = set(one.commits())
        for tick in range(one.begin, one.end + 1):
            if tick in commits:
                yield from ((tick, self._commit(one, queue, tick, "persistAll")) for queue in sorted(owned))
            if tick in turns and tick < one.end:
                share = turns[tick]
                for queue in sorted(owned - share):
                    yield tick, self._commit(one, queue, tick, "persist")
                    yield tick, f"doRebalance, G, remove unnecessary mq, {name(queue)}"
                for queue in sorted(share - owned):
                    yield tick, f"doRebalance, G, add a new mq, {name(queue)}"
                if share != owned:
                    yield tick, self._result(one, tick, share)
                owned = share
        if one.how == SHUTDOWN:
            yield one.end, "the consumer [G] shutdown OK"

    def _commit(self, one: Process, queue: int, tick: int, how: str) -> str:
        return f"[{how}] Group: G ClientId: {one.client} updateConsumeOffsetToBroker {name(queue)} {tick}"

    def _result(self, one: Process, tick: int, share: frozenset[int]) -> str:
        listed = sum(each.begin <= tick < each.end for each in self.processes)
        mq_all, cid_all = one.sizes.get(tick, (len(self.named), listed))
        return (
            f"{FORMS[one.form][2]}allocateMessageQueueStrategyName={'AVG' if one.sizes else 'MINE'}, group=G, "
            f"topic=T, clientId={one.client}, mqAllSize={mq_all}, cidAllSize={cid_all}, "
            f"rebalanceResultSize={len(share)}, rebalanceResultSet=[{', '.join(map(name, sorted(share)))}]"
        )


def line(version: str, at: int, message: str) -> str:
    """Return a line of a client's log."""
    hours, form, _ = FORMS[version]
    time = datetime.fromtimestamp(at // 1000, UTC) + timedelta(hours=hours)
    return form.format(time=time, ms=at % 1000, message=message)


def name(queue: int) -> str:
    """Return a queue as clients log it."""
    return f"MessageQueue [topic=T, brokerName=b, queueId={queue}]"


def ms(tick: int) -> int:
    """Return a tick's time in ms since 1970."""
    return START + tick * TICK


def runs(ticks: Iterator[int]) -> list[tuple[int, int]]:
    """Return successive ticks as (first, one after the last)."""
    found: list[tuple[int, int]] = []
    for tick in ticks:
        if found and found[-1][1] == tick:
            found[-1] = found[-1][0], tick + 1
        else:
            found.append((tick, tick + 1))
    return found


@st.composite
def histories(draw, skewed: int = 0, stops: bool = True, restarts: bool = True, most: int = 4) -> History:
    """Groups of up to ``most`` processes, with clocks that are wrong by up to ``skewed`` ms."""
    queues = draw(st.integers(1, 2))
    processes: list[Process] = []
    for number in range(draw(st.integers(1, most))):
        before = [one for one in processes if one.how != STAYS and one.end < LONG - 20]
        again = draw(st.sampled_from(before)) if before and restarts and draw(st.booleans()) else None
        if again and any(one.log == again.log and one.begin > again.begin for one in processes):
            again = None
        # Soon after a crash, a line that names no client could be of either process.
        late = again and (again.end + 1 if again.how == SHUTDOWN else again.end + UNNAMED)
        if late and late > LONG - 12:
            again, late = None, None
        begin = draw(st.integers(late or 0, LONG - 12))
        how = draw(st.sampled_from((STAYS, KILL, SHUTDOWN)))
        end = LONG if how == STAYS else draw(st.integers(begin + 2, LONG))
        ids = sorted({one.client for one in processes})
        client = draw(st.sampled_from(ids)) if ids and draw(st.integers(0, 3)) == 0 else f"10.0.0.{number}@{number}"
        log = again.log if again else f"c{number}"
        skew = draw(st.integers(-skewed, skewed)) if skewed else 0
        one = Process(client, log, begin, end, how, [], skew=skew, form=draw(st.sampled_from("45")))
        if again:
            one.form, one.skew = again.form, again.skew
        if stops and end - begin > 80 and draw(st.integers(0, 2)) == 0:
            at = draw(st.integers(begin + 1, end - 60))
            one.stops = [(at, draw(st.integers(at + 31, end - 1)))]
        shares = st.frozensets(st.integers(0, queues - 1), max_size=queues)
        at = draw(st.lists(st.integers(begin, end - 1), min_size=1, max_size=4, unique=True))
        one.rebalances = [
            (tick, draw(shares)) for tick in sorted(at) if one.runs(tick) and all(tick != stop[0] for stop in one.stops)
        ]
        processes.append(one)
    return History(queues, processes)


def dealt(queues: int, members: int, index: int) -> frozenset[int]:
    """Return the share of one member by AVG: parts in order, the first ones larger by one."""
    sizes = [queues // members + (place < queues % members) for place in range(members)]
    return frozenset(range(sum(sizes[:index]), sum(sizes[: index + 1])))


@st.composite
def divided(draw) -> History:
    """Groups whose members rebalance by AVG with lists of their own; the first result names all queues."""
    queues = draw(st.integers(2, 6))
    processes = []
    for number in range(draw(st.integers(2, 3))):
        one = Process(f"10.0.0.{number}@{number}", f"c{number}", 0, LONG, STAYS, [])
        if not number:
            one.rebalances, one.sizes = [(1, dealt(queues, 1, 0))], {1: (queues, 1)}
        for tick in sorted(draw(st.lists(st.integers(2, LONG - 1), min_size=1, max_size=4, unique=True))):
            members = draw(st.integers(1, 4))
            mq_all = queues - (draw(st.integers(0, 5)) == 0)
            one.sizes[tick] = mq_all, members
            one.rebalances.append((tick, dealt(mq_all, members, draw(st.integers(0, members - 1)))))
        processes.append(one)
    return History(queues, processes)


def spoken(one: Process) -> list[tuple[int, int]]:
    """Return the ticks between which the process logs lines without a long pause, from its own lines."""
    changes = [tick for tick, _ in one.rebalances if one.share(tick) != one.share(tick - 1)]
    ticks = sorted({one.begin, *changes, *one.commits(), *[one.end] * (one.how == SHUTDOWN)})
    found = [(ticks[0], ticks[0])]
    for tick in ticks[1:]:
        if tick - found[-1][1] <= PAUSE:
            found[-1] = found[-1][0], tick
        else:
            found.append((tick, tick))
    return found


def within(tick: int, ranges: list[tuple[int, int]]) -> bool:
    """Return True if the ranges contain the time between this tick and the next."""
    place = bisect_left(ranges, (tick + 1,)) - 1
    return place >= 0 and ranges[place][0] <= tick < ranges[place][1]
