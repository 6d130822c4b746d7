"""``rebalance prove``: prove or refute claims with the solvers, without Spark."""

from collections.abc import Iterator
from pathlib import Path

import click

from rebalance_proofs.cli.certified import certificates_option
from rebalance_proofs.cli.epilogs import CLAIMS, STATUS
from rebalance_proofs.cli.finish import Clock, Option, baseline_option, finish, opened, record
from rebalance_proofs.cli.options import common, drawn, seed_option, solvers, solving, verbose_option
from rebalance_proofs.cli.params import Folder, Whole
from rebalance_proofs.cli.progress import Reporter
from rebalance_proofs.cli.work import Parts, Work
from rebalance_proofs.evidence.asked import Asked
from rebalance_proofs.proofs.ledger import select
from rebalance_proofs.proofs.prove import Options
from rebalance_proofs.proofs.solvers.kept import Kept
from rebalance_proofs.proofs.solvers.kept import opened as kept_in
from rebalance_proofs.report.results import directory
from rebalance_proofs.report.text.english import count

# The option ``--answers``, which stores solver answers for later runs.
# The module also makes the lines that report their use.

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


@click.command(epilog=f"{CLAIMS}\n\n{STATUS}")
@click.argument("claims", nargs=-1)
@solving
@click.option(
    "--stability",
    type=Whole(0, 10000),
    default=0,
    show_default=True,
    metavar="N",
    help="Also prove N reworded variants of each formula.",
)
@click.option(
    "--no-width",
    is_flag=True,
    help="Skip the vacuity checks, which show that the assumptions allow large values.",
)
@certificates_option
@answers_option
@seed_option
@baseline_option
@verbose_option
@common()
def prove(
    claims: tuple[str, ...],
    solver: str,
    timeout: float,
    jobs: int,
    stability: int,
    no_width: bool,
    certificates: Path | None,
    answers: Path | None,
    seed: int | None,
    baseline: Path | None,
    verbose: bool,
    as_json: bool,
    output: Path | None,
    overwrite: bool,
) -> int:
    """Prove or refute claims with Z3 and cvc5.

    A proof covers everything in the claim's scope, usually all numbers of queues and consumers. A refuted claim gets a
    minimal counterexample, which is run on the modelled client code. The command needs no Java.

    \b
    Examples:
      rebalance prove allocation.avg.disjoint
      rebalance prove 'allocation.avg.*' --stability 20
      rebalance prove 'offsets.**' --answers answers --output runs/offsets
      rebalance prove 'offsets.**' --certificates certificates
    """
    clock = Clock()
    chosen = select(claims)
    if certificates:
        from rebalance_proofs.proofs.certified.folder import require_empty

        require_empty(certificates)
    drew = drawn(seed)
    kept = kept_in(answers, drew) if answers else None
    if kept and seed is None:
        drew = kept.seed
    options = Options(solvers(solver), jobs, timeout, stability, drew, width=not no_width, answers=kept)
    asked: dict[str, Option] = {"solver": solver, "timeout": timeout, "jobs": jobs, "stability": stability}
    asked |= {"seed": options.seed, "width": options.width}
    asked |= {"answers": str(answers)} if answers else {}
    asked |= {"certificates": str(certificates)} if certificates else {}
    earlier = opened(baseline, asked, chosen)
    with directory.taken(output, overwrite), Reporter(as_json) as reporter:
        work = Work(reporter, verbose or bool(claims), earlier)
        work.prove(chosen, options, stories=True)
        for line in lines(kept):
            reporter.line(line)
        if certificates:
            work.certify(options, certificates)
        work.gather(Asked(chosen, options.solvers, options.width))
        parts: Parts = {**work.parts, "left_out": left_out(kept)}
        run = record(clock, asked, **parts)
        return finish(run, output, as_json, reporter, work.told)
