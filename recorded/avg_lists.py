"""``avg_layouts.tsv`` and ``avg_cids.tsv``: the lists of ``avg.tsv``, as given and as every client sorted them."""

from collections.abc import Mapping

from rebalance_proofs.model.profiles import RECORDED
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.recorded.files import Line, VectorFile
from rebalance_proofs.recorded.records import FileReport
from rebalance_proofs.recorded.tally import RowError, Tally, check_rows
from rebalance_proofs.recorded.text import quoted
from rebalance_proofs.recorded.tsv import cells, client_ids, number, queues, queues_text

LAYOUT_COLUMNS = ("layout", "q", "mq_input_order", "mq_sorted")
CID_COLUMNS = ("c", "cid_input_order", "cid_sorted")

Layouts = Mapping[tuple[str, int], Mapping[str, list[MessageQueue]]]
"""(layout, q) -> name of the profile -> mqAll as that client sorts it."""

CidLists = Mapping[int, Mapping[str, list[str]]]
"""c -> name of the profile -> cidAll as that client sorts it."""


def check_layouts(vectors: VectorFile) -> tuple[FileReport, Layouts]:
    """Every client's sort has to give the recorded order of queues."""
    layouts: dict[tuple[str, int], dict[str, list[MessageQueue]]] = {}

    def check_row(tally: Tally, line: Line) -> None:
        layout, q_text, given_text, sorted_text = cells(line.text, LAYOUT_COLUMNS)
        q = number(q_text, "q")
        given = queues(given_text, q, "mq_input_order")
        recorded = queues(sorted_text, q, "mq_sorted")
        if (layout, q) in layouts:
            raise RowError(f"layout {quoted(layout)} of {q} queues stands here twice")
        layouts[layout, q] = {profile.name: profile.sort_queues(given) for profile in RECORDED}
        for profile in RECORDED:
            computed = layouts[layout, q][profile.name]
            what = f"order of the {q} queues of layout {layout}"
            tally.compare(line, profile, what, queues_text(recorded), queues_text(computed))

    return check_rows(vectors, check_row, "\t".join(LAYOUT_COLUMNS)), layouts


def check_cid_lists(vectors: VectorFile) -> tuple[FileReport, CidLists]:
    """Every client's sort has to give the recorded order of client ids."""
    cid_lists: dict[int, dict[str, list[str]]] = {}

    def check_row(tally: Tally, line: Line) -> None:
        c_text, given_text, sorted_text = cells(line.text, CID_COLUMNS)
        c = number(c_text, "c")
        given = client_ids(given_text, c, "cid_input_order")
        recorded = client_ids(sorted_text, c, "cid_sorted")
        if c in cid_lists:
            raise RowError(f"the list of {c} client ids stands here twice")
        cid_lists[c] = {profile.name: profile.sort_client_ids(given) for profile in RECORDED}
        for profile in RECORDED:
            computed = cid_lists[c][profile.name]
            tally.compare(line, profile, f"order of the {c} client ids", ",".join(recorded), ",".join(computed))

    return check_rows(vectors, check_row, "\t".join(CID_COLUMNS)), cid_lists
