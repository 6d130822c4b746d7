"""The audit of random histories, compared with a table of the owners at each instant."""

import tempfile
from itertools import combinations
from pathlib import Path, PurePath

import pytest
from hypothesis import example, given, settings

from rebalance_proofs.recorded.audit.finding import Level, What
from rebalance_proofs.recorded.audit.outcome import Asked
from tests.recorded.audit.audited import audited
from tests.recorded.audit.histories import (
    KILL,
    LONG,
    SHUTDOWN,
    START,
    STAYS,
    TICK,
    History,
    Process,
    dealt,
    divided,
    histories,
    runs,
    spoken,
    within,
)

TOLERATE = 2
"""Ticks up to which an overlap or a gap is no finding."""
UNSURE = 30
"""Ticks above which a gap after an end without a line is a finding."""
BOTH = frozenset({0, 1})
ONE = frozenset({0})
NONE = frozenset[int]()


def process(number, begin, end, how, *rebalances, **more):
    return Process(f"10.0.0.{number}@{number}", f"c{number}", begin, end, how, list(rebalances), **more)


AROUND = History(
    1,
    [
        process(0, 0, LONG, STAYS, (5, ONE)),
        process(1, 0, LONG, STAYS, (20, ONE), (40, NONE)),
        process(2, 0, LONG, STAYS, (50, ONE)),
    ],
)
"""One owner all the time, and two other owners, one after the other."""
CRASHED = History(1, [process(0, 0, 60, KILL, (5, ONE)), process(1, 30, LONG, STAYS, (95, ONE))])
"""An owner is killed; the next one takes the queue 17.5 s later."""
PAUSED = History(
    1, [process(0, 0, LONG, STAYS, (5, ONE), (170, NONE), stops=[(40, 120)]), process(1, 0, LONG, STAYS, (60, ONE))]
)
"""An owner stands still; another one takes its queue meanwhile."""
TWICE = History(
    1,
    [process(0, 0, LONG, STAYS, (5, ONE)), Process("10.0.0.0@0", "c1", 50, LONG, STAYS, [(60, ONE)])],
)
"""Two processes have one client id."""
AGAIN = History(1, [process(0, 0, 60, SHUTDOWN, (5, ONE)), Process("10.0.0.0@0", "c0", 70, LONG, STAYS, [(80, ONE)])])
"""A process shuts down, and starts again with its id and its log."""


REPLACED = History(
    1,
    [
        process(0, 0, 100, KILL, (5, ONE)),
        Process("10.0.0.9@9", "c0", 161, 200, SHUTDOWN, [(170, NONE)]),
        process(1, 0, LONG, STAYS, (120, ONE)),
    ],
)
"""A killed owner's log is continued by a process with another id, which owns nothing and shuts down."""
TWO_SHUTDOWNS = History(
    1,
    [
        process(0, 0, 60, SHUTDOWN, (5, ONE)),
        Process("10.0.0.9@9", "c0", 62, 90, SHUTDOWN, [(70, ONE)]),
        process(1, 0, LONG, STAYS, (110, ONE)),
    ],
)
"""Two processes with two ids write one log, and each of them shuts down."""
ID_MOVES = History(
    1,
    [
        process(0, 0, 60, SHUTDOWN, (5, ONE)),
        Process("10.0.0.9@9", "c0", 70, LONG, STAYS, [(80, ONE)]),
        Process("10.0.0.0@0", "c1", 80, LONG, STAYS, [(85, ONE)]),
    ],
)
"""A client id moves to another log, and the first log is continued by another id."""


class Found:
    """The audit of a history, in ticks and numbers of processes' members."""

    def __init__(self, history):
        with tempfile.TemporaryDirectory() as place:
            groups = audited(Path(place), history.logs(), Asked(zone=0, tolerate=1_100)).groups
        self.group = next(one for one in groups if one.name == "G")
        self.logs = {one.client: one.log for one in history.processes if any(share for _, share in one.rebalances)}

    def spans(self):
        """{(client, log, queue): [(begin, end)]}"""
        found = {}
        for one in self.group.spans:
            key = (one.member[0], PurePath(one.member[1]).stem, one.queue[2])
            found.setdefault(key, []).append((ticks(one.begin), ticks(one.end)))
        return found

    def member(self, told):
        client, _, log = told.partition(" in ")
        return client, PurePath(log).stem if log else self.logs[client]

    def intervals(self, what, level=None):
        """{(members, queue, begin, end)} of the findings of one kind."""
        return {
            (frozenset(map(self.member, one.members)), each.queue and each.queue[2], ticks(each.at), ticks(each.until))
            for one in self.group.findings
            if one.what is what and level in (None, one.level)
            for each in one.intervals
        }


def ticks(at):
    return round((at - START) / TICK)


def owned(history):
    """{(client, log, queue): [(begin, end)]}, read from the table."""
    found = {}
    for one in history.processes:
        for queue in range(history.queues):
            own = runs(tick for tick in range(LONG) if queue in one.share(tick))
            if own:
                found.setdefault((*key(one), queue), []).extend(own)
    return {name: sorted(own) for name, own in found.items()}


def key(process):
    return process.client, process.log


def overlaps(history):
    """(members, queue, begin, end, ticks in which both run) of each time with two owners."""
    for one, other in combinations(history.processes, 2):
        for queue in range(history.queues):
            for begin, end in history.together(one, other, queue):
                both = [tick for tick in range(begin, end) if one.runs(tick) and other.runs(tick)]
                yield frozenset({key(one), key(other)}), queue, begin, end, both


def check_owners(history):
    if not any(one.share(tick) for one in history.processes for tick in range(LONG)):
        return
    found = Found(history)
    assert found.spans() == owned(history)
    check_two(history, found)
    check_nobody(history, found)
    check_end(history, found)
    check_ids(history, found)
    check_unread(history, found)


def check_two(history, found):
    every = list(overlaps(history))
    sure = {
        (members, queue, *part)
        for members, queue, _, _, both in every
        for part in runs(iter(both))
        if part[1] - part[0] > TOLERATE
    }
    assert found.intervals(What.TWO, Level.SEEN) == sure
    open_ = found.intervals(What.TWO, Level.POSSIBLE)
    for members, queue, begin, end in open_:
        assert any(own[:2] == (members, queue) and own[2] <= begin <= end <= own[3] for own in every)
    spoke = {key(one): one for one in history.processes}
    for members, queue, begin, end, _ in every:
        if end - begin > TOLERATE and all(within(end - 1, spoken(spoke[one])) for one in members):
            assert any(own[:2] == (members, queue) and own[2] < end and begin < own[3] for own in sure | open_)


def check_nobody(history, found):
    sure, possible = set(), set()
    for queue in range(history.queues):
        for begin, end in history.free(queue):
            last = [one for one in history.processes if queue in one.share(begin - 1)]
            following = [one for one in history.processes if queue in one.share(end)]
            if not last or not following:
                continue
            logged = any(one.how == SHUTDOWN or one.end != begin for one in last)
            if end - begin > (TOLERATE if logged else UNSURE):
                (sure if logged else possible).add((queue, begin, end))
    seen = {one[1:] for one in found.intervals(What.NOBODY, Level.SEEN)}
    open_ = {one[1:] for one in found.intervals(What.NOBODY, Level.POSSIBLE)}
    assert sure <= seen
    assert possible <= open_ | seen
    for queue, begin, end in seen | open_:
        assert not any(history.owners(queue, tick) for tick in range(int(begin), int(end)))
    assert seen <= sure | {one for one in seen if one not in possible}


def check_end(history, found):
    """A queue that is released, and that no process takes again while one of them logs lines."""
    for queue in range(history.queues):
        for begin, end in history.free(queue):
            last = [one for one in history.processes if queue in one.share(begin - 1)]
            if not last or end < LONG or all(one.how != SHUTDOWN and one.end == begin for one in last):
                continue
            alive = runs(
                tick for tick in range(begin, LONG) if any(within(tick, spoken(one)) for one in history.processes)
            )
            if any(until - at > TOLERATE for at, until in alive):
                assert any(one[1] == queue and one[2] >= begin for one in found.intervals(What.NOBODY))


def check_ids(history, found):
    pairs = [
        (one, other)
        for one, other in combinations(history.processes, 2)
        if one.client == other.client and one.log != other.log
    ]
    alive = {
        frozenset({key(one), key(other)})
        for one, other in pairs
        if min(one.end, other.end) - max(one.begin, other.begin) > TOLERATE
    }
    logged = {
        frozenset({key(one), key(other)})
        for one, other in pairs
        if longest(tick for tick in range(LONG) if all(within(tick, named(each)) for each in (one, other))) > TOLERATE
    }
    assert logged <= {one[0] for one in found.intervals(What.IDS)} <= alive


def named(process):
    """Ticks between which the process logs lines, from the first to the last one with its id."""
    own = [tick for tick in range(LONG) if process.share(tick)]
    return [(max(begin, own[0]), min(end, own[-1] + 1)) for begin, end in spoken(process)] if own else []


def longest(every):
    return max((end - begin for begin, end in runs(every)), default=0)


def check_unread(history, found):
    stops = {
        (frozenset({key(one)}), queue, *stop)
        for one in history.processes
        for stop in one.stops
        for queue in one.share(stop[0])
    }
    assert found.intervals(What.UNREAD) <= stops


GROWN = History(
    6,
    [
        process(0, 0, LONG, STAYS, (1, dealt(6, 1, 0)), sizes={1: (6, 1)}),
        process(1, 0, LONG, STAYS, (60, dealt(6, 2, 1)), sizes={60: (6, 2)}),
    ],
)
"""A member takes its share of two; the other one was not notified."""


def check_views(history):
    found = Found(history)
    told = [
        (found.member(one.members[0]), found.member(one.members[1]), ticks(one.at), ticks(one.until))
        for one in found.group.findings
        if one.what is What.VIEWS
    ]
    members = {key(one): one for one in history.processes}
    for who, other, begin, _ in told:
        seen = max(tick for tick in members[other].sizes if tick <= begin)
        own = max(tick for tick in members[who].sizes if tick <= begin)
        assert members[other].sizes[seen] != members[who].sizes[own]
    for who, one in members.items():
        for begin, end in stale(history, one):
            assert any(own == who and at < end and begin < until for own, _, at, until in told), (who, begin, end)


def stale(history, process):
    """(begin, end) of lists that others used, and with which the process would have another share."""
    logged = [tick for tick, share in process.rebalances if share != process.share(tick - 1)]
    news = sorted(
        (tick, one.log, one.sizes[tick])
        for one in history.processes
        if one is not process
        for tick, share in one.rebalances
        if share != one.share(tick - 1)
    )
    for place, (tick, _, sizes) in enumerate(news):
        before = [at for at in logged if at < tick]
        if not before or process.sizes[before[-1]] == sizes or tick in logged:
            continue
        following = [at for at in logged if at > tick] + [at for at, *_ in news[place + 1 :]] + [LONG]
        possible = [dealt(*sizes, index) for index in range(sizes[1])]
        own = process.share(tick)
        fits = own in possible if sizes[0] == len(history.named) else len(own) in map(len, possible)
        if not fits and min(following) - tick > TOLERATE and own:
            yield tick, min(following)


def check_clocks(history):
    if not history.named:
        return
    found = Found(history)
    pairs = {(members, queue) for members, queue, *_ in overlaps(history)}
    assert {one[:2] for one in found.intervals(What.TWO, Level.SEEN)} <= pairs
    long = {own[:2] for own in overlaps(history) if len(own[4]) > 2 * TOLERATE and distinct(history)}
    assert long <= {one[:2] for one in found.intervals(What.TWO)}
    for _, queue, begin, end in found.intervals(What.NOBODY, Level.SEEN):
        assert any(at < end and begin < until for at, until in history.free(queue))


def distinct(history):
    return len({one.client for one in history.processes}) == len(history.processes)


WITH_CLOCKS = histories(skewed=500, stops=False, restarts=False, most=3)


@settings(max_examples=60)
@given(histories())
@example(AROUND)
@example(CRASHED)
@example(PAUSED)
@example(TWICE)
@example(AGAIN)
@example(REPLACED)
@example(TWO_SHUTDOWNS)
@example(ID_MOVES)
def test_owners_and_findings_are_those_of_the_table(history):
    check_owners(history)


@settings(max_examples=40)
@given(divided())
@example(GROWN)
def test_disagreements_are_those_of_the_members_lists(history):
    check_views(history)


@settings(max_examples=30)
@given(WITH_CLOCKS)
def test_wrong_clocks_within_the_tolerance_make_no_false_finding(history):
    check_clocks(history)


@pytest.mark.slow
@settings(max_examples=2_000)
@given(histories(), divided(), WITH_CLOCKS)
def test_many_histories_are_audited_right(owned, divided, clocks):
    check_owners(owned)
    check_views(divided)
    check_clocks(clocks)
