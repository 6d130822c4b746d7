"""``rebalance show``: print the verdict on one claim, with its counterexample or proof."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import click

from rebalance_proofs.cli.awaited import awaited
from rebalance_proofs.cli.encoded import encoded
from rebalance_proofs.cli.ending import ENDING
from rebalance_proofs.cli.epilogs import STATUS
from rebalance_proofs.cli.options import drawn, seed_option, solvers, solving
from rebalance_proofs.cli.paged import paged
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.proofs.ledger import only
from rebalance_proofs.proofs.prove import Options, prove
from rebalance_proofs.report.in_brief import brief, full
from rebalance_proofs.report.json_claim import claim as document

CLEAR = "\r\x1b[K"
"""Control sequence that erases the current line of a terminal."""


@click.command(epilog=STATUS)
@click.argument("claim")
@solving
@seed_option
@click.option(
    "--all", "everything", is_flag=True, help="Print all details: assumptions, proofs, fixes and source files."
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")
def show(claim: str, solver: str, timeout: float, jobs: int, seed: int | None, everything: bool, as_json: bool) -> int:
    """Explain one claim, with its proof or counterexample.

    The command runs the solvers for the claim. It prints the verdict, and then the proof, or the minimal counterexample
    with a fix where one is known. With --all, it also prints all assumptions, obligations, fixes and source files.
    CLAIM is an id from `rebalance list`.

    \b
    Examples:
      rebalance show allocation.avg.disjoint
      rebalance show transition.java_v5_2.listener.push-orderly
    """
    if everything and as_json:
        raise UsageError("--all adds details to the text answer; leave out --json")
    one = only(claim)
    options = Options(solvers(solver), jobs, timeout, seed=drawn(seed))
    with _waiting(f"Judging {one.id} ..."):
        ENDING.keep()
        (result,) = awaited(lambda: prove([one], options))
        ENDING.release()
    if as_json:
        print(encoded(document(result)))
    else:
        paged(full(result) if everything else brief(result))
    return 0 if result.green else 1


@contextmanager
def _waiting(words: str) -> Iterator[None]:
    """Show a message at a terminal until the block ends."""
    shows = sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
    if shows:
        sys.stdout.write(words)
        sys.stdout.flush()
    try:
        yield
    finally:
        if shows:
            sys.stdout.write(CLEAR)
            sys.stdout.flush()
