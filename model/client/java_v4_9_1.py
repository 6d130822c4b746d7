"""Java client 4.9.1 to 4.9.4: a new process queue is not marked as locked (rocketmq#2621).

Its lock was granted, but the client does not record that in the new process queue.
"""

from rebalance_proofs.model.client.java_v4_9_5 import JavaV4_9_5


class JavaV4_9_1(JavaV4_9_5):
    """Java client 4.9.1 to 4.9.4.

    The listener of an ordered queue waits until ``lockAll`` has renewed the lock.
    """

    new_entry_locked = False
