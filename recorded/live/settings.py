"""Settings of name server and brokers: properties, and where each writes its log."""

import json
from collections.abc import Mapping
from pathlib import Path

from rebalance_proofs.recorded.live.ports import LOOPBACK

COMMIT_LOG, CONSUME_QUEUE = 8 << 20, 20 * 20_000
"""Sizes of files, in bytes: small ones, since they are made whole."""
LOGBACK = """<configuration><appender name="f" class="{appender}"><file>${{user.home}}/{name}.log</file>
<encoder><pattern>%d{{yyyy-MM-dd HH:mm:ss.SSS}} %p %t %logger - %m%n</pattern></encoder></appender>
<root level="INFO"><appender-ref ref="f"/></root></configuration>
"""
APPENDER = "ch.qos.logback.core.FileAppender"
SHADED = "org.apache.rocketmq.logging."
"""The package of logback from 5.0 on."""


def write_logging(home: Path, name: str) -> None:
    """The settings of logging that 4.9 and 5.x look for in ``conf``: below the home, and on the class path."""
    conf = home / "conf"
    conf.mkdir(parents=True, exist_ok=True)
    for file, appender in ((f"logback_{name}.xml", APPENDER), (f"rmq.{name}.logback.xml", SHADED + APPENDER)):
        (conf / file).write_text(LOGBACK.format(appender=appender, name=name), encoding="utf-8")


def write_properties(path: Path, properties: Mapping[str, object]) -> Path:
    """The file, written; what a release does not know of it is ignored."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{key}={_value(value)}\n" for key, value in properties.items()), encoding="ascii")
    return path


def _value(value: object) -> str:
    """The value as Java reads it in properties, whose escapes are JSON's."""
    return str(value).lower() if isinstance(value, bool) else json.dumps(str(value))[1:-1]


def name_server(home: Path, port: int) -> dict[str, object]:
    """The name server's properties."""
    return {
        "rocketmqHome": home,
        "listenPort": port,
        "bindAddress": LOOPBACK,
        "kvConfigPath": home / "kv.json",
        "configStorePath": home / "ns.conf",
    }


def broker(home: Path, who: str, port: int, name_servers: str, more: Mapping[str, object]) -> dict[str, object]:
    """A broker's properties; ``more``: the scenario's."""
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
