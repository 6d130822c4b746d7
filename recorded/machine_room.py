"""``machine_room.tsv``: MACHINE_ROOM of the Java client, on brokers with and without a room in their names.

``machine_room_divergence.tsv`` has rows on which Go or Rust gave something else. Both files are parts of one set, and
not the same part, so a row that is missing in the second says nothing about Go and Rust.
"""

from rebalance_proofs.model.profiles.java_v5 import JAVA_V5
from rebalance_proofs.recorded.digits import MOST_QUEUES, check_shares
from rebalance_proofs.recorded.files import Line
from rebalance_proofs.recorded.format import Format, Part
from rebalance_proofs.recorded.machine_room_divergence import DIVERGENCE_ROWS, check_divergence
from rebalance_proofs.recorded.machine_room_rows import Kinds, RoomRow, compute
from rebalance_proofs.recorded.readers import Row, anything
from rebalance_proofs.recorded.tally import RowError, Tally
from rebalance_proofs.recorded.text import quoted
from rebalance_proofs.recorded.tsv import Table, number

__all__ = ["FORMAT"]

ROWS, DIVERGENCE = "machine_room.tsv", "machine_room_divergence.tsv"
TABLE = Table(
    {
        "mode": anything,
        "consumeridcs": anything,
        "kinds_of_mqAll_in_order": anything,
        "c": number,
        "positions_per_consumer": anything,
    }
)
MODES = ("sorted", "seq")


def check_header(text: str, kinds: Kinds) -> None:
    """The columns, or what the brokers of one more kind of queues are called."""
    match text.split("\t"):
        case ["kind", digit, name] if len(digit) == 1 and digit not in kinds:
            kinds[digit] = name
        case columns if columns != [*TABLE.columns]:
            raise RowError(f"the header {quoted('#' + text)} is neither a new kind nor the columns")


def check_row(tally: Tally, line: Line, row: Row, kinds: Kinds) -> None:
    """Every consumer's positions have to be the recorded ones."""
    mode, rooms, queues, c, recorded = row
    if mode not in MODES:
        raise RowError(f"mode is {quoted(mode)}, neither sorted nor seq")
    if not 1 <= len(queues) <= MOST_QUEUES:
        raise RowError(f"{len(queues)} queues, not 1 to {MOST_QUEUES}")
    for kind in queues:
        if kind not in kinds:
            raise RowError(f"no #kind line says what kind {quoted(kind)} is")
    check_shares(recorded, len(queues), c, "positions_per_consumer")
    inputs = RoomRow(mode, rooms, queues, c)
    tally.compare(line, JAVA_V5, inputs.what, recorded, compute(JAVA_V5, inputs, kinds))


FORMAT = Format(
    (
        Part(ROWS, TABLE, check_row, uses=(ROWS,), check_header=check_header),
        Part(DIVERGENCE, DIVERGENCE_ROWS, check_divergence, uses=(ROWS,)),
    )
)
