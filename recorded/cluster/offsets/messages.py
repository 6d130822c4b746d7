"""Check a queue's pulls, and the selected messages until their offset is stored."""

from collections.abc import Callable

from rebalance_proofs.model.client.environment import NOT_FOUND
from rebalance_proofs.model.machine.values import Not, Or, number
from rebalance_proofs.model.machines.offsets.state import Offsets
from rebalance_proofs.model.offsets.broker import NONE
from rebalance_proofs.model.transition.numbers import BROKER_ERROR
from rebalance_proofs.recorded.cluster.follow import Way, does
from rebalance_proofs.recorded.cluster.names import topic_of
from rebalance_proofs.recorded.cluster.offsets.following import Message, Place, pending
from rebalance_proofs.recorded.cluster.offsets.known import LATE, NOTHING, Known
from rebalance_proofs.recorded.cluster.requests import Call
from rebalance_proofs.recorded.cluster.tally import Unexplained
from rebalance_proofs.recorded.cluster.trace import STALL
from rebalance_proofs.recorded.groups.broker import Answered, Table
from rebalance_proofs.recorded.groups.event import PULLING, Event
from rebalance_proofs.recorded.groups.member import Ask, Begin, End, Pulled

# Check one queue's committed offset at the broker against polls, answers and commits.

OK, ABSENT = 0, 22
"""Codes of a broker's answer to an offset query: an offset, or none (``QUERY_NOT_FOUND``)."""


class Stored:
    """Checks of the committed offsets of one consumer's queues.

    All methods raise ``Unexplained``. ``place`` is the state of one queue at this consumer.
    """

    def __init__(self, known: Known) -> None:
        self.known = known

    def row(self, place: Place, event: Table) -> None:
        """Check a poll that showed another committed offset."""
        value = NONE if event.is_ is None else int(event.is_)
        if event.was is None and place.loaded is not None:
            self._loads(place, event, value)
            return
        self._is(place, event, value, lambda s: bool(s.committed == value), f"{event.of} is {event.is_}")

    def arrived(self, place: Place, event: Answered) -> None:
        """Check a commit that arrived at the broker, from any consumer."""
        value = event.asked.commit_offset
        assert value is not None
        landed = (event.who, event.row) in place.committed.landed
        if not landed and not place.committed.under_way(self.known.trace, value, event.at):
            raise Unexplained(event, f"{value} is committed, but no consumer has sent it")
        before = dict(place.base.states)
        if not place.base.arrived(event.at, value):
            raise Unexplained(event, f"{value} cannot be committed")
        if place.committed.is_reset(event.at):  # the broker may ignore it
            place.base.states |= before

    def asked(self, place: Place, event: Answered, call: Call) -> None:
        """Check the broker's answer to a query of the start offset."""
        said, base = event.said, place.base
        value = said.offset if said.code == OK and said.offset is not None else NONE

        def so(s: Offsets) -> bool:
            none = value == NONE or (value == 0 and said.code == OK)
            return number(s.committed) == value or (number(s.committed) < 0 and none)

        older = False
        if said.code in (OK, ABSENT):
            older = self._is(place, event, value, so, f"the broker answers {said.offset}")
        read = self.known.read(place.q, call.ask)
        if call.ask.thread == PULLING or call.answer is None or read is None or read.row < call.answer.row:
            return
        now = next(iter(base.states)).committed
        heard = value if said.code == OK else NOT_FOUND if said.code == ABSENT else BROKER_ERROR
        error = int(said.code not in (OK, ABSENT))
        asks = [does("asks", silent=0, error=error, zero=zero, replica=0) for zero in (0, 1)]
        ways: list[Way] = [way for one in asks for way in ((one,), (does("adds", offset=0), one))]
        twice = self.known.asks_twice(call)
        self.known.tally.widened += twice
        for follower, _ in place.followed:
            # The committed offset belongs to the queue, not to the message.
            follower.change(lambda s: s.but(committed=value if older else now))
            if twice:
                follower.let(event.at, *ways)
            else:
                follower.show(
                    event, ways, "no rebalance reads an offset now", seen=lambda s: s.asking and s.answer == heard
                )
            follower.change(lambda s: s.but(committed=now))

    def _is(self, place: Place, event: Event, value: int, so: Callable[[Offsets], bool], why: str) -> bool:
        """Check the committed offset ``value`` by the condition ``so``.

        Return True if the condition held a little before, but not now.
        """
        base = place.base
        if any(map(so, base.states)):
            base.states = {s: None for s in base.states if so(s)}
            return False
        if place.committed.under_way(self.known.trace, value, event.at) and base.arrived(event.at, value):
            base.tally.hidden += 1
            if any(map(so, base.states)):
                base.states = {s: None for s in base.states if so(s)}
                return False
        elif place.loaded is not None:
            self._loads(place, event, value)
            return False
        elif any(map(so, base.lately(event.at, STALL))):
            self.known.tally.widened += 1
            return True
        elif isinstance(event, Answered) and place.committed.is_reset(event.at, value):
            return True  # a broker's table may have another offset by now, but it answers with that of the reset
        raise Unexplained(event, f"{why}, but no consumer has committed it", base.told(base.states))

    def _loads(self, place: Place, event: Event, value: int) -> None:
        """Accept the offset that a restarted broker has loaded from disk, if it was ever committed.

        Or it was committed again before the first look.
        """
        committed = place.committed
        if value != NONE and not (
            committed.was(value, event.at - 1) or committed.under_way(self.known.trace, value, event.at)
        ):
            raise Unexplained(event, f"{value} was never committed before the broker's restart")
        place.base.change(lambda s: s.but(committed=value))
        self.known.tally.widened += 1
        if isinstance(event, Table):
            place.loaded = None


class Messages:
    """Checks of one consumer's pulls and messages. All methods raise ``Unexplained``.

    ``place`` is the state of one queue at this consumer.
    """

    def __init__(self, known: Known) -> None:
        self.known = known

    def asks(self, place: Place, event: Ask) -> None:
        """Check that a pull continues at the offset of its process queue."""
        offset, base = event.said.queue_offset, place.base
        ordered = self.known.ordered

        def goes_on(s: Offsets) -> bool:
            return not s.present or (number(s.next) == offset and bool(s.fixed or not ordered))

        if place.fixing:
            self._unheard(place, event)
        late = place.gone and event.at - place.gone <= self.known.slack(place.gone, event.at)
        if not late or any(map(goes_on, base.states)):
            base.keeps(event, f"it is pulled from {offset}", goes_on)
        place.pulled, place.flying = event.at, place.flying + 1

    def _unheard(self, place: Place, event: Ask) -> None:
        """Check a first pull whose query of the start offset failed or found none."""
        more = {"older": 0, "offset": place.searched}
        ways: list[Way] = [(does("fixes", silent=1, error=0, zero=0, **more),)]
        ways += [(does("fixes", silent=0, error=error, zero=0, **more),) for error in (0, 1)]
        now = dict(place.base.states)
        place.base.show(event, [(), *ways], "no first pull was answered")
        place.base.states |= now
        place.fixing = False

    def came(self, place: Place, event: Pulled) -> None:
        """Check the result of a pull: its messages, and the next offset."""
        place.owed += event.status in NOTHING
        base, late = place.base, place.former > 0 and event.at - place.gone < LATE
        place.since = event.at
        base.change(lambda s: s.but(end=max(s.end, event.max, event.next)))
        ways: list[Way] = [(does("passes", offset=event.next),)]
        before = dict(base.states)
        if not base.present:
            place.former -= int(late)
            return
        place.flying = max(0, place.flying - 1)
        for follower, message in place.followed:
            if message:
                follower.change(lambda s: s.but(end=max(s.end, event.max, event.next)))
            pulls: list[Way] = [(does("pulls", offset=event.next),)] if message else []
            why = f"the next pull is from {event.next}"
            follower.show(event, [(), *ways, *pulls], why, seen=lambda s: self._at(s, event, late=late))
        for offset in event.got:
            if (place.q, place.entry, offset) in self.known.told.chosen and offset not in place.messages:
                self._begins(place, event, offset, before, late=late)

    def _at(self, s: Offsets, event: Pulled, *, late: bool) -> bool:
        return bool(late or not s.present or s.next == event.next)

    def _begins(self, place: Place, event: Pulled, offset: int, before: dict[Offsets, None], *, late: bool) -> None:
        """Begin to follow a message that a pull has brought.

        Before, it was treated as one that never arrives.
        """
        follower = self.known.following(place.q, offset)
        end = max(event.max, event.next)
        follower.begin(*(s.but(end=offset) for s in before if s.next <= offset or not s.present))
        follower.show(event, [(does("arrives"),)], "the message has not arrived")
        follower.change(lambda s: s.but(end=end))
        ways: list[Way] = [(does("pulls", offset=event.next),), *([()] if late else [])]
        follower.show(event, ways, f"the message at offset {offset} is pulled")
        place.messages[offset] = Message(offset, follower)
        self.known.messages += 1

    def begins(self, place: Place, event: Begin) -> None:
        """Check a listener call: the selected messages in it must be waiting for the listener."""
        for message in self._of(place, event.offsets[0], event.offsets[-1]):
            follower = message.follower
            now, why = dict(follower.states), f"the listener is called with {message.offset}"
            try:
                follower.show(event, [(does("starts"),)], why)
                message.returned = None
            except Unexplained:
                # The call was about to start when the entry was dropped.
                follower.states = {s: None for s in now if s.runs or s.late}
                if not follower.states:
                    raise

    def ends(self, place: Place, event: End) -> None:
        """Check the return of a listener from the selected messages."""
        place.owed += 1
        called, last = self._call(place, event)
        if called and called.at < place.again:  # the call began before an illegal offset: the model does not follow it
            return
        for message in self._of(place, event.from_, event.to):
            follower = message.follower
            follower.keeps(event, f"no listener is called with {message.offset}", lambda s: Or(s.runs, s.late))
            half = int(event.interrupted)
            late: Way = (does("ends_late", more=0, half=half),)
            if called is not last:  # the call of a former process queue; the next one has the message, too
                follower.show(event, [late], "the listener returns")
                continue
            message.returned = event
            if event.interrupted:
                cut: list[Way] = [(), (does("interrupts"),)]
                follower.show(event, cut, "no shutdown has interrupted its listener", seen=lambda s: s.cut)
            if any(s.runs and s.late for s in follower.states):
                follower.show(event, [(), late], "the listener returns")
            else:
                follower.show(event, [(), late], "the listener returns", seen=lambda s: Not(s.late))

    def _call(self, place: Place, event: End) -> tuple[Begin | None, Begin | None]:
        """Return the listener call that returns, and the last call with the same message; None if unknown."""
        calls = [one for one in self.known.told.begins.get((place.q, event.from_), ()) if one.row < event.row]
        own = [one for one in calls if event.thread in (None, one.thread)]
        return (own[-1], calls[-1]) if own else (None, None)

    def _of(self, place: Place, first: int, last: int) -> list[Message]:
        return [message for offset, message in place.messages.items() if first <= offset <= last]

    def passed(self, place: Place, event: Event) -> None:
        """Check that no step of a followed message is overdue, and stop following finished messages."""
        for offset, message in [*place.messages.items()]:
            self._noted(place, message, event)
            if not any(map(pending, message.follower.states)):
                del place.messages[offset]

    def _noted(self, place: Place, message: Message, event: Event) -> None:
        """Check that an offset is stored soon after the listener's return.

        It is not stored if the process queue is dropped.
        """
        end = message.returned
        if end is None or event.at - end.at <= self.known.slack(end.at, event.at):
            return
        topic = topic_of(place.q)
        follower = message.follower
        if self.known.closing and place.entry and any(s.runs and s.cut for s in follower.states):
            # It was interrupted and stores nothing; an ordered listener's batch stays in the process queue.
            cut: Way = (does("returns_interrupted", half=int(end.interrupted)),)
            follower.show(event, [cut, ()], "its listener has returned", seen=lambda s: Not(s.runs))
        if self.known.closing or place.q not in self.known.mine[topic]:
            return
        left = [s for s in follower.states if not s.runs or s.dropped]
        if not left:
            why = f"the listener returned from {message.offset} at {end.at} ms, but no offset was stored"
            raise Unexplained(event, why, follower.told(follower.states))
        follower.states = dict.fromkeys(left)
