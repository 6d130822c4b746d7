"""``consistent_hash_special.jsonl``: CONSISTENT_HASH with colliding hashes, repeated ids, or a single consumer.

The lists are passed to ``allocate`` as they are; every id is asked in turn.
"""

from rebalance_proofs.recorded.calls import CALL_ROWS, check_call
from rebalance_proofs.recorded.format import Format, Part
from rebalance_proofs.recorded.rows import Row

__all__ = ["FORMAT"]


def check_row(row: Row) -> None:
    """Check a row, which names the topic of its queues, because that is hashed, too."""
    check_call(row, "CONSISTENT_HASH", inputs={"topic", "note"}, topic=row["topic"])


FORMAT = Format((Part("consistent_hash_special.jsonl", CALL_ROWS, check_row),))
