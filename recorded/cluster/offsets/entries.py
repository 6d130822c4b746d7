"""Check a process queue's start offset and its removal from the process queue table."""

from rebalance_proofs.model.client.process_queue import PULL_MAX_IDLE_TIME
from rebalance_proofs.model.machine.values import And, Bool, Not, Or
from rebalance_proofs.model.offsets.state import Offsets
from rebalance_proofs.model.transition.numbers import NO_OFFSET
from rebalance_proofs.recorded.cluster.follow import Move, Way, does
from rebalance_proofs.recorded.cluster.names import topic_of
from rebalance_proofs.recorded.cluster.offsets.following import Following
from rebalance_proofs.recorded.cluster.offsets.known import Known
from rebalance_proofs.recorded.cluster.offsets.place import Message, Place
from rebalance_proofs.recorded.cluster.tally import Unexplained
from rebalance_proofs.recorded.cluster.trace import STALL
from rebalance_proofs.recorded.groups.event import Event
from rebalance_proofs.recorded.groups.member import Entry, EntryGone, EntryNew, OffsetRead, OffsetRemoved, Persist

UNHEARD = -2
"""Result of ``OffsetStore.readOffset`` if its query fails or gets no answer."""


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

    def persists(self, place: Place, event: Persist) -> None:
        """Check that a removed process queue's offset may be persisted.

        A rebalance or an offset reset persists it.
        """
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
            marks: list[Way] = [(), (does("marks"),)]
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
