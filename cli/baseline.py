"""The option ``--baseline``, which compares a run with an earlier run."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from rebalance_proofs.cli.finish import Option
from rebalance_proofs.cli.params import File
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.report.results.baseline import Baseline, fitting, read

baseline_option = click.option(
    "--baseline",
    type=File("name the results.json of an earlier run"),
    metavar="FILE",
    help="Compare with FILE, the results.json of an earlier run with the same bounds and solvers. Only results that "
    "became worse fail (status 1). Failures that FILE has too are reported as known.",
)
"""The option ``--baseline``."""


def opened(path: Path | None, options: Mapping[str, Option], claims: Sequence[Claim]) -> Baseline | None:
    """Return the earlier run that ``--baseline`` names; None without the option.

    Call this before the run directory is emptied, because that directory may contain the file. Raises ``UsageError``
    if the file cannot be read, or cannot be compared with a run with these options and claims.
    """
    if path is None:
        return None
    found = read(path)
    fitting(found, options, [claim.id for claim in claims])
    return found
