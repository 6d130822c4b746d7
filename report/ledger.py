"""The ledger page of the documentation, generated from the claims."""

import sys
from collections.abc import Sequence

from model.premises import Premise
from proofs.claim import Claim
from proofs.ledger import LEDGER
from spark_enum.bounds import Bounds
from spark_enum.space import Space

HEAD = """# The ledger

Every claim that this project makes, with the verdict that is expected of it. A run is green only when every claim comes
out as it stands here. Generated from the claims by `make docs`; do not edit.

**PROVED** is proved by Z3 and by cvc5 for all numbers of queues and consumers, without a bound. **REFUTED** has a
counterexample that replays on the concrete implementation; the run's report draws the smallest one.
"""

ENUMERATED = """## What is enumerated

Every group within these bounds, for each strategy: the number of groups is a closed form, and a run asserts that it met
as many. Where all premises hold, one group has c results to compute; the lists of ids that differ are every pair of
non-empty subsets of five ids, with every way in which the consumers can have seen one or the other.
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
    parts += [ENUMERATED, *_spaces(tuple(dict.fromkeys(claim.premise for claim in claims)))]
    return "\n".join(parts).rstrip() + "\n"


def _spaces(premises: Sequence[Premise]) -> list[str]:
    bounds = Bounds()
    rows = ["| groups | queues q | consumers c | number of groups |", "|---|---|---|---|"]
    for premise in premises:
        consumers, queues = bounds.swept(premise)
        name = f"without {premise.name}" if premise.dropped else "all premises hold"
        count = Space(premise, consumers, queues).groups
        rows.append(f"| {name} | 1 to {queues} | 1 to {consumers} | {count:,} |")
    return rows


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
