"""Check the offset in a consumer's memory (its ``OffsetStore``): updates and commits."""

from rebalance_proofs.model.offsets.state import Offsets
from rebalance_proofs.model.transition.numbers import NO_OFFSET
from rebalance_proofs.recorded.cluster.follow import Way, does
from rebalance_proofs.recorded.cluster.offsets.brokers import commit
from rebalance_proofs.recorded.cluster.offsets.following import Following
from rebalance_proofs.recorded.cluster.offsets.known import Known
from rebalance_proofs.recorded.cluster.offsets.place import Place
from rebalance_proofs.recorded.cluster.tally import Unexplained
from rebalance_proofs.recorded.groups.codes import PULL
from rebalance_proofs.recorded.groups.event import Event
from rebalance_proofs.recorded.groups.member import Ask, OffsetUpdate


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
                first = [(does("suspends", zero=0, offset=value), does("rewinds"))]
                follower.show(event, first, "the offset in memory is replaced")
                continue
            self._put(follower, event, value, first, increases=event.increase_only)

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
