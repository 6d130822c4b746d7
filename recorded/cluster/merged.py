"""Merge one consumer's events with brokers' events about it, in order of time."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from rebalance_proofs.recorded.cluster.requests import Call
from rebalance_proofs.recorded.cluster.trace import Trace
from rebalance_proofs.recorded.groups.broker import Answered, BrokerStarting, Table
from rebalance_proofs.recorded.groups.event import Event
from rebalance_proofs.recorded.groups.member import Allocate, Ask


def client_id(life: Sequence[Event]) -> str:
    """Return the client id of a process; ``life`` are the process's events.

    A broker treats two processes with the same client id as one client.
    """
    said = (
        event.said.client_id if isinstance(event, Ask) else event.cid
        for event in life
        if isinstance(event, (Ask, Allocate))
    )
    return next((one for one in said if one), "")


def merged(
    trace: Trace, life: Sequence[Event], calls: Mapping[tuple[str, int], Call], codes: Collection[str], table: str
) -> Iterator[Event]:
    """Yield a process's events and brokers' events about it, in order of time.

    ``life``: the process's events. Included are brokers' answers to requests with these ``codes``, and changes of the
    broker's table named ``table``. Within one millisecond, requests come first and answers last. ``calls`` gives exact
    orders: a request comes before its answer by the broker, and the client receives the answer after that.
    """
    own, brokers = _by_time(life), _by_time(_of_brokers(trace, life[-1].at, codes, table))
    for at in sorted(own.keys() | brokers.keys()):
        yield from _at_once(own.get(at, ()), brokers.get(at, ()), calls)


def _by_time(events: Iterable[Event]) -> Mapping[int, list[Event]]:
    found: defaultdict[int, list[Event]] = defaultdict(list)
    for event in events:
        found[event.at].append(event)
    return found


def _of_brokers(trace: Trace, until: int, codes: Collection[str], table: str) -> Iterator[Event]:
    for broker in trace.brokers:
        for event in trace.of[broker]:
            answer = isinstance(event, Answered) and event.code in codes
            row = isinstance(event, Table) and event.what == table
            if (answer or row or isinstance(event, BrokerStarting)) and event.at <= until:
                yield event


def _at_once(own: Sequence[Event], brokers: Sequence[Event], calls: Mapping[tuple[str, int], Call]) -> Iterator[Event]:
    matched = [calls.get((event.who, event.row)) for event in brokers]
    asked = {call.ask.row for call in matched if call}
    last = max((place for place, event in enumerate(own) if isinstance(event, Ask) and event.row in asked), default=-1)
    first = next((place for place, event in enumerate(own) if not isinstance(event, Ask)), len(own))
    told = 0
    for place, event in enumerate(own):
        if place >= max(last + 1, first):
            until = len(brokers)
        else:
            heard = [at for at, call in enumerate(matched) if call and call.answer is event]
            until = heard[0] + 1 if heard else 0
        yield from brokers[told:until]
        told = max(told, until)
        yield event
    yield from brokers[told:]
