"""Start Spark early, in a thread, while the last claims are judged and a core is idle."""

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


class Early:
    """Context manager for a Spark session that ``begin`` starts in a thread.

    At the end of the block, the session is stopped. After ``begin``, this process must not fork.
    """

    def __init__(self, master: str, log: Path | None) -> None:
        self._master, self._log = master, log
        self._thread = ThreadPoolExecutor(1)
        self._begun: Future[SparkSession] | None = None
        self._held = ExitStack()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._thread.shutdown()
        with suppress(Exception):  # the JVM ends with the process, or has ended with it
            self._held.close()

    def begin(self) -> None:
        """Start the session in a thread, unless it is already started."""
        self._begun = self._begun or self._thread.submit(self._start)

    def _start(self) -> "SparkSession":
        return self._held.enter_context(self._new())

    def _new(self) -> AbstractContextManager["SparkSession"]:
        # Imported here because PySpark takes long to load, and not every command needs it.
        from rebalance_proofs.spark_enum.session import spark_session

        return spark_session(self._master, self._log)

    @contextmanager
    def session(self) -> Iterator["SparkSession"]:
        """Wait for the session and yield it. The session is stopped at the end of the block.

        Without an earlier ``begin``, the session is started now, in this thread. Then a signal interrupts the start,
        and the JVM ends with this process. Raises the errors of ``spark_session``.
        """
        if self._begun:
            with self._held:
                yield self._begun.result()
        else:
            with self._new() as session:
                yield session
