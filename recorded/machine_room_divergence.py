"""``machine_room_divergence.tsv``: what Java, Go and Rust gave on rows on which they differ.

Rows go by their number in the whole set. That the model numbers them rightly shows in Java's column: on another row the
Java client would have given something else.
"""

from rebalance_proofs.model.profiles.go import GO
from rebalance_proofs.model.profiles.java_v5 import JAVA_V5
from rebalance_proofs.model.profiles.rust import RUST
from rebalance_proofs.recorded.digits import check_shares
from rebalance_proofs.recorded.files import Line
from rebalance_proofs.recorded.machine_room_rows import Kinds, compute, whole_set
from rebalance_proofs.recorded.readers import Row, anything, called
from rebalance_proofs.recorded.tally import RowError, Tally
from rebalance_proofs.recorded.text import quoted
from rebalance_proofs.recorded.tsv import Table, number

DIVERGENCE_ROWS = Table(
    {
        "row (0-based among the data rows of machine_room.tsv)": called("row", number),
        "java": anything,
        "go (= when same)": anything,
        "rust (= when same)": anything,
    }
)
SAME = "="


def check_divergence(tally: Tally, line: Line, row: Row, kinds: Kinds) -> None:
    """Three clients' positions have to be the recorded ones."""
    row_number, java, *others = row
    if not 0 <= row_number < len(whole_set()):
        raise RowError(f"row is {row_number}, the whole set has {len(whole_set())} rows")
    inputs = whole_set()[row_number]
    for kind in inputs.kinds:
        if kind not in kinds:
            raise RowError(f"no #kind line of machine_room.tsv says what kind {quoted(kind)} is")
    go, rust = (java if other == SAME else other for other in others)
    recorded = ((JAVA_V5, java), (GO, go), (RUST, rust))
    for profile, shares in recorded:
        check_shares(shares, len(inputs.kinds), inputs.consumers, str(profile.recorded_as))
    for profile, shares in recorded:
        computed = compute(profile, inputs, kinds)
        tally.compare(line, profile, f"{inputs.what} (row {row_number})", shares, computed)
