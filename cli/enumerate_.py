"""``rebalance enumerate``: run the model's client code on every small group, on Spark."""

from pathlib import Path

import click

from rebalance_proofs.cli.epilogs import CLAIMS, STATUS
from rebalance_proofs.cli.finish import Clock, Option, finish, record
from rebalance_proofs.cli.options import bounds, common, enumerating, jobs_option, verbose_option
from rebalance_proofs.cli.progress import Reporter
from rebalance_proofs.cli.work import Spark, Work
from rebalance_proofs.evidence.asked import Asked
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.proofs.ledger import select
from rebalance_proofs.report.results import directory
from rebalance_proofs.spark_enum.preflight import require_java, require_master


@click.command("enumerate", epilog=f"{CLAIMS}\n\n{STATUS}")
@click.argument("claims", nargs=-1)
@enumerating
@click.option(
    "--solver",
    type=click.Choice(["z3", "cvc5"]),
    default="z3",
    show_default=True,
    help="Solver that Spark's executors query at every size.",
)
@jobs_option("Number of cores for a local Spark.")
@verbose_option
@common()
def enumerate_(
    claims: tuple[str, ...],
    queues: int | None,
    consumers: int | None,
    quick: bool,
    thorough: bool,
    master: str | None,
    parquet: bool,
    solver: str,
    jobs: int,
    verbose: bool,
    as_json: bool,
    output: Path | None,
    overwrite: bool,
) -> int:
    """Run the modelled client code on every small group, with Spark.

    The command compares the results with the claims, and with the formulas that the solvers read. It needs
    Java.

    \b
    Examples:
      rebalance enumerate 'allocation.circle.**' --queues 32 --consumers 32
      rebalance enumerate --quick
    """
    clock = Clock()
    chosen = select(claims)
    limits = bounds(queues, consumers, quick, thorough)
    if parquet and not output:
        raise UsageError("--parquet needs --output DIR: the tables are written to the run directory")
    master = master or f"local[{jobs}]"
    require_java()
    require_master(master)
    with directory.taken(output, overwrite), Reporter(as_json) as reporter:
        work = Work(reporter, verbose or bool(claims))
        work.enumerate(chosen, Spark(master, limits, solver, output, parquet))
        asked: dict[str, Option] = {
            "queues": limits.queues,
            "consumers": limits.consumers,
            "quick": quick,
            "thorough": thorough,
        }
        asked |= {"master": master, "solver": solver}
        work.gather(Asked(chosen, bounds=limits))
        return finish(record(clock, asked, **work.parts), output, as_json, reporter, work.told)
