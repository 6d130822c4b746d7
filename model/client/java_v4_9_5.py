"""Java client 4.9.5 to 4.9.7.

A broadcasting consumer does not persist the offset of a single queue.
"""

from rebalance_proofs.model.client.java_v4_9 import JavaV4_9


class JavaV4_9_5(JavaV4_9):
    """The Java client 4.9.5 to 4.9.7."""

    local_file_persists = False
