"""``avg_layouts.tsv`` and ``avg_cids.tsv``: the lists of ``avg.tsv``, as given and as every client sorted them."""

from rebalance_proofs.model.profiles import RECORDED
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.recorded.files import Line
from rebalance_proofs.recorded.readers import Row, anything
from rebalance_proofs.recorded.tally import RowError, Tally
from rebalance_proofs.recorded.text import quoted
from rebalance_proofs.recorded.tsv import Table, client_ids, number, queues, queues_text

LAYOUT_ROWS = Table({"layout": anything, "q": number, "mq_input_order": anything, "mq_sorted": anything})
CID_ROWS = Table({"c": number, "cid_input_order": anything, "cid_sorted": anything})

Layouts = dict[tuple[str, int], dict[str, list[MessageQueue]]]
"""(layout, q) -> name of the profile -> mqAll as that client sorts it."""

CidLists = dict[int, dict[str, list[str]]]
"""c -> name of the profile -> cidAll as that client sorts it."""


def check_layout(tally: Tally, line: Line, row: Row, layouts: Layouts) -> None:
    """Every client's sort has to give the recorded order of queues."""
    layout, q, given_text, sorted_text = row
    given = queues(given_text, q, "mq_input_order")
    recorded = queues(sorted_text, q, "mq_sorted")
    if (layout, q) in layouts:
        raise RowError(f"layout {quoted(layout)} of {q} queues stands here twice")
    layouts[layout, q] = {profile.name: profile.sort_queues(given) for profile in RECORDED}
    for profile in RECORDED:
        computed = layouts[layout, q][profile.name]
        what = f"order of the {q} queues of layout {layout}"
        tally.compare(line, profile, what, queues_text(recorded), queues_text(computed))


def check_cid_list(tally: Tally, line: Line, row: Row, cid_lists: CidLists) -> None:
    """Every client's sort has to give the recorded order of client ids."""
    c, given_text, sorted_text = row
    given = client_ids(given_text, c, "cid_input_order")
    recorded = client_ids(sorted_text, c, "cid_sorted")
    if c in cid_lists:
        raise RowError(f"the list of {c} client ids stands here twice")
    cid_lists[c] = {profile.name: profile.sort_client_ids(given) for profile in RECORDED}
    for profile in RECORDED:
        computed = cid_lists[c][profile.name]
        tally.compare(line, profile, f"order of the {c} client ids", ",".join(recorded), ",".join(computed))
