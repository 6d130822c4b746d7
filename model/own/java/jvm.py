"""The Java that is on this machine."""

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

OLDEST = 17
"""Spark 4 runs on no older one, and the classes of ``rebalance/`` are made for it."""
PATIENCE = 20.0
"""Seconds in which a Java has to say its version; one takes a fraction of a second, on a busy machine a few."""


class NoJava(Exception):
    """There is none that can be used. The text says why, to follow what it is needed for."""


class Java(NamedTuple):
    """One that can be used."""

    path: str
    """The command ``java``."""
    version: str
    """As it says it itself: ``17.0.15``."""


def find() -> Java:
    """The Java of JAVA_HOME, or else of the PATH; raises ``NoJava`` when it is missing or too old."""
    home = os.environ.get("JAVA_HOME")
    path = shutil.which("java", path=str(Path(home) / "bin")) if home else shutil.which("java")
    if not path:
        where = f"under JAVA_HOME={home}" if home else "on the PATH"
        raise NoJava(f"needs Java and there is none {where}")
    try:
        said = subprocess.run(
            [path, "-version"], check=False, stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE
        ).stderr.decode(errors="replace")
    except subprocess.TimeoutExpired as error:
        raise NoJava(f"needs Java, and {path} does not answer within {PATIENCE:g} s") from error
    except OSError as error:
        raise NoJava(f"needs Java, and {path} does not run ({error.strerror})") from error
    version = re.search(r'version "((?:1\.)?(\d+)[^"]*)"', said)
    if not version:
        raise NoJava(f"needs Java, and {path} does not say its version")
    if int(version[2]) < OLDEST:
        raise NoJava(f"needs Java {OLDEST}, and {path} is version {version[2]}")
    return Java(path, version[1])
