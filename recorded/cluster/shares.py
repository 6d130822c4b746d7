"""Check the queues that each rebalance assigned, by running the model's strategies, and when strategies are called."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence

from rebalance_proofs.model.allocation import ALL, Strategy
from rebalance_proofs.model.allocation.strategy import AllocationError
from rebalance_proofs.model.profiles import JAVA_V5
from rebalance_proofs.recorded.cluster.names import queue
from rebalance_proofs.recorded.cluster.requests import LEAST_WAIT, MOST_WAIT
from rebalance_proofs.recorded.cluster.tally import CODE, Tally, Unexplained
from rebalance_proofs.recorded.cluster.trace import STALL, Trace
from rebalance_proofs.recorded.groups.driver import StartConsumer
from rebalance_proofs.recorded.groups.event import LIST, REBALANCING, Event
from rebalance_proofs.recorded.groups.member import (
    Allocate,
    Answer,
    Ask,
    ShutdownBegin,
    Starting,
    Subscribed,
    Unsubscribed,
)

MACHINE = "allocation"
DEFAULT = "AllocateMessageQueueAveragely"
CONFIGURED = ("CONFIG", "MACHINE_ROOM", "MACHINE_ROOM_NEARBY")
"""Strategies whose result depends on a setting that no event contains; they are not checked."""
OF_CLASS = {
    strategy.source.partition("#")[0].rpartition(".")[2]: strategy for strategy in ALL if "#" in strategy.source
}


def check(trace: Trace) -> Tally:
    """Check rebalance results against the model, and their input lists against brokers' answers."""
    tally = Tally(MACHINE, CODE)
    for who, started in trace.consumers.items():
        tally.about += 1
        try:
            for name in _held(trace, who, started):
                tally.shown[name] += 1
                tally.events += 1
        except Unexplained as found:
            tally.reject(who, found)
    return tally


def _held(trace: Trace, who: str, started: StartConsumer) -> Iterator[str]:
    told: list[tuple[str, ...]] = []
    strategy = OF_CLASS.get(started.strategy.rpartition(".")[2])
    for event in trace.of[who]:
        if isinstance(event, Starting):
            told.clear()
            given = event.options.get("strategy", DEFAULT)
            if given.rpartition(".")[2] != started.strategy.rpartition(".")[2]:
                raise Unexplained(event, f"the driver started it with {started.strategy}, but it reports {given}")
        elif isinstance(event, Answer) and event.code == LIST:
            told.append(event.said.ids or ())
        elif isinstance(event, Allocate):
            _lists(event, told, trace, who)
            if strategy is None or strategy.rocketmq_name in CONFIGURED:
                yield "not-held"
                continue
            _computed(event, strategy)
            yield strategy.name


def _lists(event: Allocate, told: Sequence[tuple[str, ...]], trace: Trace, who: str) -> None:
    ids = event.cid_all or ()
    last = told[-1] if told else ()
    if sorted(ids) != sorted(last):
        raise Unexplained(event, f"cidAll is {list(ids)}, but the broker's last answer was {list(last)}")
    if list(ids) != list(JAVA_V5.sort_client_ids(list(ids))):
        raise Unexplained(event, f"cidAll is {list(ids)}, which is not sorted")
    queues = [queue(q) for q in event.mq_all or ()]
    if queues != list(JAVA_V5.sort_queues(queues)):
        raise Unexplained(event, "mqAll is not sorted")
    if len(set(queues)) < len(queues):
        raise Unexplained(event, "mqAll contains a queue twice")


def _computed(event: Allocate, strategy: Strategy) -> None:
    if event.strategy != strategy.rocketmq_name:
        raise Unexplained(event, f"the strategy is {event.strategy}, but the start has {strategy.rocketmq_name}")
    said = None if event.result is None else list(event.result)
    try:
        computed = strategy.allocate(event.cid, [queue(q) for q in event.mq_all or ()], list(event.cid_all or ()))
    except AllocationError as error:
        if event.error is None:
            raise Unexplained(event, f"{strategy.rocketmq_name} throws: {error}") from error
        return
    named = None if computed is None else [f"{one.topic}:{one.broker_name}:{one.queue_id}" for one in computed]
    if event.error is not None or named != said:
        raise Unexplained(event, f"{strategy.rocketmq_name} gives {named}, but the result was {event.error or said}")


# Lists of consumer ids, and the calls of the strategy that use them.


def listed(trace: Trace, life: Sequence[Event]) -> None:
    """Check that the strategy is called for each known topic after each list of consumer ids."""
    away = [(since, until + MOST_WAIT) for broker in trace.brokers for since, until in trace.away(broker)]
    before = 0
    topics, good, waits = trace.topics(life[0].who), Counter[str](), False
    threads: defaultdict[str, set[str]] = defaultdict(set)
    failed: set[str] = set()
    gone = {event.topic for event in life if isinstance(event, Unsubscribed)}
    for event, ask in answered(life):
        if any(since <= event.at and before <= until for since, until in away):
            failed.update(good)  # a client without a connection sends no request
        before = event.at
        if isinstance(event, Ask) and event.said.groups:
            topics = max([topics, *(len(one.subs) for one in event.said.groups)])
        elif isinstance(event, Ask) and event.code == LIST:
            if event.thread == REBALANCING:
                failed.update(good if waits else ())
                waits = True
        elif isinstance(event, Answer) and event.code == LIST:
            waits = False
            late = ask is not None and event.at - ask.at >= LEAST_WAIT  # the thread may have given up
            failed.update(() if event.said.ids and not late else good)
            for topic in good:
                good[topic] += 1
                # A thread that calls ``resume()`` also requests the ids, once per topic.
                threads[topic].add(ask.thread if ask else REBALANCING)
                most = topics * len(threads[topic])
                if good[topic] > most and topic not in failed | gone:
                    raise Unexplained(event, f"the strategy was not called for {topic} after {most} answers with ids")
        elif isinstance(event, Allocate):
            good[event.topic] = 0
            threads[event.topic].clear()
            failed.discard(event.topic)
        elif isinstance(event, Subscribed):
            topics += 1  # its heartbeat may come later
        elif isinstance(event, ShutdownBegin):
            return


def answered(life: Iterable[Event]) -> Iterator[tuple[Event, Ask | None]]:
    """Yield each event; an answer with the request that it answers, if that was recorded, and others with None."""
    asked: dict[int, Ask] = {}
    for event in life:
        if isinstance(event, Ask):
            asked[event.opaque] = event
        yield event, asked.get(event.opaque) if isinstance(event, Answer) else None


def called(trace: Trace, life: Sequence[Event]) -> None:
    """Check that the strategy is called after each answer with ids that the rebalance thread gets in time.

    The client must know the queues of all its topics, so each has been divided before. At the time when another thread
    resumes the consumer, calls cannot be told apart.
    """
    who, known, owed, beside = life[0].who, set[str](), None, -STALL
    topics = trace.topics(who)
    for event, ask in answered(life):
        if isinstance(event, (ShutdownBegin, Unsubscribed, Subscribed)):
            return
        asks = isinstance(event, Ask) and event.thread == REBALANCING
        late = owed and (asks or event.at - owed.at > trace.slack(who, owed.at, event.at))
        if owed and late and topics <= len(known):
            raise Unexplained(event, f"the strategy was not called after the answer in line {owed.row}")
        if isinstance(event, Ask) and event.said.groups:
            topics = max([topics, *(len(one.subs) for one in event.said.groups)])
        elif isinstance(event, Ask) and event.code == LIST and not asks:
            beside, owed = event.at, None
        elif isinstance(event, Answer) and event.code == LIST:
            used = ask and ask.thread == REBALANCING and event.at - ask.at < LEAST_WAIT
            owed = event if used and event.said.ids and event.at - beside > STALL else None
        elif isinstance(event, Allocate):
            known.add(event.topic)
            owed = None


def lists_used(life: Sequence[Event]) -> None:
    """Check that each call of a strategy follows an answer with consumer ids, which no other call has used."""
    unused: set[str] = set()
    for event, ask in answered(life):
        if isinstance(event, Ask) and event.code == LIST:
            unused.discard(event.thread)
        elif isinstance(event, Answer) and event.code == LIST:
            unused.add(ask.thread if ask else REBALANCING)
        elif isinstance(event, Allocate):
            if not unused:
                raise Unexplained(event, f"the strategy is called for {event.topic} without a new answer with ids")
            unused.discard(REBALANCING if REBALANCING in unused else min(unused))
