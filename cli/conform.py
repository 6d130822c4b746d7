"""``rebalance conform``: the model against recorded results of real clients."""

from pathlib import Path

import click

from rebalance_proofs.cli import jar
from rebalance_proofs.cli.epilogs import STATUS
from rebalance_proofs.cli.finish import Clock, finish, record
from rebalance_proofs.cli.options import common
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
@click.option("--client", metavar="VERSION", help="With --java: 4.9.8, 5.3.3. [default: as the jar says]")
@common()
def conform(
    vectors: Path | None,
    java: bool,
    classpath: str | None,
    client: str | None,
    as_json: bool,
    output: Path | None,
    overwrite: bool,
) -> int:
    """Compare the model with what real clients were recorded to compute, or with a client itself.

    \b
    Example:
      rebalance conform
      rebalance conform --java --classpath 'lib/*'
    """
    if java:
        if vectors or output or overwrite:
            raise UsageError("--java compares with a jar: it takes no --vectors, --output and --overwrite")
        return jar.conform(classpath, client, as_json)
    if classpath is not None or client is not None:
        raise UsageError("--classpath and --client say something of a jar: they need --java")
    clock = Clock()
    vectors = vectors or OWN
    require(vectors)
    with directory.taken(output, overwrite), Reporter(as_json) as reporter:
        work = Work(reporter)
        work.conform(vectors)
        work.gather(Asked(vectors=vectors))
        return finish(record(clock, {"vectors": str(vectors)}, **work.parts), output, as_json, reporter)
