"""The options ``--vectors`` and ``--no-vectors``: recorded results of real clients."""

from pathlib import Path

import click

from rebalance_proofs.cli.params import Folder
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.recorded.files import OWN

NO_VECTORS = "no recorded result of a real client was compared, because of --no-vectors"
"""Sentence for the reports of a run without the comparison with recorded results."""


vectors_option = click.option(
    "--vectors",
    type=Folder("leave out --vectors to use this project's recordings"),
    metavar="DIR",
    show_default="recordings of this project",
    help="Folder with recorded results of real clients.",
)
"""The option ``--vectors``."""
no_vectors_option = click.option(
    "--no-vectors",
    is_flag=True,
    help="Skip the comparison with recorded results of real clients. Every report mentions this.",
)
"""The option ``--no-vectors``."""


def asked_for(vectors: Path | None, no_vectors: bool) -> Path | None:
    """Return the folder of recorded results, by default this project's; None with ``--no-vectors``.

    Raises ``UsageError`` if both options are given.
    """
    if vectors and no_vectors:
        raise UsageError("--vectors and --no-vectors exclude each other; leave out one of them")
    return None if no_vectors else vectors or OWN
