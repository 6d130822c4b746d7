"""The option ``--certificates`` of ``rebalance prove``, and the lines that report the certificates of a run."""

from collections.abc import Iterator, Mapping, Sequence

import click

from rebalance_proofs.cli.params import Folder
from rebalance_proofs.proofs.certified.wanted import digest
from rebalance_proofs.proofs.claim import Verdict
from rebalance_proofs.proofs.results import ClaimResult
from rebalance_proofs.report.english import count

certificates_option = click.option(
    "--certificates",
    type=Folder("name a new or empty folder"),
    metavar="DIR",
    help="Write each formula of the proved claims to DIR, with a proof by cvc5 that `rebalance certify` checks.",
)
"""The option ``--certificates``."""
MOST = 20
"""Number of obligations without a certificate that are listed."""


def obligations(results: Sequence[ClaimResult]) -> dict[str, dict[str, str]]:
    """Return the texts of the proved claims' obligations, by claim and by obligation."""
    return {
        result.claim.id: {one.name: one.proof.text for one in result.obligations}
        for result in results
        if result.verdict is Verdict.PROVED
    }


def certified_lines(claims: Mapping[str, Mapping[str, str]], lacking: Mapping[str, str]) -> Iterator[str]:
    """Yield lines about the obligations without a certificate, and the number of all others.

    ``claims`` has the texts by claim and obligation, ``lacking`` the reasons by digest.
    """
    every = [(claim, name, digest(text)) for claim, texts in claims.items() for name, text in texts.items()]
    bad = [one for one in every if one[2] in lacking]
    for claim, name, stem in bad[:MOST]:
        yield f"not certified: {claim} / {name}: {lacking[stem]}"
    if len(bad) > MOST:
        yield f"not certified: {count(len(bad) - MOST, 'more obligation')}"
    yield f"certified: {len(every) - len(bad)} of {count(len(every), 'obligation')}"
