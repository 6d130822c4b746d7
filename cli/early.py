"""Spark, started while the last claims are judged: one core has nothing else to do by then."""

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


class Early:
    """A session that ``begin`` starts in a thread, if it is called; it is stopped when the block is left.

    No process may be forked any more once it has begun.
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
        """Start it, unless it has begun."""
        self._begun = self._begun or self._thread.submit(self._start)

    def _start(self) -> "SparkSession":
        return self._held.enter_context(self._new())

    def _new(self) -> AbstractContextManager["SparkSession"]:
        # PySpark takes long to load, and not every command needs it.
        from rebalance_proofs.spark_enum.session import spark_session

        return spark_session(self._master, self._log)

    @contextmanager
    def session(self) -> Iterator["SparkSession"]:
        """The session, as soon as it is there. Stopped at the end. If it has not begun, it is started now, and not in a
        thread: so the JVM ends with this process at once, and a signal cuts its start short.

        Raises what ``spark_session`` raises.
        """
        if self._begun:
            with self._held:
                yield self._begun.result()
        else:
            with self._new() as session:
                yield session
