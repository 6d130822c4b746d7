"""The Spark session of the command line and of the tests.

The library itself takes a session as an argument.
"""

import os
import signal
import sys
import tempfile
import threading
import warnings
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pyspark.accumulators import AccumulatorTCPServer
from pyspark.sql import SparkSession

import rebalance_proofs
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.spark_enum.jvm_process import ended_unless_started
from rebalance_proofs.spark_enum.preflight import require_java, require_master

PACKAGES = ("model", "proofs", "recorded", "spark_enum")
"""Names of this project's packages that executors on other machines need."""

BRIEF = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
"""Options for a JVM on one machine, which make it start fast.

Python does the work there. The JVM's second compiler and parallel collector pay off only in long runs of its own code,
and would take half of Python's CPU time.
"""


@contextmanager
def spark_session(master: str = "local[*]", log: Path | None = None) -> Iterator[SparkSession]:
    """Context manager for a session at ``master``.

    Output of the JVM goes to the file ``log``, or is discarded if None. Raises ``UsageError`` if there is no suitable
    Java, or the master cannot be reached.
    """
    require_java()
    require_master(master)
    os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    if master.startswith("local"):
        os.environ["PYSPARK_PYTHON"] = sys.executable
        os.environ.setdefault("SPARK_SUBMIT_OPTS", BRIEF)  # in addition to the user's configuration
    else:  # The user must configure the path of Python on other machines.
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = (
        SparkSession.builder.master(master)
        .appName("rebalance-proofs")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.sql.execution.arrow.maxRecordsPerBatch", "2000")
        .config("spark.driver.bindAddress", "127.0.0.1" if master.startswith("local") else "0.0.0.0")
    )
    if master.startswith("local"):
        builder = builder.config("spark.driver.host", "127.0.0.1")
    # Ctrl-C in a terminal also ends the JVM; one of Spark's threads would report that as a stack trace.
    type.__setattr__(AccumulatorTCPServer, "handle_error", lambda *_: None)
    with _own_interrupt_handler(), ended_unless_started(log):
        try:
            spark = builder.getOrCreate()
        except Exception as error:
            first = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
            raise UsageError(f"Spark did not start at {master!r}: {first}") from error
    with tempfile.TemporaryDirectory(prefix="rebalance-proofs-") as place:
        try:
            if not master.startswith("local["):
                _ship_packages(spark, Path(place) / "packages.zip")
            yield spark
        finally:
            with warnings.catch_warnings():
                # The session cannot be stopped properly in the middle of a call; the JVM ends with this process.
                warnings.simplefilter("ignore", RuntimeWarning)
                spark.stop()


@contextmanager
def _own_interrupt_handler() -> Iterator[None]:
    """Context manager that keeps this process's handler of Ctrl-C (SIGINT).

    Spark's handler would call the JVM, which fails in the middle of another call.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    handler = signal.getsignal(signal.SIGINT)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)


def _ship_packages(spark: SparkSession, archive: Path) -> None:
    root, top = Path(__file__).resolve().parent.parent, Path("rebalance_proofs")
    with zipfile.ZipFile(archive, "w") as packed:
        for source in sorted(Path(rebalance_proofs.__file__).parent.glob("*.py")):
            packed.write(source, top / source.name)
        for package in PACKAGES:
            for source in sorted((root / package).rglob("*.py")):
                packed.write(source, top / source.relative_to(root))
    spark.sparkContext.addPyFile(str(archive))
