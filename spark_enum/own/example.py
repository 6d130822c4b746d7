"""A group as a strategy answered in it, to be shown: the answers stay, whatever the strategy is asked afterwards."""

from collections.abc import Sequence
from dataclasses import replace

from rebalance_proofs.model.group import Consumer, Group
from rebalance_proofs.model.own.asked import Asked, Refusal
from rebalance_proofs.model.own.call import Outcome, Refused
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.spark_enum.allocation.space import Configuration
from rebalance_proofs.spark_enum.own.repeated import REPEATS, differing_in
from rebalance_proofs.spark_enum.own.rows import Row, row_name
from rebalance_proofs.spark_enum.own.tried import try_groups


def example(row: Row, asked: Asked, another: Asked) -> Counterexample | None:
    """The row's smallest group, as two fresh processes answer in it alone; None where it holds there.

    What is asked, and in which order, is what ``checked.check_group`` asks: the command for one group shows the same.
    """
    if not row.smallest:
        return None
    space, wrong = row.smallest.space, row.smallest.wrong
    one = Configuration(wrong.size[0], wrong.size[1], wrong.digits)
    groups = space.groups(asked.strategy, [one])
    found = try_groups(space, asked, [one], groups)
    if row.name == REPEATS and not asked.ended:
        groups = space.groups(asked.strategy, [one])
        found = differing_in(space, [one], groups, asked, another)
    sentence = next((said.sentence for name, said in found.broken.items() if row_name(name, row.world) == row.name), "")
    everybody = (asked, *((space.beside,) if space.beside else ()))
    if not sentence:
        return None
    return Counterexample(one.consumers, one.queues, one.values, kept(groups[0], everybody), sentence)


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
