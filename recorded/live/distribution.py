"""Find a RocketMQ distribution on a class path, and check that it is complete.

A distribution is the jars of client and broker.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from zipfile import BadZipFile, ZipFile

from rebalance_proofs.model.own.java import classpath
from rebalance_proofs.model.own.java.classpath import Java
from rebalance_proofs.model.own.named import StrategyError
from rebalance_proofs.recorded.jar.describe import version
from rebalance_proofs.recorded.live.artifacts import PARTS, Jar, jars, released
from rebalance_proofs.recorded.live.error import LiveError

CLIENT = ("org.apache.rocketmq.client.consumer.DefaultMQPushConsumer",)
SERVERS = ("org.apache.rocketmq.namesrv.NamesrvStartup", "org.apache.rocketmq.broker.BrokerStartup")
DOWNLOAD = (
    "download a binary release of RocketMQ, rocketmq-all-5.x.x-bin-release.zip or rocketmq-all-4.9.x-bin-release.zip, "
    "from https://rocketmq.apache.org/download, unpack it, and pass its lib folder"
)


@dataclass(frozen=True)
class Distribution:
    """A class path that contains RocketMQ's client and brokers."""

    typed: str
    """Class path for ``java -cp``.

    It has absolute paths, because each process has its own working directory.
    """
    release: str
    """Version of the RocketMQ client, such as ``5.3.3``."""
    jars: tuple[Jar, ...] = ()
    """RocketMQ's jars if they are those of a release that Maven downloaded; empty for the user's own jars."""


def distribution(typed: str, java: Java, needs: Sequence[str], option: str) -> Distribution:
    """Return the distribution of a class path, given directly or in a file as ``@FILE``.

    ``needs``: names of required classes; ``option``: the command line option that gives the class path. Raises
    ``LiveError``.
    """
    said = _content(Path(typed[1:]), option) if typed.startswith("@") else typed
    try:
        entries = classpath.entries(said)
    except StrategyError as error:
        raise LiveError(f"{option}: {error}") from None
    for name in needs:
        if not _has(entries, f"{name.replace('.', '/')}.class"):
            raise LiveError(f"{option} does not contain {name.rpartition('.')[2]} of RocketMQ: {DOWNLOAD}")
    absolute = os.pathsep.join(str(Path(entry).absolute()) for entry in entries)
    try:
        return Distribution(absolute, version(entries, java).number)
    except StrategyError:
        return Distribution(absolute, "unknown")


def of_release(release: str, option: str, java: Java, needs: Sequence[str]) -> Distribution:
    """Return the distribution of a release, after downloading its jars if the cache does not have them.

    Arguments and errors are those of ``distribution``.
    """
    parts = (PARTS[:1] if set(CLIENT) & set(needs) else ()) + (PARTS[1:] if set(SERVERS) & set(needs) else ())
    folder = released(release, option, servers=parts != PARTS[:1])
    try:
        found = jars(folder, release, parts)
    except OSError as error:
        raise LiveError(f"{option}: cannot read {error.filename}: {error.strerror}") from error
    return replace(distribution(f"{folder}/*", java, needs, option), jars=found)


def _content(path: Path, option: str) -> str:
    try:
        return path.read_text(encoding="utf-8").strip()
    except OSError as error:
        raise LiveError(f"cannot read {option} @{path}: {error.strerror}") from error
    except UnicodeDecodeError:
        raise LiveError(f"cannot read {option} @{path}: it is not UTF-8 text") from None


def _has(entries: Sequence[str], inside: str) -> bool:
    for path in classpath.files(entries):
        if path.is_dir():
            if (path / inside).is_file():
                return True
            continue
        try:
            with ZipFile(path) as jar:
                if inside in jar.namelist():
                    return True
        except (OSError, BadZipFile) as error:
            raise LiveError(f"cannot read the classpath entry {str(path)!r}: {error}") from None
    return False
