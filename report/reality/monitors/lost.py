"""Monitor claims about lost pull requests: after exceptions, and after an illegal offset."""

from collections.abc import Iterator

from rebalance_proofs.model.client.process_queue import PULL_MAX_IDLE_TIME
from rebalance_proofs.model.machine.values import number
from rebalance_proofs.recorded.cluster.names import topic_of
from rebalance_proofs.recorded.cluster.settling.clock import limits
from rebalance_proofs.recorded.groups.codes import ILLEGAL, PULL, PULLING, QUERY
from rebalance_proofs.recorded.groups.member import Allocate, Ask, EntryGone, EntryNew, OffsetUpdate, Pulled, Threw
from rebalance_proofs.recorded.seen.held import Held
from rebalance_proofs.report.reality.told import Bad, Told, told
from rebalance_proofs.report.reality.view import View

KIND = "pulls"
SOON = 10_000
"""Longest time in ms until a rebalance reaches a queue.

It can wait for answers and for listeners' locks.
"""
REPAIR = 10_000
"""Delay in ms of the repair of an illegal offset, up to 5.0."""
PREMISES = {
    "store": "after the offset store threw while its pull read the offset",
    "hook": "after an RPC hook threw an exception while its pull was sent",
    "error": "after an `Error` was thrown in `pullMessage`",
    "callback": "after an `Error` was thrown in the handling of its answer",
    "interrupt": "after the thread that handled its answer was interrupted",
}
"""Assumption of claims -> the event that shows that the assumption failed."""


def lost(view: View, who: str) -> Iterator[Told]:
    """Check the consumer ``who``."""
    release = view.trace.release(who)
    for why, words in PREMISES.items():
        thrown = [event for event in view.trace.kind(Threw, who) if _premise(event) == why]
        what = f"an entry that is not dropped was no longer pulled, {words}"
        found = _not_pulled(view, who, thrown)
        yield told(KIND, release, "has-request", what, *found, variants=(f"without-{why}",))
        if why == "error":
            what = f"the queue was not pulled again within 120 s and the wait, {words}"
            yield told(KIND, release, "healed", what, *_healed(view, who, thrown), variants=("without-error",))
    what = "an ordered queue was pulled although its entry was removed during the offset query"
    yield told(KIND, release, "dies", what, 0, _asked_meanwhile(view, who), variants=("without-query",))
    yield from _repaired(view, who, release)


def _premise(event: Threw) -> str:
    """Return the assumption that the exception violates, or "" if the client expects it."""
    if event.where in ("hook", "store") and event.error:
        return "error"
    return "" if event.where == "callback" and not event.error else event.where


def _entry(view: View, who: str, q: str, at: int) -> Held | None:
    """Return the queue's entry in the consumer's process queue table at a time, or None."""
    held = view.entry(who, q, at)
    return held if held is not None and held.end >= at else None


def _pulls(view: View, who: str, q: str) -> list[int]:
    return [call.ask.at for call in view.asked(who, PULL) if call.ask.said.q == q]


def _not_pulled(view: View, who: str, thrown: list[Threw]) -> tuple[int, list[Bad]]:
    """Check after each exception whether the process queue was pulled again before it counted as expired."""
    chances, bad = 0, list[Bad]()
    for event in thrown:
        held = _entry(view, who, event.q, event.at)
        until = held.end if held else event.at
        idle = until - event.at - view.trace.stood(who, event.at, until)
        after = [at for at in _pulls(view, who, event.q) if event.at < at <= until]
        if after:
            chances += 1
        elif held and (held.since_pull > PULL_MAX_IDLE_TIME or idle > PULL_MAX_IDLE_TIME + SOON):
            chances += 1
            bad.append((event.at, until - event.at))
    return chances, bad


def _healed(view: View, who: str, thrown: list[Threw]) -> tuple[int, list[Bad]]:
    """Check whether the queue was pulled again in time after each exception."""
    chances, bad = 0, list[Bad]()
    wait = number(limits(view.trace.consumers[who]).wait)
    for event in thrown:
        until = view.due(who, event.at, PULL_MAX_IDLE_TIME + wait + SOON)
        after = [at for at in _pulls(view, who, event.q) if at > event.at]
        again = [held for held in view.entries.get((who, event.q), ()) if held.begin > event.at]
        if after and after[0] <= until:
            chances += 1
        elif until < view.leaves(who) and again:
            chances += 1
            bad.append((again[0].begin, (after[0] if after else view.leaves(who)) - again[0].begin))
    return chances, bad


def _asked_meanwhile(view: View, who: str) -> list[Bad]:
    """Return pulls of an ordered queue whose process queue was removed while the client queried the offset."""
    asking: dict[str, bool] = {}
    bad = list[Bad]()
    for event in view.trace.of[who]:
        if isinstance(event, Ask) and event.code == QUERY and event.thread == PULLING and event.said.q:
            asking[event.said.q] = False
        elif isinstance(event, EntryGone) and event.q in asking:
            asking[event.q] = True
        elif isinstance(event, EntryNew):
            asking.pop(event.q, None)  # what is pulled next may be the new entry's
        elif isinstance(event, Ask) and event.code == PULL and event.said.q:
            bad += [(event.at, None)] * asking.pop(event.said.q, False)
    return bad


def _repaired(view: View, who: str, release: str) -> Iterator[Told]:
    """Check repairs of an illegal offset: which process queue was removed, and was the offset stored?"""
    chances: dict[str, list[int]] = {"": [], "without-late-answer": []}
    others: dict[str, list[Bad]] = {"": [], "without-late-answer": []}
    written: dict[str, list[Bad]] = {"": [], "without-late-answer": []}
    for event in view.trace.kind(Pulled, who):
        if event.status != ILLEGAL:
            continue
        held = view.entry(who, event.q, event.at)
        variant = "" if held is not None and held.end >= event.at else "without-late-answer"
        chances[variant].append(event.at)
        update = _written(view, who, event)
        taken = (one.end for one in view.entries.get((who, event.q), ()) if held and one.entry != held.entry
                 and event.at <= one.end <= event.at + 2 * REPAIR and _in_spite(view, one))  # fmt: skip
        if (end := next(taken, None)) is not None:
            others[variant].append((end, None))
        if update is not None and held is not None and held.end < update:
            written[variant].append((update, update - held.end))
    for variant, words in (("", ""), ("without-late-answer", ", which was reported after its entry was removed")):
        what = f"the repair of an illegal offset removed another entry{words}"
        number_ = len(chances[variant])
        yield told(KIND, release, "hits-own-entry", what, number_, others[variant], variants=(variant,))
        what = f"the repair of an illegal offset stored the queue's offset after its entry was removed{words}"
        yield told(KIND, release, "repairs-while-held", what, number_, written[variant], variants=(variant,))


def _in_spite(view: View, held: Held) -> bool:
    """Return True if a process queue was removed although the consumer still owned and pulled the queue."""
    topic = topic_of(held.q)
    shares = [one for one in view.trace.kind(Allocate, held.who) if one.topic == topic and one.at <= held.end]
    mine = bool(shares) and held.q in (shares[-1].result or ())
    return mine and held.how not in ("", "clear") and held.since_pull <= PULL_MAX_IDLE_TIME


def _written(view: View, who: str, illegal: Pulled) -> int | None:
    """Return the time at which the repair stored the offset that the broker had proposed, or None."""
    updates = (one for one in view.trace.kind(OffsetUpdate, who) if one.q == illegal.q and not one.increase_only)
    after = (one.at for one in updates if one.offset == illegal.next and one.at >= illegal.at)
    return next((at for at in after if at <= illegal.at + 2 * REPAIR), None)
