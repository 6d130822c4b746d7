"""The events of each queue of a consumer about its offsets, and what is known of the queue before each."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field

from rebalance_proofs.model.offsets.broker import NONE
from rebalance_proofs.recorded.cluster.follower.committed import Committed, Told, commit, told
from rebalance_proofs.recorded.cluster.follower.history import Process
from rebalance_proofs.recorded.cluster.merged import merged
from rebalance_proofs.recorded.cluster.names import broker_of, topic_of
from rebalance_proofs.recorded.cluster.removals import Reset, Targets, removals, resets_of
from rebalance_proofs.recorded.cluster.requests import Calls
from rebalance_proofs.recorded.cluster.trace import STALL, Trace
from rebalance_proofs.recorded.groups.broker import Answered, BrokerStarting, Table, offset_of
from rebalance_proofs.recorded.groups.event import ENDS, ILLEGAL, PULL, PULLING, QUERY, SEARCHES, UPDATE, Event
from rebalance_proofs.recorded.groups.member import (
    Allocate,
    Answer,
    Ask,
    Begin,
    End,
    Entry,
    EntryGone,
    EntryNew,
    OffsetRead,
    OffsetRemoved,
    OffsetUpdate,
    Persist,
    PersistAll,
    Pulled,
    ShutdownBegin,
    ShutdownEnd,
    Unsubscribed,
)

LATE = 40_000
"""Longest time in ms until a removed process queue's pull is answered: its time-out."""
NOTHING = ("NO_NEW_MSG", "NO_MATCHED_MSG")
OK, ABSENT = 0, 22
"""Codes of a broker's answer to an offset query: an offset, or none (``QUERY_NOT_FOUND``)."""
OF_QUEUE = (EntryNew, EntryGone, Entry, Pulled, Begin, End, OffsetRead, OffsetUpdate, OffsetRemoved, Persist)
STORED, READ, FIXED, RESET = "stored", "read", "fixed", "reset"
"""Reasons of an update of the offset in memory: the listener or a pull, an offset query, that of a first pull, a reset.
"""


@dataclass
class Known:
    """What is known of one queue of a process before an event."""

    begun: int
    """Time in ms at which the queue's machine begins."""
    entry: str = ""
    """Identity of the queue's process queue, from events of its addition and removal; "" if there is none."""
    persisted: int = 0
    """How often the offset of the process queue was persisted, as before each removal by a rebalance."""
    going: int | None = None
    """Time in ms from which the process queue is being removed, until its offset is dropped."""
    lost: bool = False
    """Whether another offset was stored in memory during the removal; it is dropped as well."""
    pulled: int = 0
    """Time in ms of the queue's last pull."""
    since: int = 0
    """Earliest time in ms at which the next pull can have read the offset that it commits."""
    flying: int = 0
    former: int = 0
    """Numbers of unanswered pulls: ``flying`` for this process queue, ``former`` for others."""
    gone: int = 0
    """Time in ms at which a process queue was last removed."""
    loaded: bool = False
    """Whether the broker has restarted, and no poll has shown its table since."""
    listed: tuple[int, ...] = ()
    """Times in ms of the ``persistAll`` calls that can still commit the queue's offset."""
    unsent: int = 0
    """Number of removals whose commit can still be sent."""
    removed: int = 0
    """Time in ms at which the last such removal began."""
    owed: int = 0
    """Number of listener returns and empty pulls whose offset was not stored yet."""
    searched: int = 0
    """The last offset that a search by time returned."""
    fixing: bool = False
    """Whether a first pull has queried the start offset, and the store has not used the answer."""
    how: str = ""
    """Reason of an update of the offset in memory."""
    mine: bool = False
    """Whether the last rebalance assigned the queue to the process."""
    closing: bool = False
    committed: int = NONE
    """The committed offset that the broker's last event showed."""
    heard: list[tuple[int, bool]] = field(default_factory=list)
    """Unused answers to offset queries, each as (offset, whether a first pull sent the query)."""

    @property
    def persisting(self) -> int:
        """Earliest time in ms at which a ``persistAll`` call can have read the offset that it commits next.

        A commit waits for its connection (from 5.x on). Calls that are older by more than a stall sent none.
        """
        return min(one for one in self.listed if one >= self.listed[-1] - STALL)


def _by_queue(life: Iterable[Event], kinds: tuple[type[Event], ...]) -> Mapping[str, list[Event]]:
    found: defaultdict[str, list[Event]] = defaultdict(list)
    for event in life:
        if isinstance(event, kinds) and (q := getattr(event, "q", "")):
            found[q].append(event)
    return found


class Consumer(Process):
    """History of one life of a consumer: the events of each queue, and what is known before each."""

    def __init__(
        self,
        trace: Trace,
        who: str,
        life: Sequence[Event],
        calls: Calls,
        brokers: Mapping[tuple[str, str], Committed],
        twice: Mapping[str, frozenset[tuple[str, int]]],
    ) -> None:
        """Read all events; ``brokers``: what brokers show; ``twice``: messages that any consumer received twice."""
        super().__init__(trace, who, life)
        self.brokers = brokers
        self.calls = calls.answered(who, life, QUERY, UPDATE)
        self.told: Told = told(life, twice.get(self.group, frozenset()))
        self.of = _by_queue(life, OF_QUEUE)
        """Queue -> the process's own events of its offsets and process queues."""
        self.commits: defaultdict[str, list[Ask]] = defaultdict(list)
        """Queue -> commits that the process has sent, also with pulls."""
        self.corrections = [one for one in removals(life, trace.release(who)) if one.illegal]
        self.resets, self.targets = [*resets_of(life, self.group, trace.end)], Targets(trace)
        self.leaves = next((one.row for one in life if isinstance(one, ShutdownBegin)), None)
        """Line number of the event with which the shutdown begins."""
        self.before: dict[tuple[int, str], Known] = {}
        """(identity of an event, queue) -> what is known before the event."""
        self.lives: defaultdict[str, list[list[Event]]] = defaultdict(list)
        """Queue -> its events, in one list up to each illegal offset. The model lacks their correction."""
        self._now: dict[str, Known] = {}
        self._aside: set[str] = set()
        self._asks: dict[int, Ask] = {}
        self._mine: defaultdict[str, set[str]] = defaultdict(set)
        for event in life:
            if isinstance(event, Ask) and event.said.q and commit(event) is not None:
                self.commits[event.said.q].append(event)
        for event in merged(trace, life, self.calls, (QUERY, UPDATE), "offset"):
            self._read(event)

    def _read(self, event: Event) -> None:
        """Add one event to its queues."""
        if isinstance(event, Ask):
            self._asks[event.opaque] = event
        elif isinstance(event, Allocate):
            self._mine[event.topic] = set(event.result or ())
        elif isinstance(event, Unsubscribed):
            self._mine.pop(event.topic, None)
        elif isinstance(event, ShutdownBegin):
            self.closing = True
        for q in self._queues(event):
            now = self._now.get(q)
            if now is None:
                now = self._now[q] = Known(event.at)
                self.lives[q].append([])
            if q in self._aside and not self._resumes(q, event):
                continue
            now.mine, now.closing = q in self._mine[topic_of(q)], self.closing
            if isinstance(event, OffsetUpdate):
                now.how = self._how(now, event)
            self.before[id(event), q] = copy(now)
            self.lives[q][-1].append(event)
            self._pass(q, now, event)

    def _queues(self, event: Event) -> Iterable[str]:
        if isinstance(event, OF_QUEUE):
            return (event.q,)
        if isinstance(event, Ask):
            return (event.said.q,) if event.code in (PULL, UPDATE, QUERY) and event.said.q else ()
        if isinstance(event, Answer):
            ask = self._asks.get(event.opaque)
            return (ask.said.q,) if ask and event.code in (QUERY, ENDS, SEARCHES) and ask.said.q else ()
        if isinstance(event, PersistAll | ShutdownEnd | BrokerStarting):
            return [*self._now]
        if isinstance(event, Answered):
            mine = event.asked.consumer_group == self.group and event.asked.q in self._now
            own = event.code == UPDATE or (event.who, event.row) in self.calls
            return (event.asked.q,) if mine and own and event.asked.q else ()
        if isinstance(event, Table) and (key := offset_of(event)):
            return (key.q,) if key.group == self.group and key.q in self._now else ()
        return ()

    def _resumes(self, q: str, event: Event) -> bool:
        """Return True if a rebalance reads the start offset again after an illegal offset."""
        call = self.calls.get((event.who, event.row)) if isinstance(event, Answered) else None
        if call is None or call.ask.code != QUERY or call.ask.thread == PULLING:
            return False
        # If the old process queue's removal is not over, it will drop the new process queue's offset.
        if any(one.q == q and one.since <= event.at < one.until for one in self.corrections):
            return False
        self._aside.remove(q)
        self._now[q].begun = event.at
        self.lives[q].append([])
        return True

    def _how(self, now: Known, event: OffsetUpdate) -> str:
        if event.increase_only:
            return STORED
        for fixes, how in ((True, FIXED), (False, READ)):
            if (event.offset, fixes) in now.heard:
                return how
        return RESET if self._rewinds(event) else STORED

    def _rewinds(self, event: OffsetUpdate) -> bool:
        """Return True if a reset of the process's offsets explains the update."""
        reset = self.reset(event.q, event.at)
        if reset is None or not self.targets.allows(reset, event.q, event.offset):
            return False
        if not self.ordered:
            return True
        # A listener that still runs stores its offset: a reset persists what it stores.
        persists = (one for one in self.of[event.q] if isinstance(one, Persist))
        return any(event.row < one.row and one.at - event.at <= STALL for one in persists)

    def reset(self, q: str, at: int) -> Reset | None:
        """Return the reset by the process that may concern the queue at the time ``at``, or None."""
        return next((one for one in self.resets if one.concerns(q, at)), None)

    def _pass(self, q: str, now: Known, event: Event) -> None:
        """Change what is known of a queue by an event."""
        match event:
            case Ask():
                self._sent(now, event)
            case Answer():
                self._answered(now, event)
            case OffsetUpdate():
                if now.how in (FIXED, READ):
                    now.heard = [*now.heard]
                    now.heard.remove((event.offset, now.how == FIXED))
                now.lost |= now.how == STORED
                now.owed = max(0, now.owed - (now.how == STORED))
                now.fixing &= now.how != FIXED
            case EntryNew():
                now.entry, now.persisted, now.since, now.pulled = event.entry, 0, event.at, event.at
            case EntryGone():
                now.entry, now.gone, now.going = "", event.at, None
                now.former, now.flying = now.former + now.flying, 0
            case Persist():
                if now.persisted != 1:  # an ordered consumer's reset persists the offset a second time
                    now.removed = event.at
                now.persisted, now.going, now.lost = now.persisted + 1, event.at, False
                now.unsent += 1
            case End():
                now.owed += 1
            case OffsetRemoved():
                now.going = None
            case Pulled():
                self._took(q, now, event)
            case PersistAll():
                if now.entry or now.going is not None:
                    now.listed = (*now.listed, event.at)
                if event.at - now.removed > STALL:
                    now.unsent = 0
            case BrokerStarting():
                now.loaded |= event.who == broker_of(q)
            case Table():
                now.loaded &= event.was is not None
                now.committed = NONE if event.is_ is None else int(event.is_)
            case Answered() if event.code == UPDATE and event.asked.commit_offset is not None:
                now.committed = event.asked.commit_offset

    def _sent(self, now: Known, event: Ask) -> None:
        if event.code == QUERY:
            now.fixing = event.thread == PULLING
        elif event.code == PULL:
            now.pulled, now.flying, now.fixing = event.at, now.flying + 1, False
        elif now.unsent:
            now.unsent -= 1
        elif now.listed:
            now.listed = now.listed[1:]

    def _answered(self, now: Known, event: Answer) -> None:
        offset, ask = event.said.offset, self._asks[event.opaque]
        if offset is not None and event.code == QUERY:
            now.heard = [*now.heard, (offset, ask.thread == PULLING)]
        elif offset is not None and event.code == SEARCHES:
            now.searched = offset

    def _took(self, q: str, now: Known, event: Pulled) -> None:
        now.since, now.owed = event.at, now.owed + (event.status in NOTHING)
        if not now.entry or (now.persisted and not now.flying):
            now.former -= now.former > 0 and event.at - now.gone < LATE
        else:
            now.flying = max(0, now.flying - 1)
        if event.status == ILLEGAL:
            self._aside.add(q)
            now.entry, now.heard, now.unsent = "", [], 0
