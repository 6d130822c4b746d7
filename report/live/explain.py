"""Find the known cause of a problem in a recorded run.

It is a cause with signs in the recording that no claim excludes for the consumer's release.
"""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace

from rebalance_proofs.model.releases import UnknownRelease, resolved
from rebalance_proofs.recorded.cluster.names import topic_of
from rebalance_proofs.recorded.groups.broker import Answered
from rebalance_proofs.recorded.groups.event import UNLOCK, UPDATE
from rebalance_proofs.recorded.groups.member import Ask, Unsubscribed
from rebalance_proofs.recorded.seen.facts import STARTING, Back, Fact, Never, Overlap, Pause, Twice
from rebalance_proofs.recorded.seen.held import Held
from rebalance_proofs.recorded.seen.history import History
from rebalance_proofs.report.live.pauses import of_pause, unowned
from rebalance_proofs.report.live.signs import (
    BACK,
    EXPIRED,
    LOOK,
    RESETS,
    busy,
    differ,
    down,
    first_heartbeat,
    frozen,
    heard,
    meets,
    one_id,
    resets,
    within,
)
from rebalance_proofs.report.symptoms.answer import Found, found
from rebalance_proofs.report.symptoms.asked import Asked
from rebalance_proofs.report.symptoms.cause import Symptom
from rebalance_proofs.report.symptoms.causes import CAUSES

# Possible causes of an offset rollback, the most specific first.


RESTART = 90_000
"""Time in ms after a broker's restart in which its offsets are compared with those before."""
FIRST_LOOK = 1_000
"""Time in ms after a restart within which the broker's table shows the offsets that it has read from disk."""
DELAY = 10_000
"""Longest time in ms that a one-way commit can be on its way."""


def of_back(history: History, fact: Back) -> Iterator[str]:
    """Yield names of causes.

    There is none if no consumer sent the lower offset, or if it is below the sender's start offset.
    """
    if resets(history, fact.group, fact.q, _reset_since(history, fact), fact.when) or _by_outsider(history, fact):
        yield "reset"
    senders = [] if fact.now is None else list(_senders(history, fact))
    ends = [end for begin, end in down(history, fact.q) if begin <= fact.when <= end + RESTART]
    if ends and (not senders or fact.when <= max(ends) + FIRST_LOOK):
        yield "broker-forgot"
    for who in senders:
        entries = [held for held in history.held[fact.group] if held.who == who and held.q == fact.q]
        if any(_allows(held, fact) for held in entries):
            yield "late-commit"
            return


def _reset_since(history: History, fact: Back) -> int:
    """Return the earliest time in ms of a request to reset offsets that can cause the rollback.

    A consumer carries out one reset after the other (``MQClientInstance.resetOffset`` is synchronized).
    """
    since = fact.when - RESETS
    times = (each for who in history.groups[fact.group] for each in history.own_resets(who))
    return min([since, *(begin - LOOK for begin, end in times if begin <= fact.when and end >= since)])


def _senders(history: History, fact: Back) -> Iterator[str]:
    """Yield the consumers that committed the lower offset just before the rollback."""
    topic, _, number = fact.q.split(":")
    since = fact.when - DELAY - _held_up(history, fact)
    for who in history.groups[fact.group]:
        for ask in history.of(Ask, who):
            if (
                since <= ask.at <= fact.when
                and ask.said.q == f"{topic}:{number}"
                and fact.now in (ask.said.commit_offset, ask.said.offset)
            ):
                yield who
                break


def _held_up(history: History, fact: Back) -> int:
    """Return for how long the broker was stopped, or its traffic held, until just before the rollback."""
    times = (*frozen(history, fact.q), *history.delays)
    return sum(end - begin for begin, end in times if fact.when - DELAY <= end and begin <= fact.when)


def _by_outsider(history: History, fact: Back) -> bool:
    """Return True if the broker got the lower offset from a process that is no consumer of the run."""
    topic, broker, number = fact.q.split(":")
    got = [
        each
        for each in history.of(Answered, broker)
        if each.code == UPDATE
        and abs(each.at - fact.when) <= LOOK
        and (each.asked.q, each.asked.consumer_group) == (f"{topic}:{number}", fact.group)
        and each.asked.commit_offset == fact.now
    ]
    sent = {
        (ask.opaque, ask.said.q)
        for ask in (history.of(Ask, *history.started) if got else ())
        if ask.code == UPDATE and ask.said.commit_offset == fact.now
    }
    return bool(got) and not any((each.opaque, each.asked.q) in sent for each in got)


def _allows(held: Held, fact: Back) -> bool:
    """Return True if the sender's process queue existed then, and started at this offset or a lower one."""
    began = held.read if held.read is not None and held.read >= 0 else held.first
    return held.begin <= fact.when and (began is None or fact.now is None or began <= fact.now)


# Possible causes of a redelivered message, the most specific first.


def of_twice(history: History, fact: Twice, backs: list[Back]) -> Iterator[str]:
    """Yield names of causes of the redelivery.

    No known cause explains it if the client had no reason to consume the message again.
    """
    first, again = fact.first, fact.again
    ordered = history.ordered(fact.group)
    if one_id(history, first.who, again.who):
        yield "same-client-id-ordered" if ordered else "same-client-id"
        return
    entry = history.holds(fact.group, again.who, fact.q, again.begin)
    if entry is None or (first.who == again.who and entry.begin <= first.begin):
        return  # one entry delivers a message once, as long as its listener succeeds
    if not _began_at_or_before(entry, fact.offset):
        return  # the message was already committed when the entry began
    lower = [back for back in backs if _undoes(back, fact, entry)]
    if lower:
        yield from of_back(history, lower[-1])
    if differ(history, fact.group):
        yield "strategies-differ"
    before = history.holds(fact.group, first.who, fact.q, first.begin)
    if before and first.who == again.who and before.since_pull > EXPIRED:
        yield "expired-pull"
    if meets(down(history, fact.q), first.begin - BACK, again.begin):
        yield "broker-comes-back"
    if not ordered:
        yield "hand-over"
    elif _one_batch(history, fact):
        yield from ("hand-over-ordered", "ordered-without-good-bye")
    else:
        yield from ("ordered-without-good-bye", "hand-over-ordered")


def _began_at_or_before(entry: Held, offset: int) -> bool:
    known = [each for each in (entry.read, entry.first) if each is not None and each >= 0]
    return not known or min(known) <= offset


def _undoes(back: Back, fact: Twice, entry: Held) -> bool:
    """Return True if an offset rollback undid the message's commit before the process queue was created."""
    same = back.group == fact.group and back.q == fact.q and fact.first.begin <= back.when <= entry.begin + LOOK
    return same and (back.now or 0) <= fact.offset < back.was


def _one_batch(history: History, fact: Twice) -> bool:
    """Return True if the repeated message belongs to the old owner's last batch."""
    mine = [call for call in history.calls[fact.group] if call.who == fact.first.who and call.q == fact.q]
    last = max((call.begin for call in mine if call.begin <= fact.again.begin), default=None)
    return last == fact.first.begin


# Possible causes of two ordered listeners on one queue, the most specific first.

EXPIRES = 60_000
"""Time in ms after which a broker's lock expires without renewal."""
TAKEN = ("rebalance", "remove")
"""Recorded names of the removal of a process queue by a rebalance: up to 4.9, and from 5.0 on."""


def of_overlap(history: History, fact: Overlap) -> Iterator[str]:
    """Yield names of causes of the overlap.

    No known cause explains it if the broker should have denied the second consumer the lock.
    """
    first, second = fact.first, fact.second
    if first.who == second.who:
        return
    if one_id(history, first.who, second.who):
        yield "same-client-id-ordered"
        return
    for leaving in (first.who, second.who):
        since = history.shut_down.before(leaving, second.begin)
        if since is not None:
            yield "shut-down-under-listener"
    if meets(down(history, fact.q), first.begin - EXPIRES, second.begin):
        yield "broker-restarted"
    if any(first.begin - EXPIRES <= each.at <= second.begin for each in history.of(Unsubscribed, first.who)):
        yield "unsubscribed-under-listener"
    entry = history.holds(fact.group, first.who, fact.q, first.begin)
    if entry:
        # while its listener ran or, if its consumer does not know it, before the listener was called
        under = list(heard(history, UNLOCK, first.who, fact.group, fact.q, entry.begin, second.begin))
        if under and entry.how in TAKEN and abs(entry.end - under[-1].at) <= LOOK:
            yield "forced-unlock"
        elif under:
            yield "delayed-unlock"
    stood = (*history.stopped.get(first.who, ()), *history.gaps.get(first.who, ()))
    if second.begin - first.begin >= EXPIRES or meets(stood, first.begin - EXPIRES, second.begin):
        yield "slow-listener"


# Possible causes of a message that no listener received, the most specific first.


def of_never(history: History, fact: Never) -> Iterator[str]:
    """Yield names of causes of an undelivered message.

    No known cause explains it if a consumer owned the queue and skipped the message.
    """
    topic = topic_of(fact.q)
    tags = history.tags(fact.group, topic)
    if len(set(tags.values())) > 1 and not all({fact.sent.tag, "*"} & asked for asked in tags.values()):
        yield "tags-differ"
    if not fact.skipped:
        if any(busy(history, fact.group, who, history.end - LOOK, history.end) for who in history.groups[fact.group]):
            yield "listener-blocks"
        yield from unowned(history, fact.group, fact.q, fact.sent.at, history.end)
    last = any(history.started[who].from_ == "LAST" for who in history.groups[fact.group])
    entries = [held for held in history.held[fact.group] if held.q == fact.q]
    if last and entries:
        if entries[0].first is not None and fact.sent.offset < entries[0].first:
            ordered = history.ordered(fact.group) and fact.sent.at >= entries[0].begin
            yield "arrived-before-first-pull" if ordered else "nothing-committed"
        elif any(_began_anew(each.read, each.first, fact.sent.offset) for each in entries[1:]):
            yield "moved-before-a-commit"
    moved = (each for each in entries if each.read is not None and each.read > fact.sent.offset)
    if any(resets(history, fact.group, fact.q, fact.sent.at, each.begin) for each in moved):
        yield "reset"
    for each in entries:
        if each.read is not None and each.read < 0 and each.first is not None and fact.sent.offset < each.first:
            yield "error-read-as-none"


def _began_anew(read: int | None, first: int | None, offset: int) -> bool:
    """Return True if a consumer started behind the message at ``offset`` because no offset was committed."""
    return read is not None and read < 0 and first is not None and offset < first


SYMPTOMS: Mapping[type[Fact], Symptom] = {
    Twice: Symptom.TWICE,
    Never: Symptom.LOST,
    Overlap: Symptom.TWICE,
    Pause: Symptom.STUCK,
    Back: Symptom.BACK,
}
ALSO = (Symptom.STUCK, Symptom.LOST)
"""Symptoms whose causes can explain a pause: late and lost messages look the same meanwhile."""
SLACK = 3_000
"""Extra time in ms on a busy machine, besides the pauses of its processes."""
ROUTE = 30_000 + SLACK
"""Longest time in ms between a consumer's queries for routes (``pollNameServerInterval``)."""
LOCKED = frozenset(
    {"waits-for-living", "marked-until-timer", "waits-for-shut-down", "lock-left-at-shutdown", "waits-for-crashed"}
)
TIMED = frozenset({"routes-differ", "lost-notification", "expired-pull", "pull-request-lost", "marked-until-timer"})
LIMITS = {
    "rocketmq.client.rebalance.lockInterval": (20_000, LOCKED),
    "rocketmq.client.rebalance.lockMaxLiveTime": (30_000, LOCKED),
    "rocketmq.client.rebalance.waitInterval": (20_000, TIMED),
    "rocketmq.client.unlockDelayTimeMills": (20_000, LOCKED),
}
"""Java property of a consumer's limit -> its default in ms, and the causes that last longer with a longer limit."""
SECOND_CHANNEL = "second-channel"
CALLED = {cause.name: cause for cause in CAUSES}


@dataclass(frozen=True)
class Explained:
    """A problem in a recorded run, and its explanation if there is one."""

    fact: Fact
    found: Found | None = None
    """The cause of the problem, for the consumer's release; None if no known cause explains it."""
    words: str = ""
    """Explanation outside RocketMQ, such as an action of the test scenario or a pause of the machine."""
    rejected: str = ""
    """Why the cause that the signs indicate does not explain the problem; empty without signs."""
    signs: tuple[str, ...] = ()
    """Names of all causes that have signs in the recording, the most specific first."""
    then: tuple[Found, ...] = ()
    """Causes that followed ``found`` in the same pause, each after a member had left."""

    @property
    def unexplained(self) -> bool:
        """True if nothing explains the problem."""
        return not self.found and not self.words


def explain(history: History, facts: list[Fact]) -> list[Explained]:
    """Return each problem with its first cause that is possible and can last as long as the problem."""
    backs = [fact for fact in facts if isinstance(fact, Back)]
    return [_explain(history, fact, backs, _pause(history, fact, facts)) for fact in facts]


def remarks(history: History) -> list[str]:
    """Return remarks on the consumers' releases that other releases represent, without duplicates."""
    notes = []
    for release in sorted({history.version(who) for who in history.started}):
        with suppress(UnknownRelease):
            notes.append(resolved(release).note)
    return [note for note in dict.fromkeys(notes) if note]


def _pause(history: History, fact: Fact, facts: list[Fact]) -> Pause | None:
    """Return the pause in which a message waits: the problem itself, or the queue's last one if the end is not calm."""
    if isinstance(fact, Pause):
        return fact
    if not isinstance(fact, Never) or fact.skipped or history.calm:
        return None
    same = (one for one in facts if isinstance(one, Pause) and (one.group, one.q) == (fact.group, fact.q))
    return next((one for one in same if one.ended_by is None), None)


def _explain(history: History, fact: Fact, backs: list[Back], pause: Pause | None) -> Explained:
    one = _one_cause(history, fact, backs, pause)
    return (one.unexplained and isinstance(fact, Pause) and _in_turn(history, fact, backs)) or one


def _in_turn(history: History, fact: Pause, backs: list[Back]) -> Explained | None:
    """Return a pause with different causes before and after an event, or None without known ones.

    A broker that comes back lists the connections of its members twice again.
    """
    again = _back(history, fact)
    for at in _events(history, fact):
        before, after = replace(fact, until=at - 1, ended_by=None), replace(fact, since=at)
        first, second = _one_cause(history, before, backs, before), _explain(history, after, backs, after)
        if not first.found or not second.found:
            continue
        same = first.found.cause.name == second.found.cause.name
        if not same or (first.found.cause.name == SECOND_CHANNEL and at in again):
            signs = tuple(dict.fromkeys((*first.signs, *second.signs)))
            return Explained(fact, first.found, signs=signs, then=(*(() if same else (second.found,)), *second.then))
    return None


def _back(history: History, fact: Pause) -> set[int]:
    """Return the times at which the queue's broker was back again."""
    return {end for _, end in (*down(history, fact.q), *frozen(history, fact.q))}


def _events(history: History, fact: Pause) -> list[int]:
    """Return the times in a pause at which a member left or joined, or its broker was back again."""
    members = history.groups[fact.group]
    changes = [times[who] for times in (history.left, history.joined) for who in members if who in times]
    return sorted(at for at in {*changes, *_back(history, fact)} if fact.since < at < fact.until)


def _one_cause(history: History, fact: Fact, backs: list[Back], pause: Pause | None) -> Explained:
    if isinstance(fact, Pause) and (words := _stopped(history, fact)):
        return Explained(fact, None, words)
    rejected = ""
    question = Asked(_release(history, fact), "push orderly" if history.ordered(fact.group) else "push")
    lasted = _lasted(history, pause) if pause else None
    signs = tuple(dict.fromkeys(_signs(history, fact, backs, pause)))
    for name in signs:
        counts = lasted and lasted - _longer(history, fact.group, name)
        for symptom in (SYMPTOMS[type(fact)], *ALSO):
            for one in found(symptom, question, counts, among=(CALLED[name],)):
                if not one.possible:
                    rejected = rejected or f"{name}: {one.known.value}"
                elif one.too_short and not one.effect.lasts.event:
                    rejected = rejected or f"{name} lasts at most {(one.most or 0) / 1000:g} s"
                else:
                    return Explained(fact, one, signs=signs)
    return Explained(fact, None, _not_rocketmq(history, fact), rejected, signs)


def _signs(history: History, fact: Fact, backs: list[Back], pause: Pause | None) -> Iterator[str]:
    match fact:
        case Twice():
            yield from of_twice(history, fact, backs)
        case Never():
            yield from of_never(history, fact)
            if pause is not None:
                yield from of_pause(history, pause)
        case Overlap():
            yield from of_overlap(history, fact)
        case Pause():
            yield from of_pause(history, fact)
        case Back():
            yield from of_back(history, fact)
        case _:
            raise TypeError(f"no signs of {type(fact).__name__}")


def _release(history: History, fact: Fact) -> str:
    """Return the release of the group's consumers.

    "" if it is unknown, or if they have several.
    """
    releases = {history.version(who) for who in history.groups[fact.group]}
    try:
        return resolved(releases.pop()).release if len(releases) == 1 else ""
    except UnknownRelease:
        return ""


def _lasted(history: History, fact: Pause) -> int:
    """Return a pause's duration in ms without the machine's pauses, and times in which the broker did not serve.

    The result is negative if these exceed the pause.
    """
    times = [time for who in history.groups[fact.group] for time in history.gaps.get(who, ())]
    stood = sum(
        end - begin
        for begin, end in within((*times, *down(history, fact.q), *frozen(history, fact.q)), fact.since, fact.until)
    )
    return fact.ms - stood - SLACK


def _longer(history: History, group: str, cause: str) -> int:
    """Return by how many ms a cause may last longer than its bound, which assumes the default limits of consumers."""
    longest: dict[str, int] = {}
    for who in history.groups[group]:
        for name, number in history.started[who].numbers({name: name for name in LIMITS}).items():
            default, causes = LIMITS[name]
            if cause in causes:
                longest[name] = max(longest.get(name, 0), number - default)
    return sum(longest.values())


def _stopped(history: History, fact: Pause) -> str:
    """Return words about a pause in which the broker was stopped, and hardly anything else happened; or ""."""
    stopped = sum(end - begin for begin, end in within(frozen(history, fact.q), fact.since, fact.until))
    return f"the broker was stopped for {stopped / 1000:.1f} s" if stopped and fact.ms <= stopped + 2 * SLACK else ""


def _not_rocketmq(history: History, fact: Fact) -> str:
    """Return a reason outside RocketMQ for a pause, such as an action of the test scenario, or ""."""
    if not isinstance(fact, Pause):
        return ""
    if meets(history.delays, fact.since, fact.until):
        return "the scenario delayed the broker's traffic"
    first = first_heartbeat(history, fact.group)
    there = min((history.joined[who] for who in history.groups[fact.group] if who in history.joined), default=None)
    if (
        first is not None
        and there is not None
        and fact.since < first <= there + ROUTE
        and fact.until - first <= STARTING
    ):
        return f"no broker knew a consumer yet: the first heartbeat came {(first - there) / 1000:.1f} s after start()"
    longest = max(
        (end - begin, who)
        for who in history.groups[fact.group]
        for begin, end in ((0, 0), *within(history.gaps.get(who, ()), fact.since, fact.until))
    )
    if longest[0] * 2 >= fact.ms:
        return f"the machine paused {longest[1]} for {longest[0] / 1000:.1f} s"
    return ""
