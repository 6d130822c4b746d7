"""``rebalance conform``: compare the model with recorded results of real clients."""

from pathlib import Path

import click

from rebalance_proofs import ranges
from rebalance_proofs.cli import cluster, jar, package
from rebalance_proofs.cli.epilogs import STATUS
from rebalance_proofs.cli.finish import Clock, finish, record
from rebalance_proofs.cli.options import common, jobs_option, vectors_option
from rebalance_proofs.cli.params import File, Folder, Master, Name, Whole
from rebalance_proofs.cli.progress import Reporter
from rebalance_proofs.cli.work import Work
from rebalance_proofs.evidence.asked import Asked
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.recorded.cluster.scenarios import MANY
from rebalance_proofs.recorded.conform import require
from rebalance_proofs.recorded.files import OWN
from rebalance_proofs.report.results import directory


@click.command(epilog=STATUS)
@vectors_option
@click.option(
    "--java", is_flag=True, help="Compare with the strategies and rebalance steps in a Java client's jar instead."
)
@click.option(
    "--classpath",
    metavar="JARS",
    help="With --java: rocketmq-client.jar and its dependencies, in the form of java -cp.",
)
@click.option(
    "--package",
    "released",
    metavar="NAME==VERSION",
    help="Compare with a released client instead: a Go module, an npm package, a crate, or a Java or gRPC client.",
)
@click.option(
    "--steps",
    type=Whole(*ranges.STEPS),
    metavar="N",
    show_default="4",
    help="With --package and a gRPC client: compare all sequences of N steps.",
)
@click.option(
    "--cluster",
    "recordings",
    type=Folder("name a recorded scenario, or a folder of recorded scenarios"),
    metavar="DIR",
    help="Compare with recorded groups over time instead. DIR is one recorded scenario, or a folder of them.",
)
@click.option(
    "--client",
    type=Name(),
    metavar="VERSION",
    show_default="from the jar, or from the recording's folder",
    help="With --java or --cluster: Java client version such as 5.2 or 4.9.8.",
)
@click.option(
    "--master",
    type=Master(),
    metavar="URL",
    show_default=f"local[JOBS] from {MANY} recordings on",
    help="With --cluster: Spark master URL.",
)
@click.option(
    "--report",
    type=File(dir_okay=False),
    metavar="FILE",
    help="With --cluster: write an HTML page to FILE, with a picture of each unexplained step.",
)
@jobs_option("With --cluster: number of processes.")
@common()
def conform(
    vectors: Path | None,
    java: bool,
    classpath: str | None,
    released: str | None,
    steps: int | None,
    recordings: Path | None,
    client: str | None,
    master: str | None,
    report: Path | None,
    jobs: int,
    as_json: bool,
    output: Path | None,
    overwrite: bool,
) -> int:
    """Compare the model with recordings, or with released clients.

    By default, the command compares the modelled strategies and clients with recorded results of real clients. The
    answer counts the compared results, and lists each difference.

    \b
    Examples:
      rebalance conform
      rebalance conform --java --classpath 'lib/*'
      rebalance conform --package ali-ons==3.12.0
      rebalance conform --package rocketmq-python-client==5.1.2 --steps 3
      rebalance conform --cluster my-recordings
    """
    if released is not None:
        others = {
            "--vectors": vectors,
            "--java": java,
            "--classpath": classpath,
            "--cluster": recordings,
            "--client": client,
            "--master": master,
            "--report": report,
            "--output": output,
            "--overwrite": overwrite,
        }
        given = [name for name, value in others.items() if value not in (None, False)]
        if given:
            raise UsageError(f"--package does not go with {' or '.join(given)}; leave these out")
        return package.conform(released, steps, as_json)
    if steps is not None:
        raise UsageError("--steps needs --package with a gRPC client")
    if recordings:
        if vectors or output or overwrite or java or classpath is not None:
            raise UsageError(
                "--cluster does not go with --vectors, --java, --classpath, --output or --overwrite; leave these out"
            )
        return cluster.conform(recordings, client, master, jobs, as_json, report)
    if master is not None:
        raise UsageError("--master needs --cluster DIR: only recorded groups are compared on Spark")
    if report is not None:
        raise UsageError("--report needs --cluster DIR: the page is about recorded groups")
    if java:
        if vectors or output or overwrite:
            raise UsageError("--java does not go with --vectors, --output or --overwrite; leave these out")
        return jar.conform(classpath, client, as_json)
    if classpath is not None or client is not None:
        raise UsageError("--classpath needs --java, and --client needs --java or --cluster DIR")
    clock = Clock()
    vectors = vectors or OWN
    require(vectors)
    with directory.taken(output, overwrite), Reporter(as_json) as reporter:
        work = Work(reporter)
        work.conform(vectors)
        work.gather(Asked(vectors=vectors))
        return finish(record(clock, {"vectors": str(vectors)}, **work.parts), output, as_json, reporter)
