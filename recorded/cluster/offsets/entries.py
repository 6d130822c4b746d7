"""The entry of a queue: where it begins, and how it leaves the table."""

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

__all__ = ["Entries"]

UNHEARD = -2
"""``readOffset`` of a query without an answer, or with an error."""


class Entries:
    """The entries of one consumer. All methods raise ``Unexplained``."""

    def __init__(self, known: Known) -> None:
        self.known = known

    def read(self, place: Place, event: OffsetRead) -> None:
        """The store has no offset for who asked where to begin."""
        if place.fixing or event.result != UNHEARD or place.base.present:
            return
        asks: list[Way] = [(does("asks", silent=int(not error), error=error, zero=0, replica=0),) for error in (0, 1)]
        again: list[Way] = [(does("adds", offset=0), *way) for way in asks]
        for follower, _ in place.followed:
            follower.show(event, [(), *asks, *again], "no rebalance asks now", seen=lambda s: s.asking)

    def new(self, place: Place, event: EntryNew) -> None:
        """The rebalance adds the queue."""
        adds: Way = (does("adds", offset=place.searched),)
        for follower, _ in place.followed:
            follower.show(event, [adds], "no rebalance has heard where it begins", seen=lambda s: s.present)
        place.entry, place.persisted, place.since, place.pulled = event.entry, False, event.at, event.at

    def persists(self, place: Place, event: Persist) -> None:
        """A rebalance persists the offset of an entry that it takes away, or a reset does."""
        for follower, message in place.followed:
            self._before(place, follower, message, event)
            ways = [*self._revokes(place, event), self._takes("retires")]
            follower.show(event, ways, "its offset is persisted, and no rebalance takes the entry away")
            self._left(place, follower, message, event)
        place.persisted, place.going, place.lost = True, event.at, False

    def _revokes(self, place: Place, event: Event) -> list[Way]:
        """The ways in which a rebalance can take the queue now: it is another's, or no pull was sent for long."""
        mine = place.q in self.known.mine[topic_of(place.q)]
        if not mine or self.known.closing:
            return [self._takes("revokes", in_set=0)]
        idle = event.at - place.pulled > PULL_MAX_IDLE_TIME
        return [self._takes("revokes", in_set=1)] if idle else []

    def _takes(self, action: str, **choices: int) -> Way:
        stale = {} if self.known.ordered else {"held": 0, "stale": 0}
        return (Move(action, {"more": 0, **choices, **stale}),)

    def removed(self, place: Place, event: OffsetRemoved) -> None:
        """An offset is forgotten: of an entry that is taken away, or before a new one is asked for."""
        place.going = None
        if place.entry and place.persisted:
            if place.lost and all(s.memory != NO_OFFSET for s in place.base.states):
                # The machine commits and forgets at once.
                self.known.tally.widened += 1
                for follower, _ in place.followed:
                    follower.change(lambda s: s.but(memory=NO_OFFSET))
            place.base.keeps(event, "its offset is forgotten", lambda s: s.memory == NO_OFFSET)

    def seen(self, place: Place, event: Entry) -> None:
        """A look has seen the entry marked."""
        if not event.dropped or event.entry != place.entry:
            return
        for follower, message in place.followed:
            self._before(place, follower, message, event)
            marks: list[Way] = [(), (does("marks"),)]
            follower.show(event, marks, "its entry is marked", seen=lambda s: Or(s.dropped, Not(s.present)))

    def gone(self, place: Place, event: EntryGone) -> None:
        """The entry has left the table."""
        for follower, message in place.followed:
            if event.how == "clear":
                self._before(place, follower, message, event)
                ways: list[Way] = [(does("shuts", more=0),)]
            else:
                ways = self._goes(place, message, event)
                if not place.persisted:
                    self._before(place, follower, message, event)
            follower.show(event, ways, "its entry leaves the table", seen=lambda s: Not(s.present))
            self._left(place, follower, message, event)
        place.entry, place.gone, place.going = "", event.at, None
        place.former, place.flying = place.former + place.flying, 0

    def _goes(self, place: Place, message: Message | None, event: EntryGone) -> list[Way]:
        """It has gone as its offset was persisted, or now, if the listener was waited for; else the topic has gone."""
        if not place.persisted:
            return [(does("unsubscribes"),)]
        first: list[Way] = [(), *self._ended(message)]
        return [(), *((*one, *takes) for one in first for takes in self._revokes(place, event))]

    def _left(self, place: Place, follower: Following, message: Message | None, event: Event) -> None:
        """The entry has left with a commit; and the listener has returned before, or it is called still."""
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
        """A shutdown has committed what it leaves behind."""
        commits = [one for one in self.known.updates.get(place.q, ()) if one.row > self.known.closing_row]
        value = commits[-1].said.commit_offset if commits else None
        if value not in values:
            said, meant = "nothing" if value is None else value, ", ".join(map(str, sorted(values)))
            raise Unexplained(event, f"its shutdown has committed {said}, and the offset in memory was {meant}")
        if commits[-1].row > event.row:
            place.unsent.append(values)

    def _ended(self, message: Message | None) -> list[Way]:
        """The ways in which the listener has returned from the message, for an entry that is marked."""
        return self.known.returns(message, message.returned.to + 1) if message and message.returned else []

    def _before(self, place: Place, follower: Following, message: Message | None, event: Event) -> None:
        """What threads were about when the entry was marked, and what is told of them later."""
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
            # The machine's pulls find nothing while there is an entry, and note it later; the messages that were passed
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
        """The process has ended without a word."""
        place.base.show(event, [(does("crashes"),)], "its process has ended", at=at, seen=_closed)


def _closed(s: Offsets) -> Bool:
    return And(s.closed, Not(s.present))
