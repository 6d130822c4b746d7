"""Find the recordings in a folder, and the RocketMQ release of each recording."""

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from rebalance_proofs.model.releases import Resolved, UnknownRelease
from rebalance_proofs.recorded.cluster.clients import java_recorded
from rebalance_proofs.recorded.cluster.judge import Verdict, judge
from rebalance_proofs.recorded.cluster.trace import Trace
from rebalance_proofs.recorded.groups.event import Release
from rebalance_proofs.recorded.groups.record import RecordingError
from rebalance_proofs.recorded.groups.run import Run, is_recording, of_kind
from rebalance_proofs.recorded.grpc.events import is_grpc

MANY = 48
"""Number of recordings from which on they are checked with Spark."""
Found = Callable[[Verdict], None]

NAMED = re.compile(r"(?:java-|v)?(\d+\.\d+(?:\.\d+)?)")
"""Pattern of folder names that contain a release, such as ``java-5.3.3``."""


@dataclass(frozen=True)
class Scenario:
    """One recording in a folder."""

    name: str
    """Path of the recording inside the given folder; the folder's own name if there is only one."""
    folder: Path
    release: str
    """Release of consumers whose start event does not name one."""
    remark: str = ""
    """Remark on the release, if it represents another version."""


def scenarios(folder: Path, release: Resolved | None = None) -> list[Scenario]:
    """Return the recordings in a folder: the folder itself, or folders below it at any depth.

    ``release`` is for consumers whose start event does not name one; by default it comes from a folder's name, else
    from most start events. Raises ``RecordingError`` if there is no recording, if a release is not known, or for
    a recording of gRPC members.
    """
    if not folder.is_dir():
        why = "No such file or directory" if not folder.exists() else "it is not a folder"
        raise RecordingError(f"cannot read recordings from {folder}: {why}")
    found = [path for path in _below(folder) if is_recording(path)]
    if not found:
        raise RecordingError(
            f"{folder} contains no recording; a recording is a folder with driver.jsonl or driver.jsonl.gz"
        )
    for path in found:
        if _of_grpc(path):
            raise RecordingError(
                f"{path} is a recording of gRPC members; read it with `rebalance record --read` instead of conform"
            )
    used = [(path, release or _release(path)) for path in found]
    return [Scenario(_name(path, folder), path, of.release, of.note) for path, of in used]


def _of_grpc(path: Path) -> bool:
    """Return whether a recording has gRPC members; False if it cannot be read, which its check reports."""
    try:
        return is_grpc(path)
    except (OSError, RecordingError):
        return False


def _below(folder: Path) -> Iterable[Path]:
    def refuse(error: OSError) -> None:
        raise RecordingError(f"cannot read recordings from {error.filename}: {error.strerror}") from error

    for here, folders, _ in os.walk(folder, onerror=refuse):
        folders.sort()
        yield Path(here)


def _name(path: Path, folder: Path) -> str:
    relative = path.relative_to(folder).as_posix()
    return path.resolve().name if relative == "." else relative


def _release(folder: Path) -> Resolved:
    """Return a recording's release, from the name of a folder, or from start events."""
    for part in reversed(folder.resolve().parts):
        if named := NAMED.fullmatch(part):
            return _known(named[1], folder)
    run = Run(folder, lenient=True)
    if told := next(_told(run), None):
        return _known(told, folder)
    said = {started.client for started in run.consumers.values() if started.client}
    if len(said) == 1:
        return _known(said.pop(), folder)
    raise RecordingError(
        f"the client version of {folder} is unknown; give --client, or name a folder above it like java-5.3.3"
    )


def _told(run: Run) -> Iterator[str]:
    """Yield the releases that consumers report in their first events."""
    for who in run.consumers:
        if who in run.files:
            yield from (event.number for event in of_kind(run.events(who), Release))


def _known(words: str, folder: Path) -> Resolved:
    try:
        return java_recorded(words)
    except UnknownRelease as error:
        raise RecordingError(f"{folder}: {error}") from error


def judged(scenario: Scenario) -> Verdict:
    """Parse one recording and check it with all state machines. Raises ``RecordingError``."""
    found = judge(Trace.read(Run(scenario.folder), scenario.release), scenario.name)
    remarks = [remark for remark in (scenario.remark, *found.remarks) if remark]
    return replace(found, remarks=tuple(dict.fromkeys(remarks)))


def here(asked: Sequence[Scenario], jobs: int, found: Found) -> list[Verdict]:
    """Return the recordings' results in order, computed in ``jobs`` processes without Spark.

    ``found`` is called with each result. Raises ``RecordingError``.
    """
    if min(jobs, len(asked)) == 1:
        return [told(judged(one), found) for one in asked]
    with ProcessPoolExecutor(min(jobs, len(asked))) as pool:
        return [told(verdict, found) for verdict in pool.map(judged, asked)]


def told(verdict: Verdict, found: Found) -> Verdict:
    """Call ``found`` with a result, and return the result."""
    found(verdict)
    return verdict
