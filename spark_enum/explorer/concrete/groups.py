"""For each model, a group that runs the modelled client code."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from rebalance_proofs.model.client.environment import NOT_FOUND, Answers
from rebalance_proofs.model.client.pull_from_where import ConsumeFromWhere
from rebalance_proofs.model.offsets.broker import NONE, Broker
from rebalance_proofs.model.offsets.consumer import OffsetsConsumer
from rebalance_proofs.model.possible import Impossible
from rebalance_proofs.model.transition.drivers import JavaDriver, Member
from rebalance_proofs.model.transition.numbers import NO_OFFSET
from rebalance_proofs.spark_enum.explorer.concrete.group import Group, Setup
from rebalance_proofs.spark_enum.explorer.concrete.ordered import OrderedGroup
from rebalance_proofs.spark_enum.explorer.models import concurrent, ordered
from rebalance_proofs.spark_enum.explorer.models.concurrent import LATE_COMMIT
from rebalance_proofs.spark_enum.explorer.subject import Settings, Subject, strategy_of

# Consumers with concurrent listeners that run client code, for comparison with the model.

MESSAGE = 0
"""Offset of the one message in each queue."""


class ConcurrentProcess:
    """A client's process: its process queues, offsets in memory, and the messages of each queue."""

    def __init__(self, setup: Setup, brokers: Sequence[Broker]) -> None:
        self._setup = setup
        self.consumers: list[OffsetsConsumer] = []
        for queue, broker in zip(setup.queues, brokers, strict=True):
            consumer = setup.client.consumer(broker, ConsumeFromWhere.LAST_OFFSET)
            consumer.queue = queue
            if self.consumers:
                consumer.driver = self.consumers[0].driver
            self.consumers.append(consumer)

    def _sent(self, consumer: OffsetsConsumer) -> None:
        """Deliver all requests of a consumer to the broker at once, unless a fault delays them."""
        while consumer.commits_under_way and LATE_COMMIT not in self._setup.faults:
            consumer.commits()

    def rebalances(self, member: Member) -> None:
        answers = {
            consumer.queue: Answers(stored=NOT_FOUND if consumer.broker.stored is None else consumer.broker.stored)
            for consumer in self.consumers
        }
        driver = self.consumers[0].driver
        assert isinstance(driver, JavaDriver)
        done = driver.rebalance(answers, self._setup.queues, member)
        for consumer in self.consumers:
            consumer.rebalanced(done.effects)
            self._sent(consumer)

    def shuts(self) -> None:
        for consumer in self.consumers:
            consumer.shuts()
            self._sent(consumer)

    def crashes(self) -> None:
        for consumer in self.consumers:
            consumer.crashes()

    def quiet(self, queue: int) -> bool:
        consumer = self.consumers[queue]
        late = [call for call in consumer.calls if call.held is not consumer.held]
        return not (late or consumer.noted or consumer.commits_under_way)

    def pulls(self, queue: int) -> None:
        """The consumer pulls the message."""
        self.consumers[queue].pulls(offset=MESSAGE + 1, found=(MESSAGE,))

    def starts(self, queue: int) -> None:
        """The consumer calls its listener."""
        self.consumers[queue].starts(message=MESSAGE)

    def ends(self, queue: int) -> None:
        """A listener call returns: the one for the current process queue, or a late one.

        The call for the current process queue comes first. A late call belongs to a process queue that was dropped.
        """
        consumer = self.consumers[queue]
        try:
            consumer.ends(message=MESSAGE)
        except Impossible:
            consumer.ends_late(message=MESSAGE)
        while consumer.noted:
            consumer.records()

    def sends(self, queue: int) -> None:
        """The consumer commits the offset that it has in memory."""
        self.consumers[queue].sends()
        self._sent(self.consumers[queue])

    def arrives(self, queue: int) -> None:
        """A commit reaches the broker."""
        self.consumers[queue].commits()


class ConcurrentGroup(Group):
    """A group of consumers with concurrent listeners.

    With ``forgets``, only the newest of several late listener calls remains, and the newest of several commits in
    flight, as in the model. The other calls never return, and the other commits never arrive.
    """

    def __init__(self, setup: Setup, *, forgets: bool = True) -> None:
        self.brokers = [Broker(MESSAGE, MESSAGE + 1) for _ in setup.queues]
        super().__init__(setup, forgets=forgets)

    def process(self, who: int) -> ConcurrentProcess:
        return ConcurrentProcess(self.setup, self.brokers)

    def forget(self) -> None:
        for queue in range(len(self.setup.queues)):
            for consumer in self.consumers(queue):
                late = [call for call in consumer.calls if call.held is not consumer.held]
                consumer.calls = [call for call in consumer.calls if call.held is consumer.held] + late[-1:]
                del consumer.commits_under_way[1:]

    def of_broker(self, place: int) -> Mapping[str, int]:
        broker = self.brokers[place]
        return {
            "committed": NONE if broker.committed is None else broker.committed,
            "consumed": int(broker.consumed[MESSAGE] > 0),
            "given": int(MESSAGE in broker.given),
            "again": int(broker.consumed[MESSAGE] > 1),
        }

    def of_consumer(self, consumer: OffsetsConsumer) -> Mapping[str, int]:
        held, memory, answer = consumer.held, consumer.memory, consumer.answer
        commits, noted = consumer.commits_under_way, consumer.noted
        late = [call for call in consumer.calls if call.held is not held]
        return {
            "present": held is not None,
            "dropped": held is not None and held.entry.dropped,
            "began": held.began if held else 0,
            "next": held.next if held else 0,
            "cached": held is not None and MESSAGE in held.tree,
            "runs": len(late) < len(consumer.calls),
            "late": len(late) > 0,
            "memory": NO_OFFSET if memory is None else memory,
            "recording": len(noted) > 0,
            "recorded": noted[0] if noted else 0,
            "asking": answer is not None,
            "answer": answer or 0,
            "sending": len(commits) > 0,
            "sent": commits[0].offset if commits else 0,
            "closed": consumer.closed,
        }


def code_of(subject: Subject, settings: Settings) -> Callable[[], Group] | None:
    """Return a function that makes the model's initial group with running code.

    None for a model without a client. Raises ``UsageError``.
    """
    if subject is concurrent.SUBJECT:
        return partial(ConcurrentGroup, _setup(concurrent.client_of(settings), settings))
    if subject is ordered.SUBJECT:
        return partial(OrderedGroup, _setup(ordered.client_of(settings), settings), ordered.limits_of(settings))
    return None


def _setup(client: object, settings: Settings) -> Setup:
    faults = frozenset(settings.faults)
    return Setup.of(client, strategy_of(settings), settings.consumers, settings.queues, faults)
