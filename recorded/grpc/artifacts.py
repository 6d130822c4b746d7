"""Released jars of proxies and gRPC clients, and compiled drivers of Java members, in the cache of releases."""

import hashlib
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

from rebalance_proofs.model.own.named import StrategyError
from rebalance_proofs.recorded.cache import cache, place, ran, refusal
from rebalance_proofs.recorded.grpc.scenarios import JAVA, REMOTING, Member
from rebalance_proofs.recorded.live.artifacts import LIMIT, RELEASE, Jar, released
from rebalance_proofs.recorded.live.error import LiveError
from rebalance_proofs.recorded.packages.install import installed, package

FOLDER = Path(__file__).resolve().parent
PROJECT, SOURCES = FOLDER / "maven" / "pom.xml", FOLDER / "java"
PYTHON_MEMBER = FOLDER / "python" / "member.py.txt"
CLASSES = {JAVA: "Recorded", REMOTING: "Remoting"}
"""Client of Java members -> the main class of their driver."""
JAVA_PACKAGE = "org.apache.rocketmq.client.java.impl.consumer"
FIRST_PROXY = (5, 0, 0)


def proxy(release: str, option: str) -> Path:
    """Return the folder with the jars of proxy, broker and name server of a release.

    ``option`` is the option that names the release, for messages. Raises ``LiveError``.
    """
    if not RELEASE.fullmatch(release):
        raise LiveError(f"{option} {release!r} is not a release: name one such as 5.5.0")
    if tuple(int(part) for part in release.partition("-")[0].split(".")) < FIRST_PROXY:
        raise LiveError(f"{option} {release}: RocketMQ has a proxy from 5.0.0 on, and gRPC members need it")
    folder = cache() / f"{release}-proxy"

    def copy(scratch: Path) -> Path:
        _copied(release, scratch / "jars", option)
        return scratch / "jars"

    return _placed(folder, copy, f"rocketmq-proxy-{release}.jar", option)


def client(member: Member) -> Path:
    """Return the folder with a member's Python packages or jars; install them once. Raises ``LiveError``."""
    if member.client == REMOTING:
        return released(member.version, f"{member.client} {member.version}", servers=False)
    try:
        folder = installed(package(f"{member.client}=={member.version}")).folder
    except StrategyError as error:
        raise LiveError(str(error).removeprefix("--package ")) from None
    return folder / ("lib" if member.client == JAVA else "whole")


def driver(client: str, version: str, lib: Path) -> Path:
    """Return the folder with the compiled driver of Java members; compile it once. Raises ``LiveError``."""
    sources = [SOURCES / f"{CLASSES[client]}.java", SOURCES / "Out.java"]
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()[:12]
    option = f"{client} {version}"

    def build(scratch: Path) -> Path:
        javac = shutil.which("javac")
        if javac is None:
            raise LiveError(f"{option} needs the Java compiler (the command javac of a JDK)")
        words = [javac, "--release", "11", "-nowarn", "-cp", f"{lib}/*", "-d", str(scratch / "classes")]
        done = ran([*words, *map(str, sources)], LIMIT)
        if done.returncode:
            raise LiveError(f"{option} has other internals: {_error(done.stdout)}")
        return scratch / "classes"

    compiled = f"{main_class(client).replace('.', '/')}.class"
    return _placed(cache() / "packages" / f"{client}-{version}-driver-{digest}", build, compiled, option)


def main_class(client: str) -> str:
    """Return the full name of the main class of Java members."""
    return f"{JAVA_PACKAGE}.{CLASSES[client]}"


def jars(folder: Path, release: str) -> list[Jar]:
    """Return the jars of RocketMQ's release in a folder, with their SHA-256 digests."""
    paths = sorted(folder.glob(f"rocketmq-*-{release}.jar"))
    return [Jar(path.name, hashlib.sha256(path.read_bytes()).hexdigest()) for path in paths]


def _placed(folder: Path, make: Callable[[Path], Path], inside: str, option: str) -> Path:
    try:
        if not (folder / inside).is_file():
            place(folder, make, (folder / inside).is_file)
    except OSError as error:
        raise LiveError(f"{option} cannot write to the cache {refusal(folder, error)}") from error
    except subprocess.TimeoutExpired:
        raise LiveError(f"{option} was not downloaded within {LIMIT:g} s") from None
    return folder


def _copied(release: str, into: Path, option: str) -> None:
    maven = shutil.which("mvn")
    if maven is None:
        raise LiveError(f"{option} needs Maven (the command mvn) to download its jars")
    words = ["-f", str(PROJECT), f"-Drelease={release}", "dependency:copy-dependencies"]
    done = ran([maven, "--batch-mode", "--no-transfer-progress", *words, f"-DoutputDirectory={into}"], LIMIT)
    if done.returncode:
        raise LiveError(f"{option}: Maven could not download its jars: {_error(done.stdout)}")


def _error(printed: str) -> str:
    """Return the first line with an error."""
    return next((line.strip()[:300] for line in printed.splitlines() if "error" in line.lower()), "no reason was given")
