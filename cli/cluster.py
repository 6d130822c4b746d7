"""``rebalance conform --cluster``: check recordings of groups against the model."""

from pathlib import Path

from rebalance_proofs.cli.encoded import encoded
from rebalance_proofs.cli.progress import Reporter
from rebalance_proofs.model.releases import UnknownRelease
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.recorded.cluster.clients import java_release
from rebalance_proofs.recorded.cluster.judge import Verdict
from rebalance_proofs.recorded.cluster.scenarios import MANY, here, scenarios
from rebalance_proofs.recorded.groups.record import RecordingError
from rebalance_proofs.report import cluster
from rebalance_proofs.report.own.output import require_own, require_writable, write_whole
from rebalance_proofs.report.rejected import FIRST, page


def conform(
    folder: Path, client: str | None, master: str | None, jobs: int, as_json: bool, report: Path | None = None
) -> int:
    """Check the recordings in a folder against the model, and return the exit status.

    It is 0 if the model accepts all recordings, and 1 if not. Raises ``UsageError``, and ``OutputError`` if the file
    ``report`` cannot be written.
    """
    if report:
        require_writable(report)
        require_own(report, FIRST)
    try:
        release = java_release(client) if client else None
        asked = scenarios(folder, release)
        with Reporter(as_json) as reporter:
            step = reporter.step("traces", len(asked))

            def keep(one: Verdict) -> None:
                for text in cluster.lines(one):
                    reporter.judged(text, wrong=not one.accepted)
                step.advance()

            if master or len(asked) >= MANY:
                # Imported here because PySpark takes long to load, and few comparisons need it.
                from rebalance_proofs.spark_enum.groups import on_spark
                from rebalance_proofs.spark_enum.session import spark_session

                with spark_session(master or f"local[{jobs}]") as spark:
                    found = on_spark(spark, asked, keep)
            else:
                found = here(asked, jobs, keep)
            wrong = not all(one.accepted for one in found)
            for text in cluster.verdict(found):
                reporter.verdict(text, wrong=wrong)
            if as_json:
                print(encoded(cluster.document(found)))
            if report:
                write_whole(report, page(found))
                reporter.line(f"Written: {report}")
    except (RecordingError, UnknownRelease) as error:
        raise UsageError(str(error)) from error
    return int(wrong)
