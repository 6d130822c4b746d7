"""The Spark session of the command line and of the tests.

The library itself takes a session as an argument.
"""

import ctypes
import os
import re
import signal
import sys
import tempfile
import threading
import warnings
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from subprocess import Popen, TimeoutExpired
from typing import Any
from unittest.mock import patch

from pyspark import java_gateway
from pyspark.accumulators import AccumulatorTCPServer
from pyspark.sql import SparkSession

from rebalance_proofs import language
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.proofs.limit import OutOfTime
from rebalance_proofs.spark_enum.preflight import require_java, require_master

# One-sentence reports of failures on Spark.
# Spark's own messages are a page long and start with irrelevant text.

_FRAME = re.compile(
    r'^  File "(?P<file>.*)", line (?P<line>\d+), in (?P<name>.*)\n(?:(?:    |  \[).*\n)*', re.MULTILINE
)
_LIMIT = f"{OutOfTime.__module__}.{OutOfTime.__name__}: "


def said(error: Exception) -> str:
    """Return one sentence about the failure.

    For an exception of Python code in an executor, it has the exception and its line; otherwise the first line of the
    error's text.
    """
    text = f"{error}\n"
    *_, last = [None, *_FRAME.finditer(text)]
    if last is None:
        first = next((line for line in text.splitlines() if line.strip()), type(error).__name__)
        return f"Spark failed: {first.strip()[:300]}"
    raised = " ".join(text[last.end() :].partition("\n\n")[0].split())[:300]
    if raised.startswith(_LIMIT):
        return raised.removeprefix(_LIMIT)
    return f"Python code failed on Spark: {raised} ({last['name']} in {last['file']}, line {last['line']})"


# Control of Spark's JVM process, which must end together with this process.
# PySpark does not give access to its process. If a start is interrupted, PySpark deletes the folder in which the JVM
# wants to write its port. The JVM would then continue to run, with a thread that waits for connections.

PATIENCE = 5.0
"""Seconds that the JVM has to end after SIGTERM."""
PR_SET_PDEATHSIG = 1


@contextmanager
def ended_unless_started(log: Path | None) -> Iterator[None]:
    """Context manager for the start of Spark.

    If an exception leaves the block, the JVM that it started is ended. Output of the JVM and its Python workers is
    appended to the file ``log``, or discarded if None. On Linux, a JVM that the main thread starts also gets SIGTERM
    when this process ends, even by SIGKILL.
    """
    begun: list[Popen[bytes]] = []
    with_parent = _with_parent()

    class Kept(Popen):  # type: ignore[type-arg]  # of bytes or text, as it is called
        def __init__(self, *arguments: Any, preexec_fn: Callable[[], object] | None = None, **more: Any) -> None:
            def first() -> None:
                if preexec_fn:
                    preexec_fn()
                with_parent()

            begun.append(self)  # recorded before the start, because an interrupt may come at any time
            with open(log or os.devnull, "ab") as file:
                more = {"stderr": file} | more
                super().__init__(*arguments, **more, preexec_fn=first)  # type: ignore[call-overload]  # as called

    with patch.object(java_gateway, "Popen", Kept):
        try:
            yield
        except BaseException:
            for process in begun:
                _end(process)
            raise


def _end(process: "Popen[bytes]") -> None:
    if getattr(process, "pid", None) is None:
        return
    process.terminate()
    with suppress(TimeoutExpired):
        process.wait(PATIENCE)
        return
    process.kill()
    process.wait()


def _with_parent() -> Callable[[], object]:
    """Return a function for a child process that makes it end with its parent.

    Linux sends the signal when the thread that started the child ends. So this works only on the main thread; on other
    threads the function does nothing.
    """
    if not sys.platform.startswith("linux") or threading.current_thread() is not threading.main_thread():
        return lambda: None
    prctl = ctypes.CDLL(None).prctl
    return lambda: prctl(PR_SET_PDEATHSIG, int(signal.SIGTERM))


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
        for source in sorted(Path(language.__file__).parent.glob("*.py")):
            packed.write(source, top / source.name)
        for package in PACKAGES:
            for source in sorted((root / package).rglob("*.py")):
                packed.write(source, top / source.relative_to(root))
    spark.sparkContext.addPyFile(str(archive))
