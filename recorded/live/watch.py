"""Follow the recording files of a run while processes write them."""

import json
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from rebalance_proofs.recorded.groups.event import LOCK
from rebalance_proofs.recorded.live.error import LiveError

# The driver's own recording: what it did, and when.


class Log:
    """Writer of ``driver.jsonl``; may be used by several threads."""

    def __init__(self, path: Path, told: Callable[[str], None]) -> None:
        self._file = path.open("w", encoding="utf-8", buffering=1)
        self._told = told
        self._lock = threading.Lock()
        self._start = time.time()

    def say(self, event: str, **more: object) -> None:
        """Record an action; keys without a value are omitted."""
        found = {key.rstrip("_"): value for key, value in more.items() if value is not None}
        with self._lock:
            at = time.time()
            line = {"at": int(at * 1000), "who": "driver", "ev": event, **found}
            self._file.write(json.dumps(line) + "\n")
        words = " ".join(f"{key}={value}" for key, value in found.items() if value != {})
        self._told(f"{at - self._start:7.1f} s  {event} {words}".rstrip())

    def close(self) -> None:
        """Close the recording file."""
        self._file.close()


LOOK = 0.05
"""Seconds between two polls of the files."""
CHANGES = frozenset({"begin", "end", "entry-new", "entry-gone", "shutdown-end", "started", "sent"})


class Message(NamedTuple):
    """A message that a broker has stored."""

    q: str
    offset: int
    tag: str


class Watch:
    """Reader of a run's growing recording files; may be used by several threads."""

    def __init__(self, folder: Path, groups: Mapping[str, str]) -> None:
        self._folder, self._groups = folder, groups
        self._read: defaultdict[str, int] = defaultdict(int)
        self._lock = threading.Lock()
        self._seen: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self.sent: dict[str, Message] = {}
        """Key of a message -> the message, for all messages that were sent."""
        self.committed: defaultdict[str, dict[str, int]] = defaultdict(dict)
        """Group -> queue -> its committed offset."""
        self.begun: defaultdict[str, set[str]] = defaultdict(set)
        """Group -> keys of messages that a listener has received."""
        self.running: defaultdict[str, Counter[str]] = defaultdict(Counter)
        """Consumer -> queue -> number of listener calls that are running."""
        self.renewed: dict[str, float] = {}
        """Consumer -> time of its last request for locks of several queues, in seconds since 1970."""
        self.moved = time.monotonic()
        """Time in seconds of the last change in the run, by the monotonic clock."""
        self.over = threading.Event()
        """Set when the run is interrupted, so that no thread waits any longer."""

    def look(self) -> None:
        """Read all complete lines that were written since the last call."""
        with self._lock:
            for path in self._folder.glob("*.jsonl"):
                who = path.stem
                if who == "driver":
                    continue
                with path.open("rb") as file:
                    file.seek(self._read[who])
                    new = file.read()
                whole = new[: new.rfind(b"\n") + 1]
                self._read[who] += len(whole)
                for line in whole.splitlines():
                    self._note(who, json.loads(line))

    def count(self, who: str, event: str) -> int:
        """Return how many events with the name ``event`` a process had recorded at the last poll."""
        return self._seen[who][event]

    def until(self, holds: Callable[[], bool], seconds: float, what: str) -> None:
        """Poll until ``holds()`` is true.

        Raises ``LiveError`` after ``seconds``; ``what`` describes the problem.
        """
        end = time.monotonic() + seconds
        while True:
            self.look()
            if holds():
                return
            if time.monotonic() > end:
                raise LiveError(f"{what} within {seconds:g} s")
            self.sleep(LOOK)

    def sleep(self, seconds: float) -> None:
        """Wait some seconds. Raises ``LiveError`` if the run is interrupted meanwhile."""
        if self.over.wait(seconds):
            raise LiveError("the run was interrupted")

    def _note(self, who: str, event: Mapping[str, Any]) -> None:
        name = event["ev"]
        self._seen[who][name] += 1
        if name in CHANGES:
            self.moved = time.monotonic()
        if name == "sent" and event["status"] == "SEND_OK":
            self.sent[event["key"]] = Message(event["q"], event["offset"], event["tag"])
        elif name == "begin":
            self.begun[self._groups.get(who, "")].update(event["keys"])
            self.running[who][event["q"]] += 1
        elif name == "end":
            self.running[who][event["q"]] -= 1
        elif name == "table" and event["what"] == "offset" and event["is"] is not None:
            topic, _, rest = event["of"].partition("@")
            group, _, number = rest.rpartition(":")
            self.committed[group][f"{topic}:{who}:{number}"] = int(event["is"])
        elif name == "ask" and event["code"] == LOCK and len(event["said"].get("queues", ())) > 1:
            self.renewed[who] = event["at"] / 1000
