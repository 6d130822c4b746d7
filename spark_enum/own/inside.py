"""Guarantee that a strategy returns only queues of mqAll, and no queue twice.

RocketMQ assumes this when it turns a result into a set.
"""

from rebalance_proofs.model.group import Group, Results
from rebalance_proofs.model.queues import to_string
from rebalance_proofs.model.terms import smt
from rebalance_proofs.proofs.allocation.names import name_consumer, name_queue
from rebalance_proofs.proofs.guarantee import Guarantee, always


def violation(group: Group, results: Results) -> str | None:
    """Return a sentence about a foreign or repeated queue in a result; None if there is none."""
    for place, (consumer, result) in enumerate(zip(group.consumers, results, strict=True)):
        taken, known = set(result), set(consumer.mq_all)
        if not taken <= known:
            strange = next(queue for queue in result if queue not in known)
            who = name_consumer(group, place)
            return f"The result of {who} contains {to_string(strange)}, which is not in its mqAll."
        if len(taken) < len(result):
            twice = next(queue for number, queue in enumerate(result) if queue in result[:number])
            return f"The result of {name_consumer(group, place)} contains {name_queue(group, twice)} twice."
    return None


INSIDE = Guarantee(
    name="inside",
    sentence="Each result contains only queues of mqAll, and none twice",
    source="https://github.com/apache/rocketmq/blob/develop/client/src/main/java/org/apache/rocketmq/client/consumer/AllocateMessageQueueStrategy.java",
    obligations=always(),
    violated=lambda group: smt.BoolVal(False),
    violation=violation,
)
"""The guarantee for the concrete results of a user-defined strategy.

The claim ``sublist`` is about the encodings of RocketMQ's strategies: it also requires the order of mqAll.
"""
