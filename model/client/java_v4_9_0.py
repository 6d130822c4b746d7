"""Java client 4.9.0.

An unexpected exception of an offset store ends the rebalance while queues are added.
"""

from rebalance_proofs.model.client.errors import MQClientException
from rebalance_proofs.model.client.java_v4_9_1 import JavaV4_9_1
from rebalance_proofs.model.client.pull_from_where import ConsumeFromWhere
from rebalance_proofs.model.client.settings import LITE_PULL
from rebalance_proofs.model.queues import MessageQueue


class JavaV4_9_0(JavaV4_9_1):
    """The Java client 4.9.0."""

    expected = (MQClientException,)

    def compute_pull_from_where_with_exception(self, queue: MessageQueue) -> int:
        """Return the offset of the first pull; a lite pull consumer returns -1 if ``maxOffset`` fails for LAST."""
        settings = self.settings
        try:
            return super().compute_pull_from_where_with_exception(queue)
        except MQClientException:
            if settings.kind is LITE_PULL and settings.consume_from_where is ConsumeFromWhere.LAST_OFFSET:
                return -1
            raise
