"""Find the version of the RocketMQ client on a classpath."""

import os
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple
from zipfile import BadZipFile, ZipFile

from rebalance_proofs.model.own.java.child import CLASSES as OWN_CLASSES
from rebalance_proofs.model.own.java.classpath import Java, files
from rebalance_proofs.model.own.named import StrategyError
from rebalance_proofs.model.profiles import Profile
from rebalance_proofs.model.profiles.java_v4 import JAVA_V4, JAVA_V4_9_2
from rebalance_proofs.model.profiles.java_v5 import JAVA_V5
from rebalance_proofs.model.releases import JAVA, UnknownRelease, resolved
from rebalance_proofs.recorded.jar.shipped import CLASSES

PROFILES = {"4": JAVA_V4, "5": JAVA_V5}
"""Major version of RocketMQ -> the model's profile of this client."""
UNCHECKED = ("4.9.0", "4.9.1", "4.9.2")
"""Releases whose MACHINE_ROOM accepts empty arguments."""
POM = "META-INF/maven/org.apache.rocketmq/rocketmq-client/pom.properties"
MANIFEST = "META-INF/MANIFEST.MF"
PATIENCE = 20.0
"""Seconds within which the client's own class must print the version."""


class Version(NamedTuple):
    """A version of the RocketMQ client, found on the classpath."""

    number: str
    """Version number of the client, such as ``5.3.3``."""
    where: str
    """Where the number was found: a file in a jar, or the client's own class."""


def profile_of(client: str) -> tuple[Profile, str]:
    """Return the model's profile for a client's version, and a note if another release represents the version.

    Raises ``StrategyError`` if the model has no release for it.
    """
    try:
        found = resolved(client)
    except UnknownRelease as error:
        raise StrategyError(str(error)) from None
    if found.release not in JAVA:
        raise StrategyError(f"{client!r} is not a Java client; name a version such as 5.2")
    profile = JAVA_V4_9_2 if found.release in UNCHECKED else PROFILES[found.release.partition(".")[0]]
    return profile, found.note


def version(classpath: Sequence[str], java: Java) -> Version:
    """Return the version of the client's jar that contains the strategies.

    If the jar does not contain it, the client's own class prints it. Raises ``StrategyError``.
    """
    for path in files(classpath):
        found = _of_jar(path) if path.is_file() else None
        if found:
            return found
    said = _of_class(classpath, java)
    if said:
        return Version(said, "MQVersion.CURRENT_VERSION")
    for path in map(Path, classpath):
        if path.is_dir() and any(files((str(path / "*"),))):
            raise StrategyError(f"the classpath entry {str(path)!r} is a folder with jars; name them as '{path}/*'")
    raise StrategyError("the classpath does not contain RocketMQ's version; give it, such as --client 5.3.3")


def _of_jar(path: Path) -> Version | None:
    try:
        with ZipFile(path) as jar:
            names = set(jar.namelist())
            pom = jar.read(POM).decode(errors="replace") if POM in names else ""
            if f"{CLASSES['AVG'].replace('.', '/')}.class" not in names:
                return None
            manifest = jar.read(MANIFEST).decode(errors="replace") if MANIFEST in names else ""
    except (OSError, BadZipFile) as error:
        raise StrategyError(f"cannot read the classpath entry {str(path)!r}: {error}") from None
    for text, key, where in ((pom, "version=", "pom.properties"), (manifest, "Implementation-Version: ", "manifest")):
        for line in text.splitlines():
            if line.startswith(key) and line.removeprefix(key).strip():
                return Version(line.removeprefix(key).strip(), f"the {where} of {path.name}")
    return None


def _of_class(classpath: Sequence[str], java: Java) -> str | None:
    """Return the version that ``MQVersion`` prints, or None.

    The class is in the separate jar rocketmq-common.
    """
    path = os.pathsep.join([str(OWN_CLASSES), *classpath])
    call = [java.path, "-XX:+UseSerialGC", "-Xshare:auto", "-cp", path, "rebalance.Version"]
    try:
        said = subprocess.run(
            call,
            check=False,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=PATIENCE,
        ).stdout
    except subprocess.TimeoutExpired:
        return None
    found = re.fullmatch(r"V(\d+(?:_\d+)*)(?:_SNAPSHOT)?\s*", said)
    return found[1].replace("_", ".") if found else None
