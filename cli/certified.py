"""The options ``--certificates`` and ``--no-certificates``, and the lines that report the certificates of a run."""

from collections.abc import Iterator

import click

from rebalance_proofs.cli.params import Folder
from rebalance_proofs.proofs.certified.found import Certified
from rebalance_proofs.report.results.headline import certified
from rebalance_proofs.report.text.english import count

certificates_option = click.option(
    "--certificates",
    type=Folder("name a new or empty folder"),
    metavar="DIR",
    help="Write each formula of the proved claims to DIR, with a proof by cvc5 that `rebalance certify` checks.",
)
"""The option ``--certificates``."""
no_certificates_option = click.option(
    "--no-certificates", is_flag=True, help="Skip the certificates: cvc5's proofs, checked independently of solvers."
)
"""The option ``--no-certificates``."""
NO_CERTIFICATES = "no certificate was checked, because of --no-certificates"
SAMPLE = 100
"""Number of formulas that get a certificate with ``--quick``."""
MOST = 20
"""Number of obligations without a certificate that are listed."""


def lines(found: Certified) -> Iterator[str]:
    """Yield lines about the obligations without a certificate, and the numbers of formulas."""
    bad = found.uncertified
    for claim, name, reason in bad[:MOST]:
        yield f"not certified: {claim} / {name}: {reason}"
    if len(bad) > MOST:
        yield f"not certified: {count(len(bad) - MOST, 'more obligation')}"
    yield certified(found)
