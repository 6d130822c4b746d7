"""``rebalance certify``: check certificates of claims, without a solver."""

from pathlib import Path

import click

from rebalance_proofs.cli.certified import problem_lines
from rebalance_proofs.cli.epilogs import statuses
from rebalance_proofs.cli.params import Folder
from rebalance_proofs.cli.progress import Reporter
from rebalance_proofs.proofs.certified.folder import Checked, checked, claims_in
from rebalance_proofs.proofs.claim import Verdict
from rebalance_proofs.proofs.ledger import select
from rebalance_proofs.report.text.english import count


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
        step = reporter.step("checking", sum(len((*claim.obligations, *claim.lemmas)) for claim in claims))
        for one in checked(folder, claims):
            found.append(one)
            step.advance()
        bad = [(one.claim, one.obligation, one.problem) for one in found if one.problem]
        for line in problem_lines("BAD ", bad):
            reporter.judged(line, wrong=True)
        reporter.verdict(
            f"certified: {len(found) - len(bad)} of {count(len(found), 'obligation')} "
            f"({len(claims)} of {count(len(expected), 'claim')} that hold)",
            wrong=bool(bad),
        )
    return int(bool(bad))
