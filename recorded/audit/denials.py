"""Findings about denied queue locks and refused pulls."""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace

from rebalance_proofs.recorded.audit.finding import (
    APART,
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
from rebalance_proofs.recorded.audit.group import Group, Phrase, both, phrase, state_of
from rebalance_proofs.recorded.audit.told import NOT_ASKED, Event
from rebalance_proofs.recorded.audit.without_queues import reason
from rebalance_proofs.recorded.logs.fact import Kind
from rebalance_proofs.recorded.logs.named import PULLS_FAILED
from rebalance_proofs.recorded.logs.readings import FAILED

UNKNOWN = ("waits-for-living", "waits-for-crashed", "waits-for-shut-down")
"""Causes of a denied lock if no log shows the state of its holder."""
CLOSED = 120_000
"""Longest time in ms from the removal of a group to pulls that the broker refuses because of it."""
LOCK_LIVES = 60
"""Seconds after which a broker gives a lock that was not renewed to another client, by default."""
SAME_REFUSAL = 2_000
"""Longest time in ms between the consumer's and the broker's line on one refused pull.

Brokers log whole seconds.
"""


def locks(group: Group) -> Iterator[Finding]:
    """Yield findings about denied queue locks, from consumers' logs.

    The broker's lines are used if a consumer has logged no denial.
    """
    own = [one for one in events(group, Kind.DENIED, Kind.LOCK_FAILED) if one.queue]
    said = {(one.member[0], one.queue) for one in own}
    denied = [one for one in own if one.kind is Kind.DENIED]
    denials = {(one.member, one.queue, (one.at or 0) // 1000) for one in denied}
    renewals = [one for one in own if one.kind is Kind.LOCK_FAILED]
    asked = [
        one
        for one in renewals
        if not any((one.member, one.queue, (one.at or 0) // 1000 + step) in denials for step in (-1, 0, 1, 2))
    ]
    told: list[Event] = []
    had: dict[Hashable, set[str]] = {}
    for one in events(group, Kind.LOCKED_BY_OTHER):
        had.setdefault((one.member[0], one.queue), set()).add(one.more)
    given = any(one.name == "cpp-lock-given-back" for one in events(group, Kind.SAID))
    for episode in episodes([*denied, *asked], lambda one: (one.member, one.queue, one.more == NOT_ASKED)):
        many = times(len(episode))
        if episode[0].more == NOT_ASKED:
            who, detail = group.told(episode[0].member), both(phrase("the lock request failed "), many)
            yield finding_of(What.LOCKS, group, (who,), episode, detail, ("broker-unreachable",))
            continue
        holders = sorted(had.get((episode[0].member[0], episode[0].queue), ()))
        detail = both(phrase("denied "), many)
        if holders:
            detail = both(detail, phrase("; {clients} held the lock", clients=", ".join(holders)))
        causes = _holders_state(group, holders, episode[-1].at)
        if given:
            detail = both(detail, phrase("; the client gave back a lock that the broker had granted"))
            causes = ()  # this client is not modelled
        elif taken := _taken_over(group, episode):
            detail, causes = both(detail, _expired(episode, taken)), _of_expired(causes)
            episode.append(taken)
            told.append(taken)
        yield finding_of(What.LOCKS, group, (group.told(episode[0].member), *holders), episode, detail, causes)
    others = [one for one in events(group, Kind.LOCKED_BY_OTHER) if (one.member[0], one.queue) not in said]
    for episode in episodes(others, lambda one: (one.member[0], one.queue, one.more)):
        detail = both(
            phrase("denied "), times(len(episode)), phrase("; {clients} held the lock", clients=episode[0].more)
        )
        members = (episode[0].member[0], episode[0].more)
        causes = _holders_state(group, [episode[0].more], episode[-1].at)
        if taken := _taken_over(group, episode):
            detail, causes = both(detail, _expired(episode, taken)), _of_expired(causes)
            episode.append(taken)
            told.append(taken)
        yield finding_of(What.LOCKS, group, members, episode, detail, causes)
    yield from _takeovers(group, told)


def _takeovers(group: Group, told: Sequence[Event]) -> Iterator[Finding]:
    """Yield findings about expired locks that another client got without a logged denial before.

    ``told``: takeovers that other findings report.
    """
    own = [one for one in events(group, Kind.LOCK_RAN_OUT) if one.more != one.member[0] and one not in told]
    for episode in episodes(own, lambda one: (one.member[0], one.more)):
        taken, holder = episode[0], episode[0].more
        many = len({one.queue for one in episode})
        words = phrase(
            "{client} got the lock, which {holder} had not renewed for at least {least} s and had not released. No "
            "line shows that a request was denied before, so it is open since when the queue had no consumer",
            client=taken.member[0],
            holder=holder,
            least=LOCK_LIVES,
        )
        found = finding_of(
            What.LOCKS,
            group,
            (taken.member[0], holder),
            episode,
            both(words, phrase("; {number} queues", number=many)) if many > 1 else words,
            _of_expired(_holders_state(group, [holder], taken.at)),
        )
        queues = {one.queue: Interval(one.queue, one.at, one.at) for one in episode}
        yield replace(found, level=Level.POSSIBLE, intervals=tuple(queues.values()))


def _taken_over(group: Group, episode: Sequence[Event]) -> Event | None:
    """Return the broker's line that the client got the expired lock of another one soon after these denials."""
    client, queue, last = episode[0].member[0], episode[0].queue, episode[-1].at
    return next(
        (
            one
            for one in events(group, Kind.LOCK_RAN_OUT)
            if (one.member[0], one.queue) == (client, queue)
            and one.more != client
            and one.at is not None
            and last is not None
            and -SAME_REFUSAL <= one.at - last <= APART
        ),
        None,
    )


def _expired(episode: Sequence[Event], taken: Event) -> Phrase:
    """Return when the client got the expired lock, and what that shows of the old holder."""
    first, last, at = episode[0].at or 0, episode[-1].at or 0, taken.at or 0
    most = LOCK_LIVES + max(0, at - last) // 1000
    return phrase(
        "; {seconds} s after the first denial, the lock expired and this client got it, so until then it did not "
        "consume the queue. {holder} had renewed the lock for the last time {least} to {most} s before and had not "
        "released it, as a consumer that crashed or was killed",
        seconds=max(0, at - first) // 1000,
        holder=taken.more,
        least=LOCK_LIVES,
        most=most,
    )


def _of_expired(causes: tuple[str, ...]) -> tuple[str, ...]:
    """Return the causes of a lock that expired: its holder crashed, unless a log shows that it ran or shut down."""
    return ("waits-for-crashed", "waits-for-shut-down", "waits-for-living") if causes == UNKNOWN else causes


def _reason(one: Event) -> tuple[str, tuple[str, ...]]:
    codes = one.numbers[1:] if one.kind is Kind.SAID else one.numbers if one.kind is Kind.REFUSED else ()
    return reason(one.more, codes[0] if codes else -1)


def _only_told_by_brokers(group: Group, own: Sequence[Event]) -> list[Event]:
    """Return refused pulls that a broker logged, but no consumer.

    ``own``: refusals from consumers' logs. Return none if the logs' clocks cannot be compared.
    """
    theirs = sorted(events(group, Kind.REFUSES), key=lambda event: (event.at or 0, event.where))
    logs = {(one.member[1], other) for one in theirs for other in {each.member[1] for each in own}}
    if any(not group.sure_clocks(*pair) for pair in logs):
        return []
    near = SAME_REFUSAL + max((group.tolerance(*pair) for pair in logs), default=0)
    waiting: dict[str, list[int]] = {}
    for one in sorted(own, key=lambda event: -(event.at or 0)):
        waiting.setdefault(_reason(one)[0], []).append(one.at or 0)
    return [one for one in theirs if not _taken(waiting.get(_reason(one)[0], []), one.at or 0, near)]


def _taken(waiting: list[int], at: int, near: int) -> bool:
    """Return True if a consumer logged the refused pull, and remove its time from ``waiting``.

    The pull was refused at the time ``at``. ``waiting`` holds the times of the consumers' lines in ms, the latest
    first; ``near`` is the largest difference.
    """
    while waiting and waiting[-1] < at - near:
        waiting.pop()
    return bool(waiting) and waiting[-1] <= at + near and waiting.pop() is not None


def refused(group: Group) -> Iterator[Finding]:
    """Yield findings about refused pulls, by consumer and reason.

    Refused pulls that only a broker logged are included: a client does not log refused pulls of its retry topic, and a
    consumer's log may be missing.
    """
    own = [
        one
        for one in events(group, Kind.REFUSED, Kind.SAID)
        if (one.kind is Kind.REFUSED or one.name in PULLS_FAILED)
        and one.more != "offset illegal"
        and not (one.more.startswith(FAILED) and leaves(group, one))  # ``corrected`` reports illegal offsets
    ]
    closed = _closed(group)
    for many in (own, _only_told_by_brokers(group, own)):
        for episode in episodes(many, lambda one: (one.member, _reason(one)[0])):
            words, causes = _reason(episode[0])
            at = episode[0].at
            if "broker-comes-back" in causes and at is not None and any(0 <= at - one <= CLOSED for one in closed):
                # The broker had removed the group shortly before, because its connections closed: it did not restart.
                causes = ("connections-flap", "heartbeats-late")
            detail = both(times(lines_of(episode)), ": ", words)
            members = (group.told(episode[0].member),) if many is own and episode[0].member[0] else ()
            yield finding_of(What.REFUSED, group, members, episode, detail, causes)


def _closed(group: Group) -> list[int]:
    """Return the times at which a broker lost a connection of the group, or removed the group."""
    return [
        one.at
        for one in events(group, Kind.SAID, Kind.GONE)
        if one.at is not None and (one.kind is Kind.GONE or one.name == "group-gone")
    ]


def _holders_state(group: Group, holders: Sequence[str], at: int | None) -> tuple[str, ...]:
    """Return the causes that fit what the logs show of the clients that held a lock at that time."""
    if at is None or not holders:
        return UNKNOWN
    states = {state_of(group, one, at) for one in holders}
    if states == {"shut"}:
        return ("waits-for-shut-down", "lock-left-at-shutdown", "unlock-lost")
    if states == {"alive"}:
        return ("waits-for-living", "marked-until-timer", "unlock-lost")
    if states == {"silent"}:
        return ("waits-for-crashed", "waits-for-shut-down")
    return UNKNOWN
