"""Check ``machine_room.tsv``: MACHINE_ROOM of the Java client.

Broker names are with and without rooms. ``machine_room_divergence.tsv`` has rows on which Go or Rust returned something
else. Both files are parts of one set, but different parts, so a row that is missing in the second file is no evidence
about Go and Rust. The second file names rows by their number in the whole set. Its column for Java shows that the model
numbers them correctly: for another row, Java would have returned something else.
"""

from rebalance_proofs.model.profiles import Profile
from rebalance_proofs.model.profiles.go import GO
from rebalance_proofs.model.profiles.java_v5 import JAVA_V5
from rebalance_proofs.model.profiles.rust import RUST
from rebalance_proofs.recorded.format import Format, Part
from rebalance_proofs.recorded.machine_room_rows import Kinds, RoomRow, compute, whole_set
from rebalance_proofs.recorded.rows import Row, RowError, anything, expect, fitting
from rebalance_proofs.recorded.shares import MOST_QUEUES, check_digits, shipped
from rebalance_proofs.recorded.text import quoted
from rebalance_proofs.recorded.tsv import Table, number

ROWS, DIVERGENCE = "machine_room.tsv", "machine_room_divergence.tsv"


class RoomTable(Table):
    """Rows of ``machine_room.tsv``.

    Its header also contains a broker name for each kind of queue.
    """

    def check_header(self, text: str, *known: Kinds) -> None:
        (kinds,) = known
        match text.split("\t"):
            case ["kind", digit, name] if len(digit) == 1 and digit not in kinds:
                kinds[digit] = name
            case columns if columns != [*self.columns]:
                raise RowError(f"the header {quoted('#' + text)} is neither a new kind nor the list of columns")


TABLE = RoomTable(
    {
        "mode": fitting(("sorted", "seq").__contains__, "neither sorted nor seq"),
        "consumeridcs": anything,
        "kinds_of_mqAll_in_order": anything,
        "c": number,
        "positions_per_consumer": anything,
    }
)
DIVERGENCE_TABLE = Table(
    {
        "row (0-based among the data rows of machine_room.tsv)": lambda text, what: number(text, "row"),
        "java": anything,
        "go (= when same)": anything,
        "rust (= when same)": anything,
    }
)
SAME = "="


def check_row(row: Row, kinds: Kinds) -> None:
    """Check that every consumer gets the recorded positions in mqAll."""
    c, mode = row.read("c", "mode")
    _, rooms, queues, _, recorded = row
    expect(1 <= len(queues) <= MOST_QUEUES, f"{len(queues)} queues, not 1 to {MOST_QUEUES}")
    for kind in queues:
        expect(kind in kinds, f"no #kind line defines kind {quoted(kind)}")
    check_digits(recorded, len(queues), c, "positions_per_consumer")
    inputs = RoomRow(mode, rooms, queues, c)
    row.compare(JAVA_V5, inputs.what, recorded, compute(JAVA_V5, inputs, kinds), code(JAVA_V5))


def check_divergence(row: Row, kinds: Kinds) -> None:
    """Check that the consumers of Java, Go and Rust get the recorded positions in mqAll."""
    number_of_row, java, *others = row
    known = 0 <= number_of_row < len(whole_set())
    expect(known, f"row is {number_of_row}, the whole set has {len(whole_set())} rows")
    inputs = whole_set()[number_of_row]
    for kind in inputs.kinds:
        expect(kind in kinds, f"no #kind line of machine_room.tsv defines kind {quoted(kind)}")
    go, rust = (java if other == SAME else other for other in others)
    recorded = ((JAVA_V5, java), (GO, go), (RUST, rust))
    for profile, shares in recorded:
        check_digits(shares, len(inputs.kinds), inputs.consumers, str(profile.recorded_as))
    for profile, shares in recorded:
        what = f"{inputs.what} (row {number_of_row})"
        row.compare(profile, what, shares, compute(profile, inputs, kinds), code(profile))


def code(profile: Profile) -> list[str]:
    """Return the name of the client's MACHINE_ROOM in the model, for the counts."""
    return [shipped(profile, "MACHINE_ROOM").name]


FORMAT = Format(
    (
        Part(ROWS, TABLE, check_row, uses=(ROWS,)),
        Part(DIVERGENCE, DIVERGENCE_TABLE, check_divergence, uses=(ROWS,)),
    )
)
