"""One message of one queue, two consumers with concurrent listeners, and the offset that the broker has.

From RebalancePushImpl, RemoteBrokerOffsetStore, ConsumeMessageConcurrentlyService and DefaultMQPushConsumerImpl. The
message's offset is 1. The group has committed 1, or nothing.
"""

from collections.abc import Collection, Iterator
from typing import NamedTuple

MESSAGE, MAX, NONE, NOT_ASKED = 1, 2, -1, -2


class Consumer(NamedTuple):
    asked: int = NOT_ASKED  # answer to the offset query of a rebalance that adds the queue
    found: bool = True  # the broker had an offset, which goes into ``offsetTable``
    next: int = NONE  # of the process queue in the table
    cached: bool = False
    runs: bool = False  # the listener, with the message
    late: bool = False  # the listener, with the message of a removed process queue
    records: tuple[int, ...] = ()  # offsets about to be written to ``offsetTable``
    memory: int = NONE  # ``offsetTable``
    sent: tuple[int, ...] = ()  # commits on their way
    told: bool = False  # the message was committed when this consumer asked
    consumed: bool = False  # it was consumed when this consumer asked


class State(NamedTuple):
    committed: int
    consumers: tuple[Consumer, Consumer] = (Consumer(), Consumer())
    done: int = 0  # whether a listener call has ended
    held: bool = False  # a listener call with the message ran when its process queue was removed
    seen: str = ""


class Offsets:
    """All steps; ``assumed``: names of assumptions; ``tracked``: fields that matter for
    a question; ``errors_as_none``: of releases up to 4.9.8."""

    def __init__(
        self,
        assumed: Collection[str],
        tracked: Collection[str],
        *,
        errors_as_none: bool,
        first: bool,
        one_commit: bool = False,
    ) -> None:
        self.assumed, self.errors_as_none = frozenset(assumed), errors_as_none
        self.tracked = frozenset(tracked)
        self.one_commit = one_commit  # a commit replaces another one of the consumer that is on its way
        self.start = 0 if first else MAX  # CONSUME_FROM_FIRST_OFFSET or CONSUME_FROM_LAST_OFFSET

    def first(self) -> State:
        return State(MESSAGE if "committed" in self.assumed else NONE)

    def after(self, s: State) -> Iterator[tuple[str, State]]:
        if s.done and "first-time" in self.tracked:
            return  # the message was consumed, and cannot be skipped any more
        s = s._replace(seen="")
        for i, c in enumerate(s.consumers):
            for name, then, changes in self._steps(c, s, s.consumers[1 - i]):
                consumers = (then, s.consumers[1]) if i == 0 else (s.consumers[0], then)
                changes = {one: value for one, value in changes.items() if one != "held" or "held" in self.tracked}
                yield name, s._replace(consumers=tuple(sorted(consumers)), **changes)  # both consumers are alike

    def _steps(self, c: Consumer, s: State, other: Consumer) -> Iterator[tuple[str, Consumer, dict[str, object]]]:
        there = c.next != NONE
        yield from ((name, then, {}) for name, then in self._rebalances(c, s, other))
        if c.asked != NOT_ASKED:  # readOffset keeps what the broker has answered
            memory = c.asked if c.found else c.memory
            yield "adds", c._replace(asked=NOT_ASKED, found=True, next=c.asked, memory=memory, cached=False), {}
        if there:  # updateProcessQueueTableInRebalance: persist, removeOffset
            sent = self._sends(c)
            gone = c._replace(next=NONE, cached=False, memory=NONE, sent=sent, runs=False, late=c.late or c.runs)
            yield "revokes", gone, {"held": s.held or c.runs}
            if c.memory != NONE:
                yield "persists", c._replace(sent=self._sends(c)), {}
            if c.next <= MESSAGE:
                yield "pulls", c._replace(next=MAX, cached=True), {}
            elif not c.cached and not c.runs:  # correctTagsOffset
                yield "pulls nothing", c._replace(records=_with(c.records, c.next)), {}
        if c.cached:
            yield "starts", c._replace(cached=False, runs=True), {"seen": "committed" if c.told else ""}
        if c.runs:  # processConsumeResult
            ended = c._replace(runs=False, records=_with(c.records, MAX))
            yield "ends", ended, self._ended(s, c)
        if c.late:
            yield "ends, dropped", c._replace(late=False), self._ended(s, c)
        for value in c.records:
            memory = max(c.memory, value)
            yield "records", c._replace(records=_without(c.records, value), memory=memory), {}
        for value in c.sent:
            back = "back" if value < s.committed else ""
            yield "commits", c._replace(sent=_without(c.sent, value)), {"committed": value, "seen": back}

    def _sends(self, c: Consumer) -> tuple[int, ...]:
        """The broker handles commits in several threads, so they can arrive in any order."""
        if c.memory == NONE:
            return c.sent
        return (c.memory,) if self.one_commit else _with(c.sent, c.memory)

    @staticmethod
    def _ended(s: State, c: Consumer) -> dict[str, object]:
        again = s.done > 0
        seen = "again" if again and c.consumed else "again, was in a call" if again and s.held else "again, new"
        return {"done": 1, "seen": seen if again else ""}

    def _rebalances(self, c: Consumer, s: State, other: Consumer) -> Iterator[tuple[str, Consumer]]:
        if c.next != NONE or c.asked != NOT_ASKED:
            return
        if "in-turn" in self.assumed and (other.next != NONE or other.asked != NOT_ASKED):
            return
        told = s.committed > MESSAGE and "told" in self.tracked
        asks = c._replace(memory=NONE, told=told, consumed=s.done > 0 and "held" in self.tracked)  # removeDirtyOffset
        answers = [s.committed]
        if "master" not in self.assumed:
            answers.append(MESSAGE if "committed" in self.assumed else NONE)  # a replica has what was there at first
        for answer in answers:
            found = answer != NONE
            yield "asks", asks._replace(asked=answer if found else self.start, found=found)
        if "answers" not in self.assumed and self.errors_as_none:
            yield "asks, error", asks._replace(asked=self.start, found=False)


def _with(values: tuple[int, ...], value: int) -> tuple[int, ...]:
    return tuple(sorted({*values, value}))


def _without(values: tuple[int, ...], value: int) -> tuple[int, ...]:
    return tuple(one for one in values if one != value)
