"""What a short excerpt of logs cannot show, and the one hint that its commits give."""

from collections.abc import Iterator
from statistics import median

from rebalance_proofs.recorded.audit.finding import Finding, Interval, Level, What
from rebalance_proofs.recorded.audit.group import Group, phrase
from rebalance_proofs.recorded.audit.told import Commits, Member

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
