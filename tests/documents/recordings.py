"""A short recording, and copies of it that differ in one line."""

import gzip
import json
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from rebalance_proofs.model.receiving.sdks import PushConsumer
from rebalance_proofs.recorded.groups.run import DRIVER, FOLDER, Run
from rebalance_proofs.recorded.grpc.check import Checked, Entry, Follower, Problem, Puller
from rebalance_proofs.recorded.grpc.events import Join, Message, Recording, Servers, Share
from rebalance_proofs.recorded.grpc.scenarios import REMOTING
from rebalance_proofs.recorded.seen.all import seen
from rebalance_proofs.recorded.seen.facts import Never, Pause, Twice
from rebalance_proofs.recorded.seen.history import History
from rebalance_proofs.report.live.explain import Explained, explain

Line = dict[str, Any]
Edit = Callable[[list[Line]], None]
"""Changes the lines of one process."""
MIXED = "java-5.3.3/mixed_late"
LINES = 60
"""Number of lines of each process in the beginning of a recording."""
FAILED = [("own", "it has no member")]
"""Scenarios that could not be performed."""


Recorded = tuple[str, History, list[Explained]]
"""A run's name, its events and its explained problems."""


def explained(name: str, run: Run) -> Recorded:
    """Return a run with its explained problems."""
    history = History(run)
    assert run.brokers  # read while the files exist
    return name, history, explain(history, seen(history))


def edited(who: str, edit: Edit, recording: str = MIXED) -> Recorded:
    """Return the beginning of a recording, and its driver's lines, with other lines of one process."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / recording
        folder.mkdir(parents=True)
        for path in (FOLDER / recording).glob("*.jsonl.gz"):
            text = gzip.decompress(path.read_bytes()).decode()
            lines = [json.loads(line) for line in text.splitlines()]
            if not path.name.startswith(DRIVER):
                lines = lines[:LINES]
            if path.name == f"{who}.jsonl.gz":
                edit(lines)
            written = "".join(f"{json.dumps(line)}\n" for line in lines)
            (folder / path.name.removesuffix(".gz")).write_text(written, encoding="utf-8")
        return explained(recording, Run(folder))


def _first(lines: list[Line], event: str) -> Line:
    return next(line for line in lines if line["ev"] == event)


def _jar(**changed: str) -> Edit:
    return lambda lines: _first(lines, "artifact").update(changed)


def _cannot(why: str, what: str = "pulled") -> Edit:
    def edit(lines: list[Line]) -> None:
        last = lines[-1]
        lines.append(
            {"at": last["at"], "who": last["who"], "ev": "cannot", "what": [what], "why": why, "n": len(lines)}
        )

    return edit


EDITS: Mapping[str, tuple[str, Edit]] = {
    "short": (DRIVER, lambda lines: None),
    "jar": (DRIVER, _jar(jar="rocketmq-client-5.3.4.jar")),
    "hash": (DRIVER, _jar(sha256="00ff")),
    "of": (DRIVER, _jar(of="c1")),
    "fewer": (DRIVER, lambda lines: lines.remove(_first(lines, "artifact"))),
    "older": ("c0", lambda lines: _first(lines, "release").update(rocketmq="V4_9_7")),
    "unread": ("c0", lambda lines: _first(lines, "release").update(rocketmq="V4_9_9")),
    "calmer": (DRIVER, lambda lines: _first(lines, "calm").update(ev="not-calm")),
    "longer": (DRIVER, lambda lines: _first(lines, "end").update(at=_first(lines, "end")["at"] + 1)),
    "unsent": ("p", lambda lines: _first(lines, "sent").update(status="FLUSH_DISK_TIMEOUT")),
    "cannot": ("c0", _cannot("it is too old")),
    "other": ("c1", _cannot("it is too old")),
    "less": ("c0", _cannot("it is too old", "read")),
    "why": ("c0", _cannot("it is older")),
}
"""Name -> the process of which one line differs, and how."""


def shipped(recording: str = MIXED) -> Recorded:
    """Return a recording of this package."""
    return explained(recording, Run(FOLDER / recording))


def in_turn() -> Recorded:
    """Return the recording with a second cause of its pause."""
    name, history, every = shipped()
    late, pause = every[0].found, next(one for one in every if isinstance(one.fact, Pause))
    assert late
    return name, history, [replace(one, then=(late,)) if one is pause else one for one in every]


def lost() -> Recorded:
    """Return the recording in which a message that was redelivered is lost, at the same place and time."""
    name, history, (first, *more) = shipped()
    twice = first.fact
    assert isinstance(twice, Twice)
    sent = next(one for one in history.sent.values() if one.q == twice.q and one.offset == twice.offset)
    never = Never(twice.group, twice.q, replace(sent, at=twice.at), skipped=False)
    return name, history, [replace(first, fact=never), *more]


def grpc() -> tuple[str, Checked]:
    """Return a recording of a gRPC and a remoting member, with a receive loop and a step that the model excludes."""
    begun = [("servers", Servers(at=1_000, who=DRIVER, n=None, release="5.5.0", topics={"T1": 1}))]
    member = Join(at=2_000, who=DRIVER, n=None, of="c0", client="java", version="5.2.0", topics=("T1",))
    problem = Problem("c0", 3_000, "a receive loop of T1:b0:0 ends, which is not dropped")
    follower = Follower("c0", PushConsumer(), 1_000, [problem], {0: Entry("T1:b0:0", loops=1, peak=2)})
    share = Share(at=4_000, who="c1", n=0, topic="T1", consumers=2, place=0, all=("T1:b0:0",), mine=("T1:b0:0",))
    puller = Puller("c1", 1_000, [problem], {"T1": share})
    other = replace(member, of="c1", client=REMOTING, version="4.9.8")
    got = {
        who: [("message", Message(at=5_000, who=who, n=number, key=key, attempt=1)) for number, key in enumerate(keys)]
        for who, keys in (("c0", ("k0", "k0", "k1")), ("c1", ("k0", "k1", "k2")))
    }
    recording = Recording({DRIVER: begun, **got})
    members = {"c0": member, "c1": other}
    return "grpc", Checked(recording, 1_000, members, {"c0": follower}, [problem], [], {}, {"c1": puller})
