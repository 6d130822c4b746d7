"""What can happen, by name: the parts of an encoding, each with its sentence."""

from collections.abc import Mapping
from dataclasses import fields

from rebalance_proofs.model.offsets.encoding import ByLoop, Concurrently, Orderly
from rebalance_proofs.model.offsets.ways import Way

__all__ = ["acting"]

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
    "sends": "The memory's offset is sent.",
    "commits": "A commit arrives at the broker.",
    "revokes": "A rebalance takes the entry away.",
    "forgets": "The offset of a queue that had no entry is forgotten.",
    "shuts": "The consumer is shut down.",
    "crashes": "Its process ends.",
}
JAVA = COMMON | {
    "arrives": "The message arrives.",
    "copies": "The table's queues are copied, whose offsets are to be sent.",
    "finishes": "All of these are sent.",
    "records": "An offset is recorded in the memory.",
    "marks": "A rebalance marks the entry.",
    "suspends": "A reset of the queue's offset begins.",
    "rewinds": "It puts its offset into the memory.",
    "retires": "It has the memory's offset sent, and takes the entry away.",
    "unsubscribes": "The topic is not subscribed any more.",
    "interrupts": "shutdown() interrupts the threads of its listeners.",
    "returns_interrupted": "The listener returns with its thread's interrupt status set.",
}
CONCURRENTLY = JAVA | {
    "cleans": "The message is given back, because its listener takes too long.",
    "replicates": "A replica of the broker is told what is committed.",
    "swaps": "The replica takes the broker's place.",
}
"""With a concurrent listener."""
ORDERLY = JAVA | {
    "fixes": "The first pull asks for the queue's offset once more, and hears the answer.",
    "overtaken": "A first pull whose entry has gone hears its answer.",
    "notes": "The offset behind a batch is put into the memory.",
    "others_fail": "The listener returns from the next batch, which is to be tried again.",
}
"""With an ordered one."""
AFTER = "after the entry has left the table"
BY_LOOP = COMMON | {
    "notes": "A batch with the message is noted.",
    "skips": "The message is noted without a call, because the consumer is being shut down.",
    "pulls_late": f"The message is pulled, {AFTER}.",
    "passes_late": f"Others are pulled, {AFTER}.",
    "empty_late": f"A pull has found nothing, {AFTER}.",
    "starts_late": f"The listener is called with the message, {AFTER}.",
    "fails_late": f"The listener returns, but the message is to be tried again, {AFTER}.",
    "others_late": f"The listener returns from others, {AFTER}.",
    "notes_late": f"A batch with the message is noted, {AFTER}.",
    "skips_late": f"The message is noted without a call, {AFTER}, because the consumer is being shut down.",
    "clears": "The table of a consumer that is being shut down is emptied.",
}
"""By one loop."""
ACTING: Mapping[Way, Mapping[str, str]] = {
    Way.CONCURRENTLY: CONCURRENTLY,
    Way.ORDERLY: ORDERLY,
    Way.BY_LOOP: BY_LOOP,
}
for _encoding, _way in ((Concurrently, Way.CONCURRENTLY), (Orderly, Way.ORDERLY), (ByLoop, Way.BY_LOOP)):
    assert {*ACTING[_way], "step"} == {field.name for field in fields(_encoding)}


def acting(way: Way) -> Mapping[str, str]:
    """What a consumer can do, and the broker with its messages."""
    return ACTING[way]
