"""The Java installation of this machine."""

import os
import re
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import NamedTuple

OLDEST = 17
"""The oldest version that Spark 4 supports, and the target of the classes in ``rebalance/``."""
PATIENCE = 20.0
"""Time limit of ``java -version`` in seconds.

It takes a fraction of a second; on a busy machine a few.
"""


class NoJava(Exception):
    """Raised if this machine has no usable Java.

    The text gives the reason, as a verb phrase whose subject needs Java.
    """


class Java(NamedTuple):
    """A usable Java installation."""

    path: str
    """The command ``java``."""
    version: str
    """The version that ``java -version`` reports: ``17.0.15``."""


def find(oldest: int = OLDEST) -> Java:
    """Return the Java of JAVA_HOME, or else of the PATH.

    Raises ``NoJava`` if it is missing or older than ``oldest``.
    """
    home = os.environ.get("JAVA_HOME")
    path = shutil.which("java", path=str(Path(home) / "bin")) if home else shutil.which("java")
    if not path:
        where = f"under JAVA_HOME={home}" if home else "on the PATH"
        raise NoJava(f"needs Java, which was not found {where}")
    try:
        file = os.stat(path)
        said = _said(path, (file.st_ino, file.st_size, file.st_mtime_ns))
    except subprocess.TimeoutExpired as error:
        raise NoJava(f"needs Java, but {path} did not answer within {PATIENCE:g} s") from error
    except OSError as error:
        raise NoJava(f"needs Java, but {path} does not run ({error.strerror})") from error
    version = re.search(r'version "((?:1\.)?(\d+)[^"]*)"', said)
    if not version:
        raise NoJava(f"needs Java, but {path} did not print its version")
    if int(version[2]) < oldest:
        raise NoJava(f"needs Java {oldest} or newer, but {path} is version {version[2]}")
    return Java(path, version[1])


@cache
def _said(path: str, file: tuple[int, ...]) -> str:
    """Return the output of ``java -version``; it is cached until the values of ``file`` change."""
    call = [path, "-version"]
    done = subprocess.run(call, check=False, stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE)
    return done.stderr.decode(errors="replace")
