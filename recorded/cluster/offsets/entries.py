"""Check a process queue's start offset and its removal from the process queue table."""

from rebalance_proofs.model.client.process_queue_table import PULL_MAX_IDLE_TIME
from rebalance_proofs.model.machine.values import And, Bool, Not, Or
from rebalance_proofs.model.machines.offsets.state import Offsets
from rebalance_proofs.model.transition.numbers import NO_OFFSET
from rebalance_proofs.recorded.cluster.effects import UNHEARD
from rebalance_proofs.recorded.cluster.follow import Move, Way, does
from rebalance_proofs.recorded.cluster.names import topic_of
from rebalance_proofs.recorded.cluster.offsets.brokers import commit
from rebalance_proofs.recorded.cluster.offsets.following import Following, Message, Place
from rebalance_proofs.recorded.cluster.offsets.known import Known
from rebalance_proofs.recorded.cluster.tally import Unexplained
from rebalance_proofs.recorded.cluster.trace import STALL
from rebalance_proofs.recorded.groups.event import PULL, Event
from rebalance_proofs.recorded.groups.member import (
    Ask,
    Entry,
    EntryGone,
    EntryNew,
    OffsetRead,
    OffsetRemoved,
    OffsetUpdate,
    Persist,
)
from rebalance_proofs.recorded.groups.names import numbers

# Check the offset in a consumer's memory (its ``OffsetStore``): updates and commits.


def _about(s: Offsets, value: int, *, increases: bool) -> bool:
    """Return True if a thread is about to store the offset ``value`` in memory."""
    return bool(s.recording and s.recorded == value) if increases else bool(s.noting and s.noted == value)


class Memory:
    """Checks of one consumer's offset store. All methods raise ``Unexplained``.

    ``place`` is the state of one queue at this consumer.
    """

    def __init__(self, known: Known) -> None:
        self.known = known

    def updated(self, place: Place, event: OffsetUpdate) -> None:
        """Check an update of the offset in memory."""
        value = event.offset
        if not event.increase_only and (value, True) in place.heard:
            place.heard.remove((value, True))
            self._fixed(place, event)
            return
        if not event.increase_only and (value, False) in place.heard:
            place.heard.remove((value, False))
            place.base.keeps(event, "no rebalance has received that answer", lambda s: s.asking and s.answer == value)
            return
        if not event.increase_only and self._rewound(place, event):
            return
        place.owed, place.lost = max(0, place.owed - 1), True
        for follower, message in place.followed:
            if message is None and value in place.early:
                place.early.remove(value)
                continue
            first: list[Way] = [(), self.known.others(value)]
            first += self.known.returns(message, value) if message else []
            if event.increase_only:
                first.append((does("empty", more=0),))
            if not event.increase_only and not self.known.ordered:
                raise Unexplained(event, f"offset {value} replaces the one in memory, but no reset has asked for it")
            self._put(follower, event, value, first, increases=event.increase_only)

    def _rewound(self, place: Place, event: OffsetUpdate) -> bool:
        """Check an update by an offset reset; return False if no reset explains it."""
        value, reset = event.offset, self.known.reset(place.q, event.at)
        if reset is None or not self.known.targets.allows(reset, place.q, value):
            return False
        persists = (one for one in self.known.trace.kind(Persist, self.known.who) if one.q == place.q)
        if self.known.ordered and not any(event.row < one.row and one.at - event.at <= STALL for one in persists):
            return False  # a listener that still runs stores its offset: a reset persists what it stores
        suspends = does("suspends", zero=int(value == 0), offset=value)
        ways: list[Way] = [(does("rewinds"),), (suspends, does("rewinds"))]
        for follower, _ in place.followed:
            follower.show(event, ways, "a reset stores its offset in memory", seen=lambda s: s.memory == value)
        return True

    def _put(self, follower: Following, event: Event, value: int, first: list[Way], *, increases: bool) -> None:
        """Check that the offset ``value`` may be stored in memory, and store it.

        If no thread is about to store it, the actions ``first`` come before.
        """
        puts = does("records", more=0) if increases else does("notes")
        found: dict[Offsets, None] = {}
        used: Way = ()
        for state in follower.states:
            for way in first:
                for before in follower.after(state, way, event.at):
                    if not _about(before, value, increases=increases):
                        continue
                    for after in follower.after(before, (puts,), event.at):
                        found[after] = None
                        used = used or (*way, puts)
            if state.recording and state.recorded != value and state.but(recorded=value) in follower.states:
                # Several offsets are about to be stored; the state contains another one of them.
                for after in follower.after(state.but(recorded=value), (puts,), event.at):
                    found[follower.alike(after.but(recording=True, recorded=state.recorded))] = None
        if not found:
            near = follower.nearest(follower.states, [(*way, puts) for way in first], event.at)
            why = f"offset {value} is stored in memory, but no offset was to be stored"
            raise Unexplained(event, why, follower.told(follower.states), near)
        follower.tally.shown.update(move.action for move in used)
        follower.tally.hidden += len(used) - 1
        follower.tally.most_states = max(follower.tally.most_states, len(found))
        follower.states = found

    def _fixed(self, place: Place, event: OffsetUpdate) -> None:
        """Check that the first pull uses the broker's answer to its query of the start offset."""
        value = event.offset
        asked = does("fixes", silent=0, error=0, zero=0, older=0, offset=place.searched)
        zero = does("fixes", silent=0, error=0, zero=1, older=0, offset=place.searched)
        older = does("fixes", silent=0, error=0, zero=0, older=1, offset=value)
        ways: list[Way] = [(older,), (does("overtaken", offset=value),)]
        committed = next(iter(place.base.states)).committed
        for follower, message in place.followed:
            if message:
                follower.change(lambda s: s.but(committed=committed))
            now, why = dict(follower.states), "no first pull has received that answer"
            try:
                follower.show(event, [(asked,), (zero,)], why, seen=lambda s: s.memory == value)
            except Unexplained:
                follower.states = now
                follower.show(event, ways, why, seen=lambda s: s.memory == value)
        place.fixing = False

    def sent(self, place: Place, event: Ask) -> None:
        """Check a commit, sent by the offset store or with a pull."""
        value, base = commit(event), place.base
        if value is None:
            self._none(place, event)
            return
        left = next((one for one in place.unsent if value in one), None)
        if left is not None and event.code != PULL:
            place.unsent.remove(left)
            return
        since = place.since if event.code == PULL else self.known.persisting
        since = since if place.going is None else min(since, place.going)
        if event.code != PULL:
            if not place.listed:
                raise Unexplained(event, f"it commits {value}, but its offset was not to be persisted")
            place.listed -= 1
        try:
            base.sends(event, value, f"it commits {value}, but the offset in memory differs")
        except Unexplained:
            self.known.tally.widened += 1
            if place.had(value, since):
                return
            if not place.owed or value not in self.known.upcoming(place.q, event):
                raise
            # The store records an update after the change of its memory.
            first: list[Way] = [(), self.known.others(value)]
            first += [] if self.known.ordered else [(does("empty", more=0),)]
            self._put(base, event, value, first, increases=not self.known.ordered)
            base.sends(event, value, f"it commits {value}")
            place.early.append(value)

    def _none(self, place: Place, event: Ask) -> None:
        """Check a pull that commits nothing: memory has no offset, or the offset is not above 0."""

        def none(s: Offsets) -> bool:
            return bool(s.memory == NO_OFFSET or s.memory <= 0)

        base = place.base
        if event.code != PULL or any(map(none, base.states)):
            return
        if place.had(NO_OFFSET, place.since) or place.had(0, place.since):
            self.known.tally.widened += 1
            return
        base.show(event, [(does("forgets"),)], "it commits nothing, but there is an offset in memory", seen=none)


class Entries:
    """Checks of one consumer's process queues. All methods raise ``Unexplained``.

    ``place`` is the state of one queue at this consumer.
    """

    def __init__(self, known: Known) -> None:
        self.known = known

    def read(self, place: Place, event: OffsetRead) -> None:
        """Check that reading the start offset has failed."""
        if place.fixing or event.result != UNHEARD or place.base.present:
            return
        asks: list[Way] = [(does("asks", silent=int(not error), error=error, zero=0, replica=0),) for error in (0, 1)]
        again: list[Way] = [(does("adds", offset=0), *way) for way in asks]
        for follower, _ in place.followed:
            follower.show(event, [(), *asks, *again], "no rebalance reads an offset now", seen=lambda s: s.asking)

    def new(self, place: Place, event: EntryNew) -> None:
        """Check that a rebalance may add the queue."""
        adds: Way = (does("adds", offset=place.searched),)
        for follower, _ in place.followed:
            follower.show(event, [adds], "no rebalance has received a start offset", seen=lambda s: s.present)
        place.entry, place.persisted, place.since, place.pulled = event.entry, False, event.at, event.at
        place.kept = frozenset()

    def persists(self, place: Place, event: Persist) -> None:
        """Check that a removed process queue's offset may be persisted.

        A rebalance or an offset reset persists it. From 5.2 on, an ordered consumer's reset persists it twice: before
        and after it waits for the listener. The machine removes the process queue the first time.
        """
        again = self.known.ordered and numbers(self.known.release) >= (5, 2) and place.persisted and place.entry
        if again and place.kept and not place.base.present:
            place.unsent.append(place.kept)
            place.kept = frozenset()
            return
        for follower, message in place.followed:
            self._before(place, follower, message, event)
            ways = [*self._revokes(place, event), self._takes("retires")]
            follower.show(event, ways, "its offset is persisted, but no rebalance removes the entry")
            self._left(place, follower, message, event)
        place.persisted, place.going, place.lost = True, event.at, False

    def _revokes(self, place: Place, event: Event) -> list[Way]:
        """Return possible causes of the queue's removal: it was reassigned, or its pull expired."""
        mine = place.q in self.known.mine[topic_of(place.q)]
        if not mine or self.known.closing:
            return [self._takes("revokes", in_set=0)]
        idle = event.at - place.pulled > PULL_MAX_IDLE_TIME
        return [self._takes("revokes", in_set=1)] if idle else []

    def _takes(self, action: str, **choices: int) -> Way:
        stale = {} if self.known.ordered else {"held": 0, "stale": 0}
        return (Move(action, {"more": 0, **choices, **stale}),)

    def removed(self, place: Place, event: OffsetRemoved) -> None:
        """Check that the offset store may drop the queue's offset.

        It drops the offset when a process queue is removed, or before a new start offset is read.
        """
        place.going = None
        if place.entry and place.persisted:
            if place.lost and all(s.memory != NO_OFFSET for s in place.base.states):
                # The machine commits and drops the offset in one step.
                self.known.tally.widened += 1
                for follower, _ in place.followed:
                    follower.change(lambda s: s.but(memory=NO_OFFSET))
            place.base.keeps(event, "its offset is dropped", lambda s: s.memory == NO_OFFSET)

    def seen(self, place: Place, event: Entry) -> None:
        """Check a poll that showed the process queue as dropped."""
        if not event.dropped or event.entry != place.entry:
            return
        for follower, message in place.followed:
            self._before(place, follower, message, event)
            marks: list[Way] = [(), (does("marks"),), *self.known.resetting(place.q, event.at)]
            follower.show(event, marks, "its entry is dropped", seen=lambda s: Or(s.dropped, Not(s.present)))

    def gone(self, place: Place, event: EntryGone) -> None:
        """Check that the process queue may be removed from the table."""
        for follower, message in place.followed:
            if event.how == "clear":
                self._before(place, follower, message, event)
                ways: list[Way] = [(does("shuts", more=0),)]
            else:
                ways = self._goes(place, message, event)
                if not place.persisted:
                    self._before(place, follower, message, event)
            follower.show(event, ways, "its entry is removed from the table", seen=lambda s: Not(s.present))
            self._left(place, follower, message, event)
        place.entry, place.gone, place.going = "", event.at, None
        place.former, place.flying = place.former + place.flying, 0

    def _goes(self, place: Place, message: Message | None, event: EntryGone) -> list[Way]:
        """Return possible times of the removal in the model.

        A rebalance removes the queue when it persists the offset, or now if it waited for the listener. Without a
        persisted offset, the topic was unsubscribed.
        """
        if not place.persisted:
            return [(does("unsubscribes"),)]
        first: list[Way] = [(), *self._ended(message)]
        return [(), *((*one, *takes) for one in first for takes in self._revokes(place, event))]

    def _left(self, place: Place, follower: Following, message: Message | None, event: Event) -> None:
        """Remember the commit of a removed process queue, and whether its listener had returned."""
        values = follower.left()
        if message is None and values:
            if isinstance(event, EntryGone):
                self._committed(place, event, values)
            else:
                place.unsent.append(values)
                place.kept = values
        if message and message.returned and any(s.late for s in follower.states):
            half = int(message.returned.interrupted)
            late = [s for s in follower.states if s.late]
            ended: Way = (does("ends_late", more=0, half=half),)
            rest = [s for s in follower.states if not s.late]
            after = [one for s in late for one in follower.after(s, ended, event.at)]
            follower.states = dict.fromkeys((*rest, *after))

    def _committed(self, place: Place, event: EntryGone, values: frozenset[int]) -> None:
        """Check that a shutdown has committed the offset in memory.

        The table is cleared some time after the commit. An interrupted listener can return in between.
        """
        commits = [one for one in self.known.updates.get(place.q, ()) if one.row > self.known.closing_row]
        value = commits[-1].said.commit_offset if commits else None
        sent = commits[-1].at if commits else 0
        if value is not None and value not in values and place.had(value, sent, sent + STALL):
            self.known.tally.widened += 1
        elif value not in values:
            said, meant = "nothing" if value is None else value, ", ".join(map(str, sorted(values)))
            raise Unexplained(event, f"its shutdown committed {said}, but the offset in memory was {meant}")
        if commits[-1].row > event.row:
            place.unsent.append(values)

    def _ended(self, message: Message | None) -> list[Way]:
        """Return the actions by which the listener has returned from a dropped process queue."""
        return self.known.returns(message, message.returned.to + 1) if message and message.returned else []

    def _before(self, place: Place, follower: Following, message: Message | None, event: Event) -> None:
        """Add the states after steps of other threads whose events come only after the removal."""
        offsets = self.known.upcoming(place.q, event)
        note: list[Way] = [self.known.others(offset) for offset in offsets]
        if message is not None:
            begins = self.known.told.begins.get((place.q, message.offset), ())
            last = event.at + self.known.slack(event.at, event.at + STALL)
            if any(one.row > event.row and one.at <= last for one in begins):
                follower.let(event.at, (does("starts"),))
            for offset in offsets:
                note += self.known.returns(message, offset)
            if any(s.dropped for s in follower.states):
                follower.let(event.at, *self._ended(message))
        follower.let(event.at, *note)
        nothing = self.known.found_nothing(place.q, event)
        if nothing is not None:
            # The machine's pulls end empty only while there is an entry, and their offset is stored later. Messages
            # that were passed over have arrived by then.
            # came by then.
            here = [s.but(end=max(s.end, nothing)) for s in follower.states if s.present]
            empty, passes = does("empty", more=0), does("passes", offset=nothing)
            found = [
                one for s in here for way in ((empty,), (passes, empty)) for one in follower.after(s, way, event.at)
            ]
            follower.tally.hidden += len(found)
            follower.states |= dict.fromkeys(found)
            self.known.tally.widened += 1

    def ends(self, place: Place, event: Event, at: int) -> None:
        """Check the queue's state when its process was killed."""
        place.base.show(event, [(does("crashes"),)], "its process has ended", at=at, seen=_closed)


def _closed(s: Offsets) -> Bool:
    return And(s.closed, Not(s.present))
