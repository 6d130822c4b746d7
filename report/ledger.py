"""The ledger page of the documentation, generated from the claims."""

import sys
from collections.abc import Sequence

from proofs.claim import Claim
from proofs.ledger import LEDGER

HEAD = """# The ledger

Every claim that this project makes, with the verdict that is expected of it. A run is green only when every claim comes
out as it stands here. Generated from the claims by `make docs`; do not edit.

**PROVED** is proved by Z3 and by cvc5 for all numbers of queues and consumers, without a bound. **REFUTED** has a
counterexample that replays on the concrete implementation; the run's report draws the smallest one.
"""


def page(claims: Sequence[Claim] = LEDGER) -> str:
    """Markdown: the guarantees of each strategy, then what becomes of them without each premise."""
    promises = [claim for claim in claims if not claim.premise.dropped]
    dependent = [claim for claim in claims if claim.premise.dropped]
    parts = [HEAD, "## What a strategy guarantees, when all premises hold\n"]
    parts += [f"The premises: {promises[0].premise.sentence}\n", *_table(promises)]
    parts += ["\n## What becomes of it without a premise\n"]
    for premise in dict.fromkeys(claim.premise for claim in dependent):
        source = f"[{_short(premise.source)}]({premise.source})"
        parts += [f"### {premise.name}\n", f"{premise.sentence} {premise.without} {source}\n"]
        parts += [*_table([claim for claim in dependent if claim.premise is premise]), ""]
    return "\n".join(parts).rstrip() + "\n"


def _table(claims: Sequence[Claim]) -> list[str]:
    head = ["| claim | sentence | expected | obligations |", "|---|---|---|---|"]
    return head + [
        f"| `{claim.id}` | {claim.sentence} | {claim.expected}, {claim.scope} | "
        f"{', '.join(f'`{step.name}`' for step in claim.obligations) or '–'} |"
        for claim in claims
    ]


def _short(source: str) -> str:
    """``rocketmq#1547`` for an issue, the last part of other addresses."""
    parts = source.rstrip("/").split("/")
    return f"{parts[-3]}#{parts[-1]}" if "issues" in parts else parts[-1]


if __name__ == "__main__":
    sys.stdout.write(page())
