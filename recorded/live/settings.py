"""Settings of name server and brokers: properties files and logging."""

import json
import random
import socket
import sys
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType

from rebalance_proofs.recorded.live.error import LiveError

# Reserve ports of 127.0.0.1 for the duration of a run.

LOOPBACK = "127.0.0.1"
LOWEST, HIGHEST = 20_000, 32_000
"""Range of ports to reserve, below the system's range for outgoing connections."""
TRIES = 200


class Ports:
    """Context manager that reserves ports until it ends.

    On Linux a bound socket that does not listen reserves a port. A server that reuses addresses, as Netty does, can
    bind to the port as well, also after a restart; the system gives it to no other process. Elsewhere the port is only
    known to be free.
    """

    def __init__(self) -> None:
        self._sockets = ExitStack()

    def __enter__(self) -> "Ports":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._sockets.close()

    def reserve(self, *beside: int) -> int:
        """Reserve a free port such that the ports at the distances ``beside`` are free, too.

        Return it. Raises ``LiveError`` if there is none.
        """
        for _ in range(TRIES):
            port = random.randrange(LOWEST, HIGHEST)
            with ExitStack() as taken:
                try:
                    for each in (port, *(port + distance for distance in beside)):
                        _reserve(each, taken)
                except OSError:
                    continue
                if sys.platform == "linux":  # elsewhere the server could not bind to it as well
                    self._sockets.push(taken.pop_all())
                return port
        raise LiveError(f"no free ports between {LOWEST} and {HIGHEST} on {LOOPBACK}")


def _reserve(port: int, taken: ExitStack) -> None:
    """Reserve a port until ``taken`` is closed.

    Raises ``OSError`` if another process uses the port, on any address.
    """
    with socket.socket() as probe:  # no address reuse, so another reservation fails
        probe.bind(("", port))
    held = taken.enter_context(socket.socket())
    held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    held.bind((LOOPBACK, port))


COMMIT_LOG, CONSUME_QUEUE = 8 << 20, 20 * 20_000
"""File sizes of a broker in bytes; small, because RocketMQ allocates whole files at once."""
LOGBACK = """<configuration><appender name="f" class="{appender}"><file>${{user.home}}/{name}.log</file>
<encoder><pattern>%d{{yyyy-MM-dd HH:mm:ss.SSS}} %p %t %logger - %m%n</pattern></encoder></appender>
<root level="INFO"><appender-ref ref="f"/></root></configuration>
"""
APPENDER = "ch.qos.logback.core.FileAppender"
SHADED = "org.apache.rocketmq.logging."
"""Java package of RocketMQ's own copy of logback, from 5.0 on."""


def write_logging(home: Path, name: str) -> None:
    """Write the logging settings where 4.9 and 5.x look for them.

    They look in ``conf``, below the home folder and on the class path. The first name that 5.x looks for is
    ``rmq.logback.xml``; otherwise a client with the servers' jars would take the broker's own settings.
    """
    conf = home / "conf"
    conf.mkdir(parents=True, exist_ok=True)
    for file, appender in (
        (f"logback_{name}.xml", APPENDER),
        (f"rmq.{name}.logback.xml", SHADED + APPENDER),
        ("rmq.logback.xml", SHADED + APPENDER),
    ):
        (conf / file).write_text(LOGBACK.format(appender=appender, name=name), encoding="utf-8")


def write_properties(path: Path, properties: Mapping[str, object]) -> Path:
    """Write a properties file and return its path; releases ignore unknown properties."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{key}={_value(value)}\n" for key, value in properties.items()), encoding="ascii")
    return path


def _value(value: object) -> str:
    """Return a value in the format of Java properties, whose escapes are those of JSON."""
    return str(value).lower() if isinstance(value, bool) else json.dumps(str(value))[1:-1]


def name_server(home: Path, port: int) -> dict[str, object]:
    """Return the name server's properties."""
    return {
        "rocketmqHome": home,
        "listenPort": port,
        "bindAddress": LOOPBACK,
        "kvConfigPath": home / "kv.json",
        "configStorePath": home / "ns.conf",
    }


def broker(home: Path, who: str, port: int, name_servers: str, more: Mapping[str, object]) -> dict[str, object]:
    """Return a broker's properties. ``more``: the scenario's settings."""
    return {
        "rocketmqHome": home,
        "namesrvAddr": name_servers,
        "brokerClusterName": "C",
        "brokerName": who,
        "brokerId": 0,
        "brokerIP1": LOOPBACK,
        "brokerIP2": LOOPBACK,
        "listenPort": port,
        "haListenPort": port + 1,
        "bindAddress": LOOPBACK,
        "storePathRootDir": home / "store",
        "storePathCommitLog": home / "store" / "commitlog",
        "mappedFileSizeCommitLog": COMMIT_LOG,
        "mappedFileSizeConsumeQueue": CONSUME_QUEUE,
        "transientStorePoolEnable": False,
        "useEpollNativeSelector": False,
        "autoCreateTopicEnable": True,
        "autoCreateSubscriptionGroup": True,
        "enableControllerMode": False,
        **more,
    }
