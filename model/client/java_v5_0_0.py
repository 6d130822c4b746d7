"""The transition of the Java client 5.0.0: as in 5.1, but for the order in which it records answers to ``lockAll``."""

from collections.abc import Collection, Iterable

from rebalance_proofs.model.client.java_v5_0 import JavaV5_0
from rebalance_proofs.model.queues import MessageQueue

__all__ = ["JavaV5_0_0"]


class JavaV5_0_0(JavaV5_0):
    """The Java client 5.0.0."""

    def answered(self, queues: Collection[MessageQueue], granted: Collection[MessageQueue]) -> Iterable[MessageQueue]:
        """The granted queues first."""
        yield from self.iterate("granted", granted)
        yield from (queue for queue in self.iterate("set", queues) if queue not in granted)
