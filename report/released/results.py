"""The file of results of RocketMQ's releases: jars, compared calls, and recorded scenarios."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rebalance_proofs.recorded import __file__ as _recorded
from rebalance_proofs.recorded.groups.names import numbers
from rebalance_proofs.recorded.live.artifacts import Jar

FILE = Path(_recorded).parent / "releases.json"
"""The results of this package."""
FORMAT = 1
"""Version of the file; it increases when a reader of the old form would misread the new one."""
PUBLISHED = (
    *(f"4.9.{patch}" for patch in range(9)),
    "5.0.0",
    *(f"5.1.{patch}" for patch in range(5)),
    "5.2.0",
    *(f"5.3.{patch}" for patch in range(5)),
    "5.4.0",
    "5.5.0",
    "5.5.1",
)
"""RocketMQ's releases from 4.9.0 on, oldest first."""
ARTIFACT, NOT_SERVED = "artifact", "not served"
"""Where the jars of clients or servers came from: Maven's repository has them, or not."""


@dataclass(frozen=True, kw_only=True)
class Compared:
    """Calls of a release's classes that were compared with the model."""

    calls: int
    differ: int
    """Number of calls with another result than the model's."""
    reason: str = ""
    """The smallest difference; empty if none differs."""


@dataclass(frozen=True, kw_only=True)
class Performed:
    """One recorded scenario of a release."""

    name: str
    servers: str
    """Release of the name server and the broker."""
    steps: int
    """Number of recorded events that the trace checker read."""
    accepted: bool
    """True if the model explains every event of the recording."""
    unexplained: int
    """Number of observed problems without a known cause."""
    reason: str = ""
    """Why the recording is not accepted or a problem is unexplained; empty if neither."""
    shipped: str = ""
    """Name of the recording in this package, such as ``java-5.5.0/broker_killed``; empty if it is not in it."""


@dataclass(frozen=True, kw_only=True)
class Released:
    """Results of one release."""

    release: str
    client: str = NOT_SERVED
    servers: str = NOT_SERVED
    reason: str = ""
    """Jars that Maven's repository does not have; empty if it has all."""
    jar: Jar | None = None
    """The client's jar."""
    strategies: Compared | None = None
    """Calls of allocation strategies."""
    steps: Compared | None = None
    """Rebalance steps on the client's own classes."""
    scenarios: tuple[Performed, ...] = ()


def line_of(release: str) -> str:
    """Return the line of a release: ``5.3`` of ``5.3.1``."""
    return release.rpartition(".")[0]


def read(path: Path = FILE) -> dict[str, Released]:
    """Return release -> its results. Raises ``OSError``, and ``ValueError`` for another format."""
    found = json.loads(path.read_text(encoding="utf-8"))
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise ValueError(f"{path} is not a file of results in format {FORMAT}")
    return {one["release"]: _of(one) for one in found["releases"]}


def _of(found: Mapping[str, Any]) -> Released:
    rest = dict(found)
    jar, strategies, steps, scenarios = (rest.pop(key) for key in ("jar", "strategies", "steps", "scenarios"))
    return Released(
        jar=Jar(**jar) if jar else None,
        strategies=Compared(**strategies) if strategies else None,
        steps=Compared(**steps) if steps else None,
        scenarios=tuple(Performed(**each) for each in scenarios),
        **rest,
    )


def text(results: Iterable[Released]) -> str:
    """Return the file's text; releases are sorted by number, and scenarios by name."""
    rows = []
    for one in sorted(results, key=lambda one: numbers(one.release)):
        row = asdict(one)
        row["scenarios"] = sorted(row["scenarios"], key=lambda each: str(each["name"]))
        rows.append(row)
    return json.dumps({"format": FORMAT, "releases": rows}, indent=1, ensure_ascii=False) + "\n"
