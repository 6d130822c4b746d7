"""Monitor claims about settling: when clients rebalance after a change, and how often."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise

from rebalance_proofs.model.machine.values import number
from rebalance_proofs.model.machines.registry.state import DEFAULTS as OF_ROUTES
from rebalance_proofs.model.machines.settling.actions import DEFAULTS
from rebalance_proofs.recorded.cluster.clients import settling_client, settling_limits
from rebalance_proofs.recorded.cluster.requests import MOST_WAIT, Call
from rebalance_proofs.recorded.cluster.trace import LOOK, STALL
from rebalance_proofs.recorded.groups.event import LIST, LOCK, REBALANCING, Queues
from rebalance_proofs.recorded.groups.member import (
    Allocate,
    Answer,
    Ask,
    Notified,
    ResetDone,
    ResetTold,
    Resumed,
    Resuming,
    Started,
    Subscribed,
    Unsubscribed,
)
from rebalance_proofs.recorded.groups.names import numbers
from rebalance_proofs.report.reality.told import Bad, Told, told
from rebalance_proofs.report.reality.view import View

# Monitor claims about settling with failed rebalances, ``resume()``, or no periodic rebalance.

KIND = "settling"
LONGEST = 6_000
"""Assumed longest duration of a rebalance in ms; recordings do not show it."""
ACCURACY = 5 * LOOK
"""Accuracy in ms of the time of a membership change, which polls of a broker's table show."""
SUCCESS = 0
BREAK = 100
"""Longest time in ms between an answer and the next request of the same rebalance, unless a process paused."""


def disturbed(view: View, who: str, at_once: list[Bad], least: int) -> Iterator[Told]:
    """Check the consumer ``who``.

    ``at_once``: times at which a rebalance requested the member list while another thread's rebalance waited for it.
    ``least``: least time in ms between two rebalances.
    """
    release = view.trace.release(who)
    what = "a rebalance requested the ids while another one waited for them, when the consumer was resumed"
    yield told(KIND, release, "alone", what, 0, at_once, variants=("without-resume",))
    what = "rebalances began less than the minimum interval apart, when the consumer was resumed"
    yield told(KIND, release, "apart", what, 0, _close(view, who, least), variants=("without-resume",))
    what = "no rebalance saw the broker's new list of members within a wait and 12 s, plus as much for each failed one"
    yield told(KIND, release, "settles", what, *_failed(view, who), variants=("fails",))
    what = "no rebalance saw a change within 32 s, and the thread's timer does not expire"
    yield told(KIND, release, "settles", what, 0, _untimed(view, who), variants=("without-timer",))


def _close(view: View, who: str, least: int) -> list[Bad]:
    """Return times of rebalances less than ``least`` ms apart, of which ``resume()`` made one."""
    rounds: dict[str, list[tuple[int, bool]]] = {}
    resumes = False
    for event in view.trace.of[who]:
        resumes = isinstance(event, Resuming) or (resumes and not isinstance(event, Resumed))
        if isinstance(event, Allocate):
            rounds.setdefault(event.topic, []).append((event.at, resumes))
    pairs = (pair for its in rounds.values() for pair in pairwise(its))
    return sorted({(later[0], None) for one, later in pairs if later[0] - one[0] < least and one[1] != later[1]})


def _failed(view: View, who: str) -> tuple[int, list[Bad]]:
    """Check that a later rebalance sees a change of the member list if a rebalance failed after it."""
    chances, bad, leaves = 0, list[Bad](), view.leaves(who)
    wait, group = number(settling_limits(view.trace.consumers[who]).wait), view.trace.consumers[who].group
    there = min((event.at for event in view.trace.kind(Started, who)), default=view.trace.end)
    fails = [call.ask.at for call in view.asked(who, LIST) if _fails(call)]
    rounds = view.trace.kind(Allocate, who)
    for broker in view.trace.brokers:
        lists = view.lists(broker, group)
        ends = (*(one for one, _ in lists[1:]), view.trace.end)
        for (at, listed), later in zip(lists, ends, strict=False):
            until = _until(view, who, fails, at, wait)
            failed = any(at <= one <= until for one in fails)
            rebalances = not view.away(at, until, LONGEST) and not view.suspended(who, at, until)
            if failed and there <= at and until < min(later, leaves) and rebalances:
                chances += 1
                ids = {name for name, _ in listed}
                saw = any(set(one.cid_all or ()) == ids for one in rounds if at <= one.at <= until)
                bad += [(at, None)] * (not saw)
    return chances, bad


def _until(view: View, who: str, fails: list[int], at: int, wait: int) -> int:
    """Return by when a rebalance must have seen the change at ``at``.

    Each failed rebalance delays it.
    """
    until, known = at, -1
    while known != (known := sum(at <= one <= until for one in fails)) or until == at:
        until = view.due(who, at, (1 + known) * (wait + LONGEST) + LONGEST)
    return until


def _fails(call: Call) -> bool:
    """Return True if a request for the member list had no answer, or an answer without a list."""
    return call.answer is None or call.answer.said.code != SUCCESS or call.answer.said.ids is None


def _untimed(view: View, who: str) -> list[Bad]:
    """Return added queues not seen within the default wait by a consumer without periodic rebalances."""
    bad, begun = list[Bad](), view.trace.kind(Started, who)
    if not begun or number(settling_limits(view.trace.consumers[who]).wait) <= view.trace.end - begun[0].at:
        return bad
    poll = number(OF_ROUTES.poll) + LONGEST
    for change in view.trace.produced(Queues):
        at = change.at + poll
        until = view.due(who, at, number(DEFAULTS.wait) + 2 * LONGEST)
        rounds = [one for one in view.trace.kind(Allocate, who) if one.topic == change.topic and one.at >= change.at]
        saw = min((one.at for one in rounds if {*change.queues} <= {*(one.mq_all or ())}), default=view.leaves(who))
        mine = any(one.topic == change.topic for one in view.trace.kind(Allocate, who) if one.at < change.at)
        if mine and begun[0].at < change.at and saw > until and not view.away(at, until, LONGEST):
            bad.append((at, saw - at))
    return bad


LATER = (5,)
"""First release whose rebalance wakes the thread again if it did not get a lock."""


def settling(view: View) -> Iterator[Told]:
    """Check the rebalances of all consumers in the recording."""
    for who in view.trace.consumers:
        release = view.trace.release(who)
        rounds = _rounds(view, who)
        least = number(settling_limits(view.trace.consumers[who]).least)
        close: list[Bad] = [(later, None) for at, later in pairwise(rounds) if later - at < least]
        pairs = max(len(rounds) - 1, 0)
        yield told(KIND, release, "apart", "rebalances began less than the minimum interval apart", pairs, close)
        what = "a rebalance requested the ids while another one waited for them"
        alone, with_others = _at_once(view, who)
        yield told(KIND, release, "alone", what, *alone)
        yield from disturbed(view, who, with_others, least)
        wait = number(settling_limits(view.trace.consumers[who]).wait)
        # From 5.2 on the minimum interval is enough if not every group owns its share, which recordings do not show.
        shortest, called = (least, "the minimum interval") if settling_client(release).least else (wait, "the wait")
        what = f"a rebalance began sooner than {called} after the previous one, without a wake-up of the thread"
        yield told(KIND, release, "waits", what, *_unwoken(view, who, rounds, shortest))
        what = "no rebalance began within the minimum interval and 12 s after a notification"
        asked = [call.ask.at for call in view.asked(who, LIST) if call.ask.thread == REBALANCING]
        yield told(KIND, release, "woken", what, *_woken(view, who, [*rounds, *asked], least))
        what = "no rebalance saw the broker's new list of members within the wait and 12 s"
        chances, bad, took = _settled(view, who, wait)
        yield told(KIND, release, "settles", what, chances, bad)
        bound = max(wait, least) + 2 * _longest(view, who)
        slow = [(at, ms) for at, ms in took if ms >= bound - ACCURACY]
        what = "the first rebalance with the new list of members came the whole wait and two rebalances after it"
        yield told(KIND, release, "as-long", what, 0, slow, can=True)


def _rounds(view: View, who: str) -> list[int]:
    """Return the times of a consumer's rebalances of the topic that it divided most often."""
    of_topic: defaultdict[str, list[int]] = defaultdict(list)
    resumes = False
    for event in view.trace.of[who]:
        # ``resume()`` and offset resets rebalance on other threads.
        resumes = isinstance(event, (Resuming, ResetTold)) or (resumes and not isinstance(event, (Resumed, ResetDone)))
        if isinstance(event, Allocate) and not resumes:
            of_topic[event.topic].append(event.at)
    return max(of_topic.values(), key=len, default=[])


def _at_once(view: View, who: str) -> tuple[tuple[int, list[Bad]], list[Bad]]:
    """Find overlapping rebalances.

    Return ((member list requests of the rebalance thread, overlaps in that thread), overlaps of two threads).
    """
    asked: dict[int, Ask] = {}
    chances, bad, others = 0, list[Bad](), list[Bad]()
    for event in view.trace.of[who]:
        if isinstance(event, Ask) and event.code == LIST:
            chances += event.thread == REBALANCING
            asked[event.opaque] = event
        elif isinstance(event, Answer) and event.code == LIST and event.opaque in asked:
            begun = asked.pop(event.opaque)
            for one in asked.values():
                if begun.at <= one.at <= event.at and one.thread != begun.thread:
                    others.append((one.at, None))
                elif begun.at <= one.at <= event.at:
                    bad.append((one.at, None))
    return (chances, bad), others


def _unwoken(view: View, who: str, rounds: Sequence[int], wait: int) -> tuple[int, list[Bad]]:
    woken = [event.at for event in view.trace.of[who] if isinstance(event, Notified | Subscribed | Unsubscribed)]
    woken += [event.at + STALL for event in view.trace.kind(Started, who)]
    woken += _denied(view, who)
    chances, bad = 0, list[Bad]()
    for before, one, later in zip(rounds, rounds[1:], rounds[2:], strict=False):
        if not any(before - STALL <= at <= later for at in woken):
            chances += 1
            bad += [(later, None)] * (later - one < wait)
    return chances, bad


def _denied(view: View, who: str) -> Iterator[int]:
    """Yield the times of rebalances that did not get all locks: from 5.0 on, they wake the thread 0.5 s later.

    ``RebalanceImpl.updateProcessQueueTableInRebalance`` calls ``rebalanceLater`` then. From 5.2 on, that is no sooner
    than the minimum interval allows.
    """
    release = view.trace.release(who)
    if numbers(release) < LATER or settling_client(release).least:
        return
    for call in view.asked(who, LOCK):
        granted = call.answer.said.granted if call.answer else None
        if call.ask.thread == REBALANCING and set(granted or ()) != set(call.ask.said.queues or ()):
            yield call.ask.at


def _woken(view: View, who: str, rounds: Sequence[int], least: int) -> tuple[int, list[Bad]]:
    chances, bad, leaves = 0, list[Bad](), view.leaves(who)
    running = _running(view, who)
    for event in view.trace.kind(Notified, who):
        until = view.due(who, max(event.at, _busy(running, event.at) - LONGEST), least + 2 * LONGEST)
        if until < leaves and not view.away(event.at, until, LONGEST) and not view.suspended(who, event.at, until):
            chances += 1
            bad += [(event.at, None)] * (not any(event.at <= at <= until for at in rounds))
    return chances, bad


def _running(view: View, who: str) -> list[tuple[int, int]]:
    """Return (start, end) of the times in ms when the rebalance thread waited for answers, one request after another.

    A request without an answer ends with the thread's next one, or after the longest time-out.
    """
    asks = [call for call in view.requests.all[who] if call.ask.thread == REBALANCING]
    spans = list[tuple[int, int]]()
    for call, later in zip(asks, [*(one.ask.at for one in asks[1:]), view.trace.end], strict=False):
        begin = call.ask.at
        end = call.answer.at if call.answer else min(begin + MOST_WAIT, later)
        if spans and begin - spans[-1][1] <= BREAK:
            begin, _ = spans.pop()
        spans.append((begin, end))
    return spans


def _busy(running: list[tuple[int, int]], at: int) -> int:
    """Return the end of the rebalance that is running at a time, or that time."""
    return max((end for begin, end in running if begin <= at <= end), default=at)


def _longest(view: View, who: str) -> int:
    """Return the longest time in ms from a rebalance's first request to its last division, as far as events show it."""
    rounds = [one.at for one in view.trace.kind(Allocate, who)]
    asks = [call.ask.at for call in view.asked(who, LIST) if call.ask.thread == REBALANCING]
    spans = (min((at for at in rounds if at >= one), default=one) - one for one in asks)
    return max((ms for ms in spans if ms <= LONGEST), default=0)


def _settled(view: View, who: str, wait: int) -> tuple[int, list[Bad], list[tuple[int, int]]]:
    """Return (changes, those that no rebalance saw in time, (change, ms until a rebalance saw it) of the others)."""
    chances, bad, leaves = 0, list[Bad](), view.leaves(who)
    took = list[tuple[int, int]]()
    group, there = view.trace.consumers[who].group, min((e.at for e in view.trace.kind(Started, who)), default=None)
    for broker in view.trace.brokers if there is not None else ():
        lists = view.lists(broker, group)
        ends = (*(one for one, _ in lists[1:]), view.trace.end)
        before = set[str]()
        for (at, listed), later in zip(lists, ends, strict=False):
            until = view.due(who, at, wait + 2 * LONGEST)
            rebalances = not view.away(at, until, LONGEST) and not view.suspended(who, at, until)
            ids, was = {name for name, _ in listed}, before
            before = ids
            # A list with other connections of the same members tells a rebalance nothing new.
            if (there or 0) <= at and until < min(later, leaves) and rebalances and ids != was:
                chances += 1
                rounds = (e for e in view.trace.kind(Allocate, who) if at <= e.at <= until)
                saw = next((e.at for e in rounds if set(e.cid_all or ()) == ids), None)
                bad += [(at, None)] * (saw is None)
                took += [(at, saw - at)] if saw is not None else []
    return chances, bad, took
