"""``rebalance conform``: the model against recorded results of real clients."""

from pathlib import Path

import click

from rebalance_proofs.cli import cluster, jar
from rebalance_proofs.cli.epilogs import STATUS
from rebalance_proofs.cli.finish import Clock, finish, record
from rebalance_proofs.cli.options import common, jobs_option
from rebalance_proofs.cli.params import File, Folder, Master
from rebalance_proofs.cli.progress import Reporter
from rebalance_proofs.cli.vectors import vectors_option
from rebalance_proofs.cli.work import Work
from rebalance_proofs.evidence.asked import Asked
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.recorded.conform import require
from rebalance_proofs.recorded.own import OWN
from rebalance_proofs.report import directory


@click.command(epilog=STATUS)
@vectors_option
@click.option("--java", is_flag=True, help="Run the strategies of a Java client's own jar instead.")
@click.option("--classpath", metavar="JARS", help="With --java: rocketmq-client.jar and what it needs, as java -cp.")
@click.option(
    "--cluster",
    "recordings",
    type=Folder("name a recorded scenario, or a folder of them"),
    metavar="DIR",
    help="Hold recorded groups over time against the model instead: a scenario's folder, or a folder of them.",
)
@click.option(
    "--client",
    metavar="VERSION",
    help="With --java or --cluster: 4.9.8, 5.3.3. [default: as the jar, or the recording's folder, says]",
)
@click.option(
    "--master", type=Master(), metavar="URL", help="With --cluster: a Spark master. [default: if they are many]"
)
@click.option(
    "--report",
    type=File(dir_okay=False),
    metavar="FILE",
    help="With --cluster: write a page (HTML), with a picture of what is not explained.",
)
@jobs_option("With --cluster: processes.")
@common()
def conform(
    vectors: Path | None,
    java: bool,
    classpath: str | None,
    recordings: Path | None,
    client: str | None,
    master: str | None,
    report: Path | None,
    jobs: int,
    as_json: bool,
    output: Path | None,
    overwrite: bool,
) -> int:
    """Compare the model with what real clients and groups were recorded to do, or with a client itself.

    \b
    Example:
      rebalance conform
      rebalance conform --java --classpath 'lib/*'
      rebalance conform --cluster my-recordings
    """
    if recordings:
        if vectors or output or overwrite or java or classpath is not None:
            raise UsageError("--cluster takes no --vectors, --java, --classpath, --output and --overwrite")
        return cluster.conform(recordings, client, master, jobs, as_json, report)
    if master is not None:
        raise UsageError("--master says where recorded groups are held: it needs --cluster")
    if report is not None:
        raise UsageError("--report is a page about recorded groups: it needs --cluster")
    if java:
        if vectors or output or overwrite:
            raise UsageError("--java compares with a jar: it takes no --vectors, --output and --overwrite")
        return jar.conform(classpath, client, as_json)
    if classpath is not None or client is not None:
        raise UsageError("--classpath needs --java, and --client needs --java or --cluster")
    clock = Clock()
    vectors = vectors or OWN
    require(vectors)
    with directory.taken(output, overwrite), Reporter(as_json) as reporter:
        work = Work(reporter)
        work.conform(vectors)
        work.gather(Asked(vectors=vectors))
        return finish(record(clock, {"vectors": str(vectors)}, **work.parts), output, as_json, reporter)
