"""Check one queue's committed offset at the broker against polls, answers and commits."""

from collections.abc import Callable

from rebalance_proofs.model.client.environment import NOT_FOUND
from rebalance_proofs.model.machine.values import number
from rebalance_proofs.model.offsets.state import NONE, Offsets
from rebalance_proofs.model.transition.numbers import BROKER_ERROR
from rebalance_proofs.recorded.cluster.follow import Way, does
from rebalance_proofs.recorded.cluster.offsets.known import Known
from rebalance_proofs.recorded.cluster.offsets.place import Place
from rebalance_proofs.recorded.cluster.requests import Call
from rebalance_proofs.recorded.cluster.tally import Unexplained
from rebalance_proofs.recorded.cluster.trace import STALL
from rebalance_proofs.recorded.groups.broker import Answered, Table
from rebalance_proofs.recorded.groups.codes import PULLING
from rebalance_proofs.recorded.groups.event import Event

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
        if not place.base.arrived(event.at, value):
            raise Unexplained(event, f"{value} cannot be committed")

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
        for follower, _ in place.followed:
            # The committed offset belongs to the queue, not to the message.
            follower.change(lambda s: s.but(committed=value if older else now))
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
