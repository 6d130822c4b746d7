"""Run one scenario: perform it, record it until it is calm, and compress the recording."""

import gzip
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from rebalance_proofs.recorded.live.calm import await_calm
from rebalance_proofs.recorded.live.cluster import Cluster
from rebalance_proofs.recorded.live.distribution import Distribution
from rebalance_proofs.recorded.live.log import Log
from rebalance_proofs.recorded.live.perform import perform
from rebalance_proofs.recorded.live.scenario import Scenario
from rebalance_proofs.recorded.live.step import Wait

Told = Callable[[str], None]


@dataclass(frozen=True)
class Setup:
    """The Java command and the RocketMQ distributions that a run uses."""

    java: str
    """The command that starts Java."""
    client: Distribution
    server: Distribution
    members: Mapping[str, Distribution] = field(default_factory=dict)
    """Distributions of members that differ from ``client``."""


def run(scenario: Scenario, setup: Setup, folder: Path, told: Told) -> bool:
    """Run a scenario and write its recording into a new folder.

    Return True if the run became calm. Calm means that all messages were consumed and no listener runs. An interrupted
    or failed run leaves what it has recorded so far. ``told`` is called with messages about progress. Raises
    ``LiveError``.
    """
    folder = folder.absolute()  # each process has a working directory of its own
    folder.mkdir(parents=True)
    log = Log(folder / "driver.jsonl", told)
    try:
        with Cluster(scenario, setup.java, setup.client, setup.server, folder, log, setup.members) as cluster:
            try:
                _tell_jars(setup, log)
                cluster.up()
                perform(cluster, [Wait(then=scenario.send.first), *scenario.steps])
                cluster.end_sending()
                calm = await_calm(cluster)
                log.say("calm" if calm else "not-calm")
            except BaseException as error:
                log.say("failed", error=str(error) or type(error).__name__)
                raise
            finally:
                log.say("end")
                _keep_logs(cluster.home, folder / "logs")
    finally:
        log.close()
        for path in folder.glob("*.jsonl"):
            _pack(path, folder / f"{path.name}.gz")
    return calm


def _tell_jars(setup: Setup, log: Log) -> None:
    """Record which jars are those of a release."""
    of_members = [(who, jar) for who, each in setup.members.items() for jar in each.jars]
    of_all = [(None, jar) for jar in dict.fromkeys((*setup.client.jars, *setup.server.jars))]
    for who, jar in (*of_all, *of_members):
        log.say("artifact", of=who, jar=jar.name, sha256=jar.sha256)


def _keep_logs(home: Path, to: Path) -> None:
    """Copy the processes' own logs and output to ``to``, without the brokers' message files."""
    to.mkdir()
    for path in [*home.glob("*/*.log"), *home.glob("*/stdout")]:
        name = path.parent.name if path.name == "stdout" else f"{path.parent.name}-{path.stem}"
        if path.stat().st_size:
            _copy(path, to / f"{name}.log.gz")


def _pack(path: Path, to: Path) -> None:
    _copy(path, to)
    path.unlink()


def _copy(path: Path, to: Path) -> None:
    with path.open("rb") as source, gzip.open(to, "wb") as packed:
        shutil.copyfileobj(source, packed)
