"""What can happen, by name: the parts of an encoding, each with its sentence."""

from collections.abc import Mapping
from dataclasses import fields

from rebalance_proofs.model.offsets.encoding import Concurrently, Orderly

__all__ = ["CONCURRENTLY", "ORDERLY", "acting"]

COMMON = {
    "asks": "A rebalance asks for the queue's offset.",
    "adds": "It hears the answer, and adds the queue, or has nowhere to begin.",
    "pulls": "The message is pulled.",
    "passes": "Others are pulled.",
    "starts": "The listener is called with the message.",
    "ends": "The listener returns.",
    "ends_late": "The listener returns, after the entry has left the table.",
    "fails": "The listener returns, but the message is to be tried again.",
    "others": "The listener returns from another message.",
    "empty": "A pull has found nothing, and the entry has no messages.",
    "records": "An offset is recorded in the memory.",
    "sends": "The memory's offset is sent.",
    "commits": "A commit arrives at the broker.",
    "marks": "A rebalance marks the entry.",
    "revokes": "A rebalance takes the entry away.",
    "unsubscribes": "The topic is not subscribed any more.",
    "forgets": "The offset of a queue without an entry is forgotten.",
    "shuts": "The consumer is shut down.",
    "crashes": "Its process ends.",
}
CONCURRENTLY = COMMON | {
    "cleans": "The message is given back, because its listener takes too long.",
}
"""With a concurrent listener."""
ORDERLY = COMMON | {
    "fixes": "The first pull asks for the queue's offset once more, and hears the answer.",
    "overtaken": "A first pull whose entry has gone hears its answer.",
    "notes": "The offset behind a batch is put into the memory.",
}
"""With an ordered one."""
for _encoding, _names in ((Concurrently, CONCURRENTLY), (Orderly, ORDERLY)):
    assert {*_names, "step"} == {field.name for field in fields(_encoding)}


def acting(orderly: bool) -> Mapping[str, str]:
    """What a consumer can do, and the broker with its messages."""
    return ORDERLY if orderly else CONCURRENTLY
