"""The ledger's first page: terms, frequent questions, a link to each kind's claims, and the enumerated spaces."""

from collections.abc import Sequence

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.report import mark
from rebalance_proofs.report.claim_address import FOLDER
from rebalance_proofs.report.families import families
from rebalance_proofs.report.kinds import KINDS
from rebalance_proofs.report.ledger.claims import kinds
from rebalance_proofs.report.ledger.remarks import EXPLAINED
from rebalance_proofs.report.markdown_tables import table

HEAD = """# The ledger

Every claim that this project makes, with the verdict that is expected of it. A run is green only when every claim comes
out as it stands here. Generated from the claims by `make docs`; do not edit. What follows from it for users is told in
[the findings](findings.md).

**PROVED** is proved by Z3 and by cvc5 for all numbers of queues and consumers, without a bound. **REFUTED** has a
counterexample that replays on the concrete implementation; the run's report draws the smallest one.

{explained}
*Real clients*: {seen}

## All claims

A page a kind, and a row a claim: its id, what it says, its expected verdict, and its mark.
`rebalance show CLAIM` has the rest: its premises, for what it is proved, and the smallest counterexample.

{kinds}
"""


def page(claims: Sequence[Claim] = LEDGER) -> str:
    """The page in Markdown."""
    rows = [
        (f"[{name}]({FOLDER}/{name}.md)", ", ".join(one.title for one in families(own)), str(len(own)))
        for name, own in kinds(claims).items()
    ]
    told = table(("kind", "about", "claims"), rows)
    head = HEAD.format(explained=EXPLAINED, seen=mark.EXPLAINED, kinds=told)
    parts = (head, *(chapter for kind in KINDS.values() for chapter in kind.chapters(claims)))
    return "\n\n".join(part.strip() for part in parts) + "\n"
