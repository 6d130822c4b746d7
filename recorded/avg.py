"""``avg.tsv``: what AVG and AVG_BY_CIRCLE give to each consumer, for all numbers of queues and consumers up to a bound.

All five clients computed the same, each starting from the unsorted lists of ``avg_layouts.tsv`` and ``avg_cids.tsv``.
"""

from collections.abc import Sequence

from rebalance_proofs.model.profiles import RECORDED
from rebalance_proofs.recorded.avg_lists import CID_ROWS, LAYOUT_ROWS, CidLists, Layouts, check_cid_list, check_layout
from rebalance_proofs.recorded.files import Line
from rebalance_proofs.recorded.format import Format, Part
from rebalance_proofs.recorded.readers import Row, anything
from rebalance_proofs.recorded.tally import RowError, Tally
from rebalance_proofs.recorded.text import quoted
from rebalance_proofs.recorded.tsv import Table, number
from rebalance_proofs.recorded.values import positions

__all__ = ["FORMAT"]

RESULTS, LAYOUTS, CIDS = "avg.tsv", "avg_layouts.tsv", "avg_cids.tsv"
STRATEGIES = ("AVG", "AVG_BY_CIRCLE")
ROWS = Table({"layout": anything, "q": number, "c": number} | dict.fromkeys(STRATEGIES, anything))


def check_results(tally: Tally, line: Line, row: Row, layouts: Layouts, cid_lists: CidLists) -> None:
    """Every client that ships the strategy has to give the recorded positions of its own mqAll to its own cidAll."""
    layout, q, c, *results = row
    if (layout, q) not in layouts:
        raise RowError(f"layout {quoted(layout)} of {q} queues is not in {LAYOUTS}")
    if c not in cid_lists:
        raise RowError(f"a list of {c} client ids is not in {CIDS}")
    recorded = {name: read_shares(text, q, c, name) for name, text in zip(STRATEGIES, results, strict=True)}
    for profile in RECORDED:
        mq_all, cid_all = layouts[layout, q][profile.name], cid_lists[c][profile.name]
        for strategy in profile.strategies:
            name = strategy.rocketmq_name
            if name in recorded:
                computed = [positions(profile.allocate(strategy, cid, mq_all, cid_all), mq_all) for cid in cid_all]
                what = f"{name} of layout {layout}, q={q}, c={c}"
                tally.compare(line, profile, what, shares_text(recorded[name]), shares_text(computed))


def read_shares(text: str, q: int, c: int, what: str) -> list[list[int]]:
    """The positions of each of ``c`` consumers among ``q`` queues, written ``0,1|2|``."""
    found = [[number(item, "position") for item in share.split(",")] if share else [] for share in text.split("|")]
    if len(found) != c:
        raise RowError(f"{what} has {len(found)} consumers, c is {c}")
    for position in (position for share in found for position in share):
        if not 0 <= position < q:
            raise RowError(f"{what} has position {position}, which is outside mqAll of {q} queues")
    return found


def shares_text(found: Sequence[Sequence[int]]) -> str:
    """The inverse of ``read_shares``."""
    return "|".join(",".join(map(str, share)) for share in found)


FORMAT = Format(
    (
        Part(LAYOUTS, LAYOUT_ROWS, check_layout, uses=(LAYOUTS,)),
        Part(CIDS, CID_ROWS, check_cid_list, uses=(CIDS,)),
        Part(RESULTS, ROWS, check_results, uses=(LAYOUTS, CIDS)),
    )
)
