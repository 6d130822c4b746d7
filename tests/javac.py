"""Java sources of tests, compiled if there is a compiler."""

import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from rebalance_proofs.model.own.java import classpath

LIGHT = "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"
"""These short runs gain nothing from a second compiler."""


def compiled(sources: Path | Sequence[Path], classes: Path, *options: str) -> Path:
    """Folder with the compiled classes; skips the test, with the reason, if they cannot be compiled or run.

    ``sources``: one folder, or several.
    """
    return compiled_by(javac(), sources, classes, *options)


def javac() -> str:
    """Path of a compiler; skips without one, or without a JVM."""
    try:
        classpath.find_java()
    except classpath.NoJava as error:
        pytest.skip(f"this test {error}")
    found = shutil.which("javac")
    if found is None:
        pytest.skip("there is no javac on the PATH to compile the test's Java sources")
    return found


def compiled_by(compiler: str, sources: Path | Sequence[Path], classes: Path, *options: str) -> Path:
    """Folder with the classes compiled by that compiler; fails if the sources are wrong."""
    folders = [sources] if isinstance(sources, Path) else sources
    files = sorted(str(file) for folder in folders for file in folder.rglob("*.java"))
    light = [f"-J{option}" for option in LIGHT]
    call = [compiler, *light, "-encoding", "UTF-8", "-nowarn", "-d", str(classes), *options, *files]
    done = subprocess.run(call, capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    return classes


def javac_17() -> str:
    """Path of a compiler of Java 17; skips without one."""
    places = [shutil.which("javac"), *Path("/usr/lib/jvm").glob("*/bin/javac")]
    for place in dict.fromkeys(str(found) for found in places if found):
        said = subprocess.run([place, "-version"], capture_output=True, encoding="utf-8").stdout
        if re.match(r"javac 17\b", said):
            return place
    pytest.skip("there is no javac of Java 17, by which the classes were made: another one makes others of the same")
