"""Check ``avg.tsv``: results of AVG and AVG_BY_CIRCLE for small lists.

The numbers go up to a bound. All five clients computed the same results, from the unsorted lists in ``avg_layouts.tsv``
and ``avg_cids.tsv``.
"""

from collections.abc import Callable, Mapping
from typing import Any

from rebalance_proofs.model.profiles import RECORDED, Profile
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.recorded.format import Format, Part
from rebalance_proofs.recorded.rows import Row, Table, anything, client_ids, expect, number, queues, queues_text, quoted
from rebalance_proofs.recorded.shares import check_lists, computed_shares

RESULTS, LAYOUTS, CIDS = "avg.tsv", "avg_layouts.tsv", "avg_cids.tsv"
STRATEGIES = ("AVG", "AVG_BY_CIRCLE")
LAYOUT_ROWS = Table({"layout": anything, "q": number, "mq_input_order": anything, "mq_sorted": anything})
CID_ROWS = Table({"c": number, "cid_input_order": anything, "cid_sorted": anything})
RESULT_ROWS = Table({"layout": anything, "q": number, "c": number} | dict.fromkeys(STRATEGIES, anything))

Layouts = dict[tuple[str, int], Mapping[str, list[MessageQueue]]]
"""(layout, number of queues) -> name of a client's profile -> mqAll as this client sorts it."""

CidLists = dict[int, Mapping[str, list[str]]]
"""Number of consumers -> name of a client's profile -> cidAll as this client sorts it."""


def check_layout(row: Row, layouts: Layouts) -> None:
    """Check that every client's sort gives the recorded order of queues."""
    layout, q, given_text, recorded = row
    given = queues(given_text, q, "mq_input_order")
    queues(recorded, q, "mq_sorted")
    expect((layout, q) not in layouts, f"layout {quoted(layout)} of {q} queues occurs twice")
    what = f"the {q} queues of layout {layout}"
    layouts[layout, q] = compare_order(row, what, recorded, lambda profile: profile.sort_queues(given), queues_text)


def check_cid_list(row: Row, cid_lists: CidLists) -> None:
    """Check that every client's sort gives the recorded order of client ids."""
    c, given_text, recorded = row
    given = client_ids(given_text, c, "cid_input_order")
    client_ids(recorded, c, "cid_sorted")
    expect(c not in cid_lists, f"the list of {c} client ids occurs twice")
    what = f"the {c} client ids"
    cid_lists[c] = compare_order(row, what, recorded, lambda profile: profile.sort_client_ids(given), ",".join)


def compare_order(
    row: Row, what: str, recorded: str, sort: Callable[[Profile], list[Any]], written: Callable[[list[Any]], str]
) -> Mapping[str, list[Any]]:
    """Compare each client's sorted order of ``what``, and return the orders by profile name."""
    orders = {profile.name: sort(profile) for profile in RECORDED}
    for profile in RECORDED:
        row.compare(profile, f"order of {what}", recorded, written(orders[profile.name]))
    return orders


def check_results(row: Row, layouts: Layouts, cid_lists: CidLists) -> None:
    """Check the results of every client that has the strategy.

    They are positions in the client's sorted mqAll for each id of its sorted cidAll.
    """
    layout, q, c, *_ = row
    expect((layout, q) in layouts, f"layout {quoted(layout)} of {q} queues is not in {LAYOUTS}")
    expect(c in cid_lists, f"a list of {c} client ids is not in {CIDS}")
    for name in STRATEGIES:
        check_lists(row[name], q, c, name)
    for profile in RECORDED:
        mq_all, cid_all = layouts[layout, q][profile.name], cid_lists[c][profile.name]
        for strategy in profile.strategies:
            if (name := strategy.rocketmq_name) in STRATEGIES:
                computed = computed_shares(profile, strategy, mq_all, cid_all, between=",")
                row.compare(profile, f"{name} of layout {layout}, q={q}, c={c}", row[name], computed, [strategy.name])


FORMAT = Format(
    (
        Part(LAYOUTS, LAYOUT_ROWS, check_layout, uses=(LAYOUTS,)),
        Part(CIDS, CID_ROWS, check_cid_list, uses=(CIDS,)),
        Part(RESULTS, RESULT_ROWS, check_results, uses=(LAYOUTS, CIDS)),
    )
)
