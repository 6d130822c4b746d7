"""Check ``errors.jsonl`` and ``config.jsonl``: results for unusual arguments.

Arguments are empty, null, repeated or unsorted.
"""

from rebalance_proofs.recorded.calls import CALL_ROWS, check_call
from rebalance_proofs.recorded.format import Format, Part
from rebalance_proofs.recorded.jsonl import ARGUMENTS
from rebalance_proofs.recorded.rows import Row, Unmodelled, quoted


def check_row(row: Row) -> None:
    """Check the recorded results of a row, whose field ``s`` names the strategy."""
    strategy = row["s"]
    if strategy not in ARGUMENTS:
        raise Unmodelled(f"strategy {quoted(strategy)} is not modelled")
    check_call(row, strategy, inputs={"s"})


FORMAT = Format((Part("errors.jsonl", CALL_ROWS, check_row), Part("config.jsonl", CALL_ROWS, check_row)))
