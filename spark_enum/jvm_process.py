"""Control of Spark's JVM process, which must end together with this process.

PySpark does not give access to its process. If a start is interrupted, PySpark deletes the folder in which the JVM
wants to write its port. The JVM would then continue to run, with a thread that waits for connections.
"""

import ctypes
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from subprocess import Popen, TimeoutExpired
from typing import Any
from unittest.mock import patch

from pyspark import java_gateway

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
