"""``rebalance certify``: check certificates of claims, without a solver."""

from collections.abc import Iterator
from pathlib import Path

import click

from rebalance_proofs.cli.epilogs import statuses
from rebalance_proofs.cli.params import Folder
from rebalance_proofs.cli.progress import Reporter
from rebalance_proofs.proofs.certified.folder import Checked, checked, claims_in
from rebalance_proofs.proofs.claim import Verdict
from rebalance_proofs.proofs.ledger import select
from rebalance_proofs.report.text.english import count

MOST = 20
"""Number of uncertified obligations that are listed."""


@click.command(epilog=statuses("every obligation is certified", "an obligation is not certified"))
@click.argument("folder", metavar="DIR", type=Folder("name a folder with certificates"))
def certify(folder: Path) -> int:
    """Check cvc5's proofs of claims, without a solver.

    `rebalance prove --certificates DIR` writes them: each obligation's formula, with cvc5's proof of it. For each
    claim in DIR, the command makes the formulas from the claim, compares them with those in DIR, and checks every step
    of the proofs.

    \b
    Examples:
      rebalance prove 'offsets.**' --certificates certificates
      rebalance certify certificates
    """
    expected = [claim for claim in select(()) if claim.expected is Verdict.PROVED]
    claims = claims_in(folder, expected)
    found: list[Checked] = []
    with Reporter() as reporter:
        reporter.begins(f"checking the certificates of {count(len(claims), 'claim')}")
        step = reporter.step("checking", sum(len(claim.obligations) for claim in claims))
        for one in checked(folder, claims):
            found.append(one)
            step.advance()
        for line in lines(found):
            reporter.judged(line, wrong=line.startswith("BAD"))
        bad = sum(bool(one.problem) for one in found)
        reporter.verdict(
            f"certified: {len(found) - bad} of {count(len(found), 'obligation')} "
            f"({len(claims)} of {count(len(expected), 'claim')} that hold)",
            wrong=bool(bad),
        )
    return int(bool(bad))


def lines(found: list[Checked]) -> Iterator[str]:
    """Yield a line for each of the first obligations that are not certified, and one for the others."""
    bad = [one for one in found if one.problem]
    for one in bad[:MOST]:
        yield f"BAD {one.claim} / {one.obligation}: {one.problem}"
    if len(bad) > MOST:
        yield f"BAD {count(len(bad) - MOST, 'more obligation')}"
