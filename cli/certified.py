"""The options ``--certificates`` and ``--no-certificates``, and the lines that report certificates."""

from collections.abc import Iterator, Sequence

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
    yield from problem_lines("not certified: ", found.uncertified)
    yield certified(found)


def problem_lines(mark: str, problems: Sequence[tuple[str, str, str]]) -> Iterator[str]:
    """Yield a line for each of the first problems, and one for the others.

    A problem is (claim, obligation, reason). Each line begins with ``mark``.
    """
    for claim, name, reason in problems[:MOST]:
        yield f"{mark}{claim} / {name}: {reason}"
    if len(problems) > MOST:
        yield f"{mark}{count(len(problems) - MOST, 'more obligation')}"
