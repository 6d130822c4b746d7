"""CONFIG: a consumer takes its configured queues.

The strategy divides nothing and checks nothing.
"""

from collections.abc import Sequence

from rebalance_proofs.model.allocation.strategy import Allocate, Strategy
from rebalance_proofs.model.queues import MessageQueue


def by_config(queues: Sequence[MessageQueue] | None = None) -> Allocate:
    """Return ``AllocateMessageQueueByConfig`` after ``setMessageQueueList``.

    Its list is null before that call.
    """

    def allocate(current_cid: str, mq_all: Sequence[MessageQueue], cid_all: Sequence[str]) -> list[MessageQueue] | None:
        """Mirror of ``AllocateMessageQueueByConfig.allocate``, which ignores its arguments."""
        return None if queues is None else list(queues)

    return allocate


CONFIG = Strategy(
    name="config",
    rocketmq_name="CONFIG",
    source="org.apache.rocketmq.client.consumer.rebalance.AllocateMessageQueueByConfig#allocate",
    allocate=by_config(),
    encoding=None,
    holds=frozenset(),
    configure=by_config,
)
