"""``rebalance show``: one claim in full."""

import click

from rebalance_proofs.cli.awaited import awaited
from rebalance_proofs.cli.ending import ENDING
from rebalance_proofs.cli.epilogs import STATUS
from rebalance_proofs.cli.options import drawn, seed_option, solvers, solving
from rebalance_proofs.cli.progress import Reporter
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.proofs.ledger import select
from rebalance_proofs.proofs.prove import Options, prove
from rebalance_proofs.report.in_full import heading, outcome


@click.command(epilog=STATUS)
@click.argument("claim")
@solving
@seed_option
def show(claim: str, solver: str, timeout: float, jobs: int, seed: int | None) -> int:
    """Explain one claim, with its proof or counterexample.

    The command runs the solvers for the claim. It prints the claim's sentence, assumptions and evidence from real
    clients, and then the proof, or the minimal counterexample with fixes where they are known. CLAIM is an id from
    `rebalance list`.

    \b
    Examples:
      rebalance show allocation.avg.disjoint
      rebalance show transition.java_v5_2.listener.push-orderly
    """
    one, *others = select([claim])
    if others:
        raise UsageError(f"{claim!r} selects {len(others) + 1} claims; name one: `rebalance list '{claim}'` lists them")
    with Reporter() as reporter:
        for line in heading(one):
            reporter.line(line)
        options = Options(solvers(solver), jobs, timeout, seed=drawn(seed))
        ENDING.keep()
        (result,) = awaited(lambda: prove([one], options))
        ENDING.release()
        for line in outcome(result):
            reporter.line(line)
    return 0 if result.green else 1
