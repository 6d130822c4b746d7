"""The page: what users ask first, then every claim, then what is enumerated."""

from collections.abc import Sequence

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.report import seen
from rebalance_proofs.report.ledger.claims import all_claims
from rebalance_proofs.report.ledger.differences import differences
from rebalance_proofs.report.ledger.glance import glance
from rebalance_proofs.report.ledger.remarks import EXPLAINED
from rebalance_proofs.report.ledger.same_name import same_name
from rebalance_proofs.report.ledger.spaces import spaces

HEAD = """# The ledger

Every claim that this project makes, with the verdict that is expected of it. A run is green only when every claim comes
out as it stands here. Generated from the claims by `make docs`; do not edit. What follows from it for users is told in
[the findings](findings.md).

**PROVED** is proved by Z3 and by cvc5 for all numbers of queues and consumers, without a bound. **REFUTED** has a
counterexample that replays on the concrete implementation; the run's report draws the smallest one.

{explained}
*Real clients*: {seen}

Two things are claimed about: which queues a strategy gives to whom, and [what a rebalance then does to a client's
queues](#what-a-rebalance-does-to-a-clients-queues), for any number of queues in any state.
"""


def page(claims: Sequence[Claim] = LEDGER) -> str:
    """Markdown."""
    head = HEAD.format(explained=EXPLAINED, seen=seen.EXPLAINED)
    parts = (head, glance(claims), same_name(claims), differences(), all_claims(claims), spaces(claims))
    return "\n\n".join(part.strip() for part in parts) + "\n"
