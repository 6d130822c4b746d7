"""The option that compares a run with an earlier one."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from rebalance_proofs.cli.finish import Option
from rebalance_proofs.cli.params import File
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.report.baseline import Baseline, fitting, read

baseline_option = click.option(
    "--baseline",
    type=File("name a results.json"),
    metavar="FILE",
    help="results.json of an earlier run with the same bounds and solvers: only what is worse than there fails (status "
    "1); what was not as expected there, and still is not, is told as known.",
)


def opened(path: Path | None, options: Mapping[str, Option], claims: Sequence[Claim]) -> Baseline | None:
    """The baseline, read before any work, and before the run directory is emptied, which may contain it.

    Raises ``UsageError`` if it cannot be read, or cannot be compared with a run of these options and claims.
    """
    if path is None:
        return None
    found = read(path)
    fitting(found, options, [claim.id for claim in claims])
    return found
