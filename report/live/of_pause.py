"""Possible causes of a pause, in which no consumer reads a queue; the most specific first."""

from collections.abc import Iterator

from rebalance_proofs.recorded.cluster.names import topic_of
from rebalance_proofs.recorded.groups.codes import LOCK, UNLOCK
from rebalance_proofs.recorded.groups.member import Allocate, Entry, EntryGone
from rebalance_proofs.recorded.seen.facts import Pause
from rebalance_proofs.recorded.seen.held import Held
from rebalance_proofs.recorded.seen.history import History
from rebalance_proofs.report.live.signs import (
    BACK,
    EXPIRED,
    LOOK,
    busy,
    differ,
    down,
    heard,
    meets,
    owners,
    refused,
    somebody_lacks,
    suspended,
    twins,
)

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
    if len(set(history.tags(group, topic_of(q)).values())) > 1:
        yield "tags-differ"
    stood = [(who, times) for who, times in history.stopped.items() if who in history.groups[group]]
    for who, times in stood:
        mine = [held for held in owners(history, group, q, since, until) if held.who == who]
        if mine and meets(times, since, until):
            yield "host-vanished"
    if refused(history, group, q, since - LOOK, until):
        if somebody_lacks(history, group, topic_of(q), since, until):
            yield "subscriptions-overwritten"
        yield "subscription-not-latest"
    if _new_queue(history, group, q, since, until) or any(
        _routes_differ(history, group, q, at) for at in (since, until)
    ):
        yield "routes-differ"
    if history.ordered(group):
        yield from _of_locks(history, fact)
    elif any(held.since_pull > EXPIRED for held in owners(history, group, q, since, until)):
        yield "expired-pull"


def unowned(history: History, group: str, q: str, since: int, until: int) -> Iterator[str]:
    """Yield causes for a queue that no consumer reads as long as the group does not change."""
    if twins(history, group, since, until):
        yield "same-client-id"
    if somebody_lacks(history, group, topic_of(q), since, until):
        yield from ("not-subscribed", "subscriptions-overwritten")
    if differ(history, group):
        yield "strategies-differ"


def _listed_twice(history: History, group: str, q: str, since: int, until: int) -> bool:
    """Return True if a consumer allocated the topic's queues to a list with one id twice, and used it meanwhile.

    False if one process queue lasted for the whole time: its owner could read the queue.
    """
    if any(held.begin <= since and until <= held.end for held in owners(history, group, q, since, until)):
        return False
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
    next_owner = fact.ended_by.who if fact.ended_by else None
    earlier = [held for held in owners(history, group, q, since - LOCKS, until) if held.who != next_owner]
    for held in reversed(earlier):
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
            if _marked(history, held.who, q, since, until):
                yield "marked-until-timer"
            yield "waits-for-living"
    own = [held for held in owners(history, group, q, since, until) if held.who == next_owner]
    if own and _marked(history, own[0].who, q, since, until):
        yield "dropped-entry"
    if own and not earlier:
        yield "not-locked-yet"


def _marked(history: History, who: str, q: str, since: int, until: int) -> bool:
    """Return True if the consumer's table had a dropped process queue of ``q`` in that time."""
    return any(
        each.q == q and each.dropped and each.in_table and since - LOCKS <= each.at <= until
        for each in history.of(Entry, who)
    )


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
