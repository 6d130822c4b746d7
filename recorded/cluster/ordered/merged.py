"""The events of one ordered consumer and of its locks at brokers, in one order."""

from collections.abc import Iterator, Sequence
from heapq import merge

from rebalance_proofs.recorded.cluster.ordered.spans import LOCK, UNLOCK
from rebalance_proofs.recorded.cluster.trace import Trace
from rebalance_proofs.recorded.groups.broker import Answered, BrokerStarting, Table
from rebalance_proofs.recorded.groups.event import Event
from rebalance_proofs.recorded.groups.member import Allocate, Ask

__all__ = ["client_id", "merged"]


def client_id(life: Sequence[Event]) -> str:
    """The client id of a process, by which a broker knows it: for the broker, two processes with one id are one."""
    said = (
        event.said.client_id if isinstance(event, Ask) else event.cid
        for event in life
        if isinstance(event, (Ask, Allocate))
    )
    return next((one for one in said if one), "")


def merged(trace: Trace, who: str, life: Sequence[Event]) -> Iterator[Event]:
    """The process's events and those of brokers' locks; of one millisecond what asks is first, what hears is last."""

    def own() -> Iterator[tuple[int, int, Event]]:
        last = (0, 0)
        for event in life:
            last = max(last, (event.at, 0 if isinstance(event, Ask) else 2))
            yield *last, event

    def brokers() -> Iterator[tuple[int, int, Event]]:
        until = life[-1].at
        for broker in trace.brokers:
            for event in trace.of[broker]:
                lock = isinstance(event, Answered) and event.code in (LOCK, UNLOCK)
                row = isinstance(event, Table) and event.what == "lock"
                if (lock or row or isinstance(event, BrokerStarting)) and event.at <= until:
                    yield event.at, 1, event

    streams = (own(), sorted(brokers(), key=lambda each: each[0]))
    return (event for _, _, event in merge(*streams, key=lambda each: each[:2]))
