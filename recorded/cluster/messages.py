"""All messages of a recorded run: which were sent, and which of them brokers stored."""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rebalance_proofs.recorded.cluster.names import topic_of
from rebalance_proofs.recorded.cluster.tally import Tally, Unexplained
from rebalance_proofs.recorded.cluster.trace import STALL, Trace
from rebalance_proofs.recorded.groups.event import Queues, SendFailed, Sent
from rebalance_proofs.recorded.groups.member import Begin, Pulled

SENDING = 9_000
"""Longest time in ms to send a message: three attempts of 3 s.

Three attempts follow from ``retryTimesWhenSendFailed``.
"""


@dataclass
class Messages:
    """All messages that the producers of a run sent."""

    sent: Mapping[tuple[str, int], Sent]
    """(queue, offset) -> the producer's event after it sent this message successfully."""
    failed: Counter[str]
    """Queue -> number of failed sends; a broker may still have stored these messages."""
    keys: frozenset[str]
    """Keys of messages that a producer failed to send."""
    times: Mapping[str, list[int]]
    """Queue -> times in ms at which its messages were sent, ordered by offset."""
    topics: frozenset[str] = field(default_factory=frozenset)

    @classmethod
    def of(cls, trace: Trace) -> "Messages":
        """Collect all messages that the producers of a run sent."""
        sent = {(event.q, event.offset): event for event in trace.produced(Sent)}
        failed = trace.produced(SendFailed)
        times: defaultdict[str, list[int]] = defaultdict(list)
        for (q, _), event in sorted(sent.items()):
            times[q].append(event.at)
        topics = frozenset(event.topic for event in trace.produced(Queues))
        return cls(sent, Counter(one.q for one in failed), frozenset(one.key for one in failed), times, topics)

    def begun(self, event: Begin) -> None:
        """Check that the messages of a listener call were sent. Raises ``Unexplained``."""
        topic = topic_of(event.q)
        if topic not in self.topics:
            return
        for place, (offset, key) in enumerate(zip(event.offsets, event.keys, strict=True)):
            sent = self.sent.get((event.q, offset))
            if sent is None:
                if key not in self.keys and not self._late(event):
                    raise Unexplained(event, f"the producer has sent no message {key} at offset {offset}")
                continue
            if sent.key != key:
                raise Unexplained(event, f"the message at offset {offset} is {sent.key}, not {key}")
            born = event.at - event.born_ago
            if place == 0 and not -STALL <= sent.at - born <= SENDING + STALL:
                raise Unexplained(event, f"the message was created at {born} ms, but sent at {sent.at} ms")
            if place == 0 and sent.tag is not None and event.tag != sent.tag:
                raise Unexplained(event, f"the message was sent with tag {sent.tag}")

    def _late(self, event: Begin) -> bool:
        """Return True if the run may have ended before a producer received the answer to its send."""
        times = self.times.get(event.q)
        return not times or event.at - event.born_ago > max(times)

    def pulled(self, event: Pulled) -> None:
        """Check that the end offset in a pull's result fits the messages sent by then.

        Raises ``Unexplained``.
        """
        if topic_of(event.q) not in self.topics:
            return
        times = self.times.get(event.q, [])
        known = bisect_left(times, event.at + SENDING + STALL) + self.failed[event.q]
        if event.max > known + 1:
            raise Unexplained(event, f"the queue ends at {event.max}, but only {known} messages were sent by then")


def stored(trace: Trace, tally: Tally) -> None:
    """Check that the offsets of sent messages increase in each queue, and that keys are unique."""
    try:
        last: dict[tuple[str, str], int] = {}
        keys: set[tuple[str, str]] = set()
        of_queue: defaultdict[str, list[Sent]] = defaultdict(list)
        for event in trace.produced(Sent):
            before = last.get((event.who, event.q), -1)
            if event.offset <= before:
                raise Unexplained(event, f"offset {event.offset} was stored after offset {before}")
            if (event.who, event.key) in keys:
                raise Unexplained(event, f"the key {event.key} was used before")
            keys.add((event.who, event.key))
            last[event.who, event.q] = event.offset
            of_queue[event.q].append(event)
            tally.events += 1
            tally.shown["stored"] += 1
        failed = Counter(one.q for one in trace.produced(SendFailed))
        for q, sent in of_queue.items():
            _no_holes(q, sorted(sent, key=lambda event: event.offset), failed[q])
    except Unexplained as found:
        tally.reject(found.event.who, found)


def _no_holes(q: str, sent: Sequence[Sent], failed: int) -> None:
    """Check that all offsets up to the last were sent.

    Failed sends may explain as many missing offsets.
    """
    expected = 0
    for event in sent:
        if event.offset < expected:
            raise Unexplained(event, f"two messages were stored at offset {event.offset} of {q}")
        failed -= event.offset - expected
        if failed < 0:
            raise Unexplained(event, f"no message was sent at offset {expected} of {q}")
        expected = event.offset + 1
