"""The process queue table's update in Java clients from 5.3.2 on.

A broadcasting consumer takes no locks of its group.
"""

from rebalance_proofs.model.client.java_v5_2 import JavaV5_2


class JavaV5_3_2(JavaV5_2):
    """The Java client from 5.3.2 on."""

    tries_first = False

    def broadcast_order(self, is_order: bool) -> bool:
        """Return False: a broadcasting consumer requests no lock, even with an ordered listener."""
        return False
