"""The process queue table's update in Java client 5.0.0.

It differs from 5.1 only in the order in which it records responses to ``lockAll``.
"""

from collections.abc import Collection, Iterable

from rebalance_proofs.model.client.java_v5_0 import JavaV5_0
from rebalance_proofs.model.queues import MessageQueue


class JavaV5_0_0(JavaV5_0):
    """The Java client 5.0.0."""

    def answered(self, queues: Collection[MessageQueue], granted: Collection[MessageQueue]) -> Iterable[MessageQueue]:
        """Return the queues of a lock request, the granted ones first."""
        yield from self.iterate("granted", granted)
        yield from (queue for queue in self.iterate("set", queues) if queue not in granted)
