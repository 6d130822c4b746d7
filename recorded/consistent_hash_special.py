"""``consistent_hash_special.jsonl``: CONSISTENT_HASH where hashes meet, where ids repeat, and where nothing is hashed.

The lists are passed to ``allocate`` as they are; every id is asked in turn.
"""

from rebalance_proofs.recorded.calls import CALL_ROWS, check_call
from rebalance_proofs.recorded.format import Format, Part
from rebalance_proofs.recorded.rows import Row

__all__ = ["FORMAT"]


def check_row(row: Row) -> None:
    """The queues are of a topic that the row names, because the topic is hashed too."""
    check_call(row, "CONSISTENT_HASH", inputs={"topic", "note"}, topic=row["topic"])


FORMAT = Format((Part("consistent_hash_special.jsonl", CALL_ROWS, check_row),))
