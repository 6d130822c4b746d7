"""A standalone Spark cluster on loopback, from the classes that come with pyspark."""

import re
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from time import monotonic, sleep

import pyspark

from tests.cli.process import kill

SPARK_CLASS = Path(pyspark.__file__).parent / "bin" / "spark-class"
SECONDS = 60.0
"""Seconds in which a master or a worker has to report that it is up."""


class Cluster:
    """A master and its workers."""

    def __init__(self, master: str, workers: list[subprocess.Popen]) -> None:
        self.master = master
        """URL of the master."""
        self._workers = workers

    def kill_a_worker(self) -> None:
        """Kill a worker at once, with its executors."""
        _kill(self._workers.pop())


@contextmanager
def standalone(place: Path, workers: int) -> Iterator[Cluster]:
    """A running cluster whose workers have one core each; logs go to ``place``."""
    with ExitStack() as stack:
        _, said = stack.enter_context(
            _daemon(place, "master", "Master", "--port", "0", until=r"master at (spark://\S+)")
        )
        started = [
            stack.enter_context(
                _daemon(
                    *(place, f"worker{number}", "Worker", "--cores", "1", "--memory", "1g"),
                    *("--work-dir", str(place / f"work{number}"), said[1]),
                    until="Successfully registered with master",
                )
            )[0]
            for number in range(workers)
        ]
        yield Cluster(said[1], started)


@contextmanager
def _daemon(
    place: Path, name: str, kind: str, *arguments: str, until: str
) -> Iterator[tuple[subprocess.Popen, re.Match]]:
    log = place / f"{name}.log"
    command = [SPARK_CLASS, f"org.apache.spark.deploy.{kind.lower()}.{kind}", "--host", "127.0.0.1"]
    with log.open("wb") as stream:
        process = subprocess.Popen(
            [*command, "--webui-port", "0", *arguments], stdout=stream, stderr=stream, start_new_session=True
        )
    try:
        yield process, _said(log, until)
    finally:
        _kill(process)


def _said(log: Path, pattern: str) -> re.Match:
    end = monotonic() + SECONDS
    while monotonic() < end:
        if found := re.search(pattern, log.read_text(encoding="utf-8")):
            return found
        sleep(0.2)
    raise AssertionError(f"nothing like {pattern!r} in {log.read_text(encoding='utf-8')!r}")


def _kill(process: subprocess.Popen) -> None:
    kill(process.pid)
    process.wait()
