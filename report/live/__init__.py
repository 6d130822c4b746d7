"""Explain problems in a recorded run of a real group by the known causes of ``rebalance why``.

A problem (``Fact``) is a message that is redelivered or never delivered, a pause of a queue, an offset rollback, or two
listeners on an ordered queue. A sign is something in the recording that indicates a cause. An entry (``Held``) is a
process queue in a consumer's table, from its creation to its removal.
"""
