"""Java client 4.9.0.

An unexpected exception of an offset store ends the rebalance while queues are added.
"""

from rebalance_proofs.model.client.errors import MQClientException
from rebalance_proofs.model.client.java_v4_9_1 import JavaV4_9_1

__all__ = ["JavaV4_9_0"]


class JavaV4_9_0(JavaV4_9_1):
    """The Java client 4.9.0."""

    expected = (MQClientException,)
