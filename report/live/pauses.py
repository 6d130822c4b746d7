"""Possible causes of a pause, in which no consumer reads a queue; the most specific first."""

from collections.abc import Iterator

from rebalance_proofs.recorded.cluster.names import topic_of
from rebalance_proofs.recorded.groups.event import ILLEGAL, LOCK, PULL, PULLING, UNLOCK
from rebalance_proofs.recorded.groups.member import (
    Allocate,
    Ask,
    Entry,
    EntryGone,
    Pulled,
    Threw,
)
from rebalance_proofs.recorded.seen.facts import SHORTEST, Pause
from rebalance_proofs.recorded.seen.held import Held
from rebalance_proofs.recorded.seen.history import History
from rebalance_proofs.report.live.signs import (
    BACK,
    EXPIRED,
    LOOK,
    RESETS,
    busy,
    differ,
    down,
    frozen,
    heard,
    meets,
    owners,
    refused,
    resets,
    somebody_lacks,
    suspended,
    twins,
    within,
)

ROUND = 20_000 + LOOK
"""Longest time in ms between a consumer's rebalances."""
REPAIR = 10_000
"""Time in ms for which a client waits before it repairs an illegal offset, up to 5.0."""
IN_THREAD = ("hook", "store")
"""Places of exceptions that a client's thread for pulls runs into."""
LOCKS = 70_000
"""Longest time in ms for which a queue stays locked after its lock's holder is gone."""
FIRST_PULL = 1_000
"""Time in ms from a queue's addition to the answer of its first pull, which is delayed by 500 ms."""
UNLOCK_DELAY = 20_000
"""Delay in ms of the unlock of a queue with cached messages, up to 5.1.4 (``unlockDelayTimeMills``)."""


def of_pause(history: History, fact: Pause) -> Iterator[str]:
    """Yield names of causes of the pause.

    No known cause explains it if an owner could have read the queue but did not.
    """
    group, q, since, until = fact.group, fact.q, fact.since, fact.until
    every = owners(history, group, q, since, until)
    if any(busy(history, group, each.who, since, until) for each in every) or _all_busy(history, fact):
        yield "listener-blocks"
    if not twins(history, group, since, until) and _listed_twice(history, group, q, since, until):
        yield "second-channel"
    for begin, end in down(history, q):
        if begin <= until and since <= end + BACK:
            yield "broker-comes-back"
    yield from unowned(history, group, q, since, until)
    yield from _lost_pulls(history, fact)
    if any(meets(history.own_resets(each.who), since, until) for each in owners(history, group, q, since, until)):
        yield "reset"
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


def _all_busy(history: History, fact: Pause) -> bool:
    """Return True if the listener threads of one owner after the other were busy: the rest is too short for a pause."""
    blocked = 0
    for held in owners(history, fact.group, fact.q, fact.since, fact.until):
        since, until = max(fact.since, held.begin + FIRST_PULL), min(fact.until, held.end)
        if since < until and busy(history, fact.group, held.who, since, until):
            blocked += until - since
    return fact.until - fact.since - blocked < min(SHORTEST, blocked)


def _lost_pulls(history: History, fact: Pause) -> Iterator[str]:
    """Yield causes by exceptions of user code in an owner's pulls."""
    broker = f":{fact.q.split(':')[1]}:"
    for who in dict.fromkeys(held.who for held in owners(history, fact.group, fact.q, fact.since, fact.until)):
        threw = [each for each in history.of(Threw, who) if fact.since - EXPIRED <= each.at <= fact.until]
        sent = [each.at for each in history.of(Ask, who) if each.code == PULL and each.thread == PULLING]
        for each in threw:
            if each.error and each.where in IN_THREAD and not any(each.at < at <= fact.until for at in sent):
                yield "pull-thread-ended"
        if any(each.q in (fact.q, fact.q.replace(broker, ":")) for each in threw):
            yield "pull-request-lost"


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
