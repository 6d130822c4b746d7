"""The Java client 4.9.1 to 4.9.4: a new entry does not know that its lock has been granted (rocketmq#2621)."""

from rebalance_proofs.model.client.java_v4_9_5 import JavaV4_9_5

__all__ = ["JavaV4_9_1"]


class JavaV4_9_1(JavaV4_9_5):
    """4.9.1 to 4.9.4: the listener of an ordered queue waits until ``lockAll`` has renewed the lock."""

    new_entry_locked = False
