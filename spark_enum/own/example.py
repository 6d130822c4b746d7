"""A group as a strategy answered in it, to be shown: the answers stay, whatever the strategy is asked afterwards."""

from collections.abc import Sequence
from dataclasses import replace

from rebalance_proofs.model.group import Consumer, Group
from rebalance_proofs.model.own.asked import Asked, Refusal
from rebalance_proofs.model.own.call import Outcome, Refused
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.spark_enum.allocation.space import Configuration
from rebalance_proofs.spark_enum.own.spaces import OwnSpace


def example(space: OwnSpace, configuration: Configuration, sentence: str, asked: Asked) -> Counterexample:
    """The group, in which ``sentence`` says what is wrong."""
    (group,) = space.groups(asked.strategy, [configuration])
    everybody = (asked, *((space.beside,) if space.beside else ()))
    for one in everybody:
        one.ask([group], space.naming.consumer_group)
    n, q, values = configuration.consumers, configuration.queues, configuration.values
    return Counterexample(n, q, values, kept(group, everybody), sentence)


def kept(group: Group, asked: Sequence[Asked]) -> Group:
    """The same group, whose consumers answer what they have answered."""
    consumers = tuple(_kept(consumer, asked) for consumer in group.consumers)
    return replace(group, consumers=consumers, reference=group.reference and kept(group.reference, asked))


def _kept(consumer: Consumer, asked: Sequence[Asked]) -> Consumer:
    whose = next((one for one in asked if one.strategy is consumer.strategy), None)
    if whose is None:
        return consumer
    outcome = whose.outcome(consumer)

    def allocate(current_cid: str, mq_all: Sequence[MessageQueue], cid_all: Sequence[str]) -> list[MessageQueue]:
        return _answer(outcome)

    return replace(consumer, strategy=replace(consumer.strategy, allocate=allocate))


def _answer(outcome: Outcome) -> list[MessageQueue]:
    if isinstance(outcome, Refused):
        raise Refusal(outcome.what)
    return [queue for queue in outcome.queues if queue is not None]
