"""``consistent_hash_special.jsonl``: CONSISTENT_HASH where hashes meet, where ids repeat, and where nothing is hashed.

The lists are passed to ``allocate`` as they are; every id is asked in turn.
"""

from collections.abc import Mapping

from rebalance_proofs.recorded.calls import check_call
from rebalance_proofs.recorded.files import Line, VectorFile
from rebalance_proofs.recorded.format import Format
from rebalance_proofs.recorded.jsonl import row_object, text, value
from rebalance_proofs.recorded.records import FileReport
from rebalance_proofs.recorded.tally import Tally, check_rows

__all__ = ["FORMAT"]

FILE = "consistent_hash_special.jsonl"


def check_row(tally: Tally, line: Line) -> None:
    """The queues are of a topic that the row names, because the topic is hashed too."""
    row = row_object(line.text)
    topic = text(value(row, "topic"), "topic")
    check_call(tally, line, row, "CONSISTENT_HASH", inputs={"topic", "note"}, topic=topic)


def check(found: Mapping[str, VectorFile]) -> tuple[FileReport, ...]:
    """The one file of this format."""
    return (check_rows(found[FILE], check_row),)


FORMAT = Format(files=(FILE,), check=check)
