"""Offsets in one consumer's memory: each that is noted is behind messages from which the listener has returned."""

from collections import defaultdict

from rebalance_proofs.recorded.cluster.listeners.calls import Listening
from rebalance_proofs.recorded.cluster.listeners.pulls import Pulls
from rebalance_proofs.recorded.cluster.listeners.tables import Table, Tables
from rebalance_proofs.recorded.cluster.tally import Tally, Unexplained
from rebalance_proofs.recorded.groups.codes import ENDS, QUERY
from rebalance_proofs.recorded.groups.member import Answer, Ask, OffsetRemoved, OffsetUpdate

__all__ = ["Noted"]


class Noted:
    """The offset store of one process."""

    def __init__(self, tables: Tables, pulls: Pulls, listening: Listening, tally: Tally) -> None:
        self.tables, self.pulls, self.listening, self.tally = tables, pulls, listening, tally
        self.queried: defaultdict[str, list[int]] = defaultdict(list)
        """Queue -> answers about its offset that the store has not taken yet."""
        self.asked: dict[int, Ask] = {}

    def asks(self, event: Ask) -> None:
        """A request is about to be sent."""
        self.asked[event.opaque] = event

    def answered(self, event: Answer) -> None:
        """A broker has answered, about an offset or another thing."""
        ask = self.asked.pop(event.opaque, None)
        if event.code == QUERY and ask and ask.said.q and event.said.offset is not None:
            self.queried[ask.said.q].append(event.said.offset)
        if event.code == ENDS and ask and ask.said.q and event.said.offset is not None:
            self.tables.read[f"max {ask.said.q}"] = event.said.offset

    def removed(self, event: OffsetRemoved) -> None:
        """An offset is forgotten."""
        self.queried.pop(event.q, None)

    def updated(self, event: OffsetUpdate) -> None:
        """An offset is noted. Raises ``Unexplained``."""
        if not event.increase_only and self._told(event):
            self.tally.shown["noted-as-told"] += 1
            return
        known = self.tables.known(event.q)
        whys = [why for one in known if (why := self._noted(one, event)) is not None]
        if len(whys) < len(known):
            self.tally.shown["noted"] += 1
            return
        # The newest: an older one can be of a pull that left its messages in the entry, and has corrected nothing.
        corrects = [one for one in self.pulls.corrects[event.q] if one.next == event.offset]
        if not event.increase_only or not corrects:
            raise Unexplained(event, whys[0] if whys else f"{event.q} has no entry")
        self.pulls.corrects[event.q].remove(corrects[-1])
        self.tally.shown["corrected"] += 1

    def _told(self, event: OffsetUpdate) -> bool:
        """Whether the offset is a broker's answer, or corrects an illegal one."""
        answers = self.queried.get(event.q, [])
        if event.offset in answers:
            answers.remove(event.offset)
            return True
        return self.pulls.illegal.pop(event.q, None) == event.offset

    def _noted(self, table: Table, event: OffsetUpdate) -> str | None:
        """Why the offset cannot be noted for that entry; None if it can, which is counted then."""
        if table.noted >= table.ends:
            return f"offset {event.offset} is noted, and no listener has returned since"
        if self.tables.ordered:
            done = table.messages.get(event.offset - 1)
            if done is None or done.end is None or done.begin.offsets[-1] != event.offset - 1:
                return f"offset {event.offset} is noted, and no listener has returned from the one before"
        else:
            why = self._least(table, event)
            if why:
                return why
        table.noted += 1
        return None

    def _least(self, table: Table, event: OffsetUpdate) -> str:
        """``removeMessage`` gives the least offset that is left, or that behind the last one."""
        value, low = event.offset, table.low
        while low < value and (low not in table.messages or self._over(table, low)):
            low += 1
        table.low = max(table.low, low)
        if low < value:
            return f"offset {value} is noted, and the listener has not returned from {low}"
        if value == table.top + 1:
            return ""
        if value not in table.messages:
            return f"offset {value} is noted, which was not pulled"
        call = table.messages[value]
        passed = None if call is None else call.passed
        if passed is None:
            return ""
        # Who notes it has taken its own message out before that: its call had returned then.
        pending = (one.end for one in self.listening.calls.values() if one.entry is table and one.end is not None)
        if any(end.row < passed.row for end in pending if end is not None):
            return ""
        return f"offset {value} is noted, and the message was done with before (line {passed.row})"

    @staticmethod
    def _over(table: Table, offset: int) -> bool:
        call = table.messages[offset]
        return call is not None and call.end is not None
