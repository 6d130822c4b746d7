"""Findings from single kinds of log lines: corrected offsets, failed requests, other known lines."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise
from statistics import median

from rebalance_proofs.recorded.audit.finding import (
    Finding,
    Interval,
    Level,
    What,
    episodes,
    events,
    finding_of,
    leaves,
    lines_of,
    times,
)
from rebalance_proofs.recorded.audit.group import SILENT, Group, Phrase, both, phrase
from rebalance_proofs.recorded.audit.stalled import FLOW
from rebalance_proofs.recorded.audit.told import Commits, Event, Member
from rebalance_proofs.recorded.audit.without_queues import JOINS, NO_LIST, UNLISTED, UNREACHED, VIP_PORT, told_of
from rebalance_proofs.recorded.knowledge.schema import entries
from rebalance_proofs.recorded.logs.fact import Kind
from rebalance_proofs.recorded.logs.lines import NAMED
from rebalance_proofs.recorded.logs.named import (
    ANSWERED,
    CLOSE_DROPPED,
    CLOSED,
    NONE,
    NOWHERE,
    PULLS_FAILED,
    SAYS_WHY,
    UNCORRECTED,
)

# What a short excerpt of logs cannot show, and the one hint that its commits give.

SHORT = 60_000
"""Logs of a group that cover less than this time in ms show neither a standstill nor a rebalance."""
ONE_MOMENT = 1_000
"""Longest time in ms between commits whose offsets are compared."""
SIBLINGS = 2
"""Fewest other queues with which a queue is compared."""
FAR = 1_000
"""Fewest messages by which a queue's offset differs from those of its siblings, to be worth a hint."""
CLOSE = 20
"""Most messages between the offsets of the other queues: only a topic filled evenly has them so close."""


def limits(group: Group) -> tuple[str, ...]:
    """Return what the lines of the group cannot show."""
    found: list[str] = []
    single = _single(group)
    if single and len(single) == len({one.queue for share in group.shares for one in share.commits}):
        found.append(phrase("each queue has one commit, so the lines do not show whether its offset moves"))
    times = [at for share in group.shares if share.members for at in (share.first, share.last) if at is not None]
    if times and (long := max(times) - min(times)) < SHORT:
        seconds = f"{long / 1000:.0f}"
        found.append(
            phrase("the lines cover {seconds} s only", seconds=seconds)
            if long >= ONE_MOMENT
            else phrase("all lines are of one moment")
        )
    return tuple(found)


def _single(group: Group) -> list[Commits]:
    """Return the commits of all queues of which the logs have one commit."""
    by_queue: dict[object, list[Commits]] = {}
    for share in group.shares:
        for one in share.commits:
            by_queue.setdefault(one.queue, []).append(one)
    return [
        own[0]
        for own in by_queue.values()
        if len(own) == 1 and own[0].at == own[0].until and own[0].where == own[0].where_last and not own[0].given_up
    ]


def apart(group: Group) -> Iterator[Finding]:
    """Yield a finding for each queue whose only commit is far below its siblings' of the same broker and moment."""
    by_broker: dict[tuple[Member, str, str], list[Commits]] = {}
    for one in _single(group):
        by_broker.setdefault((one.member, *one.queue[:2]), []).append(one)
    for (member, topic, _), own in by_broker.items():
        for one in own:
            others = [each for each in own if each is not one and abs(each.at - one.at) <= ONE_MOMENT]
            if len(others) < SIBLINGS:
                continue
            middle = int(median(each.last for each in others))
            spread = max(abs(each.last - middle) for each in others)
            below = middle - one.last
            if spread > CLOSE or below < FAR:
                continue
            yield Finding(
                What.STALLED,
                Level.POSSIBLE,
                group.name,
                topic,
                (group.told(member),),
                (Interval(one.queue, one.at, one.at),),
                phrase(
                    "the committed offset {offset} is {below} below that of {number} other queues of the broker in the "
                    "same second ({others}). One commit does not show whether it moves: compare two outputs of "
                    "mqadmin consumerProgress",
                    offset=one.last,
                    below=f"{below:,}",
                    number=len(others),
                    others=middle,
                ),
                ("first-message-slow", "listener-blocks", "pull-request-lost"),
                (one.where, others[0].where),
            )


# The causes that a known log line indicates, as the knowledge files state them.


@cache
def indicated(name: str) -> tuple[str, ...]:
    """Return the names of the causes that a line indicates, then those of the line of another client like it."""
    every = [(cause["name"], cause.get("lines", ())) for cause in entries("causes", "cause")]
    names = [name, *([like] if (like := NAMED[name].like) else [])]
    return tuple(dict.fromkeys(cause for one in names for cause, lines in every if one in lines))


NAME_SERVER_PORT = ":9876"
MOVED = ("offset-moved", "offset-moved-before-4")
ILLEGAL = ("illegal", "go-illegal", "node-illegal", "lite-illegal")
ORDINARY = (
    "version-updated",
    "route-changed",
    "heartbeat-not-sent",
    "unlocks-later",
    "pull-waits",
    "unlock-of-other",
)
"""Lines that a healthy group logs, too; they are only counted."""
LOCKS_LATE = ("lock-expired", "go-lock-expired")
LATE_LOCKS = ("broker-unreachable", "starved-timer", "static-topic")
"""Causes of a lock that was not renewed in time."""
BEFORE_ROUTE = ("topic-not-found", "no-route", "go-no-route", "cpp-no-route", "node-no-route")
"""Lines about a missing route, which a client logs at its start before it has one."""
SYSTEM_TOPICS = ("TBW102", "RMQ_SYS_TRACE_TOPIC", "SELF_TEST_TOPIC", "BenchmarkTest", "OFFSET_MOVED_EVENT")
"""Topics of RocketMQ itself, which no consumer group needs: template of new topics, message traces, tests."""
RESUMES = 15_000
"""Longest time in ms from the end of a silence to requests that fail because of it."""
MOST_CAUSES = 3


def _begins(group: Group, many: Sequence[Event]) -> bool:
    """Return whether lines are only of the first moments of a client."""
    first, last = many[0].at, many[-1].at
    share = group.by_log[many[0].member[1]]
    return (
        first is not None
        and last is not None
        and last - first <= JOINS
        and any(abs(at - first) <= JOINS for at in share.begins)
    )


def corrected(group: Group) -> Iterator[Finding]:
    """Yield findings about requested offsets that a broker did not have."""
    own = [one for one in events(group, Kind.REFUSED) if one.more == "offset illegal"]
    for many in episodes(own, lambda one: (one.member, one.queue, _relation(one.numbers))):
        words, causes = _correction(many[0].numbers, False)
        if _relation(many[0].numbers) == 0 and (query := _failed_query(group, many[0])):
            words = both(phrase("the query for its committed offset failed; "), words)
            yield finding_of(What.CORRECTED, group, told_of(group, many[0]), [query, *many], words, causes[:1])
            continue
        yield finding_of(What.CORRECTED, group, told_of(group, many[0]), many, words, causes)
    every = [one for one in events(group, Kind.SAID) if one.name in MOVED]
    limits = {one.numbers[1]: one for one in every if not one.topic}
    corrections = [one for one in every if one.topic]
    # The line about the broker's limits names no topic; the line about the correction does, but has no limits.
    asked = {one.numbers[1] for one in corrections}
    alone = [one for one in every if not one.topic and one.numbers[1] not in asked]
    for many in episodes([*corrections, *alone], lambda one: (one.member, one.topic, one.more)):
        words, causes = _moved(many[0], limits.get(many[0].numbers[1]) if many[0].topic else None)
        more = [limits[one.numbers[1]] for one in many[:1] if one.topic and one.numbers[1] in limits]
        yield finding_of(What.CORRECTED, group, told_of(group, many[0]), [*more, *many], words, causes)
    illegal = [one for one in events(group, Kind.SAID) if one.name in ILLEGAL]
    for many in episodes(illegal, lambda one: (one.member, one.queue)):
        if not own:
            words = phrase("it asked for an offset that the broker does not have")
            causes = ("offset-illegal", "offset-above-broker")
            yield finding_of(What.CORRECTED, group, told_of(group, many[0]), many, words, causes)


def _failed_query(group: Group, illegal: Event) -> Event | None:
    """Return the line about the failed query for a queue's committed offset, shortly before its first pull."""
    return next(
        (
            one
            for one in events(group, Kind.SAID)
            if one.name in ("no-offset", "offset-not-fetched")
            and one.queue in (None, illegal.queue)
            and one.member[1] == illegal.member[1]
            and one.at is not None
            and illegal.at is not None
            and 0 <= illegal.at - one.at <= JOINS
        ),
        None,
    )


def _moved(one: Event, limits: Event | None) -> tuple[Phrase, tuple[str, ...]]:
    """Return what a broker's line about an illegal offset shows; ``limits`` is its line about its first or last one."""
    _, requested, new, most, least = one.numbers
    if limits:
        most, least = (
            mine if mine != NONE else other for mine, other in zip((most, least), limits.numbers[3:], strict=True)
        )
    if least == NONE and requested < new:
        least = new
    return _correction((requested, new, least, most), one.more == UNCORRECTED)


def _relation(numbers: Sequence[int]) -> int:
    requested, _, least, most = (*numbers, NONE, NONE, NONE, NONE)[:4]
    return (
        0
        if requested == -1
        else 1
        if least != NONE and requested < least
        else 2
        if most != NONE and requested > most
        else 3
    )


def _correction(first: Sequence[int], uncorrected: bool) -> tuple[Phrase, tuple[str, ...]]:
    requested, new, least, most = (*first, NONE, NONE, NONE, NONE)[:4]
    if requested == NONE:
        words = phrase("the broker does not have the requested offset, and proposes another")
        return words, ("offset-illegal", "offset-above-broker")
    relation = _relation(first)
    if relation == 0:
        words = phrase("its first pull had no committed offset, and asked for -1")
        words = both(words, phrase("; the broker proposed {offset}", offset=new)) if new >= 0 else words
        return words, ("first-pull-from-nowhere", "nothing-committed")
    if relation == 1:
        words = phrase(
            "the requested offset {offset} is below the broker's first one, {least}: the broker deleted messages "
            "before they were read",
            offset=requested,
            least=least,
        )
        return words, ("offset-illegal", "local-offsets-not-written")
    if relation == 2:
        words = phrase(
            "the requested offset {offset} is above the broker's last one, {most}", offset=requested, most=most
        )
        causes = ("offset-illegal", "offset-above-broker", "replica-behind")
    else:
        words = phrase("the broker does not have the requested offset {offset}", offset=requested)
        causes = ("offset-illegal", "offset-above-broker", "replica-behind")
    if uncorrected:
        return both(words, phrase("; it was not corrected")), ("replica-behind", "offset-above-broker")
    if new < 0:
        return words, causes
    if new < requested:
        words = both(words, phrase("; it was corrected to {offset}, so messages are consumed again", offset=new))
    else:
        words = both(words, phrase("; it was corrected to {offset}", offset=new))
    return words, causes


def unreached(group: Group) -> Iterator[Finding]:
    """Yield findings about requests that failed, and about brokers whose address changed."""
    every = [one for one in events(group, Kind.SAID) if one.name in UNREACHED and not leaves(group, one)]
    moved = [one for one in events(group, Kind.SAID) if one.name == "route-changed" and one.more]
    for many in episodes(every, lambda one: one.member):
        names = list(dict.fromkeys(one.name for one in many))
        number = lines_of(many)
        titles = [phrase("{line}", line=NAMED[name].title) for name in names[:3]]
        words = both(
            phrase("{often}: ", often=times(number)),
            *(part for place, title in enumerate(titles) for part in ((phrase(", "), title) if place else (title,))),
        )
        hosts = list(dict.fromkeys(one.more for one in many if one.more))
        if hosts:
            words = both(words, phrase(" ({address})", address=", ".join(hosts[:3])))
        answered = all(one.startswith(ANSWERED) for one in hosts) and bool(hosts)
        change = next((one for one in moved if any(host in one.more.partition(" -> ")[0] for host in hosts)), None)
        causes: tuple[str, ...] = ("broker-unreachable", "starved-timer")
        if "connect-failed" in names:
            causes = (*causes, "broker-address")
        evidence = []
        if change:
            old, _, new = change.more.partition(" -> ")
            words = both(words, phrase("; the broker's address changed from {old} to {new}", old=old, new=new))
            evidence = [change.where]
            moved.remove(change)
        elif _resumes(group, many):
            words, causes = both(words, phrase("; the process had just logged nothing for a while")), ()
        elif any(CLOSED.search(one) for one in hosts):
            causes = ("go-shared-client-closed",)
        elif hosts and all(host == NOWHERE for host in hosts):
            causes = ()
            words = both(
                words,
                phrase(": the client has no name server address. Set namesrvAddr, or NAMESRV_ADDR in the environment"),
            )
        elif answered:
            causes = ()  # the broker answered, so it is not out of reach
        elif hosts and all(NAME_SERVER_PORT in host for host in hosts):
            causes = ("name-servers-down", "broker-address")
        elif any(VIP_PORT in host for host in hosts):
            causes = ("vip-channel", "broker-unreachable")
        elif {"not-committed", "commit-not-sent"} & set(names):
            causes = ("broker-unreachable", "commit-failed", "starved-timer")
        found = finding_of(What.UNREACHED, group, told_of(group, many[0]), many, words, causes)
        places = tuple(dict.fromkeys((*found.evidence, *evidence)))
        yield replace(found, topic="", evidence=places)
    for one in moved:
        old, _, new = one.more.partition(" -> ")
        words = phrase("the broker's address changed from {old} to {new}", old=old, new=new)
        yield finding_of(
            What.UNREACHED, group, told_of(group, one), [one], words, ("broker-unreachable", "starved-timer")
        )


def _resumes(group: Group, many: Sequence[Event]) -> bool:
    """Return whether the requests failed just after a silence of the log, as those of a process that was paused."""
    first = many[0].at
    share = group.by_log[many[0].member[1]]
    return first is not None and any(
        later[0] - earlier[1] > SILENT
        and 0 <= first - later[0] <= RESUMES
        and any(earlier[1] - SILENT <= run.until <= earlier[1] for run in share.commits if not run.given_up)
        for earlier, later in pairwise(share.heard)
    )


def other_lines(group: Group) -> Iterator[Finding]:
    """Yield findings about known lines that indicate a cause, and that no other finding reports."""
    known = (
        *PULLS_FAILED,
        *FLOW,
        *UNLISTED,
        *NO_LIST,
        *UNREACHED,
        *ORDINARY,
        *MOVED,
        *ILLEGAL,
        "group-gone",
        "broker-offline",
        "cpp-lock-given-back",
        "unregister-sent",
        "instance-shut",
        "last-channel-expired",
        CLOSE_DROPPED,
    )
    refused = {(one.member[1], one.at) for one in events(group, Kind.REFUSED)}  # another finding reports these pulls
    every = [
        one
        for one in events(group, Kind.SAID)
        if (one.name not in known or (one.name in FLOW and not one.queue))
        and not leaves(group, one)
        and not (one.name in SAYS_WHY and (one.member[1], one.at) in refused)
    ]
    for many in episodes(every, lambda one: (one.member, one.name, _of_system(one))):
        if (many[0].name in BEFORE_ROUTE and _begins(group, many)) or _first_start(group, many[0]):
            continue
        number = lines_of(many)
        if _of_system(many[0]):
            yield _system_topics(group, many)
            continue
        line = NAMED[many[0].name]
        words = phrase("{line}, {often}", line=line.title, often=times(number))
        if not group.name and line.more:
            words = phrase("{line}, {often}. {more}", line=line.title, often=times(number), more=line.more)
        causes = LATE_LOCKS if many[0].name in LOCKS_LATE else indicated(many[0].name)[:MOST_CAUSES]
        yield finding_of(What.LINES, group, told_of(group, many[0]), many, words, causes)


def _first_start(group: Group, one: Event) -> bool:
    """Return whether a broker started before any consumer of the group, so that it was no restart for them."""
    if one.name != "broker-started" or not group.name or one.at is None:
        return False
    before = [span.begin for share in group.shares for span in share.spans]
    before += [each.at for each in events(group, Kind.CONNECTED, Kind.GONE) if each.at is not None]
    return not any(at < one.at for at in before)


def _of_system(one: Event) -> bool:
    """Return whether a line is about the missing route of a topic that no consumer group needs."""
    return one.name in BEFORE_ROUTE and one.topic in SYSTEM_TOPICS


def _system_topics(group: Group, many: Sequence[Event]) -> Finding:
    topics = ", ".join(dict.fromkeys(one.topic for one in many))
    words = phrase(
        "{often}, the name server had no route of {topics}. That is harmless for consumers: it is a topic of RocketMQ "
        "itself, such as the template of new topics or the one of message traces",
        often=times(lines_of(many)),
        topics=topics,
    )
    return replace(finding_of(What.LINES, group, told_of(group, many[0]), many, words, ()), topic="")
