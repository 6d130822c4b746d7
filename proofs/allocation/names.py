"""Display names of queues and consumers, for sentences about violations."""

from rebalance_proofs.model.group import Group, Results
from rebalance_proofs.model.queues import MessageQueue


def name_queue(group: Group, queue: MessageQueue) -> str:
    """Return the queue's name by its index in the topic: ``queue 3``.

    An unknown queue is printed in full.
    """
    return f"queue {group.queues.index(queue)}" if queue in group.queues else f"{queue}"


def name_consumer(group: Group, place: int) -> str:
    """Return the client id of the consumer with the index ``place``.

    The index is added if several consumers have that id.
    """
    client_id = group.consumers[place].client_id
    twins = sum(consumer.client_id == client_id for consumer in group.consumers)
    return client_id if twins == 1 else f"{client_id} (process {place})"


def extremes(group: Group, results: Results) -> tuple[int, str]:
    """Return the greatest difference of two consumers' queue counts, and a phrase about them.

    For example, ``c0 has 2 queues, c1 has 0``.
    """
    sizes = [len(result) for result in results]
    low, high = min(sizes), max(sizes)
    most, least = name_consumer(group, sizes.index(high)), name_consumer(group, sizes.index(low))
    return high - low, f"{most} has {high} queues, {least} has {low}"
