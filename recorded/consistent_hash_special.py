"""Check ``consistent_hash_special.jsonl``: CONSISTENT_HASH in special cases.

They are hash collisions, repeated ids, and one consumer. The lists are passed to ``allocate`` unchanged, once for every
id.
"""

from rebalance_proofs.recorded.calls import CALL_ROWS, check_call
from rebalance_proofs.recorded.format import Format, Part
from rebalance_proofs.recorded.rows import Row


def check_row(row: Row) -> None:
    """Check a row, which names its queues' topic, because the topic is hashed as well."""
    check_call(row, "CONSISTENT_HASH", inputs={"topic", "note"}, topic=row["topic"])


FORMAT = Format((Part("consistent_hash_special.jsonl", CALL_ROWS, check_row),))
