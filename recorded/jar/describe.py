"""Inputs of a rebalance step as text for people."""

import os
import re
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple
from zipfile import BadZipFile, ZipFile

from rebalance_proofs.model.own.java.child import CLASSES as OWN_CLASSES
from rebalance_proofs.model.own.java.classpath import Java, files
from rebalance_proofs.model.own.named import StrategyError
from rebalance_proofs.model.profiles import JAVA_V4, JAVA_V4_9_2, JAVA_V5, Profile
from rebalance_proofs.model.releases import JAVA, UnknownRelease, resolved
from rebalance_proofs.recorded.jar.shipped import CLASSES
from rebalance_proofs.recorded.transition.notation import ABSENT
from rebalance_proofs.recorded.transition.pairs import NAMES

LETTERS = {
    "d1": "dropped",
    "l1": "locked",
    "e1": "pull expired",
    "a1": "lock not renewed for 25 s",
    "c1": "consume lock held",
    "c2": "wait for the consume lock interrupted",
    "m1": "1 cached message",
}
"""Letter and number in a process queue's notation -> its text; all others are not mentioned."""
ORDER = {"0": "isOrder false", "1": "isOrder true"}
LISTENER = {"0": "concurrent listener", "1": "ordered listener"}
WORDS: Mapping[str, Mapping[str, str]] = {
    "model": {"C": "clustering", "B": "broadcasting"},
    "consumeOrderly": LISTENER,
    "argOrder": ORDER,
    "order": {number: f"{LISTENER[number]}, {ORDER[number]}" for number in ORDER},
    "topic": {"S": "", "O": "queue of another topic"},
    "inSet": {"0": "not in the new set", "1": "in the new set"},
    "lock": {
        "ok": "broker grants the lock",
        "denied": "broker denies the lock",
        "exc": "lock request fails",
        "nobroker": "broker address unknown",
        "unlockexc": "broker grants the lock, unlock request fails",
    },
    "persist": {"ok": "persist succeeds", "throw": "persist throws", "throw2": "second persist throws"},
    "updateRPC": {"ok": "offset update succeeds", "throw": "offset update fails"},
}
"""Column -> text of each cell."""
NAMED = {
    "mem": "offset in memory",
    "file": "offset file",
    "queryRPC": "offset query",
    "max": "maximal offset",
    "topic": "topic",
}
NOT_MENTIONED = frozenset({"table", "id", "mq"})


def described(cells: Mapping[str, str]) -> str:
    """Return the inputs of a call, by column, as one text; the columns of two queues begin with ``A.`` and ``B.``."""
    of_call = {column: cell for column, cell in cells.items() if "." not in column}
    parts = [", ".join(_parts(of_call))]
    for name in NAMES:
        own = {column[2:]: cell for column, cell in cells.items() if column.startswith(f"{name}.")}
        if own:
            parts.append(f"{name} {own['mq']}: {', '.join(_parts(own))}")
    return "; ".join(parts)


def _parts(cells: Mapping[str, str]) -> Iterator[str]:
    for column, cell in cells.items():
        if column in NOT_MENTIONED or (cell == ABSENT and column != "pre"):
            continue
        match column:
            case "pre":
                yield _process_queue(cell)
            case "off":
                yield _offset(cell)
            case _ if cell in WORDS.get(column, ()):
                if WORDS[column][cell]:
                    yield WORDS[column][cell]
            case _:
                yield f"{NAMED[column]} {cell}" if column in NAMED else cell


def _process_queue(state: str) -> str:
    if state == ABSENT:
        return "no process queue"
    found = [LETTERS[part] for part in map("".join, zip(state[::2], state[1::2], strict=True)) if part in LETTERS]
    return f"process queue ({', '.join(found)})" if found else "process queue"


def _offset(said: str) -> str:
    if said == "throw":
        return "readOffset throws"
    if not said.startswith("nf"):
        return f"stored offset {said}" if not said.startswith("-") else f"readOffset fails ({said})"
    queried = {"err": "that query fails", "rt": "that query throws"}.get(said[2:], f"the broker answers {said[2:]}")
    return f"no stored offset, {queried}"


# Find the version of the RocketMQ client on a classpath.

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
