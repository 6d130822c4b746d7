"""What Spark needs, checked before it starts: its own messages about these things are long, and late."""

import os
import re
import shutil
import socket
import subprocess
from pathlib import Path

from rebalance_proofs.proofs.errors import UsageError

JAVA = 17
"""The oldest Java that Spark 4 runs on."""
PATIENCE = 20.0
"""Seconds in which a Java has to say its version; one takes a fraction of a second, on a busy machine a few."""


def require_java() -> str:
    """The version of the Java that Spark will use; raises ``UsageError`` when it is missing or too old."""
    advice = f"install Java {JAVA} or newer (e.g. openjdk-{JAVA}-jre-headless); `rebalance prove` works without it"
    home = os.environ.get("JAVA_HOME")
    java = shutil.which("java", path=str(Path(home) / "bin")) if home else shutil.which("java")
    if not java:
        where = f"under JAVA_HOME={home}" if home else "on the PATH"
        raise UsageError(f"Spark needs Java and there is none {where}: {advice}")
    call = {"stdin": subprocess.DEVNULL, "capture_output": True, "timeout": PATIENCE}
    try:
        said = subprocess.run([java, "-version"], check=False, **call).stderr.decode(errors="replace")
    except subprocess.TimeoutExpired as error:
        raise UsageError(f"Spark needs Java, and {java} does not answer within {PATIENCE:g} s: {advice}") from error
    except OSError as error:
        raise UsageError(f"Spark needs Java, and {java} does not run ({error.strerror}): {advice}") from error
    version = re.search(r'version "((?:1\.)?(\d+)[^"]*)"', said)
    if not version:
        raise UsageError(f"Spark needs Java, and {java} does not say its version: {advice}")
    if int(version[2]) < JAVA:
        raise UsageError(f"Spark needs Java {JAVA}, and {java} is version {version[2]}: {advice}")
    return version[1]


def require_master(master: str, seconds: float = 5.0) -> None:
    """Raises ``UsageError`` when a standalone master accepts no connection (Spark itself would try for a minute)."""
    if re.fullmatch(r"local(\[(\*|[1-9]\d*)(,\s*\d+)?\])?|local-cluster\[\d+,\d+,\d+\]|yarn|k8s://.+", master):
        return
    addresses = re.fullmatch(r"spark://([^/,]+:\d{1,5}(?:,[^/,]+:\d{1,5})*)", master)
    if not addresses:
        raise UsageError(f"{master!r} is no Spark master URL (local[2], spark://host:7077, yarn, k8s://...)")
    refused = []
    for address in addresses[1].split(","):
        host, _, port = address.rpartition(":")
        try:
            with socket.create_connection((host, int(port)), timeout=seconds):
                return
        except (OSError, ValueError, OverflowError) as error:
            refused.append(f"{address}: {error}")
    raise UsageError(f"no Spark master answers at {master} ({'; '.join(refused)})")
