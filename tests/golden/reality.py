"""The page on what real groups did, of few recordings: one as it is, and one with a lie that machines do not
explain; with edits and wrong encodings as they could have come out.

What it says of claims, recording for recording the same, is compared where the page is.
"""

from collections import Counter
from collections.abc import Iterator

from rebalance_proofs.recorded.groups.member import EntryNew
from rebalance_proofs.report.reality.differs import Differs
from rebalance_proofs.report.reality.page import EDITED, EDITS, Real, Strength, Tried, page, real
from rebalance_proofs.report.reality.told import Happening, Held
from tests.recorded.cluster.traces import trace, without

STARTS, SHUTDOWN = "java-4.9.8/x_start_threw", "java-4.9.8/j_shutdown"
CELLS = [(machine, kind) for machine in EDITED[1:] for kind in EDITS]
STRENGTH = Strength(
    Counter({cell: 7 + number for number, cell in enumerate(CELLS)}),
    Counter({cell: number for number, cell in enumerate(CELLS)}),
    2,
    {"cut": (3, 4), "merged": (5, 5)},
)
WRONG = (
    Tried("ordered", ("frees-any", "grants-to-all"), {"asks-nothing": Differs.MORE}),
    Tried("settling", (), {"hurries": Differs.UNSEEN}),
)


def reality() -> Iterator[str]:
    """The page's lines, without the chapter that is of the ledger and no recording."""
    whole = trace(SHUTDOWN)
    lied = real(without(whole, next(one for who in whole.consumers for one in whole.kind(EntryNew, who))), "with a lie")
    happened = (
        Happening("it happened", ("a.claim",), 1_000, 2_000, 3_000, ("b.claim", "c.claim")),
        Happening("it was", (), 1, 2, None),
    )
    held = (Held("a.claim", "it happened", 1_200, 0), Held("a.claim", "it was", 0, 0), Held("c.claim", "it was", 5, 1))
    few = [real(trace(STARTS), "as it is"), Real(lied.verdict, happened, held)]
    lines = [*page(few, STRENGTH, WRONG)]
    yield from lines[: lines.index("## Claims and their marks")]
    yield from lines[lines.index("## Results by machine") :]
    yield from (f"without more: {len([*page(few)])} lines", f"with edits: {len([*page(few, STRENGTH)])} lines")
