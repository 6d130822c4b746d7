"""Check that a rebalance uses a topic's new queues only after a poll of the route."""

from collections.abc import Iterator

from rebalance_proofs.model.machine.values import Not
from rebalance_proofs.model.registry.limits import Limits
from rebalance_proofs.model.registry.state import Member as State
from rebalance_proofs.model.registry.state import Said, Variant
from rebalance_proofs.recorded.cluster.follow import Follower, does
from rebalance_proofs.recorded.cluster.registry.seen import Seen
from rebalance_proofs.recorded.cluster.trace import STALL, Trace
from rebalance_proofs.recorded.groups.driver import Topics
from rebalance_proofs.recorded.groups.event import Event
from rebalance_proofs.recorded.groups.member import Allocate
from rebalance_proofs.recorded.groups.run import DRIVER, of_kind

SAYING = 10_000
"""Longest time in ms between the creation of a topic and the driver's event about it."""


class Route:
    """The last change of a topic's queues while a consumer ran, and its later rebalances."""

    def __init__(self, trace: Trace, seen: Seen) -> None:
        shares = trace.kind(Allocate, seen.who) if seen.who else []
        grown = [
            (event, topic)
            for event in of_kind(trace.of[DRIVER], Topics)
            for topic in (spec.partition(":")[0] for spec in event.spec.split(","))
            if any(one.topic == topic and one.at < event.at - STALL for one in shares)
        ]
        self.topics = grown[-1][0] if grown else None
        self.shares = [one for one in shares if grown and one.topic == grown[-1][1]]
        self.queues = self.shares[-1].mq_all if self.shares else None
        if self.topics is not None and self.queues == self.shares[0].mq_all:
            self.topics = None  # no observed change

    def events(self) -> Iterator[tuple[int, int, Event]]:
        """Yield the change and each rebalance of the topic, each as (time in ms, line number, event).

        Yield nothing if the topic's queues did not change.
        """
        if self.topics is not None:
            yield self.topics.at, self.topics.row, self.topics
            yield from ((one.at, one.row, one) for one in self.shares)

    def shown(self, follower: Follower[State, Said, Limits, Variant], event: Event) -> None:
        """Check the change of queues, or which queues a rebalance uses. Raises ``Unexplained``."""
        if isinstance(event, Topics):
            follower.show(event, [(does("moves"),), ()], "the route changes", seen=lambda s: s.moved)
        elif isinstance(event, Allocate) and self.topics is not None:
            if event.mq_all == self.queues:
                polled = (does("polls"),)
                # The driver writes the event when the topic already exists.
                soon = self.topics.at - SAYING <= event.at < self.topics.at
                ways = [(), polled, (does("moves"), *polled)] if soon else [(), polled]
                follower.show(
                    event, ways, "a rebalance has queues that no route poll has returned", seen=lambda s: s.seen
                )
            else:
                follower.show(event, [()], "a rebalance lacks queues that it had", seen=lambda s: Not(s.seen))
