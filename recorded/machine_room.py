"""``machine_room.tsv``: MACHINE_ROOM of the Java client, on brokers with and without a room in their names.

``machine_room_divergence.tsv`` has rows on which Go or Rust gave something else. Both files are parts of one set, and
not the same part, so a row that is missing in the second says nothing about Go and Rust.
"""

from collections.abc import Mapping

from rebalance_proofs.model.profiles.java_v5 import JAVA_V5
from rebalance_proofs.recorded.digits import MOST_QUEUES, check_shares
from rebalance_proofs.recorded.files import Line, VectorFile
from rebalance_proofs.recorded.format import Format
from rebalance_proofs.recorded.machine_room_divergence import check_divergence
from rebalance_proofs.recorded.machine_room_rows import Kinds, RoomRow, compute
from rebalance_proofs.recorded.records import FileReport
from rebalance_proofs.recorded.tally import RowError, Tally, check_rows, without
from rebalance_proofs.recorded.text import quoted
from rebalance_proofs.recorded.tsv import cells, number

__all__ = ["FORMAT"]

ROWS, DIVERGENCE = "machine_room.tsv", "machine_room_divergence.tsv"
COLUMNS = ("mode", "consumeridcs", "kinds_of_mqAll_in_order", "c", "positions_per_consumer")
MODES = ("sorted", "seq")


def check(found: Mapping[str, VectorFile]) -> tuple[FileReport, ...]:
    """The Java client's rows first: their headers say what the kinds are."""
    reports: list[FileReport] = []
    kinds: Kinds | None = None
    if ROWS in found:
        report, kinds = check_java(found[ROWS])
        reports.append(report)
    if DIVERGENCE in found and kinds is None:
        reports.append(without(found[DIVERGENCE], ROWS))
    elif DIVERGENCE in found:
        reports.append(check_divergence(found[DIVERGENCE], kinds))
    return tuple(reports)


def check_java(vectors: VectorFile) -> tuple[FileReport, Kinds]:
    """Every consumer's positions have to be the recorded ones."""
    kinds: dict[str, str] = {}

    def check_header(header: str) -> None:
        if header == "\t".join(COLUMNS):
            return
        match header.split("\t"):
            case ["kind", digit, name] if len(digit) == 1 and digit not in kinds:
                kinds[digit] = name
            case _:
                raise RowError(f"the header {quoted('#' + header)} is neither a new kind nor the columns")

    def check_row(tally: Tally, line: Line) -> None:
        row, recorded = read_row(line.text, kinds)
        tally.compare(line, JAVA_V5, row.what, recorded, compute(JAVA_V5, row, kinds))

    return check_rows(vectors, check_row, check_header), kinds


def read_row(text: str, kinds: Kinds) -> tuple[RoomRow, str]:
    """A row's inputs and its result."""
    mode, rooms, queues, c_text, recorded = cells(text, COLUMNS)
    c = number(c_text, "c")
    if mode not in MODES:
        raise RowError(f"mode is {quoted(mode)}, neither sorted nor seq")
    if not 1 <= len(queues) <= MOST_QUEUES:
        raise RowError(f"{len(queues)} queues, not 1 to {MOST_QUEUES}")
    for kind in queues:
        if kind not in kinds:
            raise RowError(f"no #kind line says what kind {quoted(kind)} is")
    check_shares(recorded, len(queues), c, "positions_per_consumer")
    return RoomRow(mode, rooms, queues, c), recorded


FORMAT = Format(files=(ROWS, DIVERGENCE), check=check)
