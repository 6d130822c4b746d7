"""Check one consumer's in-memory offsets (its ``OffsetStore``).

Each stored offset must follow messages whose listener has returned, or be a broker's answer.
"""

from collections import defaultdict

from rebalance_proofs.recorded.cluster.listeners.calls import Listening
from rebalance_proofs.recorded.cluster.listeners.pulls import Pulls
from rebalance_proofs.recorded.cluster.listeners.tables import Table, Tables
from rebalance_proofs.recorded.cluster.tally import Tally, Unexplained
from rebalance_proofs.recorded.groups.codes import ENDS, QUERY
from rebalance_proofs.recorded.groups.member import Answer, Ask, OffsetRemoved, OffsetUpdate


class Noted:
    """Checks the offset store of one process."""

    def __init__(self, tables: Tables, pulls: Pulls, listening: Listening, tally: Tally) -> None:
        self.tables, self.pulls, self.listening, self.tally = tables, pulls, listening, tally
        self.queried: defaultdict[str, list[int]] = defaultdict(list)
        """Queue -> a broker's answers about its committed offset that the store has not used yet."""
        self.asked: dict[int, Ask] = {}

    def asks(self, event: Ask) -> None:
        """Remember an offset query that is about to be sent."""
        self.asked[event.opaque] = event

    def answered(self, event: Answer) -> None:
        """Store the offset in a broker's answer, which the offset store may use."""
        ask = self.asked.pop(event.opaque, None)
        if event.code == QUERY and ask and ask.said.q and event.said.offset is not None:
            self.queried[ask.said.q].append(event.said.offset)
        if event.code == ENDS and ask and ask.said.q and event.said.offset is not None:
            self.tables.read[f"max {ask.said.q}"] = event.said.offset

    def removed(self, event: OffsetRemoved) -> None:
        """Forget the offset that the store removed."""
        self.queried.pop(event.q, None)

    def updated(self, event: OffsetUpdate) -> None:
        """Check an offset that is stored in memory. Raises ``Unexplained``."""
        if not event.increase_only and self._told(event):
            self.tally.shown["noted-as-told"] += 1
            return
        known = self.tables.known(event.q)
        whys = [why for one in known if (why := self._noted(one, event)) is not None]
        if len(whys) < len(known):
            self.tally.shown["noted"] += 1
            return
        # Take the newest pull: an older one may have left messages in the entry and corrected nothing.
        corrects = [one for one in self.pulls.corrects[event.q] if one.next == event.offset]
        if not event.increase_only or not corrects:
            raise Unexplained(event, whys[0] if whys else f"{event.q} has no entry")
        self.pulls.corrects[event.q].remove(corrects[-1])
        self.tally.shown["corrected"] += 1

    def _told(self, event: OffsetUpdate) -> bool:
        """Return True if the stored offset is a broker's answer, or replaces an illegal offset."""
        answers = self.queried.get(event.q, [])
        if event.offset in answers:
            answers.remove(event.offset)
            return True
        return self.pulls.illegal.pop(event.q, None) == event.offset

    def _noted(self, table: Table, event: OffsetUpdate) -> str | None:
        """Return why the offset cannot be stored for this process queue.

        If the offset can be stored, count it and return None.
        """
        if table.noted >= table.ends:
            return f"offset {event.offset} was stored, but no listener has returned since"
        if self.tables.ordered:
            done = table.messages.get(event.offset - 1)
            if done is None or done.end is None or done.begin.offsets[-1] != event.offset - 1:
                return f"offset {event.offset} was stored, but no listener has returned from the message before"
        else:
            why = self._least(table, event)
            if why:
                return why
        table.noted += 1
        return None

    def _least(self, table: Table, event: OffsetUpdate) -> str:
        """Check that the offset is the least unfinished message's, or follows the last message.

        ``ProcessQueue#removeMessage`` computes it. Return its kind, for the counters.
        """
        value, low = event.offset, table.low
        while low < value and (low not in table.messages or self._over(table, low)):
            low += 1
        table.low = max(table.low, low)
        if low < value:
            return f"offset {value} was stored, but the listener has not returned from {low}"
        if value == table.top + 1:
            return ""
        if value not in table.messages:
            return f"offset {value} was stored, but not pulled"
        call = table.messages[value]
        passed = None if call is None else call.passed
        if passed is None:
            return ""
        # The thread that stores the offset has removed its own message before: its call had returned then.
        pending = (one.end for one in self.listening.calls.values() if one.entry is table and one.end is not None)
        if any(end.row < passed.row for end in pending if end is not None):
            return ""
        return f"offset {value} was stored, but its message was finished before (line {passed.row})"

    @staticmethod
    def _over(table: Table, offset: int) -> bool:
        call = table.messages[offset]
        return call is not None and call.end is not None
