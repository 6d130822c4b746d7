"""A Spark session for the command line and the tests; the library itself only ever takes one as an argument."""

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
from rebalance_proofs.spark_enum.preflight import require_java, require_master

PACKAGES = ("model", "proofs", "spark_enum")
"""What executors on other machines need of this project."""


@contextmanager
def spark_session(master: str = "local[*]", log: Path | None = None) -> Iterator[SparkSession]:
    """A session at ``master``, stopped at the end. What the JVM says goes to the file ``log`` (thrown away if None).

    Raises ``UsageError`` when there is no suitable Java or the master cannot be reached.
    """
    require_java()
    require_master(master)
    os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    if master.startswith("local"):
        os.environ["PYSPARK_PYTHON"] = sys.executable
    else:  # where other machines have theirs is the user's to say
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
    # What ends all of a terminal's processes ends the JVM too; a thread of Spark's would tell it as a stack trace.
    type.__setattr__(AccumulatorTCPServer, "handle_error", lambda *_: None)
    # The JVM inherits standard error, and its Python workers from the JVM.
    with _standard_error_to(log), _own_interrupt_handler():
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
                # in the middle of a conversation it cannot be stopped in order; the JVM ends with this process
                warnings.simplefilter("ignore", RuntimeWarning)
                spark.stop()


@contextmanager
def _standard_error_to(log: Path | None) -> Iterator[None]:
    saved = os.dup(2)
    try:
        with open(log or os.devnull, "ab") as file:
            os.dup2(file.fileno(), 2)
            yield
    finally:
        os.dup2(saved, 2)
        os.close(saved)


@contextmanager
def _own_interrupt_handler() -> Iterator[None]:
    """Keeps SIGINT as it is; Spark's handler talks to the JVM, which fails in the middle of another conversation."""
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
        packed.write(rebalance_proofs.__file__, top / "__init__.py")
        for package in PACKAGES:
            for source in sorted((root / package).rglob("*.py")):
                packed.write(source, top / source.relative_to(root))
    spark.sparkContext.addPyFile(str(archive))
