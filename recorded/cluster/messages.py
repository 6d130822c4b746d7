"""Messages: what the producer stored, and what brokers say of it."""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field

from rebalance_proofs.recorded.cluster.tally import Tally, Unexplained
from rebalance_proofs.recorded.cluster.trace import PRODUCER, STALL, Trace
from rebalance_proofs.recorded.groups.member import Begin, Pulled
from rebalance_proofs.recorded.groups.producer import Queues, SendFailed, Sent

__all__ = ["Messages", "stored"]

SENDING = 9_000
"""How long sending one message takes at most, in ms: three tries of 3 s (``retryTimesWhenSendFailed``)."""


@dataclass
class Messages:
    """All messages of a run."""

    sent: Mapping[tuple[str, int], Sent]
    """Queue and offset -> what the producer was told."""
    failed: Counter[str]
    """Queue -> how many messages the producer does not know of; a broker may have stored them."""
    keys: frozenset[str]
    """The keys of those."""
    times: Mapping[str, list[int]]
    """Queue -> when its messages were sent, by offset."""
    topics: frozenset[str] = field(default_factory=frozenset)

    @classmethod
    def of(cls, trace: Trace) -> "Messages":
        """The messages of a run."""
        sent = {(event.q, event.offset): event for event in trace.kind(Sent, PRODUCER)}
        failed = trace.kind(SendFailed, PRODUCER)
        times: defaultdict[str, list[int]] = defaultdict(list)
        for (q, _), event in sorted(sent.items()):
            times[q].append(event.at)
        topics = frozenset(event.topic for event in trace.kind(Queues, PRODUCER))
        return cls(sent, Counter(one.q for one in failed), frozenset(one.key for one in failed), times, topics)

    def begun(self, event: Begin) -> None:
        """Hold a call's messages to what was sent. Raises ``Unexplained``."""
        topic = event.q.partition(":")[0]
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
                raise Unexplained(event, f"the message was made at {born} ms, and sent at {sent.at} ms")
            if place == 0 and sent.tag is not None and event.tag != sent.tag:
                raise Unexplained(event, f"the message was sent with tag {sent.tag}")

    def _late(self, event: Begin) -> bool:
        """Whether the producer may not have been told yet when the run ended."""
        times = self.times.get(event.q)
        return not times or event.at - event.born_ago > max(times)

    def pulled(self, event: Pulled) -> None:
        """Hold a pull's result to what was sent. Raises ``Unexplained``."""
        if event.q.partition(":")[0] not in self.topics:
            return
        times = self.times.get(event.q, [])
        known = bisect_left(times, event.at + SENDING + STALL) + self.failed[event.q]
        if event.max > known + 1:
            raise Unexplained(event, f"the queue's end is {event.max}, and {known} messages were sent by then")


def stored(trace: Trace, tally: Tally) -> None:
    """Hold the producer's messages to each other: offsets of a queue follow each other, and keys are used once."""
    last: dict[str, Sent] = {}
    holes: Counter[str] = Counter()
    failed: Counter[str] = Counter()
    of_queue: defaultdict[str, list[SendFailed]] = defaultdict(list)
    keys: set[str] = set()
    try:
        for one in trace.kind(SendFailed, PRODUCER):
            of_queue[one.q].append(one)
            failed[one.q] += 1
        for event in trace.kind(Sent, PRODUCER):
            before = last.get(event.q)
            expected = before.offset + 1 if before else 0
            if event.offset < expected:
                raise Unexplained(event, f"offset {event.offset} was stored after offset {expected - 1}")
            holes[event.q] += event.offset - expected
            if holes[event.q] > failed[event.q]:
                raise Unexplained(event, f"nothing was sent at offset {expected} of {event.q}")
            if event.key in keys:
                raise Unexplained(event, f"the key {event.key} was used before")
            keys.add(event.key)
            last[event.q] = event
            tally.events += 1
            tally.shown["stored"] += 1
    except Unexplained as found:
        tally.reject(PRODUCER, found)
