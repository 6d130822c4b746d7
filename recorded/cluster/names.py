"""Full queue names for requests, which name only ``topic:queueId``.

The broker is implied by the connection.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import replace

from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.recorded.groups.broker import Answered, BrokerStarting, Heard
from rebalance_proofs.recorded.groups.event import Event, Request
from rebalance_proofs.recorded.groups.member import Ask, Threw

Events = Mapping[str, list[Event]]


def queue(q: str) -> MessageQueue:
    """Return the queue with the recorded name ``topic:brokerName:queueId``."""
    topic, broker, number = q.rsplit(":", 2)
    return MessageQueue(topic, broker, int(number))


def broker_of(q: str) -> str:
    """Return the broker of a queue's recorded name."""
    return q.rsplit(":", 2)[-2]


def topic_of(q: str) -> str:
    """Return the topic of a queue's recorded name, with or without broker.

    The name is ``topic:brokerName:queueId`` or ``topic:queueId``. A topic alone is returned unchanged. Topics contain
    no colon.
    """
    return q.partition(":")[0]


def whole_names(of: Events) -> Events:
    """Return the events with full queue names in requests whose broker is known.

    A full name is ``topic:brokerName:queueId``.
    """
    brokers = [who for who, events in of.items() if any(isinstance(event, BrokerStarting) for event in events)]
    addresses = _addresses(of, brokers)
    return {who: [_named(event, brokers, addresses) for event in events] for who, events in of.items()}


def _addresses(of: Events, brokers: list[str]) -> Mapping[str, str]:
    """Return address -> broker name, as most recorded requests between client and broker show."""
    if len(brokers) == 1:
        return defaultdict(lambda: brokers[0])
    came: defaultdict[tuple[str, int, str], set[str]] = defaultdict(set)
    for broker in brokers:
        for event in of[broker]:
            if isinstance(event, Heard) and event.said.client_id:
                came[event.code, event.opaque, event.said.client_id].add(broker)
    votes: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for events in of.values():
        for event in events:
            if isinstance(event, Ask) and event.said.client_id:
                votes[event.to].update(came.get((event.code, event.opaque, event.said.client_id), ()))
    return {address: count.most_common(1)[0][0] for address, count in votes.items() if count}


def _named(event: Event, brokers: list[str], addresses: Mapping[str, str]) -> Event:
    if isinstance(event, Ask) and event.said.q and brokers:
        broker = addresses[event.to] if len(brokers) == 1 else addresses.get(event.to)
        return replace(event, said=_whole(event.said, broker)) if broker else event
    if isinstance(event, Threw) and event.q.count(":") == 1 and brokers:
        broker = brokers[0] if len(brokers) == 1 else addresses.get(event.to)
        topic, _, number = event.q.rpartition(":")
        return replace(event, q=f"{topic}:{broker}:{number}") if broker else event
    if isinstance(event, Answered) and event.asked.q:
        return replace(event, asked=_whole(event.asked, event.who))
    if isinstance(event, Heard) and event.said.q:
        return replace(event, said=_whole(event.said, event.who))
    return event


def _whole(said: Request, broker: str) -> Request:
    topic, colon, number = str(said.q).rpartition(":")
    return replace(said, q=f"{topic}:{broker}:{number}") if colon else said
