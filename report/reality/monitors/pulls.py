"""Monitor claims about pull requests: which process queues are pulled, and which are no longer pulled."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from rebalance_proofs.model.client.process_queue_table import PULL_MAX_IDLE_TIME
from rebalance_proofs.model.machine.values import number
from rebalance_proofs.recorded.cluster.clients import settling_limits
from rebalance_proofs.recorded.cluster.names import topic_of
from rebalance_proofs.recorded.cluster.trace import LOOK, STALL
from rebalance_proofs.recorded.groups.event import ILLEGAL, PULL, PULLING, QUERY, Event
from rebalance_proofs.recorded.groups.member import (
    Allocate,
    Ask,
    Entry,
    EntryGone,
    EntryNew,
    OffsetRead,
    OffsetUpdate,
    Persist,
    Pulled,
    Subscribed,
    Threw,
    Unsubscribed,
)
from rebalance_proofs.recorded.groups.names import numbers
from rebalance_proofs.recorded.seen.held import Held
from rebalance_proofs.report.reality.told import Bad, Told, told
from rebalance_proofs.report.reality.view import View

# Monitor claims about lost pull requests: after exceptions, and after an illegal offset.

KIND = "pulls"
SOON = 10_000
"""Longest time in ms until a rebalance reaches a queue.

It can wait for answers and for listeners' locks.
"""
AT_ONCE = (5, 2)
"""First release that repairs an illegal offset at once."""
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
    wait = number(settling_limits(view.trace.consumers[who]).wait)
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
    delay = 0 if numbers(release) >= AT_ONCE else REPAIR
    every = [(one, _pulled_for(view, who, one)) for one in view.trace.kind(Pulled, who) if one.status == ILLEGAL]

    def by_its_own(other: Held) -> bool:
        """Return True if the process queue's own illegal offset explains its removal."""
        return any(held and held.entry == other.entry and one.at + delay <= other.end for one, held in every)

    for event, held in every:
        variant = "" if held is not None and held.end >= event.at else "without-late-answer"
        chances[variant].append(event.at)
        update = _written(view, who, event)
        near = (one for one in view.entries.get((who, event.q), ()) if event.at <= one.end <= event.at + 2 * REPAIR)
        taken = (one for one in near if held and one.entry != held.entry and _in_spite(view, one))
        if (other := next((one for one in taken if not by_its_own(one)), None)) is not None:
            others[variant].append((other.end, None))
        if update is not None and held is not None and held.end < update:
            written[variant].append((update, update - held.end))
    for variant, words in (("", ""), ("without-late-answer", ", which was reported after its entry was removed")):
        what = f"the repair of an illegal offset removed another entry{words}"
        number_ = len(chances[variant])
        yield told(KIND, release, "hits-own-entry", what, number_, others[variant], variants=(variant,))
        what = f"the repair of an illegal offset stored the queue's offset after its entry was removed{words}"
        yield told(KIND, release, "repairs-while-held", what, number_, written[variant], variants=(variant,))


def _pulled_for(view: View, who: str, event: Pulled) -> Held | None:
    """Return the process queue whose pull has this result.

    Without an answer in the recording (up to 4.9), it is the queue's last one.
    """
    calls = (call for call in view.asked(who, PULL) if call.ask.said.q == event.q and call.answer is not None)
    asked = [call for call in calls if call.answer and call.answer.row < event.row]
    last = max(asked, key=lambda call: call.answer.row if call.answer else 0, default=None)
    return view.entry(who, event.q, last.ask.at if last else event.at)


def _in_spite(view: View, held: Held) -> bool:
    """Return True if a process queue was removed although the consumer still owned and pulled the queue."""
    topic = topic_of(held.q)
    shares = [one for one in view.trace.kind(Allocate, held.who) if one.topic == topic and one.at <= held.end]
    mine = bool(shares) and held.q in (shares[-1].result or ())
    return mine and held.how not in ("", "clear", "reset") and held.since_pull <= PULL_MAX_IDLE_TIME


def _written(view: View, who: str, illegal: Pulled) -> int | None:
    """Return the time at which the repair stored the offset that the broker had proposed, or None.

    From 5.2 on, a repair follows at once. No event shows that it stores the offset, but it then persists it.
    """
    if numbers(view.trace.release(who)) >= AT_ONCE:
        persisted = (one.at for one in view.trace.kind(Persist, who) if one.q == illegal.q and one.at >= illegal.at)
        return next((at for at in persisted if at <= illegal.at + STALL), None)
    # A rebalance also stores an offset that it has read.
    reads = [one.at for one in view.trace.kind(OffsetRead, who) if one.q == illegal.q and one.result == illegal.next]
    updates = (one for one in view.trace.kind(OffsetUpdate, who) if one.q == illegal.q and not one.increase_only)
    updates = (one for one in updates if not any(0 <= at - one.at <= LOOK for at in reads))
    after = (one.at for one in updates if one.offset == illegal.next and one.at >= illegal.at)
    return next((at for at in after if at <= illegal.at + 2 * REPAIR), None)


# Monitor claims about a suspended consumer: it does not pull, and does not release queues.


def suspended(view: View, who: str) -> Iterator[Told]:
    """Check the consumer ``who``."""
    release, spans = view.trace.release(who), [*view.suspensions(who)]
    chances, pulls, kept = 0, list[Bad](), list[Bad]()
    for since, until in spans:
        begun = since + view.trace.slack(who, since, since + STALL)
        if begun >= until:
            continue
        held = [one for _, one in _held(view, who) if one.begin <= since and one.end >= until]
        chances += len(held)
        pulls += [(call.ask.at, None) for call in view.asked(who, PULL) if begun < call.ask.at < until]
        wait = number(settling_limits(view.trace.consumers[who]).wait) + STALL
        for one in held:
            taken = min(_others(view, who, one.q, since, until), default=until)
            if until - taken > wait and not _marked(view, who, one, until):
                kept.append((taken, until - taken))
    yield told(KIND, release, "rests", "a pull began while the consumer was suspended", chances, pulls)
    what = "a suspended consumer did not drop an entry although another consumer got its queue"
    yield told(KIND, release, "lets-go", what, 0, kept, variants=("without-running",))


def _held(view: View, who: str) -> Iterator[tuple[str, Held]]:
    return ((q, held) for (owner, q), entries in view.entries.items() if owner == who for held in entries)


def _others(view: View, who: str, q: str, since: int, until: int) -> Iterator[int]:
    """Yield times at which other members of the group added the queue."""
    for other in view.groups[view.trace.consumers[who].group]:
        entries = view.entries.get((other, q), ()) if other != who else ()
        yield from (held.begin for held in entries if since <= held.begin < until and held.end >= until)


def _marked(view: View, who: str, held: Held, at: int) -> bool:
    """Return True if a poll of the consumer's table had shown the process queue as dropped by the time ``at``."""
    marks = (event for event in view.trace.kind(Entry, who) if event.entry == held.entry and event.at <= at)
    return any(event.dropped for event in marks)


def pulls(view: View) -> Iterator[Told]:
    """Check the pull requests of all consumers in the recording."""
    for who in view.trace.consumers:
        release, found = view.trace.release(who), _Member(view, who)
        for event in view.trace.of[who]:
            found.read(event)
        found.ends(view.leaves(who))
        for guarantee, what, chances, bad in (
            ("has-request", "an entry that is not dropped was no longer pulled", *found.request),
            ("dies", "a queue without an entry was pulled", *found.dead),
            ("healed", "an entry of the consumer's share was removed less than 120 s after a pull", *found.healed),
            ("only-lost", "an entry was treated as lost while its pull was open", 0, found.lost),
            ("lets-go", "an entry was not dropped although another consumer got its queue", *found.left),
        ):
            yield told(KIND, release, guarantee, what, chances, bad)
        asked = [call.ask.said.q for call in view.asked(who, PULL)]
        # The machine's behaviours that explain all pulls never have two open pulls of one entry.
        what = "an entry was pulled while another pull of it was open (by the machine's behaviours)"
        yield told(KIND, release, "one-request", what, len(asked) - len({*asked}), [])
        yield from lost(view, who)
        yield from suspended(view, who)


@dataclass
class _Member:
    """One consumer's process queues and pulls, from its events.

    Each result is (chances, violations).
    """

    view: View
    who: str
    there: dict[str, int] = field(default_factory=dict)
    """Queue in the table -> time in ms of its last pull or answer, or of its process queue's creation."""
    out: dict[str, int] = field(default_factory=dict)
    """Queue that left the table -> time in ms of the removal."""
    under_way: dict[str, int] = field(default_factory=dict)
    """Queue -> time in ms of its pull that is not answered yet."""
    marked: set[str] = field(default_factory=set)
    mine: dict[str, set[str]] = field(default_factory=dict)
    pulled: dict[str, int] = field(default_factory=dict)
    lost: list[Bad] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.request: tuple[int, list[Bad]] = (0, [])
        self.dead: tuple[int, list[Bad]] = (0, [])
        self.healed: tuple[int, list[Bad]] = (0, [])
        self.left: tuple[int, list[Bad]] = (0, [])
        self.others: dict[str, int] = {}
        self.left_out: set[str] = set()  # topics that are not subscribed any more
        self.illegal: set[str] = set()  # the repair of an illegal offset removes an entry as well
        self.ordered = self.view.trace.ordered(self.who)

    def read(self, event: Event) -> None:
        """Process one more event."""
        if isinstance(event, EntryNew):
            self.there[event.q] = event.at
            self.pulled.pop(event.q, None)
            self.marked.discard(event.q)
        elif isinstance(event, Ask) and event.code == PULL and event.said.q:
            self._pulls(event.said.q, event.at)
        elif isinstance(event, Pulled):
            self._answered(event)
        elif isinstance(event, Entry) and event.dropped and event.in_table:
            self.marked.add(event.q)
            self.others.pop(event.q, None)
        elif isinstance(event, EntryGone):
            self._gone(event)
        elif isinstance(event, Allocate) and event.topic not in self.left_out:
            self._divided(event)
        elif isinstance(event, Unsubscribed):
            self.mine.pop(event.topic, None)
            self.left_out.add(event.topic)
        elif isinstance(event, Subscribed):
            self.left_out.discard(event.topic)

    def ends(self, at: int) -> None:
        """Check at the end of the consumer or recording for process queues that were no longer pulled."""
        for q in {*self.there} - self.marked:
            if q in self.pulled and self.there[q] < at and self._idle(q, at):
                self.request = self._more(self.request, True, self.there[q])

    def _pulls(self, q: str, at: int) -> None:
        if q in self.there:
            self.request = self._more(self.request, q in self.pulled and self._idle(q, at), at, q in self.pulled)
            self.there[q] = self.pulled[q] = self.under_way[q] = at
        elif q in self.out:
            self.dead = self._more(self.dead, at > self.out[q] + STALL, at, False)

    def _idle(self, q: str, at: int) -> bool:
        """Return True if the queue was idle for longer than a pulled queue can be, apart from pauses."""
        stood = self.view.trace.stood(self.who, self.there[q], at)
        return not self.ordered and at - self.there[q] - stood > PULL_MAX_IDLE_TIME + STALL

    def _answered(self, event: Pulled) -> None:
        self.under_way.pop(event.q, None)
        self.illegal |= {event.q} if event.status == ILLEGAL else set()
        if event.q in self.there:
            self.there[event.q] = event.at

    def _gone(self, event: EntryGone) -> None:
        own = event.q in self.mine.get(topic_of(event.q), ())
        if event.how not in ("clear", "reset") and own and event.q not in self.illegal:
            late = event.since_pull > PULL_MAX_IDLE_TIME
            self.healed = self._more(self.healed, not late, event.at)
            sent = self.under_way.get(event.q)
            answered = any(one.q == event.q and one.at >= event.at for one in self._results(event.at))
            self.lost += [(event.at, None)] * (late and sent is not None and answered)
        self.dead = self._more(self.dead, False, event.at)
        self.there.pop(event.q, None)
        self.others.pop(event.q, None)
        self.out[event.q] = event.at

    def _results(self, since: int) -> Iterator[Pulled]:
        return (one for one in self.view.trace.kind(Pulled, self.who) if since <= one.at <= since + SOON)

    def _divided(self, event: Allocate) -> None:
        for q, since in [*self.others.items()]:
            stood = self.view.trace.stood(self.who, since, event.at)
            if event.at - since - stood > SOON + STALL:
                self.left = self._more(self.left, True, event.at, False)
                del self.others[q]
        self.mine[event.topic] = share = set(event.result or ())
        for q in self.there:
            if topic_of(q) == event.topic:
                self.healed = self._more(self.healed, False, event.at, q in share)
                if q not in share and q not in self.marked:
                    self.left = self._more(self.left, False, event.at)
                    self.others.setdefault(q, event.at)

    @staticmethod
    def _more(found: tuple[int, list[Bad]], bad: bool, at: int, counts: bool = True) -> tuple[int, list[Bad]]:
        return found[0] + counts, [*found[1], *([(at, None)] * bad)]
