"""Monitor claims about offsets: redelivered, skipped and unfinished messages, and commits."""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from rebalance_proofs.model.machines.offsets.state import Way
from rebalance_proofs.recorded.groups.event import PULL, UPDATE, Sent
from rebalance_proofs.recorded.groups.member import (
    Begin,
    EntryGone,
    EntryNew,
    OffsetRead,
    OffsetUpdate,
    ResetDone,
    ResetTold,
)
from rebalance_proofs.recorded.seen.calls import Call
from rebalance_proofs.recorded.seen.held import STORE, Held
from rebalance_proofs.report.reality.monitors.starts import starts
from rebalance_proofs.report.reality.told import Bad, Told, told, told_between
from rebalance_proofs.report.reality.view import View

KIND = "offsets"
STORED = "SEND_OK"
WAIT = "awaitTerminationMillisWhenShutdown"
DROPPED = 5_000
"""Time in ms before the removal of a reset queue in which its listeners have ended: it is dropped 10 s before."""


def offsets(view: View) -> Iterator[Told]:
    """Check offsets and redelivery in all groups of the recording."""
    for who in view.trace.consumers:
        yield from _member(view, who)
    for group in view.groups:
        release = view.release_of(group)
        if release and not view.is_reset(group):
            yield from _group(view, group, release)
        elif not release and not view.is_reset(group):
            yield from _mixed(view, group)


def _told(view: View, release: str, ordered: bool, guarantee: str, what: str, *numbers: Any, **more: Any) -> Told:
    way = Way.ORDERLY if ordered else Way.CONCURRENTLY
    return told(KIND, release, guarantee, what, *numbers, of=lambda client: client.way is way, **more)


def _member(view: View, who: str) -> Iterator[Told]:
    release, ordered = view.trace.release(who), view.trace.ordered(who)

    def of(guarantee: str, what: str, chances: int, bad: list[Bad]) -> Told:
        return _told(view, release, ordered, guarantee, what, chances, bad)

    sent, ignored = _resets(view, who)
    yield of("reset-sent", "a reset sent another offset than the one that it had set", *sent)
    yield of("reset-heard", "the rebalance after a reset read another offset than the reset had sent", 0, ignored)
    if view.is_reset(view.trace.consumers[who].group):
        return  # other claims assume that no offset is reset
    chances, bad = 0, list[Bad]()
    for event in view.trace.kind(Begin, who):
        entry = view.entry(who, event.q, event.at)
        if entry and _above(entry):
            chances += 1
            bad += [(event.at, None)] * (event.offsets[0] < (entry.read or 0))
    yield of("only-uncommitted", "a listener got a message below its entry's start offset", chances, bad)
    yield of("back-at-most", "a commit was below its entry's start offset", *_sent(view, who))
    if ordered:
        yield of("one-batch", "an ordered listener got a message whose offset was already stored", *_noted(view, who))
        what = "an ordered queue's first pull did not start at the offset that was read"
        yield of("from-an-offset", what, *_first_pulls(view, who))


def _begun(entry: Held) -> bool:
    """Return True if the queue had a committed offset when the process queue was created."""
    return entry.read is not None and entry.read >= 0


def _above(entry: Held) -> bool:
    """Return True if the process queue started above offset 0, so that an offset can be below its start."""
    return entry.read is not None and entry.read > 0


def _sent(view: View, who: str) -> tuple[int, list[Bad]]:
    chances, bad = 0, list[Bad]()
    for call in view.asked(who, UPDATE):
        said = call.ask.said
        entry = view.entry(who, said.q or "", call.ask.at)
        if entry and _above(entry) and said.commit_offset is not None:
            chances += 1
            bad += [(call.ask.at, None)] * (int(said.commit_offset) < (entry.read or 0))
    return chances, bad


def _noted(view: View, who: str) -> tuple[int, list[Bad]]:
    chances, bad, noted = 0, list[Bad](), dict[str, int]()
    for event in view.trace.of[who]:
        if isinstance(event, EntryNew | EntryGone):
            noted.pop(event.q, None)
        elif isinstance(event, OffsetUpdate):
            noted[event.q] = event.offset
        elif isinstance(event, Begin) and noted.get(event.q, 0) > 0:
            chances += 1
            bad += [(event.at, None)] * (event.offsets[0] < noted[event.q])
    return chances, bad


def _first_pulls(view: View, who: str) -> tuple[int, list[Bad]]:
    first: dict[int, int] = {}
    bad = list[Bad]()
    for call in view.asked(who, PULL):
        entry = view.entry(who, call.ask.said.q or "", call.ask.at)
        if entry and _begun(entry) and id(entry) not in first and call.ask.said.queue_offset is not None:
            first[id(entry)] = int(call.ask.said.queue_offset)
            bad += [(call.ask.at, None)] * (first[id(entry)] != entry.read)
    return len(first), bad


def _resets(view: View, who: str) -> tuple[tuple[int, list[Bad]], list[Bad]]:
    """Check the commits of queues that a client removes to reset their offsets.

    Return ((chances, commits of other offsets), reads of other offsets after the commit). A reset with a second
    recording of an offset just before the removal is left out: the claims assume that there is none.
    """
    chances, bad, ignored = 0, list[Bad](), list[Bad]()
    sent = [call.ask for call in view.asked(who, UPDATE)]
    done = [one.at for one in view.trace.kind(ResetDone, who)]
    for gone in view.trace.kind(EntryGone, who):
        told = [one.at for one in view.trace.kind(ResetTold, who) if one.at <= gone.at]
        if gone.how != "reset" or not told:
            continue
        updates = (one for one in view.trace.kind(OffsetUpdate, who) if one.q == gone.q)
        aims = [one for one in updates if gone.at - DROPPED <= one.at <= gone.at]
        until = min((at for at in done if at >= gone.at), default=view.leaves(who))
        asks = [one for one in sent if len(aims) == 1 and one.said.q == gone.q and aims[0].at <= one.at]
        if asks and asks[0].at <= until:
            chances += 1
            kept = int(asks[0].said.commit_offset or 0) == aims[0].offset
            bad += [(asks[0].at, None)] * (not kept)
            reads = (one for one in view.trace.kind(OffsetRead, who) if one.q == gone.q and one.type == STORE)
            read = next((one for one in reads if one.at > asks[0].at), None)
            if kept and read is not None and sum(one.at <= read.at for one in asks) == 1:
                ignored += [(read.at, None)] * (read.result != aims[0].offset)
    return (chances, bad), ignored


def _group(view: View, group: str, release: str) -> Iterator[Told]:
    ordered = view.ordered(group)

    def of(guarantee: str, what: str, chances: int, bad: list[Bad], *variants: str) -> Told:
        return _told(view, release, ordered, guarantee, what, chances, bad, variants=variants or ("",))

    calls = sorted((call for who in view.groups[group] for call in view.calls[who]), key=lambda call: call.end)
    words = "an ordered listener" if ordered else "a concurrent listener"
    again = [*_again(calls)]
    once: list[Bad] = [(later.end, None) for first, later in again if _counts(view, first, later, ordered)]
    yield of("once", f"{words} returned twice for one message", len(calls), once)
    rows = [one for (name, _), its in view.commits.items() if name == group for one in its]
    back = [
        (at, _over(view.commits[group, q], at, was))
        for (name, q), its in view.commits.items()
        if name == group
        for at, was, now in its
        if was is not None and now < was
    ]
    yield of("never-back", "a committed offset was rolled back", len(rows), back)
    if ordered:
        yield of("one-batch", "a message was redelivered whose first consumer had stored its offset and was killed", 0,
                 [(later.end, None) for first, later in again if _noted_by_the_killed(view, first, later)],
                 "without-staying")  # fmt: skip
        what = "a message was redelivered that its first consumer had recorded, and that consumer still had the queue"
        early: list[Bad] = [(later.begin, None) for first, later in again if _noted_before(view, first, later)]
        yield of("one-batch", what, 0, early, "without-turn")
    else:
        yield from _handed_over(view, group, again, of)
    if view.all_tags(group):
        yield from _skipped(view, group, calls, of)
        yield from _finished(view, group, calls, of)
        yield from starts(view, group, calls, of)


def _again(calls: list[Call]) -> Iterator[tuple[Call, Call]]:
    """Yield (earlier call, later call) of listeners, where the later call got a message again."""
    before: dict[tuple[str, int], Call] = {}
    for call in calls:
        for offset in call.offsets:
            if (call.q, offset) in before:
                yield before[call.q, offset], call
            before[call.q, offset] = call


def _counts(view: View, first: Call, later: Call, ordered: bool) -> bool:
    """Return True if the assumptions hold under which redelivery by ``later`` violates the claims."""
    entry = view.entry(later.who, later.q, later.begin)
    if entry is None or not _begun(entry):
        return False
    left = view.entry(first.who, first.q, first.begin)
    ended = any(at <= later.begin for at in view.trace.killed(first.who))
    in_turn = left is not None and (left is entry or left.end <= entry.begin)
    return not ordered or (in_turn and not ended)


def _over(rows: list[tuple[int, int | None, int]], since: int, was: int) -> int | None:
    """Return for how many ms after ``since`` the committed offset was below ``was``.

    None if never.
    """
    back = next((at for at, _, now in rows if at > since and now >= was), None)
    return None if back is None else back - since


def _noted_by_the_killed(view: View, first: Call, later: Call) -> bool:
    ended = [at for at in view.trace.killed(first.who) if first.end <= at <= later.begin]
    updates = (one for one in view.trace.kind(OffsetUpdate, first.who) if one.q == first.q)
    return bool(ended) and any(one.at >= first.end and one.offset > first.offsets[-1] for one in updates)


def _noted_before(view: View, first: Call, later: Call) -> bool:
    """Return True if the first consumer recorded the message before the second call, and still had the queue.

    The second consumer queried the offset before that queue left the first one.
    """
    left, entry = view.entry(first.who, first.q, first.begin), view.entry(later.who, later.q, later.begin)
    if first.who == later.who or left is None or entry is None or not entry.begin < left.end:
        return False
    ended = [*view.trace.killed(first.who), *view.trace.killed(first.q.split(":")[1])]
    if any(left.begin <= at <= later.begin for at in ended):
        return False  # the first consumer's offset may be lost with its process, or with the broker
    updates = (one for one in view.trace.kind(OffsetUpdate, first.who) if one.q == first.q)
    return any(first.end <= one.at <= min(left.end, later.begin) and one.offset > first.offsets[-1] for one in updates)


def _handed_over(view: View, group: str, again: list[tuple[Call, Call]], of: Any) -> Iterator[Told]:
    """Check redelivery when a queue changes its owner: ``hand-over`` and similar claims."""
    chances, bad, overtime, out_of_turn = 0, list[Bad](), list[Bad](), list[Bad]()
    for who in view.groups[group]:
        for (owner, q), held in view.entries.items():
            if owner == who:
                chances += sum(_begun(one) and _others(view, group, who, q, one.begin) for one in held)
    for first, later in again:
        entry, left = view.entry(later.who, later.q, later.begin), view.entry(first.who, first.q, first.begin)
        if first.who == later.who or entry is None or left is None or not _begun(entry):
            continue
        if left.end <= entry.begin:
            bad += [(later.end, None)] * (first.offsets[0] < (entry.read or 0) or first.begin > left.end + 1_000)
            overtime += [(later.end, None)] * (first.begin < left.end and first.end > entry.begin)
        elif entry.begin < first.end < left.end:
            out_of_turn.append((later.end, None))
    what = "a redelivered message was already committed, or its first consumer no longer owned the queue"
    yield of("hand-over", what, chances, bad)
    yield of("but-overtime", "a message was redelivered that was still in the old owner's listener", 0, overtime)
    what = "a message was redelivered that the old owner finished after its successor had queried the offset"
    yield of("hand-over", what, 0, out_of_turn, "without-turn")


def _others(view: View, group: str, who: str, q: str, at: int) -> bool:
    """Return True if another member had a process queue of the queue that was removed by the time ``at``."""
    every = (one for other in view.groups[group] if other != who for one in view.entries.get((other, q), ()))
    return any(one.end <= at for one in every)


def _skipped(view: View, group: str, calls: list[Call], of: Any) -> Iterator[Told]:
    read = {(call.q, offset) for call in calls for offset in call.offsets}
    stored = [one for one in view.trace.produced(Sent) if one.status == STORED]
    ends = {q: its[-1][2] for (name, q), its in view.commits.items() if name == group}
    begun: dict[str, int] = {}
    for (who, q), held in view.entries.items():
        known = [one.read for one in held if one.read is not None and one.read >= 0]
        if who in view.groups[group] and known:
            begun[q] = min([begun.get(q, known[0]), *known])
    what = "no listener finished a message below the committed offset"
    for variants, least in ((("first",), dict.fromkeys(ends, 0)), ((), begun)):
        below = [one for one in stored if one.q in least and least[one.q] <= one.offset < ends.get(one.q, 0)]
        if variants and not view.from_first(group):
            continue
        missing: list[Bad] = [(one.at, None) for one in below if (one.q, one.offset) not in read]
        yield of("not-skipped", what, len(below), missing, *variants)


def _finished(view: View, group: str, calls: list[Call], of: Any) -> Iterator[Told]:
    """Check for messages that were committed before a listener had finished consuming them."""
    done: dict[tuple[str, int], int] = {}
    cut: dict[tuple[str, int], int] = {}
    for call in calls:
        for offset in call.offsets:
            (cut if view.undone(call) else done).setdefault((call.q, offset), call.end)
    chances, early, heedless = 0, list[Bad](), list[Bad]()
    for (name, q), rows in view.commits.items():
        for at, was, now in rows if name == group else ():
            # The first commit of a group that begins at the last offset is above messages that it skips.
            for offset in range(now if was is None and not view.from_first(group) else was or 0, now):
                chances += 1
                end, undone = done.get((q, offset)), cut.get((q, offset))
                if end is None or end > at:
                    early.append((at, None if end is None else end - at))
                    heedless += [early[-1]] * (undone is not None and undone <= at)
    what = "an offset above an unfinished message was committed"
    yield of("finished", what, chances, heedless, "without-heeding")
    waits: Mapping[str, bool] = {
        who: int(view.trace.consumers[who].settings.get(WAIT, 0)) > 0 for who in view.groups[group]
    }
    if not cut:
        yield of("finished", what, chances, early, "heeded", *(("awaited",) if all(waits.values()) else ()))


def _mixed(view: View, group: str) -> Iterator[Told]:
    """Check the commits of a group whose members have several releases: do they keep to each other's rules?

    A commit is not above a message that no listener has finished, and not below its process queue's start offset.
    """
    members = view.groups[group]
    if not view.all_tags(group):
        return
    way = Way.ORDERLY if view.ordered(group) else Way.CONCURRENTLY
    done: dict[tuple[str, int], int] = {}
    for call in sorted((call for who in members for call in view.calls[who]), key=lambda call: call.end):
        for offset in call.offsets:
            done.setdefault((call.q, offset), call.end)
    stored = {(one.q, one.offset) for one in view.trace.produced(Sent) if one.status == STORED}
    begun: dict[str, int] = {}
    for (who, q), held in view.entries.items():
        known = [one.read for one in held if who in members and one.read is not None and one.read >= 0]
        begun |= {q: min([*known, begun.get(q, known[0])])} if known else {}
    what = "in a group of two releases, an offset above an unfinished message, or below its own start, was committed"
    for who in members:
        commits = list[tuple[int, bool]]()
        for asked in view.asked(who, UPDATE):
            q, to = asked.ask.said.q or "", asked.ask.said.commit_offset
            entry = view.entry(who, q, asked.ask.at)
            if to is not None and q in begun and entry is not None:
                below = ((q, offset) for offset in range(begun[q], int(to)))
                early = any(one in stored and done.get(one, view.trace.end) > asked.ask.at for one in below)
                commits.append((asked.ask.at, early or int(to) < (entry.read or 0)))
        release = view.trace.release(who)
        for other in sorted({view.trace.release(one) for one in members} - {release}):
            there = [view.life(one) for one in members if view.trace.release(one) == other]
            beside = [(at, bad) for at, bad in commits if any(since <= at <= until for since, until in there)]
            broken: list[Bad] = [(at, None) for at, bad in beside if bad]
            yield told_between(KIND, release, other, "mixed", what, len(beside), broken, of=partial(_is, way))


def _is(way: Way, client: Any) -> bool:
    return client.way is way
