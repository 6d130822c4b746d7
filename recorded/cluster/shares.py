"""Check the queues that each rebalance assigned, by running the model's strategies."""

from collections.abc import Iterator, Sequence

from rebalance_proofs.model.allocation import ALL, Strategy
from rebalance_proofs.model.allocation.strategy import AllocationError
from rebalance_proofs.model.profiles import JAVA_V5
from rebalance_proofs.recorded.cluster.names import queue
from rebalance_proofs.recorded.cluster.tally import CODE, Tally, Unexplained
from rebalance_proofs.recorded.cluster.trace import Trace
from rebalance_proofs.recorded.groups.driver import StartConsumer
from rebalance_proofs.recorded.groups.event import LIST
from rebalance_proofs.recorded.groups.member import Allocate, Answer, Starting

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
