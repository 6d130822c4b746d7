"""The option ``--answers``, which stores solver answers for later runs.

The module also makes the lines that report their use.
"""

from collections.abc import Iterator

import click

from rebalance_proofs.cli.params import Folder
from rebalance_proofs.proofs.solvers.kept import Kept
from rebalance_proofs.report.text.english import count

answers_option = click.option(
    "--answers",
    type=Folder("name a new or empty folder"),
    metavar="DIR",
    help="Store solver answers in DIR, and reuse the answers that are already there. Reports list reused answers. "
    "Without --seed, the run uses the seed of the first run with DIR.",
)
"""The option ``--answers``."""


def lines(kept: Kept | None) -> Iterator[str]:
    """Yield lines for the terminal, not for reports: no answer was reused, or storing failed."""
    if kept and not kept.given:
        yield _used(kept)
    if kept and kept.trouble:
        yield f"could not store the answers of this run in {str(kept.folder)!r}: {kept.trouble}"


def left_out(kept: Kept | None) -> tuple[str, ...]:
    """Return sentences about reused answers for reports; empty if solvers computed all answers."""
    return (f"{_used(kept)}: no solver ran for these in this run",) if kept and kept.given else ()


def _used(kept: Kept) -> str:
    return f"{kept.given:,} of {count(kept.asked, 'answer')} came from {str(kept.folder)!r}"
