"""What the events of a recorded scenario say."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.audit_truth.happened import Called, Denied, Happened, Refused, Saw, SetBack

REFUSALS = ("subscription not latest", "subscription not exist", "group info not exist")
"""Words of the broker's answers to pulls that it refuses."""
COMMITS = 1
"""Flag of a pull that commits an offset with it."""
ARRIVES = 5_000
"""ms within which a request is answered after it was sent, at most."""


def happened(folder: Path) -> Happened:
    """Of the files of events in a folder, ``*.jsonl.gz``."""
    events = []
    for path in sorted(folder.glob("*.jsonl.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            events += [json.loads(line) for line in lines if line.endswith("\n")]
    reading = _Reading()
    for event in sorted(events, key=lambda one: one["at"]):
        if act := EVENTS.get(event["ev"]):
            act(reading, event)
        if event["ev"] == "shutdown-end":
            reading.shut.add(event["who"])
        elif event["who"] in reading.found.groups and event["who"] not in reading.shut:
            begin, _ = reading.found.ran.get(event["who"], (event["at"], 0))
            reading.found.ran[event["who"]] = begin, event["at"]
    return reading.ended()


class _Reading:
    """The events so far."""

    def __init__(self) -> None:
        self.found = Happened()
        self.open: dict[tuple[str, str], int] = {}
        self.stopped: dict[str, int] = {}
        self.shut: set[str] = set()
        self.calls: dict[tuple[str, str, int], int] = {}
        self.pulls: dict[tuple[int, str], list[tuple[int, str]]] = {}
        """(ms, who) of requests, by their numbers and queues."""

    def started(self, event: dict[str, Any]) -> None:
        self.found.groups[event["of"]] = event.get("group") or "G"
        self.found.clients[event["of"]] = f"127.0.0.1@{event.get('id') or event['of']}"

    def signal(self, event: dict[str, Any]) -> None:
        who, at = event["of"], event["at"]
        if "KILL" in event["signal"]:
            for key in [one for one in self.open if one[0] == who]:
                self.found.entries.append((*key, self.open.pop(key), at))
        elif "STOP" in event["signal"]:
            self.stopped[who] = at
        elif "CONT" in event["signal"]:
            self.found.still.setdefault(who, []).append((self.stopped.pop(who), at))

    def gap(self, event: dict[str, Any]) -> None:
        self.found.still.setdefault(event["who"], []).append((event["at"] - event["ms"], event["at"]))

    def new(self, event: dict[str, Any]) -> None:
        self.open[event["who"], event["q"]] = event["at"]

    def gone(self, event: dict[str, Any]) -> None:
        begin = self.open.pop((event["who"], event["q"]), None)
        if begin is not None:
            self.found.entries.append((event["who"], event["q"], begin, event["at"]))

    def asked(self, event: dict[str, Any]) -> None:
        said = event["said"]
        if event["code"] == "PULL_MESSAGE":
            self.pulls.setdefault((event["opaque"], said["q"]), []).append((event["at"], event["who"]))
            if int(said["sysFlag"]) & COMMITS:
                pulled = event["at"], said["consumerGroup"], said["q"], int(said["commitOffset"])
                self.found.pulled_with.append(pulled)
        elif event["code"] == "UPDATE_CONSUMER_OFFSET":
            topic, _, number = said["q"].rpartition(":")
            if any(one[0] == event["who"] and one[1].split(":")[::2] == [topic, number] for one in self.open):
                sent = event["at"], event["who"], said["consumerGroup"], f"{topic}:{number}", int(said["commitOffset"])
                self.found.commits.append(sent)

    def answered(self, event: dict[str, Any]) -> None:
        """What a broker says, when it says it."""
        asked, said, at = event["asked"], event["said"], event["at"]
        if event["code"] == "LOCK_BATCH_MQ" and said["code"] == 0:
            who = self._with_id(asked["clientID"], asked["consumerGroup"])
            for queue in sorted(set(asked["queues"]) - set(said["granted"])):
                self.found.denied.append(Denied(at, who, queue))
        elif event["code"] == "PULL_MESSAGE":
            reason = next((one for one in REFUSALS if one in str(said.get("remark"))), "")
            sent = [one for one in self.pulls.get((event["opaque"], asked["q"]), []) if one[0] >= at - ARRIVES]
            if reason:
                who = sent[-1][1] if sent else ""
                self.found.refused.append(Refused(at, who, asked["consumerGroup"], reason))

    def _with_id(self, client: str, group: str) -> str:
        own = [who for who, its in self.found.clients.items() if its == client and self.found.groups[who] == group]
        return own[0] if len(own) == 1 else ""

    def notified(self, event: dict[str, Any]) -> None:
        if event["said"]["consumerGroup"] == self.found.groups.get(event["who"]):
            self.found.notified.append((event["at"], event["who"]))

    def allocated(self, event: dict[str, Any]) -> None:
        if not event["error"]:
            lists = (tuple(event[name] or ()) for name in ("mqAll", "cidAll", "result"))
            head = event["who"], event["cid"], event["topic"], event["at"], event["strategy"]
            self.found.saw.append(Saw(*head, *lists))

    def began(self, event: dict[str, Any]) -> None:
        self.calls[event["who"], event["q"], event["offsets"][0]] = event["at"]

    def returned(self, event: dict[str, Any]) -> None:
        if "q" not in event:
            return  # the driver's last word
        begin = self.calls.pop((event["who"], event["q"], event["from"]), None)
        if begin is not None:
            self.found.called.append(Called(event["who"], event["q"], begin, event["at"]))

    def table(self, event: dict[str, Any]) -> None:
        if event["what"] == "offset" and event["is"] and event["was"] and int(event["is"]) < int(event["was"]):
            name, _, number = event["of"].rpartition(":")
            topic, _, group = name.rpartition("@")
            self.found.set_back.append(SetBack(event["at"], group, topic, int(number)))

    def ended(self) -> Happened:
        """All of it; entries that are open end with their process's last event."""
        for (who, queue), begin in self.open.items():
            self.found.entries.append((who, queue, begin, self.found.ran[who][1]))
        return self.found


EVENTS: dict[str, Callable[[_Reading, dict[str, Any]], None]] = {
    "start-consumer": _Reading.started,
    "signal": _Reading.signal,
    "gap": _Reading.gap,
    "entry-new": _Reading.new,
    "entry-gone": _Reading.gone,
    "ask": _Reading.asked,
    "answered": _Reading.answered,
    "notified": _Reading.notified,
    "allocate": _Reading.allocated,
    "begin": _Reading.began,
    "end": _Reading.returned,
    "table": _Reading.table,
}
