"""Monitor claims about a group's subscriptions at a broker, refused pulls, and skipped tags."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from rebalance_proofs.model.client.pull_from_where import is_retry
from rebalance_proofs.model.machine.values import number
from rebalance_proofs.model.machines.subscriptions.state import DEFAULTS
from rebalance_proofs.recorded.cluster.beats import REFUSED, is_v2, row, subs
from rebalance_proofs.recorded.cluster.names import broker_of, topic_of
from rebalance_proofs.recorded.cluster.requests import Call
from rebalance_proofs.recorded.cluster.trace import LOOK, STALL
from rebalance_proofs.recorded.groups.broker import Answered, Table
from rebalance_proofs.recorded.groups.driver import Subscribe, Unsubscribe
from rebalance_proofs.recorded.groups.driver import Told as Command
from rebalance_proofs.recorded.groups.event import BEAT, PULL, Sent
from rebalance_proofs.recorded.groups.member import EntryGone, EntryNew
from rebalance_proofs.recorded.groups.member import subscriptions as tags_of
from rebalance_proofs.recorded.groups.run import DRIVER, of_kind
from rebalance_proofs.report.reality.told import Bad, Told, told
from rebalance_proofs.report.reality.view import View

# Monitor claims about the tag expression by which a broker filters a group's messages.
# The broker takes it from the heartbeat with the newest subscription version, or from a pull request.

KIND = "subscriptions"
SETTLING = number(DEFAULTS.apart)
"""Time in ms after a message was sent in which no other consumer may have a newer subscription version."""


def expressions(view: View, group: str, release: str) -> Iterator[Told]:
    """Check the consumers of one group, all of the same release."""
    posted = [
        call for who in view.groups[group] for call in view.asked(who, PULL)
        if call.ask.said.has_subscription
    ]  # fmt: skip
    refused: list[Bad] = [(call.ask.at, None) for call in posted if _refused(call)]
    yield told(KIND, release, "posted", "a pull was refused although it contained its expression", len(posted), refused)
    chances, skipped = _newest(view, group)
    what = "a message was skipped although the queue's owner subscribes to its tag, with the newest version"
    yield told(KIND, release, "own-tags", what, chances, skipped, variants=("newest",))


def _refused(call: Call) -> bool:
    return call.answered is not None and call.answered.said.code in REFUSED


def _newest(view: View, group: str) -> tuple[int, list[Bad]]:
    """Return (chances, violations) for messages whose tags the newest subscription includes."""
    every = {who: tags_of(view.trace.consumers[who].sub) for who in view.groups[group]}
    if len({str(sorted(one.items())) for one in every.values()}) == 1:
        return 0, []  # all expressions are equal, so versions do not matter
    read = {(call.q, offset) for who in every for call in view.calls[who] for offset in call.offsets}
    passed = {q: max(now for _, _, now in its) for (name, q), its in view.commits.items() if name == group}
    versions = {who: _versions(view, who, group) for who in every}
    chances, bad = 0, list[Bad]()
    for sent in view.trace.produced(Sent):
        topic = topic_of(sent.q)
        owners = [who for who in every if (held := view.entry(who, sent.q, sent.at)) and held.end > sent.at + SETTLING]
        if len(owners) != 1 or sent.offset >= passed.get(sent.q, 0):
            continue
        (owner,) = owners
        held = view.entry(owner, sent.q, sent.at)
        mine = _version(versions[owner], topic, sent.at)
        others = [_version(versions[who], topic, sent.at + SETTLING) for who in every if who != owner]
        if {sent.tag, "*"} & {*every[owner].get(topic, ())} and mine > max(others, default=0) and held is not None:
            chances += 1
            bad += [(sent.at, None)] * ((sent.q, sent.offset) not in read)
    return chances, bad


def _versions(view: View, who: str, group: str) -> dict[str, list[tuple[int, int]]]:
    """Return the answered heartbeats of each topic: (time in ms, version)."""
    found: dict[str, list[tuple[int, int]]] = {}
    for call in view.asked(who, BEAT):
        for topic, version in subs(call.ask.said, group).items() if call.answered else ():
            found.setdefault(topic, []).append((call.answered.at if call.answered else 0, version))
    return found


def _version(versions: dict[str, list[tuple[int, int]]], topic: str, at: int) -> int:
    """Return the newest subscription version of a topic that a broker knows at a time, or 0."""
    its = versions.get(topic, [])
    place = bisect_right(its, at, key=lambda one: one[0])
    return its[place - 1][1] if place else 0


# Monitor claims about pulls refused because of the subscription: when is the next one accepted?

RETRY = number(DEFAULTS.retry) + STALL
"""Longest time in ms until a refused pull is sent again."""
Pull = tuple[str, int, bool]
"""One pull: (queue, time in ms as ``_at`` returns it, True if the broker refused it)."""


@dataclass(frozen=True)
class _Stretch:
    """Successive pulls of one process queue, which the broker refused without exception."""

    q: str
    since: int
    until: int
    """Time in ms at which the next pull was accepted or the process queue was removed."""


def let_through(view: View, who: str, release: str, v2: bool, pulls: list[Pull]) -> Iterator[Told]:
    """Check after each first refused pull of a queue how long it takes until a pull is accepted.

    ``who``: the consumer. ``v2``: consumers send heartbeats V2, where a pull can be accepted one heartbeat later.
    """
    apart = number(DEFAULTS.apart)
    found = [one for one in _stretches(view, who, pulls) if _steady(view, who, one)]
    others = [*_turns(view, who)]
    of = {True: lambda client: client.fingerprints, False: lambda client: not client.fingerprints}[v2]
    once, twice = (apart * times + STALL for times in (1, 2))
    what = f"after a refused pull, the broker accepted no pull of the queue for {once // 1000} s"
    crowded = {one for one in found if any(one.since < at < one.until and not _has(beat, one.q) for at, beat in others)}
    free = [one for one in found if one not in crowded]
    if v2:
        yield told(KIND, release, "answered", what, 0, _long(found, once), of=of)
        words = f"after a refused pull, the broker accepted no pull of the queue for {twice // 1000} s"
        yield told(KIND, release, "answered-later", words, len(free), _long(free, twice), of=of)
        return
    yield told(KIND, release, "answered", what, len(free), _long(free, once), of=of)
    words = "after a refused pull, the broker accepted no pull of the queue for the longest heartbeat interval"
    beats = sorted(call.answered.at for call in view.asked(who, BEAT) if call.answered)
    longest = max([number(DEFAULTS.period), *(later - one for one, later in pairwise(beats))])
    sharp = [one for one in _long(free, longest - STALL) if (one[1] or 0) <= longest + STALL]
    yield told(KIND, release, "answered-as-late", words, 0, sharp, can=True, of=of)
    words = f"{what}, and heartbeats without the topic followed the member's own at once"
    yield told(KIND, release, "answered", words, 0, _long([*crowded], once), variants=("without-room",), of=of)
    words = "a pull was refused again after the member's heartbeat, because one without the topic came first"
    again = sorted(_again(found, others, pulls))
    yield told(KIND, release, "never-answered", words, 0, again, can=True, of=of)


def _long(stretches: list[_Stretch], limit: int) -> list[Bad]:
    return [(one.since, one.until - one.since) for one in stretches if one.until - one.since > limit]


def _stretches(view: View, who: str, pulls: list[Pull]) -> Iterator[_Stretch]:
    of_queue: dict[str, list[tuple[int, bool]]] = {}
    for q, at, refused in sorted(pulls, key=lambda one: one[1]):
        of_queue.setdefault(q, []).append((at, refused))
    for q, its in of_queue.items():
        since: int | None = None
        for at, refused in its:
            held = view.entry(who, q, at)
            if since is not None and (held is None or held.begin > since):
                since = None
            if refused:
                since = at if since is None else since
            elif since is not None:
                yield _Stretch(q, since, at)
                since = None
        held = view.entry(who, q, since) if since is not None else None
        if held is not None and since is not None:
            yield _Stretch(q, since, max(since, min(held.end, view.leaves(who))))


def _steady(view: View, who: str, of: _Stretch) -> bool:
    """Return True if broker and consumer kept the claims' assumptions while the broker refused pulls.

    The broker ran, the consumer did not pause, the group had members, and the consumer's heartbeats came in time.
    """
    apart = number(DEFAULTS.apart)
    if view.away(of.since, of.until, apart) or view.trace.stood(who, of.since, of.until) > STALL:
        return False
    # Polls show the loss of the group a little later than the first refused pull.
    lost = _forgotten(view, view.trace.consumers[who].group)
    if any(of.since + STALL < at <= of.until for at in lost):
        return False
    beats = sorted(at for at in _beats(view, who, broker_of(of.q)) if of.since - apart - STALL <= at < of.until)
    times = [min([of.since, *beats]), *beats, of.until]
    return all(later - one <= apart + STALL for one, later in pairwise(times))


def _beats(view: View, who: str, broker: str) -> Iterator[int]:
    """Yield the times in ms at which a broker answered a consumer's heartbeats."""
    return (call.answered.at for call in view.asked(who, BEAT) if call.answered and call.broker == broker)


def _turns(view: View, who: str) -> Iterator[tuple[int, Call]]:
    """Yield (end of the consumer's heartbeat in ms, another consumer's heartbeat soon after it)."""
    own = sorted(call.answered.at for call in view.asked(who, BEAT) if call.answered)
    for other in view.groups[view.trace.consumers[who].group]:
        for call in view.asked(other, BEAT) if other != who else ():
            if call.answered and (place := bisect_right(own, call.answered.at)):
                before = own[place - 1]
                if call.answered.at - before <= number(DEFAULTS.retry):
                    yield before, call


def _has(call: Call, q: str) -> bool:
    """Return True if a heartbeat contains the topic of a queue, or omits its topics."""
    groups = call.ask.said.groups or ()
    topic = topic_of(q)
    return any(not one.subs or topic in subs(call.ask.said, one.group) for one in groups)


def _again(stretches: list[_Stretch], others: list[tuple[int, Call]], pulls: list[Pull]) -> Iterator[Bad]:
    """Yield refused pulls that followed heartbeats of the consumer and of another consumer."""
    for one in stretches:
        times = [at for q, at, _ in sorted(pulls, key=lambda pull: pull[1]) if q == one.q and at < one.until]
        for at, beat in others:
            came = beat.answered.at if beat.answered else at
            if one.since < at and came < one.until and not _has(beat, one.q):
                place = bisect_left(times, at)
                if place < len(times) and times[place] > came:  # no pull came in between
                    yield times[place], None


SENT = 1_000
"""Longest time in ms from a change of a consumer's process queue table to the heartbeat that it triggers.

Without a heartbeat by then, the client skipped it, because another heartbeat was running.
"""
ROUND = 100
"""Longest time in ms from an answer to the same heartbeat's request to the next broker."""
BACK = 30_000
"""Time in ms after a broker's return during which clients may not have reconnected yet."""
SETTLED = 1_000
"""Heartbeats this many ms apart can be distinguished in the recorder's polls of the broker's table."""


def subscriptions(view: View) -> Iterator[Told]:
    """Check the subscriptions of all groups at all brokers in the recording."""
    for group, members in view.groups.items():
        release = view.release_of(group)
        if release is None:
            continue
        told_to = of_kind(view.trace.of[DRIVER], Command)
        changed = (e.at for e in told_to if e.of in members and isinstance(e, Subscribe | Unsubscribe))
        until = min([*changed, view.trace.end])
        v2 = is_v2(view.trace.consumers[members[0]])
        for broker in view.trace.brokers:
            # A broker that ends loses its table, so a new table starts from then on.
            yield from _table(view, broker, group, release, v2, min([until, *view.trace.killed(broker)]))
        for who in members:
            yield from _pulls(view, who, release, v2, _alike(view, group), until)
        yield from _tags(view, group, release)
        yield from expressions(view, group, release)


def _alike(view: View, group: str) -> bool:
    """Return True if all consumers subscribe to the same topics."""
    return len({frozenset(tags_of(view.trace.consumers[who].sub)) for who in view.groups[group]}) == 1


def _fits(v2: bool) -> Callable[[Any], bool]:
    return lambda client: client.fingerprints == v2


def _table(view: View, broker: str, group: str, release: str, v2: bool, until: int) -> Iterator[Told]:
    """Compare the topics in the broker's subscription table with those of each heartbeat."""
    looks = [one for one in view.trace.kind(Table, broker) if one.what == "subs" and one.of == group]
    # The group is dropped with its last member, so a new table starts from then on.
    until = min([until, *(one.at for one in looks if one.is_ is None)])
    topics = [
        (one.at, frozenset(name for name in row(one.is_) if not is_retry(name))) for one in looks if one.at < until
    ]
    filled = [one for one in topics if one[1]][:1]
    beats = [
        (event.at, frozenset(name for name in its.subs if not is_retry(name)))
        for event in view.trace.kind(Answered, broker)
        if event.code == BEAT and event.at < until
        for its in event.asked.groups or ()
        if its.group == group and its.subs
    ]
    if not filled or not beats:
        return
    began = filled[0][0]
    changes = [later[0] for one, later in pairwise(topics) if one[1] != later[1] and one[0] >= began]
    later_beats = [at for at, _ in beats if at > began]
    of = _fits(v2)
    what = "a heartbeat changed the topics in the broker's table of the group"
    bad: list[Bad] = [(at, None) for at in changes]
    if _alike(view, group):
        yield told(KIND, release, "calm", what, len(later_beats), bad, of=of)
    else:
        yield told(KIND, release, "calm", what, 0, bad, variants=("without-alike",), of=of)
        gaps = [(later, later - one) for one, later in pairwise(changes)]
        apart = number(DEFAULTS.apart) + STALL
        long: list[Bad] = [(at, ms) for at, ms in gaps if ms > 2 * apart]
        words = "the broker's table kept the same topics for longer than two heartbeat intervals"
        yield told(KIND, release, "restless", words, len(gaps), long, of=of)
    chances, wrong = 0, list[Bad]()
    for before, one, after in zip([(began - SETTLED, beats[0][1]), *beats], beats, [*beats[1:], (until, beats[0][1])],
                                  strict=False):  # fmt: skip
        if one[0] - before[0] < SETTLED or after[0] - one[0] < SETTLED or one[0] <= began:
            continue
        chances += 1
        moved = any(one[0] - SETTLED // 2 <= at <= one[0] + LOOK + SETTLED // 2 for at in changes)
        wrong += [(one[0], None)] * (moved != (one[1] != before[1]))
    words = "the topics of the broker's table did not change exactly when those of two successive heartbeats did"
    yield told(KIND, release, "exactly", words, chances, wrong, of=of)


def _pulls(view: View, who: str, release: str, v2: bool, alike: bool, until: int) -> Iterator[Told]:
    """Compare refused pulls with the last change of the consumer's process queue table."""
    changes = sorted(e.at for e in view.trace.of[who] if isinstance(e, EntryNew | EntryGone))
    forgotten = _forgotten(view, view.trace.consumers[who].group)
    rounds = _rounds(view, who)
    beats = [call for call in view.asked(who, BEAT) if call.answered]
    late = number(DEFAULTS.period) + 2 * number(DEFAULTS.beat) + STALL
    found: dict[str, tuple[int, list[Bad]]] = {name: (0, []) for name in ("accepted", "forgotten", "soon", "skipped")}
    longest = max((call.answered.at - call.ask.at for call in beats if call.answered), default=0)
    bound, sharp = number(DEFAULTS.period) + 2 * longest, list[Bad]()
    fresh: dict[str, EntryNew] = {}
    first: list[tuple[EntryNew, Call]] = []
    asked = {id(call.ask): call for call in view.asked(who, PULL)}
    for event in view.trace.of[who]:
        if isinstance(event, EntryNew):
            fresh[event.q] = event
        call = asked.get(id(event)) if event.at < until else None
        if call is None:
            continue
        q = call.ask.said.q or ""
        if q in fresh:
            first.append((fresh.pop(q), call))
        came, broker = _at(call), broker_of(q)
        last = max((at for at in changes if at <= came), default=None)
        forgot = max((at for at in forgotten if at <= came + LOOK + STALL), default=0)
        if last is None or view.away(max(last, forgot), came, 0 if forgot > last else BACK):
            continue
        names = []
        since = came - max(last, forgot)
        since -= view.trace.stood(who, max(last, forgot), came)
        if forgot <= last and bound - STALL <= since <= bound:
            sharp += [(event.at, since)] * _refused(call)
        sent = [(began, one) for began, one in rounds if last <= began and one.broker == broker]
        # Claims assume that heartbeats arrive: one that was sent after the change, and that came before the pull.
        arrived = [one for one in sent if one[1].answered and forgot <= one[1].answered.at <= came]
        if since > late and arrived:
            names.append("forgotten" if forgot > last else "accepted")
        if alike and forgot <= last and since > number(DEFAULTS.beat) + STALL:
            at_once = bool(sent) and sent[0][0] <= last + SENT
            names += ["skipped"] if not at_once else ["soon"] if sent[0] in arrived else []
        for name in names:
            chances, bad = found[name]
            found[name] = chances + 1, [*bad, *([(event.at, None)] * _refused(call))]
    of = _fits(v2)
    what = "a pull was refused 38 s after the last change of the member's process queue table"
    if alike:
        words = "a pull was refused a heartbeat interval and two heartbeats after the last change of the member's table"
        yield told(KIND, release, "as-long", words, 0, sharp, can=True, of=of)
        words = "a pull was refused 38 s after the broker had dropped the group"
        yield told(KIND, release, "accepted", words, *found["forgotten"], variants=("forgotten",), of=of)
        soon = "a pull was refused 5 s after the last change of the member's process queue table"
        words = f"{soon}, despite a heartbeat for it"
        yield told(KIND, release, "accepted-soon", words, *found["soon"], of=of)
        words = f"{soon}, without a heartbeat for it"
        yield told(KIND, release, "accepted-soon", words, *found["skipped"], variants=("without-free",), of=of)
    yield told(KIND, release, "accepted", what, *found["accepted"], variants=("",) if alike else ("without-alike",),
               of=of)  # fmt: skip
    own = [(call.ask.said.q or "", _at(call), _refused(call)) for call in asked.values() if call.ask.at < until]
    yield from let_through(view, who, release, v2, own)
    if alike:
        yield from _first(release, v2, first, beats)


def _rounds(view: View, who: str) -> list[tuple[int, Call]]:
    """Return a consumer's answered heartbeats, each with the time in ms when its round to all brokers began.

    A round is one thread's requests to different brokers, each sent when the previous one is answered or times out.
    """
    found = list[tuple[int, Call]]()
    round_, brokers, over = 0, set[str](), 0
    before = ""
    for call in view.asked(who, BEAT):
        ask = call.ask
        if ask.thread != before or ask.to in brokers or ask.at > over + ROUND:
            round_, brokers = ask.at, set()
        brokers.add(ask.to)
        before, over = ask.thread, call.answer.at if call.answer else ask.at + number(DEFAULTS.beat)
        found += [(round_, call)] if call.answered else []
    return found


def _at(call: Call) -> int:
    """Return when the broker answered a pull, or when it was sent if the answer is not recorded.

    Brokers record all refusals. A refused pull can have waited long, such as for a partition's end.
    """
    return call.answered.at if call.answered else call.ask.at


def _forgotten(view: View, group: str) -> list[int]:
    """Return times at which a broker may have had no member of the group, or had returned."""
    found = list[int]()
    for broker in view.trace.brokers:
        away = [*view.trace.away(broker)]
        found += [end for _, end in away]
        since, before = 0, frozenset[tuple[str, int]]()
        for at, listed in view.lists(broker, group):
            # If all connections are new, there may have been none between the two polls.
            others = bool(before) and not before & listed and not any(since <= begin <= at for begin, _ in away)
            found += [at] * (not listed or others)
            since, before = at, listed
    return found


def _first(release: str, v2: bool, pulls: list[tuple[EntryNew, Call]], beats: list[Call]) -> Iterator[Told]:
    """Check first pulls of new queues by the heartbeat after their addition.

    No heartbeat is sent while another one is running.
    """
    what = "the first pull of a new queue was refused"
    chances, bad, skipped, slow = 0, list[Bad](), list[Bad](), list[Bad]()
    for made, call in pulls:
        refused: list[Bad] = [(call.ask.at, None)] * _refused(call)
        after = (one for one in beats if made.at <= one.ask.at <= made.at + SENT)
        beat = next((one for one in after if _is_as_new(one, call)), None)
        if beat is None or beat.answered is None:
            skipped += refused
        elif beat.answered.at - made.at >= number(DEFAULTS.delay):
            slow += refused
        else:
            chances += 1
            bad += refused
    of = _fits(v2)
    yield told(KIND, release, "first-pull", what, chances, bad, of=of)
    words = f"{what}, without a heartbeat for it"
    yield told(KIND, release, "first-pull", words, 0, skipped, variants=("without-free",), of=of)
    words = f"{what}, and a heartbeat took as long as the delay of first pulls"
    yield told(KIND, release, "first-pull", words, 0, slow, variants=("without-soon",), of=of)


def _is_as_new(beat: Call, pull: Call) -> bool:
    """Return True unless the heartbeat has an older version of the pulled topic's subscription.

    The heartbeat for new queues has a new version. A periodic one that begins earlier has not.
    """
    group, topic = pull.ask.said.consumer_group or "", topic_of(pull.ask.said.q or "")
    wanted = pull.ask.said.sub_version or 0
    return subs(beat.ask.said, group).get(topic, wanted) >= wanted


def _tags(view: View, group: str, release: str) -> Iterator[Told]:
    """Check messages that no listener received although consumers subscribe to their tags."""
    every = {who: tags_of(view.trace.consumers[who].sub) for who in view.groups[group]}
    if not _alike(view, group) or view.is_reset(group) or not view.from_first(group):
        return  # messages can be skipped for other reasons than their tags
    read = {(call.q, offset) for who in every for call in view.calls[who] for offset in call.offsets}
    passed = {q: max(now for _, _, now in its) for (name, q), its in view.commits.items() if name == group}
    chances, skipped, own = 0, list[Bad](), list[Bad]()
    for sent in view.trace.produced(Sent):
        topic = topic_of(sent.q)
        wanted = [who for who, its in every.items() if {sent.tag, "*"} & {*its.get(topic, ())}]
        if not wanted or sent.offset >= passed.get(sent.q, 0):
            continue
        chances += 1
        if (sent.q, sent.offset) not in read:
            skipped.append((sent.at, None))
            owner = [who for who in every if (held := view.entry(who, sent.q, sent.at)) and held.end > sent.at]
            own += [(sent.at, None)] * (len(owner) == 1 and owner[0] in wanted)
    what = "a message was skipped although a member subscribes to its tag"
    mine = "a message was skipped although the queue's owner subscribes to its tag"
    if len({str(sorted(one.items())) for one in every.values()}) == 1:
        yield told(KIND, release, "all-tags", what, chances, skipped)
        yield told(KIND, release, "own-tags", mine, chances, own)
    else:
        yield told(KIND, release, "all-tags", what, 0, skipped, variants=("without-same-tags",))
        yield told(KIND, release, "own-tags", mine, 0, own, variants=("without-same-tags",))
