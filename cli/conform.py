"""``rebalance conform``."""

from pathlib import Path

import click

from rebalance_proofs.cli.finish import Clock, finish, record
from rebalance_proofs.cli.options import STATUS, common
from rebalance_proofs.cli.progress import Reporter
from rebalance_proofs.cli.vectors import vectors_option
from rebalance_proofs.cli.work import Work
from rebalance_proofs.evidence.asked import Asked
from rebalance_proofs.recorded import OWN, require
from rebalance_proofs.report import directory


@click.command(epilog=STATUS)
@vectors_option
@common()
def conform(vectors: Path | None, as_json: bool, output: Path | None, overwrite: bool) -> int:
    """Compare the model with what real clients were recorded to compute.

    \b
    Example:
      rebalance conform
    """
    clock = Clock()
    vectors = vectors or OWN
    require(vectors)
    with directory.taken(output, overwrite), Reporter(as_json) as reporter:
        work = Work(reporter)
        work.conform(vectors)
        work.gather(Asked(vectors=vectors))
        return finish(record(clock, {"vectors": str(vectors)}, **work.parts), output, as_json, reporter)
