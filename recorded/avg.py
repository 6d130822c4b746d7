"""``avg.tsv``: what AVG and AVG_BY_CIRCLE give to each consumer, for all numbers of queues and consumers up to a bound.

All five clients computed the same, each starting from the unsorted lists of ``avg_layouts.tsv`` and ``avg_cids.tsv``.
"""

from collections.abc import Mapping, Sequence

from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.profiles import RECORDED, Profile
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.recorded.avg_lists import CidLists, Layouts, check_cid_lists, check_layouts
from rebalance_proofs.recorded.files import Line, VectorFile
from rebalance_proofs.recorded.format import Format
from rebalance_proofs.recorded.records import FileReport
from rebalance_proofs.recorded.tally import RowError, Tally, check_rows, without
from rebalance_proofs.recorded.text import quoted
from rebalance_proofs.recorded.tsv import cells, number, shares, shares_text
from rebalance_proofs.recorded.values import positions

__all__ = ["FORMAT"]

RESULTS, LAYOUTS, CIDS = "avg.tsv", "avg_layouts.tsv", "avg_cids.tsv"
RESULT_COLUMNS = ("AVG", "AVG_BY_CIRCLE")
COLUMNS = ("layout", "q", "c", *RESULT_COLUMNS)


def check(found: Mapping[str, VectorFile]) -> tuple[FileReport, ...]:
    """The lists first, then the results that refer to them."""
    reports: list[FileReport] = []
    layouts: Layouts = {}
    cid_lists: CidLists = {}
    if LAYOUTS in found:
        report, layouts = check_layouts(found[LAYOUTS])
        reports.append(report)
    if CIDS in found:
        report, cid_lists = check_cid_lists(found[CIDS])
        reports.append(report)
    missing = [name for name in (LAYOUTS, CIDS) if name not in found]
    if RESULTS in found and missing:
        reports.append(without(found[RESULTS], " and ".join(missing)))
    elif RESULTS in found:
        reports.append(check_results(found[RESULTS], layouts, cid_lists))
    return tuple(reports)


def check_results(vectors: VectorFile, layouts: Layouts, cid_lists: CidLists) -> FileReport:
    """Every client that ships the strategy has to give the recorded positions of its own mqAll to its own cidAll."""

    def check_row(tally: Tally, line: Line) -> None:
        layout, q_text, c_text, *results = cells(line.text, COLUMNS)
        q, c = number(q_text, "q"), number(c_text, "c")
        if (layout, q) not in layouts:
            raise RowError(f"layout {quoted(layout)} of {q} queues is not in {LAYOUTS}")
        if c not in cid_lists:
            raise RowError(f"a list of {c} client ids is not in {CIDS}")
        recorded = {name: shares(text, q, c, name) for name, text in zip(RESULT_COLUMNS, results, strict=True)}
        for profile in RECORDED:
            mq_all, cid_all = layouts[layout, q][profile.name], cid_lists[c][profile.name]
            for strategy in profile.strategies:
                if strategy.rocketmq_name not in recorded:
                    continue
                computed = compute(profile, strategy, mq_all, cid_all)
                what = f"{strategy.rocketmq_name} of layout {layout}, q={q}, c={c}"
                tally.compare(line, profile, what, shares_text(recorded[strategy.rocketmq_name]), shares_text(computed))

    return check_rows(vectors, check_row, "\t".join(COLUMNS))


def compute(
    profile: Profile, strategy: Strategy, mq_all: Sequence[MessageQueue], cid_all: Sequence[str]
) -> list[list[int]]:
    """Each consumer's positions in mqAll."""
    return [positions(profile.allocate(strategy, cid, mq_all, cid_all), mq_all) for cid in cid_all]


FORMAT = Format(files=(LAYOUTS, CIDS, RESULTS), check=check)
