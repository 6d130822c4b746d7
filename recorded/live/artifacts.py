"""Released RocketMQ jars, resolved by Maven into a cache folder: one folder of jars for each release."""

import hashlib
import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rebalance_proofs.model.releases import UnknownRelease, resolved
from rebalance_proofs.recorded.cache import cache, place, ran, refusal
from rebalance_proofs.recorded.live.error import LiveError

PROJECT = Path(__file__).resolve().parent / "maven" / "pom.xml"
"""Maven project file that depends on the client of one release, and with a profile on its servers."""
PARTS = ("client", "namesrv", "broker")
"""Artifacts ``org.apache.rocketmq:rocketmq-PART`` of a release, the client first."""
TRANSFER = "Could not transfer"
"""Beginning of Maven's complaint about a network or a server, not about a missing artifact."""
LIMIT = 900.0
"""Seconds after which a download is given up. A release has about 90 MB."""
RELEASE = re.compile(r"\d+\.\d+\.\d+(-[A-Za-z0-9.]+)?")
MISSING = re.compile(r"org\.apache\.rocketmq:(rocketmq-[a-z0-9-]+):jar:")


class NotServed(LiveError):
    """Raised if Maven's repository does not have a release, or not all of its parts."""

    def __init__(self, message: str, missing: Sequence[str]) -> None:
        super().__init__(message)
        self.missing = tuple(missing)
        """Names of missing jars, such as ``rocketmq-client``, sorted."""


@dataclass(frozen=True)
class Jar:
    """One released jar of RocketMQ."""

    name: str
    """File name, such as ``rocketmq-client-5.5.0.jar``."""
    sha256: str


def released(release: str, option: str, *, servers: bool = True) -> Path:
    """Return the folder with the jars of a release; download them first if the cache does not have them.

    Without ``servers``, the client is enough: some releases have no other artifacts. ``option`` is the option that
    names the release, for messages. Raises ``LiveError``, and ``NotServed`` if there is no such release.
    """
    if not RELEASE.fullmatch(release):
        raise LiveError(f"{option} {release!r} is not a release: name one such as 5.5.0 or 4.9.8")
    try:
        resolved(release)
    except UnknownRelease as error:
        raise LiveError(f"{option}: {error}") from None
    whole = cache() / release
    folder = whole if servers else cache() / f"{release}-client"
    for found in (whole, folder):
        if _complete(found, release, servers):
            return found
    maven = shutil.which("mvn")
    if maven is None:
        by_hand = _by_hand(release, folder, servers)
        raise LiveError(f"{option} needs Maven (the command mvn) to download RocketMQ {release}: {by_hand}")

    def download(scratch: Path) -> Path:
        jars = scratch / "jars"
        _download(maven, release, jars, servers, option, _by_hand(release, folder, servers))
        return jars

    try:
        place(folder, download, lambda: _complete(folder, release, servers))
    except OSError as error:
        raise LiveError(f"{option} cannot write to the cache {refusal(folder, error)}") from error
    return folder


def jars(folder: Path, release: str, parts: Sequence[str]) -> tuple[Jar, ...]:
    """Return the jars of a release's ``parts`` in a folder of ``released``. Raises ``OSError``."""
    paths = [folder / f"rocketmq-{part}-{release}.jar" for part in parts]
    return tuple(Jar(path.name, hashlib.sha256(path.read_bytes()).hexdigest()) for path in paths)


def _download(maven: str, release: str, jars: Path, servers: bool, option: str, by_hand: str) -> None:
    try:
        run = ran([maven, "--batch-mode", "--no-transfer-progress", *_arguments(release, jars, servers)], LIMIT)
    except subprocess.TimeoutExpired:
        raise LiveError(f"{option}: Maven did not download RocketMQ {release} in {LIMIT:g} s") from None
    except OSError as error:
        raise LiveError(f"{option}: Maven cannot be started: {error.strerror}") from error
    if run.returncode == 0 and _complete(jars, release, servers):
        return
    errors = [line for line in run.stdout.splitlines() if "ERROR" in line]
    lacking = sorted({name for line in errors for name in MISSING.findall(line)})
    if lacking and not any(TRANSFER in line or "offline" in line for line in errors):
        names = ", ".join(lacking[:4]) + (" and others" if len(lacking) > 4 else "")
        said = f"{option}: Maven's repository does not have all of RocketMQ {release}: {names} missing"
        raise NotServed(f"{said}; {_otherwise(option, lacking)}", lacking)
    raise LiveError(f"{option}: Maven could not download RocketMQ {release} ({_reason(errors)}): {by_hand}")


def _reason(errors: Sequence[str]) -> str:
    """Return the reason in Maven's first error: the last part, after the names of projects and artifacts."""
    if not errors:
        return "no jars were copied"
    said = errors[0].partition("] ")[2].partition(" -> [Help")[0]
    return said[max(0, said.rfind(TRANSFER)) :][:300]


def _otherwise(option: str, lacking: Sequence[str]) -> str:
    """Return what to do if Maven's repository lacks jars of the release that the option names."""
    if option == "--release" and f"rocketmq-{PARTS[0]}" not in lacking:
        return "use another release for the servers, such as --broker-release 5.5.0"
    jars = {"--release": "--classpath", "--broker-release": "--broker-classpath"}.get(option)
    return "name another release" + (f", or pass the jars of a binary release with {jars}" if jars else "")


def _complete(jars: Path, release: str, servers: bool) -> bool:
    return all((jars / f"rocketmq-{part}-{release}.jar").is_file() for part in (PARTS if servers else PARTS[:1]))


def _arguments(release: str, jars: Path | str, servers: bool) -> list[str]:
    profile = ["-P", "servers"] if servers else []
    goal = "dependency:copy-dependencies"
    return ["-f", str(PROJECT), *profile, f"-Drelease={release}", goal, f"-DoutputDirectory={jars}"]


def _by_hand(release: str, folder: Path, servers: bool) -> str:
    return (
        f"on a machine with Maven and a network run `mvn {' '.join(_arguments(release, folder.name, servers))}` "
        f"and copy the folder {folder.name} to {folder}"
    )
