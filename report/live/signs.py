"""Queries on a recorded run that find signs of causes, shared by several kinds of problems."""

from collections.abc import Iterable, Iterator
from itertools import combinations

from rebalance_proofs.recorded.cluster.names import topic_of
from rebalance_proofs.recorded.groups.broker import Answered, Heard
from rebalance_proofs.recorded.groups.event import BEAT, ILLEGAL, LOCK, PULL, UNLOCK
from rebalance_proofs.recorded.groups.member import (
    Allocate,
    Entry,
    EntryGone,
    Pulled,
    Resumed,
    Subscribed,
    Suspending,
    Unsubscribed,
    subscriptions,
)
from rebalance_proofs.recorded.seen.facts import Pause
from rebalance_proofs.recorded.seen.held import Held
from rebalance_proofs.recorded.seen.history import History

LOOK = 2_000
"""Largest time in ms between a cause and its effect on a busy machine: polls, answers, wake-ups."""
BACK = 86_000
"""Time in ms after a broker's return by which the group works normally again."""
EXPIRED = 120_000
"""Time in ms without a pull after which a rebalance removes a process queue."""
RESETS = 10_000 + LOOK
"""Longest time in ms for which a client that is told to reset its offsets suspends itself."""
THREADS = 8
"""Number of each consumer's listener threads."""
STALE = (24, 25)
"""Response codes of pulls refused because of the subscription: SUBSCRIPTION_NOT_EXIST, ..._NOT_LATEST."""


def one_id(history: History, who: str, other: str) -> bool:
    """Return True if ``who`` and ``other`` have the same client id, and were alive together."""
    if who == other or history.started[who].id != history.started[other].id:
        return False
    return _together(history, who, other, 0, history.end)


def twins(history: History, group: str, since: int, until: int) -> bool:
    """Return True if two processes of the group with one client id ran together between ``since`` and ``until``."""
    return any(
        history.started[who].id == history.started[other].id and _together(history, who, other, since, until)
        for who, other in combinations(history.groups[group], 2)
    )


def _together(history: History, who: str, other: str, since: int, until: int) -> bool:
    """Return True if two consumers were alive at one moment between ``since`` and ``until``."""
    if who not in history.lives or other not in history.lives:
        return False
    (first, end), (second, last) = history.lives[who], history.lives[other]
    return max(first, second, since) <= min(end, last, until)


def _there(history: History, who: str, since: int, until: int) -> bool:
    return who in history.joined and history.joined[who] <= until and history.left.get(who, until) >= since


def differ(history: History, group: str) -> bool:
    """Return True if consumers of the group use different strategies."""
    return len({history.started[who].strategy for who in history.groups[group]}) > 1


def busy(history: History, group: str, who: str, since: int, until: int) -> bool:
    """Return True if nearly all listener threads of a consumer were busy in that time, on average."""
    return history.spent(group, who, since, until) > (THREADS - 1) * (until - since)


def somebody_lacks(history: History, group: str, topic: str, since: int, until: int) -> bool:
    """Return True if a running consumer was not subscribed to the topic for a part of that time."""
    return any(
        meets(_lacks(history, who, topic), since, until)
        for who in history.groups[group]
        if _there(history, who, since, until)
    )


def _lacks(history: History, who: str, topic: str) -> list[tuple[int, int]]:
    """Return the times when a consumer was not subscribed to the topic."""
    at_first = [] if topic in subscriptions(history.started[who].sub) else [0]
    begins = [*at_first, *(each.at for each in history.of(Unsubscribed, who) if each.topic == topic)]
    ends = [each.at for each in history.of(Subscribed, who) if each.topic == topic]
    return [(begin, min((end for end in ends if end > begin), default=history.end)) for begin in begins]


def suspended(history: History, who: str) -> list[tuple[int, int]]:
    """Return the times when a consumer was suspended, also by a reset of its offsets.

    Messages pulled before may still be consumed.
    """
    ends = [each.at for each in history.of(Resumed, who)]
    begins = (each.at for each in history.of(Suspending, who))
    asked = [(begin, min((end for end in ends if end > begin), default=history.end)) for begin in begins]
    return asked + history.own_resets(who)


def resets(history: History, group: str, q: str, since: int, until: int) -> bool:
    """Return True if somebody asked the queue's broker, in that time, to reset the group's offsets of the topic.

    A consumer that was stopped meanwhile carries out the reset later.
    """
    topic, broker, _ = q.split(":")
    return any(
        since - _stood(history, group, each.at) <= each.at <= until
        and (each.broker, each.group, each.topic) == (broker, group, topic)
        for each in history.resets
    )


def _stood(history: History, group: str, at: int) -> int:
    """Return how many ms a process of the group that was stopped soon after ``at`` was stopped."""
    times = (each for who in history.groups[group] for each in history.stopped.get(who, ()))
    return max((end - begin for begin, end in times if begin <= at + RESETS and end >= at), default=0)


def meets(times: Iterable[tuple[int, int]], since: int, until: int) -> bool:
    """Return True if one of the (start, end) times overlaps the time from ``since`` to ``until``."""
    return any(begin <= until and end >= since for begin, end in times)


def within(times: Iterable[tuple[int, int]], since: int, until: int) -> list[tuple[int, int]]:
    """Return the parts of the (start, end) times between ``since`` and ``until``."""
    cut = ((max(begin, since), min(end, until)) for begin, end in times)
    return [(begin, end) for begin, end in cut if begin < end]


def first_heartbeat(history: History, group: str) -> int | None:
    """Return the time of the group's first heartbeat at a broker, or None."""
    beats = (each for each in history.of(Heard, *history.run.brokers) if each.code == BEAT)
    return next((each.at for each in beats if any(one.group == group for one in each.said.groups or ())), None)


def down(history: History, q: str) -> tuple[tuple[int, int], ...]:
    """Return the times when the queue's broker was down; it forgets locks and members meanwhile."""
    return history.down.get(q.split(":")[1], ())


def frozen(history: History, q: str) -> tuple[tuple[int, int], ...]:
    """Return the times when the queue's broker was stopped; it keeps locks and connections meanwhile."""
    return history.frozen.get(q.split(":")[1], ())


def owners(history: History, group: str, q: str, since: int, until: int) -> list[Held]:
    """Return the queue's entries (process queues of all consumers) in that time, sorted by start."""
    return [held for held in history.held[group] if held.q == q and held.begin <= until and held.end >= since]


def is_of(history: History, who: str, client_id: str | None) -> bool:
    """Return True if a client id has the consumer's instance name."""
    return (client_id or "").endswith(f"@{history.started[who].id}")


def heard(history: History, code: str, who: str, group: str, q: str, since: int, until: int) -> Iterator[Heard]:
    """Yield the consumer's requests about the queue that its broker received in that time."""
    for event in history.of(Heard, q.split(":")[1]):
        asked = event.said
        about = event.code == code and asked.consumer_group == group and q in asked.queues
        if since <= event.at <= until and about and is_of(history, who, asked.client_id):
            yield event


def refused(history: History, group: str, q: str, since: int, until: int) -> list[Answered]:
    """Return the queue's pulls that its broker refused in that time because of the subscription."""
    topic, broker, number = q.split(":")
    return [
        event
        for event in history.of(Answered, broker)
        if since <= event.at <= until
        and event.code == PULL
        and event.asked.consumer_group == group
        and event.asked.q == f"{topic}:{number}"
        and event.said.code in STALE
    ]


# Possible causes of a pause, in which no consumer reads a queue; the most specific first.

ROUND = 20_000 + LOOK
"""Longest time in ms between a consumer's rebalances."""
REPAIR = 10_000
"""Time in ms for which a client waits before it repairs an illegal offset, up to 5.0."""
LOCKS = 70_000
"""Longest time in ms for which a queue stays locked after its lock's holder is gone."""
UNLOCK_DELAY = 20_000
"""Delay in ms of the unlock of a queue with cached messages, up to 5.1.4 (``unlockDelayTimeMills``)."""


def of_pause(history: History, fact: Pause) -> Iterator[str]:
    """Yield names of causes of the pause.

    No known cause explains it if an owner could have read the queue but did not.
    """
    group, q, since, until = fact.group, fact.q, fact.since, fact.until
    if any(busy(history, group, each.who, since, until) for each in owners(history, group, q, since, until)):
        yield "listener-blocks"
    if not twins(history, group, since, until) and _listed_twice(history, group, q, since, until):
        yield "second-channel"
    for begin, end in down(history, q):
        if begin <= until and since <= end + BACK:
            yield "broker-comes-back"
    yield from unowned(history, group, q, since, until)
    if any(meets(suspended(history, each.who), since, until) for each in owners(history, group, q, since, until)):
        yield "suspended"
    illegal = _illegal(history, fact)
    if illegal is not None:
        yield "reset" if resets(history, group, q, since - RESETS, illegal) else "offset-illegal"
    if len(set(history.tags(group, topic_of(q)).values())) > 1:
        yield "tags-differ"
    stood = [(who, times) for who, times in history.stopped.items() if who in history.groups[group]]
    for who, times in stood:
        mine = [held for held in owners(history, group, q, since, until) if held.who == who]
        if mine and meets(times, since, until):
            yield "host-vanished"
    locks = list(_of_locks(history, fact)) if history.ordered(group) else []
    if locks and _locked_for_long(history, fact):
        yield from locks
    if refused(history, group, q, since - LOOK, until):
        if somebody_lacks(history, group, topic_of(q), since, until):
            yield "subscriptions-overwritten"
        yield "subscription-not-latest"
    if _new_queue(history, group, q, since, until) or any(
        _routes_differ(history, group, q, at) for at in (since, until)
    ):
        yield "routes-differ"
    yield from locks
    if not history.ordered(group) and any(
        held.since_pull > EXPIRED for held in owners(history, group, q, since, until)
    ):
        yield "expired-pull"
    if _unaware(history, fact):
        yield "lost-notification"


def _illegal(history: History, fact: Pause) -> int | None:
    """Return the time in ms of an owner's pull from an illegal offset, if the pause ends soon after its repair.

    Up to 5.0, the client waits 10 s; up to 5.1.4, the queue then has no owner until the next rebalance.
    """
    pulls = [
        each.at
        for who in dict.fromkeys(held.who for held in owners(history, fact.group, fact.q, fact.since, fact.until))
        for each in history.of(Pulled, who)
        if each.q == fact.q and each.status == ILLEGAL and fact.since - LOOK <= each.at <= fact.until
    ]
    last = max(pulls, default=None)
    return last if last is not None and fact.until <= last + REPAIR + ROUND + LOOK else None


def _unaware(history: History, fact: Pause) -> bool:
    """Return True if the next owner did not rebalance soon after a member had left or joined."""
    last = _ending(history, fact)
    if last is None:
        return False
    members = history.groups[fact.group]
    times = [at[who] for at in (history.left, history.joined) for who in members if who in at and who != last.who]
    change = max((at for at in times if fact.since - LOOK <= at < last.begin - LOOK), default=None)
    return change is not None and not any(
        each.topic == topic_of(fact.q) and change <= each.at < last.begin - LOOK
        for each in history.of(Allocate, last.who)
    )


def _locked_for_long(history: History, fact: Pause) -> bool:
    """Return True if the owner that ends the pause got the queue, and so its lock, in the second half of the pause.

    The broker refuses the pulls of an owner only afterwards.
    """
    entry = _ending(history, fact)
    return entry is None or entry.begin - fact.since >= fact.until - entry.begin


def _ending(history: History, fact: Pause) -> Held | None:
    """Return the ownership whose listener call ended the pause, or None."""
    by = fact.ended_by
    return history.holds(fact.group, by.who, fact.q, by.begin) if by else None


def unowned(history: History, group: str, q: str, since: int, until: int) -> Iterator[str]:
    """Yield causes for a queue that no consumer reads as long as the group does not change."""
    if twins(history, group, since, until):
        yield "same-client-id"
    if somebody_lacks(history, group, topic_of(q), since, until):
        yield from ("not-subscribed", "subscriptions-overwritten")
    if differ(history, group):
        yield "strategies-differ"


def _listed_twice(history: History, group: str, q: str, since: int, until: int) -> bool:
    """Return True if a consumer allocated the topic's queues to a list with one id twice as the pause began.

    False if one process queue lasted for the whole time: its owner could read the queue.
    """
    if any(held.begin <= since and until <= held.end for held in owners(history, group, q, since, until)):
        return False
    # every rebalance shows the list, and the timer calls one every 20 s unless the broker does not answer
    silent = sum(end - begin for begin, end in within((*down(history, q), *frozen(history, q)), since, until))
    until = min(until, since + ROUND + silent)
    for who in history.groups[group]:
        of_topic = [each for each in history.of(Allocate, who) if each.topic == topic_of(q) and each.at <= until]
        used = [each for each in of_topic if each.at >= since] + [each for each in of_topic if each.at < since][-1:]
        if any(len(set(each.cid_all or ())) < len(each.cid_all or ()) for each in used):
            return True
    return False


def _new_queue(history: History, group: str, q: str, since: int, until: int) -> bool:
    """Return True if the pause began before any consumer knew the queue, but consumers knew the topic."""
    of_topic = [each for each in history.of(Allocate, *history.groups[group]) if each.topic == topic_of(q)]
    known = [each.at for each in of_topic if q in (each.mq_all or ())]
    return bool(known) and of_topic[0].at < known[0] and since <= known[0] <= until


def _routes_differ(history: History, group: str, q: str, at: int) -> bool:
    """Return True if two consumers' last rebalances of the topic had different lists of queues."""
    seen = set()
    for who in history.groups[group]:
        of_topic = (one for one in history.of(Allocate, who) if one.topic == topic_of(q) and one.at <= at)
        last = max(of_topic, key=lambda one: one.at, default=None)
        if last is not None and history.left.get(who, history.end) > at:
            seen.add(last.mq_all)
    return len(seen) > 1


def _of_locks(history: History, fact: Pause) -> Iterator[str]:
    """Yield causes by what happened to the previous owner: crashed, shut down, running, or owner again."""
    group, q, since, until = fact.group, fact.q, fact.since, fact.until
    last = _ending(history, fact)
    earlier = [held for held in owners(history, group, q, since - LOCKS, until) if held is not last]
    for held in reversed(earlier):
        if last and held.who == last.who and not _claimed(history, fact, held.who):
            continue  # the broker grants its lock again to the consumer that has it
        killed = history.killed.before(held.who, until)
        shut = history.shut_down.before(held.who, until)
        if killed is not None:
            yield "waits-for-crashed"
        elif shut is not None:
            if _locked_again(history, group, q, held.who, shut):
                yield "locked-again-at-shutdown"
            if _left_locked(history, group, held, shut):
                yield "lock-left-at-shutdown"
            yield "waits-for-shut-down"
        else:
            if meets(_marked(history, held.who, q), since, until):
                yield "marked-until-timer"
            yield "waits-for-living"
    marked = within(_marked(history, last.who, q), since, until) if last else []
    if 2 * sum(end - begin for begin, end in marked) >= fact.ms:
        yield "dropped-entry"
    if last and not earlier:
        yield "not-locked-yet"


def _claimed(history: History, fact: Pause, who: str) -> bool:
    """Return True if a rebalance in the pause, or just before it, gave the queue to a consumer other than ``who``."""
    return any(
        each.who != who and fact.since - LOCKS <= each.at <= fact.until and fact.q in (each.result or ())
        for each in history.of(Allocate, *history.groups[fact.group])
    )


def _marked(history: History, who: str, q: str) -> list[tuple[int, int]]:
    """Return the times in which the consumer's table had a dropped process queue of ``q``."""
    begins: dict[str, int] = {}
    ends: dict[str, int] = {}
    for each in history.of(Entry, who):
        if each.q == q and each.dropped:
            (begins if each.in_table else ends).setdefault(each.entry, each.at)
    gone = {each.entry: each.at for each in history.of(EntryGone, who) if each.q == q}
    over = history.ended.get(who, history.end)
    return [(at, min(gone.get(entry, over), ends.get(entry, over))) for entry, at in begins.items()]


def _locked_again(history: History, group: str, q: str, who: str, since: int) -> bool:
    """Return True if the broker received a lock request after the consumer's shutdown had released the lock."""
    returned, asked = (
        [each.at for each in heard(history, code, who, group, q, since, history.end)] for code in (UNLOCK, LOCK)
    )
    return bool(returned) and max(asked, default=0) >= min(returned)


def _left_locked(history: History, group: str, held: Held, shut: int) -> bool:
    """Return True if a consumer shut down between its removal of the queue and the delayed unlock.

    It removed the queue with cached messages, and its broker received no unlock since.
    """
    gone = (each for each in history.of(EntryGone, held.who) if (each.q, each.entry) == (held.q, held.entry))
    return any(
        each.messages > 0
        and each.at <= shut < each.at + UNLOCK_DELAY
        and not any(heard(history, UNLOCK, held.who, group, held.q, each.at, history.end))
        for each in gone
    )
