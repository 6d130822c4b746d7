"""Options for the recorded results of real clients that the model is compared with."""

from pathlib import Path

import click

from rebalance_proofs.cli.params import Folder
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.recorded.own import OWN

NO_VECTORS = "no recorded result of a real client was compared, as asked by --no-vectors"
"""Sentence for every report of a run without the comparison."""


vectors_option = click.option(
    "--vectors",
    type=Folder("without --vectors, the project's own are taken"),
    metavar="DIR",
    help="Recorded results of clients. [default: the project's own]",
)
no_vectors_option = click.option(
    "--no-vectors", is_flag=True, help="Compare with no recorded results; every report says so."
)


def asked_for(vectors: Path | None, no_vectors: bool) -> Path | None:
    """Directory of recorded results, by default the project's own; None without them.

    Raises ``UsageError`` if both options are given.
    """
    if vectors and no_vectors:
        raise UsageError("--vectors and --no-vectors exclude each other")
    return None if no_vectors else vectors or OWN
