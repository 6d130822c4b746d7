"""Checks of Spark's requirements before it starts, with short messages.

Spark's own messages about them are long and late. Commands import this module before they need PySpark, which takes
long to load.
"""

import re
import socket

from rebalance_proofs.model.own.java import classpath
from rebalance_proofs.proofs.errors import UsageError


def require_java() -> str:
    """Return the version of the Java that Spark will use.

    Raises ``UsageError`` if it is missing or too old.
    """
    try:
        return classpath.find_java().version
    except classpath.NoJava as error:
        advice = f"install Java {classpath.OLDEST} or newer (e.g. openjdk-{classpath.OLDEST}-jre-headless)"
        raise UsageError(f"Spark {error}; {advice}, or use `rebalance prove`, which needs no Java") from error


def require_master(master: str, seconds: float = 5.0) -> None:
    """Raise ``UsageError`` if a standalone master accepts no connection.

    Spark itself would try for a minute.
    """
    if re.fullmatch(r"local(\[(\*|[1-9]\d*)(,\s*\d+)?\])?|local-cluster\[\d+,\d+,\d+\]|yarn|k8s://.+", master):
        return
    addresses = re.fullmatch(r"spark://([^/,]+:\d{1,5}(?:,[^/,]+:\d{1,5})*)", master)
    if not addresses:
        raise UsageError(
            f"{master!r} is not a Spark master URL; write it like local[2], spark://host:7077, yarn or k8s://..."
        )
    refused = []
    for address in addresses[1].split(","):
        host, _, port = address.rpartition(":")
        try:
            with socket.create_connection((host, int(port)), timeout=seconds):
                return
        except (OSError, ValueError, OverflowError) as error:
            refused.append(f"{address}: {error}")
    raise UsageError(f"no Spark master answers at {master} ({'; '.join(refused)})")
