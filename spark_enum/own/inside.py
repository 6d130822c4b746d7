"""Guarantee that RocketMQ expects when it makes a set of a result: no queue twice, and only queues of mqAll."""

from rebalance_proofs.model.group import Group, Results
from rebalance_proofs.model.queues import to_string
from rebalance_proofs.model.terms import smt
from rebalance_proofs.proofs.allocation.names import name_consumer, name_queue
from rebalance_proofs.proofs.guarantee import Guarantee, always

__all__ = ["INSIDE"]


def violation(group: Group, results: Results) -> str | None:
    """A sentence about the first queue that is not in its consumer's mqAll, or twice in its result."""
    for place, (consumer, result) in enumerate(zip(group.consumers, results, strict=True)):
        taken, known = set(result), set(consumer.mq_all)
        if not taken <= known:
            strange = next(queue for queue in result if queue not in known)
            who = name_consumer(group, place)
            return f"The result of {who} has {to_string(strange)}, which is not in its mqAll."
        if len(taken) < len(result):
            twice = next(queue for number, queue in enumerate(result) if queue in result[:number])
            return f"{name_queue(group, twice)} stands twice in the result of {name_consumer(group, place)}."
    return None


INSIDE = Guarantee(
    name="inside",
    sentence="A result has queues of mqAll alone, and none twice",
    source="https://github.com/apache/rocketmq/blob/develop/client/src/main/java/org/apache/rocketmq/client/consumer/AllocateMessageQueueStrategy.java",
    obligations=always(),
    violated=lambda group: smt.BoolVal(False),
    violation=violation,
)
"""A guarantee about concrete results only; ``sublist`` says it of encodings, and of the order besides."""
