"""``rebalance verify``: prove, enumerate, and compare with recorded results."""

from pathlib import Path

import click

from rebalance_proofs.cli.certified import NO_CERTIFICATES, SAMPLE, no_certificates_option
from rebalance_proofs.cli.epilogs import CLAIMS, STATUS
from rebalance_proofs.cli.finish import Clock, Option, baseline_option, finish, opened, record
from rebalance_proofs.cli.options import (
    NO_VECTORS,
    asked_for,
    bounds,
    common,
    drawn,
    enumerating,
    no_vectors_option,
    seed_option,
    solvers,
    solving,
    vectors_option,
    verbose_option,
)
from rebalance_proofs.cli.progress import Reporter
from rebalance_proofs.cli.work import Early, Parts, Spark, Work
from rebalance_proofs.evidence.asked import Asked
from rebalance_proofs.proofs.ledger import select
from rebalance_proofs.proofs.prove import Options
from rebalance_proofs.recorded.conform import require
from rebalance_proofs.report.results import directory
from rebalance_proofs.spark_enum.preflight import require_java, require_master

OUTPUT = "runs/verify"


@click.command(epilog=f"{CLAIMS}\n\n{STATUS}")
@click.argument("claims", nargs=-1)
@solving
@enumerating
@vectors_option
@no_vectors_option
@no_certificates_option
@seed_option
@baseline_option
@verbose_option
@common(OUTPUT)
def verify(
    claims: tuple[str, ...],
    solver: str,
    timeout: float,
    jobs: int,
    queues: int | None,
    consumers: int | None,
    quick: bool,
    thorough: bool,
    master: str | None,
    parquet: bool,
    vectors: Path | None,
    no_vectors: bool,
    no_certificates: bool,
    seed: int | None,
    baseline: Path | None,
    verbose: bool,
    as_json: bool,
    output: Path,
    overwrite: bool,
) -> int:
    """Judge claims with solvers, enumeration and recordings.

    The solvers prove or refute each claim. Spark runs the modelled client code on every small group. Recorded results
    of real clients are compared with the model. cvc5's proofs are checked independently of solvers. The run directory
    gets report.html and results.json. With --quick, the run also skips the vacuity checks, and checks a sample of
    proofs. The command needs Java.

    \b
    Examples:
      rebalance verify --quick --output runs/today
      rebalance verify CONSISTENT_HASH
      rebalance verify --baseline runs/yesterday/results.json
    """
    clock = Clock()
    chosen = select(claims)
    limits = bounds(queues, consumers, quick, thorough)
    master = master or f"local[{jobs}]"
    vectors = asked_for(vectors, no_vectors)
    if vectors:
        require(vectors)
    options = Options(solvers(solver), jobs, timeout, seed=drawn(seed), width=not quick, explore=True)
    asked: dict[str, Option] = {"solver": solver, "timeout": timeout, "jobs": jobs, "master": master}
    asked |= {"queues": limits.queues, "consumers": limits.consumers, "quick": quick, "thorough": thorough}
    asked |= {"seed": options.seed, "width": options.width}
    asked["certificates"] = not no_certificates
    asked["vectors"] = str(vectors) if vectors else "none"
    earlier = opened(baseline, asked, chosen)
    require_java()
    require_master(master)
    spark = Spark(master, limits, "z3" if solver == "both" else solver, output, parquet)
    with directory.taken(output, overwrite), Reporter(as_json) as reporter, Early(master, spark.log) as early:
        work = Work(reporter, verbose or bool(claims), earlier)
        if vectors:
            work.conform(vectors)
        if not work.unfinished:
            work.prove(chosen, options, spare=early.begin)
        if not (no_certificates or work.unfinished):
            work.certify(options, most=SAMPLE if quick else None)
        if not work.unfinished:
            work.enumerate(chosen, spark, early)
        work.gather(Asked(chosen, options.solvers, options.width, limits, vectors))
        left_out = [NO_VECTORS] * (not vectors) + [NO_CERTIFICATES] * no_certificates
        parts: Parts = {**work.parts, "left_out": tuple(left_out)}
        return finish(record(clock, asked, **parts), output, as_json, reporter, work.told)
